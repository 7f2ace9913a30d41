#include "reproduce/minimal_variational.h"

#include <Eigen/Dense>
#include <cmath>

namespace sinew::reproduce {
namespace {

constexpr int kMostIterations = 100;  // as in the source

Eigen::Vector2d along(double angle) { return {std::cos(angle), std::sin(angle)}; }  // d/dθ of the link direction (x, z)
Eigen::Vector2d turned(double angle) { return {-std::sin(angle), std::cos(angle)}; }  // and of that

/// Lagrange polynomials through 0 and 1, or 0, ½ and 1: values and slopes at a place.
void compute_basis(int degree, double c, std::array<double, 3>& value, std::array<double, 3>& slope) {
  if (degree == 1) {
    value = {1 - c, c};
    slope = {-1, 1};
  } else {
    value = {(2 * c - 1) * (c - 1), 4 * c * (1 - c), c * (2 * c - 1)};
    slope = {4 * c - 3, 4 - 8 * c, 4 * c - 1};
  }
}

}  // namespace

MinimalVariational::MinimalVariational(int links, double length, double mass, double moment, double start_angle,
                                       const GalerkinRule& rule, double gravity)
    : rule_(rule),
      length_(length),
      mass_(mass),
      moment_(moment),
      gravity_(gravity),
      p_(VecX::Zero(links)),
      nodes_(static_cast<std::size_t>(links)) {
  theta_.fill(VecX::Constant(links, start_angle));
  set_basis(rule);
}

void MinimalVariational::set_basis(const GalerkinRule& rule) {
  const auto degree = static_cast<std::size_t>(rule.degree);
  Mat<2, 2> S = Mat<2, 2>::Identity();  // the part of a degree that is not there stays out of the way
  S.topLeftCorner(rule.degree, rule.degree).setZero();
  for (std::size_t k = 0; k < static_cast<std::size_t>(rule.points); ++k) {
    compute_basis(rule.degree, rule.nodes[k], value_[k], slope_[k]);
    for (std::size_t j = 0; j < degree; ++j) {
      for (std::size_t i = 1; i <= degree; ++i)
        S(static_cast<int>(j), static_cast<int>(i) - 1) += rule.weights[k] * slope_[k][j] * slope_[k][i];
    }
  }
  inverse_s_ = S.inverse();
  std::array<double, 3> unused{};
  compute_basis(rule.degree, 0.5, middle_, unused);
}

void MinimalVariational::interpolate(const std::array<double, GalerkinRule::kMost>& factors, VecX& out) const {
  out = factors[0] * theta_[0];
  for (std::size_t j = 1; j <= static_cast<std::size_t>(rule_.degree); ++j) out += factors[j] * theta_[j];
}

// ∂L/∂v and ∂L/∂θ: velocities downwards, momenta of everything below upwards.
void MinimalVariational::differentiate(const VecX& theta, const VecX& rates, VecX& momentum, VecX& force) const {
  const Eigen::Index n = theta.size();
  momentum.resize(n);
  force.resize(n);
  const double c = length_ / 2;
  Eigen::Vector2d below = Eigen::Vector2d::Zero(), velocity = Eigen::Vector2d::Zero();
  for (Eigen::Index i = 0; i < n; ++i) velocity += length_ * rates[i] * along(theta[i]);  // of the last end
  for (Eigen::Index i = n; i-- > 0;) {
    const Eigen::Vector2d e = along(theta[i]);
    velocity -= length_ * rates[i] * e;  // of the joint
    const Eigen::Vector2d own = mass_ * (velocity + c * rates[i] * e), arm = c * own + length_ * below;
    momentum[i] = moment_ * rates[i] + e.dot(arm);
    const double hanging = mass_ * (c + length_ * static_cast<double>(n - 1 - i));
    force[i] = rates[i] * turned(theta[i]).dot(arm) - gravity_ * hanging * std::sin(theta[i]);
    below += own;
  }
}

// M α = τ: the force at joint i is f = P a + b for an acceleration a of the joint, P and b from the last link to the first.
void MinimalVariational::factorise_mass(const VecX& theta) {
  const double c = length_ / 2;
  Eigen::Matrix2d P = Eigen::Matrix2d::Zero();
  for (Eigen::Index i = theta.size(); i-- > 0;) {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    node.e = along(theta[i]);
    const Eigen::Vector2d Pe = length_ * (P * node.e);
    node.u = mass_ * c * node.e + Pe;
    node.inverse_d = 1 / (moment_ + mass_ * c * c + length_ * node.e.dot(Pe));
    P += mass_ * Eigen::Matrix2d::Identity() - node.inverse_d * node.u * node.u.transpose();
  }
}

void MinimalVariational::solve_mass(const VecX& torque, VecX& acceleration) {
  Eigen::Vector2d b = Eigen::Vector2d::Zero();
  for (Eigen::Index i = torque.size(); i-- > 0;) {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    node.right = torque[i] - length_ * node.e.dot(b);
    b += node.inverse_d * node.right * node.u;
  }
  acceleration.resize(torque.size());
  Eigen::Vector2d a = Eigen::Vector2d::Zero();
  for (Eigen::Index i = 0; i < torque.size(); ++i) {
    const Node& node = nodes_[static_cast<std::size_t>(i)];
    acceleration[i] = node.inverse_d * (node.right - node.u.dot(a));
    a += length_ * acceleration[i] * node.e;
  }
}

// All gradients, and the largest residual of a joint: sums over all links below it.
double MinimalVariational::compute_residuals(double dt) {
  const auto degree = static_cast<std::size_t>(rule_.degree);
  gradient_[0] = p_;
  for (std::size_t j = 1; j <= degree; ++j) gradient_[j].setZero(p_.size());
  for (std::size_t k = 0; k < static_cast<std::size_t>(rule_.points); ++k) {
    interpolate(value_[k], place_);
    interpolate(slope_[k], rates_);
    rates_ /= dt;
    differentiate(place_, rates_, momentum_, force_);
    for (std::size_t j = 0; j <= degree; ++j)
      gradient_[j] += rule_.weights[k] * (dt * value_[k][j] * force_ + slope_[k][j] * momentum_);
  }
  double largest = 0;
  for (std::size_t j = 0; j < degree; ++j) {
    double joint = 0;
    for (Eigen::Index i = p_.size(); i-- > 0;) {
      joint += gradient_[j][i];
      if (!(std::abs(joint) <= largest)) largest = std::abs(joint);  // keeps what is not a number
    }
  }
  return largest;
}

bool MinimalVariational::step(double dt, double tolerance) {
  const auto degree = static_cast<std::size_t>(rule_.degree);
  factorise_mass(theta_[0]);
  solve_mass(p_, rates_);
  for (std::size_t j = 1; j <= degree; ++j)
    theta_[j] = theta_[0] + dt * static_cast<double>(j) / static_cast<double>(degree) * rates_;
  for (int iteration = 0; iteration <= kMostIterations; ++iteration) {
    const double largest = compute_residuals(dt);
    if (!std::isfinite(largest)) return false;
    if (largest < tolerance) {
      theta_[0] = theta_[degree];
      p_ = gradient_[degree];
      return true;
    }
    ++iterations_;
    interpolate(middle_, place_);
    factorise_mass(place_);
    for (std::size_t j = 0; j < degree; ++j) solve_mass(gradient_[j], change_[j]);
    for (std::size_t i = 0; i < degree; ++i) {
      for (std::size_t j = 0; j < degree; ++j)
        theta_[i + 1] -= dt * inverse_s_(static_cast<int>(i), static_cast<int>(j)) * change_[j];
    }
  }
  return false;
}

double MinimalVariational::energy() {
  // θ̇ = M⁻¹ p, and T = ½ θ̇ · p
  factorise_mass(theta_[0]);
  solve_mass(p_, rates_);
  double height = 0, energy = rates_.dot(p_) / 2;
  for (const double angle : theta_[0]) {
    energy -= mass_ * gravity_ * (height + length_ / 2 * std::cos(angle));
    height += length_ * std::cos(angle);
  }
  return energy;
}

}  // namespace sinew::reproduce
