#include "sinew/steppers/friction_polygon.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr double kMostFriction = 0.9;  // part of the radius a warm start uses

}  // namespace

FrictionPolygon::FrictionPolygon(int n) : n_(n) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / n;
    d_[i] = Vec<2>(std::cos(angle), std::sin(angle));
  }
}

Vec<2> FrictionPolygon::impulse() const {
  Vec<2> beta = Vec<2>::Zero();
  for_directions([&](std::size_t i, const Vec<2>& d) { beta += b_[i] * d; });
  return beta;
}

// What depends on b, R, ψ and w.
void FrictionPolygon::place(double radius, double psi, const Vec<2>& w) {
  psi_ = psi;
  sigma_ = radius;
  for_directions([&](std::size_t i, const Vec<2>& d) {
    eta_[i] = psi + d.dot(w);
    sigma_ -= b_[i];
  });
}

void FrictionPolygon::start(double radius) { b_.fill(radius / (2 * n_)); }

// β between its two neighbouring directions, and κM/η everywhere.
void FrictionPolygon::start_warm(double radius, const Vec<2>& beta, double psi, const Vec<2>& w, double product) {
  b_.fill(0);
  const double step = 2 * std::numbers::pi / n_;
  const double angle = std::atan2(beta[1], beta[0]);
  const double turn = angle < 0 ? angle + 2 * std::numbers::pi : angle;
  const auto before = static_cast<std::size_t>(turn / step) % static_cast<std::size_t>(n_);
  const double within = turn - step * std::floor(turn / step);
  b_[before] = beta.norm() * std::sin(step - within) / std::sin(step);
  b_[(before + 1) % static_cast<std::size_t>(n_)] += beta.norm() * std::sin(within) / std::sin(step);
  double sum = 0;
  for_directions([&](std::size_t i, const Vec<2>& d) {
    b_[i] = std::max(b_[i], product / (psi + d.dot(w)));
    sum += b_[i];
  });
  if (sum <= kMostFriction * radius) return;
  for_directions([&](std::size_t i, const Vec<2>&) { b_[i] *= kMostFriction * radius / sum; });
}

void FrictionPolygon::scale(double radius, double psi, const Vec<2>& w) {
  place(radius, psi, w);
  a_sum_ = 0;
  g_.setZero();
  K_tt_.setZero();
  for_directions([&](std::size_t i, const Vec<2>& d) {
    const double a = b_[i] / eta_[i];
    a_sum_ += a;
    g_ += a * d;
    K_tt_ += a * d * d.transpose();
  });
  const double rho = psi_ / sigma_;
  c_ = rho / (1 + rho * a_sum_) * g_;
  K_tt_ -= g_ * c_.transpose();
}

Vec<2> FrictionPolygon::aim(double product, bool with_correction) {
  Vec<2> target = Vec<2>::Zero();
  k_sum_ = 0;
  for_directions([&](std::size_t i, const Vec<2>& d) {
    const double correction = with_correction ? delta_b_[i] * delta_eta_[i] : 0;
    k_[i] = (product - correction) / eta_[i] - b_[i];
    k_sum_ += k_[i];
    target += k_[i] * d;
  });
  k_psi_ = (product - (with_correction ? delta_psi_ * delta_sigma_ : 0)) / sigma_ - psi_;
  const double rho = psi_ / sigma_;
  return target - (k_psi_ + rho * k_sum_) / (1 + rho * a_sum_) * g_;
}

double FrictionPolygon::recover(double delta_radius, const Vec<2>& delta_w) {
  const double rho = psi_ / sigma_;
  delta_psi_ = (k_psi_ - rho * (delta_radius - k_sum_ + g_.dot(delta_w))) / (1 + rho * a_sum_);
  delta_sigma_ = delta_radius;
  for_directions([&](std::size_t i, const Vec<2>& d) {
    delta_eta_[i] = delta_psi_ + d.dot(delta_w);
    delta_b_[i] = k_[i] - b_[i] / eta_[i] * delta_eta_[i];
    delta_sigma_ -= delta_b_[i];
  });
  return delta_psi_;
}

double FrictionPolygon::max_step() const {
  double length = std::numeric_limits<double>::infinity();
  const auto stay_positive = [&](double value, double change) {
    if (change < 0) length = std::min(length, -value / change);
  };
  for_directions([&](std::size_t i, const Vec<2>&) {
    stay_positive(b_[i], delta_b_[i]);
    stay_positive(eta_[i], delta_eta_[i]);
  });
  stay_positive(psi_, delta_psi_);
  stay_positive(sigma_, delta_sigma_);
  return length;
}

void FrictionPolygon::shorten(double factor) {
  for (double& delta : delta_b_) delta *= factor;
  delta_sigma_ *= factor;
}

void FrictionPolygon::move(double length) {
  for_directions([&](std::size_t i, const Vec<2>&) { b_[i] += length * delta_b_[i]; });
}

FrictionPolygon make_friction_polygon(int directions) {
  if (directions == 0) return {};
  if (directions < 3 || directions > FrictionPolygon::kMaxDirections)
    throw Error(ErrorKind::Input, "friction_directions",
                fmt::format("expected 0, or 3 to {}, got {}", FrictionPolygon::kMaxDirections, directions));
  return FrictionPolygon(directions);
}

}  // namespace sinew
