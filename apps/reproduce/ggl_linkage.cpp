#include "reproduce/ggl_linkage.h"

#include <cmath>
#include <limits>

namespace sinew::reproduce {
namespace {

constexpr double kLength = 1, kMass = 1, kVelocity = 1, kGravity = 9.81;
constexpr double kMoment = kMass * kLength * kLength / 12;
constexpr Eigen::Index kSize = 6;  // coordinates of a bar
constexpr double kTolerance =
    1e-9;  // of residuals and of changes, and so many iterations: as in the program of [Kinon2023]
constexpr int kMostIterations = 40;

}  // namespace

GglLinkage::GglLinkage(int windows) {
  const Eigen::Vector2d up(0, 1), ahead(1, 0);
  // uprights are bars 0 ... N, couplers N + 1 ... 2 N
  for (int i = 0; i <= windows; ++i)
    add_bar({i * kLength, kLength / 2}, up, kVelocity / 2 * ahead, -kVelocity / kLength);
  for (int i = 0; i < windows; ++i) add_bar({(i + 0.5) * kLength, kLength}, ahead, kVelocity * ahead, 0);
  for (int i = 0; i <= windows; ++i) add_joint(i, -1, -1, 0, {i * kLength, 0});
  for (int i = 0; i < windows; ++i) {
    add_joint(windows + 1 + i, -1, i, 1, Eigen::Vector2d::Zero());
    add_joint(windows + 1 + i, 1, i + 1, 1, Eigen::Vector2d::Zero());
  }
  lambda_.setZero(static_cast<Eigen::Index>(constraints_.size()));
  gamma_ = lambda_;
}

// rate: counter-clockwise from x to z.
void GglLinkage::add_bar(const Eigen::Vector2d& center, const Eigen::Vector2d& direction,
                         const Eigen::Vector2d& velocity, double rate) {
  const Eigen::Index at = q_.size();
  q_.conservativeResize(at + kSize);
  p_.conservativeResize(at + kSize);
  mass_.conservativeResize(at + kSize);
  const Eigen::Vector2d side(-direction.y(), direction.x());
  q_.segment<kSize>(at) << center, direction, side;
  mass_.segment<kSize>(at) << kMass, kMass, VecX::Constant(4, kMoment / 2);
  Vec6 v;
  v << velocity, rate * side, -rate * direction;
  p_.segment<kSize>(at) = mass_.segment<kSize>(at).cwiseProduct(v);
  const Eigen::Index d1 = at + 2, d2 = at + 4;
  constraints_.push_back({{{d1, d1, 0.5}, {d1 + 1, d1 + 1, 0.5}}, {}, -0.5});
  constraints_.push_back({{{d2, d2, 0.5}, {d2 + 1, d2 + 1, 0.5}}, {}, -0.5});
  constraints_.push_back({{{d1, d2, 1}, {d1 + 1, d2 + 1, 1}}, {}, 0});
}

// The ends (±1) of two bars are in one place; of one bar and the world if other < 0.
void GglLinkage::add_joint(int bar, double end, int other, double other_end, const Eigen::Vector2d& place) {
  for (Eigen::Index axis = 0; axis < 2; ++axis) {
    Constraint row{{}, {}, -place[axis]};
    const auto add = [&](int which, double side, double sign) {
      const Eigen::Index at = kSize * which + axis;
      row.linear.emplace_back(at, sign);
      row.linear.emplace_back(at + 2, sign * side * kLength / 2);
    };
    add(bar, end, 1);
    if (other >= 0) add(other, other_end, -1);
    constraints_.push_back(row);
  }
}

void GglLinkage::compute_constraints(const VecX& q, VecX& g) const {
  g.resize(static_cast<Eigen::Index>(constraints_.size()));
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    double value = constraints_[k].constant;
    for (const Product& product : constraints_[k].products)
      value += product.factor * q[product.row] * q[product.column];
    for (const auto& [at, factor] : constraints_[k].linear) value += factor * q[at];
    g[static_cast<Eigen::Index>(k)] = value;
  }
}

void GglLinkage::compute_gradients(const VecX& q, Eigen::MatrixXd& G) const {
  compute_products(q, G);
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    for (const auto& [at, factor] : constraints_[k].linear) G(static_cast<Eigen::Index>(k), at) += factor;
  }
}

