#include "reproduce/segment_chain.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::reproduce {
namespace {

constexpr double kLength = 1, kMass = 1, kThickness = 0.1, kGravity = 9.81;  // m, kg, m, m/s²
constexpr double kMoment = kMass * (kLength * kLength + kThickness * kThickness) / 12;
constexpr double kSingular = 1e-10;                      // as in the program of the sources' comparison
constexpr std::array<double, 4> kSide = {1, -1, 1, -1};  // of the loop: right, left
enum Link { UpperRight, UpperLeft, LowerRight, LowerLeft };

Eigen::Vector2d along(double angle) { return {std::sin(angle), -std::cos(angle)}; }
Eigen::Vector2d across(double angle) { return {std::cos(angle), std::sin(angle)}; }  // d/dθ of it

/// The link from whose end a link hangs; -1: the world.
Eigen::Index above(Eigen::Index link) {
  const Eigen::Index segment = link / 4, part = link % 4;
  if (part == LowerRight || part == LowerLeft) return link - 2;
  return segment == 0 ? -1 : 4 * (segment - 1) + LowerRight;
}

}  // namespace

SegmentChain::SegmentChain(int segments, double angle, double opening)
    : theta_(4 * segments),
      rates_(VecX::Zero(4 * segments)),
      a_(Eigen::MatrixXd::Zero(4 * segments, 4 * segments)),
      b_(VecX::Zero(4 * segments)) {
  const Eigen::Index n = theta_.size();
  for (Eigen::Index i = 0; i < n; i += 4) {
    theta_.segment<4>(i) << angle + opening, angle - opening, angle - opening, angle + opening;
  }
  VecX lever(n);  // w_ki of one k
  for (Eigen::Index k = 0; k < n; ++k) {
    lever.setZero();
    lever[k] = kLength / 2;
    for (Eigen::Index i = above(k); i >= 0; i = above(i)) lever[i] = kLength;
    a_.noalias() += kMass * lever * lever.transpose();
    a_(k, k) += kMoment;
    b_ += kMass * lever;
  }
}

void SegmentChain::accelerate(const VecX& theta, const VecX& rates, VecX& accelerations) {
  const Eigen::Index n = theta.size(), loops = 2 * segments();
  mass_.resize(n, n);
  free_ = -kGravity * b_.cwiseProduct(theta.array().sin().matrix());
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const double turn = theta[i] - theta[j];
      mass_(i, j) = a_(i, j) == 0 ? 0 : a_(i, j) * std::cos(turn);
      if (a_(i, j) != 0) free_[i] -= a_(i, j) * std::sin(turn) * rates[j] * rates[j];
    }
  }
  cholesky_.compute(mass_);
  accelerations = cholesky_.solve(free_);

  rows_.setZero(loops, n);
  loop_.resize(loops);  // −Ġ θ̇ − 2 ω G θ̇ − ω² g − G M⁻¹ (−c)
  for (Eigen::Index s = 0; s < segments(); ++s) {
    Eigen::Vector2d gap = Eigen::Vector2d::Zero(), rate = gap, bend = gap;
    for (Eigen::Index part = 0; part < 4; ++part) {
      const Eigen::Index i = 4 * s + part;
      const double side = kLength * kSide[static_cast<std::size_t>(part)];
      rows_.block<2, 1>(2 * s, i) = side * across(theta[i]);
      gap += side * along(theta[i]);
      rate += side * rates[i] * across(theta[i]);
      bend -= side * rates[i] * rates[i] * along(theta[i]);  // Ġ θ̇
    }
    loop_.segment<2>(2 * s) = -bend - 2 * frequency_ * rate - frequency_ * frequency_ * gap;
  }
  loop_.noalias() -= rows_ * accelerations;
  response_ = cholesky_.solve(rows_.transpose());
  dual_.noalias() = rows_ * response_;
  least_squares_.setThreshold(kSingular);
  least_squares_.compute(dual_);
  const auto pivots = least_squares_.matrixQTZ().diagonal().cwiseAbs();
  conditioning_ = pivots.minCoeff() / pivots.maxCoeff();
  accelerations.noalias() += response_ * least_squares_.solve(loop_);
}

void SegmentChain::step(double dt) {
  constexpr std::array<double, 4> kNode = {0, 0.5, 0.5, 1}, kWeight = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (std::size_t s = 0; s < 4; ++s) {
    stage_theta_ = theta_;
    velocity_[s] = rates_;
    if (s > 0) {
      stage_theta_ += dt * kNode[s] * velocity_[s - 1];
      velocity_[s] += dt * kNode[s] * acceleration_[s - 1];
    }
    accelerate(stage_theta_, velocity_[s], acceleration_[s]);
  }
  for (std::size_t s = 0; s < 4; ++s) {
    theta_ += dt * kWeight[s] * velocity_[s];
    rates_ += dt * kWeight[s] * acceleration_[s];
  }
}

double SegmentChain::energy() const {
  double energy = 0;
  for (Eigen::Index i = 0; i < theta_.size(); ++i) {
    energy -= kGravity * b_[i] * std::cos(theta_[i]);
    for (Eigen::Index j = 0; j < theta_.size(); ++j) {
      energy += 0.5 * a_(i, j) * std::cos(theta_[i] - theta_[j]) * rates_[i] * rates_[j];
    }
  }
  return energy;
}

double SegmentChain::gap() const {
  double largest = 0;
  for (Eigen::Index s = 0; s < segments(); ++s) {
    Eigen::Vector2d gap = Eigen::Vector2d::Zero();
    for (Eigen::Index part = 0; part < 4; ++part)
      gap += kLength * kSide[static_cast<std::size_t>(part)] * along(theta_[4 * s + part]);
    largest = std::max(largest, gap.norm());
  }
  return largest;
}

Eigen::Vector2d SegmentChain::tip() const {
  Eigen::Vector2d place = Eigen::Vector2d::Zero();
  for (Eigen::Index s = 0; s < segments(); ++s)
    place += kLength * (along(theta_[4 * s + UpperRight]) + along(theta_[4 * s + LowerRight]));
  return place;
}

}  // namespace sinew::reproduce
