#include "reproduce/minimal_variational.h"

#include <cmath>

namespace sinew::reproduce {
namespace {

constexpr int kMostIterations = 100;  // as in the source

Eigen::Vector2d along(double angle) { return {std::cos(angle), std::sin(angle)}; }  // d/dθ of the link direction (x, z)
Eigen::Vector2d turned(double angle) { return {-std::sin(angle), std::cos(angle)}; }  // and of that

}  // namespace

MinimalVariational::MinimalVariational(int links, double length, double mass, double moment, double start_angle,
                                       double gravity)
    : length_(length),
      mass_(mass),
      moment_(moment),
      gravity_(gravity),
      theta_(VecX::Constant(links, start_angle)),
      p_(VecX::Zero(links)),
      nodes_(static_cast<std::size_t>(links)) {}

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
void MinimalVariational::solve_mass(const VecX& theta, const VecX& torque, VecX& acceleration) {
  const double c = length_ / 2;
  Eigen::Matrix2d P = Eigen::Matrix2d::Zero();
  Eigen::Vector2d b = Eigen::Vector2d::Zero();
  for (Eigen::Index i = theta.size(); i-- > 0;) {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    node.e = along(theta[i]);
    const Eigen::Vector2d Pe = length_ * (P * node.e);
    node.u = mass_ * c * node.e + Pe;
    node.inverse_d = 1 / (moment_ + mass_ * c * c + length_ * node.e.dot(Pe));
    node.right = torque[i] - length_ * node.e.dot(b);
    P += mass_ * Eigen::Matrix2d::Identity() - node.inverse_d * node.u * node.u.transpose();
    b += node.inverse_d * node.right * node.u;
  }
  acceleration.resize(theta.size());
  Eigen::Vector2d a = Eigen::Vector2d::Zero();
  for (Eigen::Index i = 0; i < theta.size(); ++i) {
    const Node& node = nodes_[static_cast<std::size_t>(i)];
    acceleration[i] = node.inverse_d * (node.right - node.u.dot(a));
    a += length_ * acceleration[i] * node.e;
  }
}

bool MinimalVariational::step(double dt, double tolerance) {
  solve_mass(theta_, p_, change_);
  next_ = theta_ + dt * change_;
  for (int iteration = 0; iteration <= kMostIterations; ++iteration) {
    middle_ = (theta_ + next_) / 2;
    rates_ = (next_ - theta_) / dt;
    differentiate(middle_, rates_, momentum_, force_);
    residual_ = p_ + dt / 2 * force_ - momentum_;
    double joint = 0,
           largest = 0;  // residuals of joint coordinates: sums over all links below
    for (Eigen::Index i = residual_.size(); i-- > 0;) {
      joint += residual_[i];
      largest = std::max(largest, std::abs(joint));
    }
    if (!std::isfinite(largest)) return false;
    if (largest < tolerance) {
      theta_ = next_;
      p_ = dt / 2 * force_ + momentum_;
      return true;
    }
    solve_mass(middle_, residual_, change_);
    next_ += dt * change_;
  }
  return false;
}

double MinimalVariational::energy() const {
  // θ̇ = M⁻¹ p, and T = ½ θ̇ · p
  MinimalVariational copy = *this;
  copy.solve_mass(theta_, p_, copy.change_);
  double height = 0, energy = copy.change_.dot(p_) / 2;
  for (const double angle : theta_) {
    energy -= mass_ * gravity_ * (height + length_ / 2 * std::cos(angle));
    height += length_ * std::cos(angle);
  }
  return energy;
}

}  // namespace sinew::reproduce