void GglLinkage::compute_products(const VecX& w, Eigen::MatrixXd& HW) const {
  HW.setZero(static_cast<Eigen::Index>(constraints_.size()), w.size());
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    for (const Product& product : constraints_[k].products) {
      HW(static_cast<Eigen::Index>(k), product.row) += product.factor * w[product.column];
      HW(static_cast<Eigen::Index>(k), product.column) += product.factor * w[product.row];
    }
  }
}

void GglLinkage::compute_curvature(const VecX& gamma, Eigen::MatrixXd& T) const {
  T.setZero(q_.size(), q_.size());
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    for (const Product& product : constraints_[k].products) {
      T(product.row, product.column) += product.factor * gamma[static_cast<Eigen::Index>(k)];
      T(product.column, product.row) += product.factor * gamma[static_cast<Eigen::Index>(k)];
    }
  }
}

void GglLinkage::gradient_of_potential(VecX& out) const {
  out.setZero(q_.size());
  for (Eigen::Index bar = 0; bar < q_.size(); bar += kSize) out[bar + 1] = kMass * kGravity;
}

bool GglLinkage::step(double dt) {
  const Eigen::Index n = q_.size(), m = static_cast<Eigen::Index>(constraints_.size());
  const VecX inverse_mass = mass_.cwiseInverse();
  VecX potential, v, middle, g, residual(2 * n + 2 * m), next = q_, w = p_.cwiseProduct(inverse_mass);
  Eigen::MatrixXd G_here, G_middle, G_next, T, HW, J(2 * n + 2 * m, 2 * n + 2 * m);
  gradient_of_potential(potential);
  compute_gradients(q_, G_here);
  const Eigen::MatrixXd push = -dt * dt * inverse_mass.asDiagonal() * G_here.transpose();  // ∂q̄/∂λ
  double largest_change = std::numeric_limits<double>::infinity();
  for (int iteration = 0;; ++iteration) {
    v = inverse_mass.cwiseProduct(p_ - dt * (potential + G_here.transpose() * lambda_));
    middle = q_ + dt * v;
    compute_gradients(middle, G_middle);
    compute_gradients(next, G_next);
    compute_constraints(next, g);
    compute_curvature(gamma_, T);
    compute_products(w, HW);
    residual << next - middle - dt * inverse_mass.cwiseProduct(G_middle.transpose() * gamma_),
        mass_.cwiseProduct(v - w) - dt * T * w, g, G_middle * w;
    const double largest = residual.cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) return false;
    if ((largest < kTolerance && largest_change < kTolerance) || iteration > kMostIterations) {
      unsolved_ += largest >= kTolerance ? 1 : 0;
      break;
    }
    ++iterations_;
    J.setZero();  // columns: q_{n+1}, w, λ, γ
    J.topLeftCorner(n, n).setIdentity();
    J.block(0, 2 * n, n, m) = -push - dt * inverse_mass.asDiagonal() * T * push;
    J.topRightCorner(n, m) = -dt * inverse_mass.asDiagonal() * G_middle.transpose();
    J.block(n, n, n, n) = -dt * T;
    J.block(n, n, n, n).diagonal() -= mass_;
    J.block(n, 2 * n, n, m) = -dt * G_here.transpose();
    J.block(n, 2 * n + m, n, m) = -dt * HW.transpose();
    J.block(2 * n, 0, m, n) = G_next;
    J.block(2 * n + m, n, m, n) = G_middle;
    J.block(2 * n + m, 2 * n, m, m) = HW * push;
    const VecX change = J.partialPivLu().solve(residual);
    largest_change = change.cwiseAbs().maxCoeff();
    next -= change.head(n);
    w -= change.segment(n, n);
    lambda_ -= change.segment(2 * n, m);
    gamma_ -= change.tail(m);
  }
  q_ = next;
  p_ = mass_.cwiseProduct(w);
  return true;
}

double GglLinkage::energy() const {
  double energy = 0.5 * p_.dot(p_.cwiseQuotient(mass_));
  for (Eigen::Index bar = 0; bar < q_.size(); bar += kSize) energy += kMass * kGravity * q_[bar + 1];
  return energy;
}

Eigen::Vector2d GglLinkage::b0() const { return q_.head<2>() + kLength / 2 * q_.segment<2>(2); }

double GglLinkage::position_error() const {
  VecX g;
  compute_constraints(q_, g);
  return g.cwiseAbs().maxCoeff();
}

double GglLinkage::velocity_error() const {
  Eigen::MatrixXd G;
  compute_gradients(q_, G);
  return (G * p_.cwiseQuotient(mass_)).cwiseAbs().maxCoeff();
}

}  // namespace sinew::reproduce
