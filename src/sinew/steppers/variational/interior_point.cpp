// The contact problem of an island by a primal-dual interior-point method: Newton's method on the equations with all products of a contact
// relaxed to κ (cone_constraint.h), κ falling as fast as a predictor finds it can [Mehrotra1992], steps cut before the boundary and kept near
// the central path. The law of Coulomb is not monotone, so centrality is held more tightly than in convex programming.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sinew/steppers/variational/island.h"

namespace sinew {
namespace {

constexpr double kBoundary = 0.98;  // part of the way to the boundary a step may go
constexpr double kSmallestCentring = 0.03;
constexpr double kBoldCentring = 1e-4;  // where the predictor goes all the way
constexpr double kCentrality = 0.01;    // smallest product over the mean
constexpr double kCentralityCut = 0.8;
constexpr int kMaxCentralityCuts = 20;
constexpr double kProductSlack = 50;  // products end below this times κ_end
constexpr int kRefinements = 2;
constexpr double kSmallestVelocityScale = 1e-6;  // m/s
constexpr double kWarmKappa = 1e-4;              // products a warm start begins with, over those of a cold one
constexpr int kWarmIterations = 12;              // after which a warm start is given up
constexpr double kShortestStep = 1e-6;

}  // namespace

ConeConstraint& Island::working_cone(std::size_t n) const {
  return motion_.cones[static_cast<std::size_t>(working_[n])];
}

// The cones of a stage, and the impulses they had in the last step or stage as guesses.
void Island::choose_cones(Stage stage) {
  working_ = stage == Stage::Positions ? cones_ : active_cones_;
  slack_errors_.assign(working_.size(), 0.0);
  cone_pairs_.assign(working_.size(), -1);
  for (std::size_t n = 0; n < working_.size(); ++n) {
    const ConeConstraint& cone = working_cone(n);
    motion_.cone_origins[static_cast<std::size_t>(working_[n])].guess = cone.impulse;
    if (cone.body_b == kWorld) continue;
    const std::pair<int, int> pair = std::minmax(cone.body_a, cone.body_b);
    cone_pairs_[n] =
        static_cast<int>(std::lower_bound(parts_.pairs.begin(), parts_.pairs.end(), pair) - parts_.pairs.begin());
  }
}

// The largest relative velocity contacts have, now and if neither they nor joints acted.
double Island::find_cone_scale(Stage stage) {
  for (std::size_t n = 0; n < working_.size(); ++n) working_cone(n).impulse.setZero();
  evaluate(stage);
  correction_ = unknowns_;
  for (const int i : parts_.bodies) {
    const BodyMotion& body = motion_.body(i);
    correction_.segment<3>(body.offset) -= body.inverse_mass * residual_.segment<3>(body.offset);
    correction_.segment<3>(body.offset + 3) -= body.inverse_inertia_matrix * residual_.segment<3>(body.offset + 3);
  }
  double scale = kSmallestVelocityScale;
  for (std::size_t n = 0; n < working_.size(); ++n) {
    scale = std::max({scale, cone_rows(working_cone(n), unknowns_).lpNorm<Eigen::Infinity>(),
                      cone_rows(working_cone(n), correction_).lpNorm<Eigen::Infinity>()});
  }
  return scale;
}

void Island::start_cones(bool is_warm, double velocity_scale) {
  for (std::size_t n = 0; n < working_.size(); ++n) {
    ConeConstraint& cone = working_cone(n);
    if (is_warm) {
      cone.impulse = motion_.cone_origins[static_cast<std::size_t>(working_[n])].guess;
      cone.start_warm(kWarmKappa * velocity_scale * velocity_scale);
    } else {
      cone.start(velocity_scale);
    }
  }
}

ConeConstraint::Products Island::cone_products(double length) const {
  ConeConstraint::Products total;
  for (std::size_t n = 0; n < working_.size(); ++n) total += working_cone(n).products(length);
  return total;
}

double Island::cone_step() const {
  double length = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < working_.size(); ++n) length = std::min(length, working_cone(n).max_step());
  return length;
}

void Island::find_direction(double kappa, bool with_correction, int refinements) {
  for (std::size_t n = 0; n < working_.size(); ++n) working_cone(n).aim(kappa, slack_errors_[n], with_correction);
  newton_step_ = -residual_;
  add_cone_impulses(1, &ConeConstraint::k, newton_step_);
  ldu_.solve(newton_step_);
  for (std::size_t n = 0; n < working_.size(); ++n)
    working_cone(n).recover(cone_rows(working_cone(n), newton_step_), slack_errors_[n]);
  // K is large where bodies touch: rounding of δu there is seen in δr. Refinement on the equations with δr as unknowns takes it out.
  for (int i = 0; i < refinements; ++i) {
    multiply(newton_step_, correction_);
    correction_ = -residual_ - correction_;
    add_cone_impulses(1, &ConeConstraint::delta_impulse, correction_);
    ldu_.solve(correction_);
    newton_step_ += correction_;
    for (std::size_t n = 0; n < working_.size(); ++n) working_cone(n).refine(cone_rows(working_cone(n), correction_));
  }
}

// Predictor and corrector: newton_step_ and the directions of the cones.
void Island::find_corrected_direction(const ConeConstraint::Products& now, double kappa_end) {
  find_direction(0, false, 0);
  const double predictor = std::min(1.0, cone_step());
  const double ratio = std::clamp(cone_products(predictor).mean() / now.mean(), 0.0, 1.0);
  const bool is_bold = predictor > 0.99 && now.smallest > 0.1 * now.mean();
  const double centring = std::max(is_bold ? kBoldCentring : kSmallestCentring, ratio * ratio * ratio);
  for (std::size_t n = 0; n < working_.size(); ++n)  // the correction of a predictor that could not go all the way
    working_cone(n).delta_impulse *= predictor * predictor;
  find_direction(std::max(centring * now.mean(), kappa_end), true, kRefinements);
}

// The step along the direction, as long as cones, centrality and turning allow.
void Island::take_step(Stage stage) {
  double length = std::min(1.0, kBoundary * cone_step());
  for (int cuts = 0; cuts < kMaxCentralityCuts; ++cuts, length *= kCentralityCut) {
    const ConeConstraint::Products products = cone_products(length);
    if (products.smallest >= kCentrality * products.mean()) break;
  }
  trial_ = unknowns_;
  unknowns_ = trial_ + length * newton_step_;
  while (stage == Stage::Positions && length > kShortestStep && !turns_are_admissible()) {
    length /= 2;
    unknowns_ = trial_ + length * newton_step_;
  }
  for (std::size_t n = 0; n < working_.size(); ++n) working_cone(n).move(length);
}

bool Island::solve_interior_point(Stage stage, const Variational& options, StepReport& report) {
  choose_cones(stage);
  first_unknowns_ = unknowns_;
  const double velocity_scale = find_cone_scale(stage);
  const double kappa_end = options.contact_tolerance * std::min(velocity_scale, 1.0);
  bool is_warm = std::any_of(working_.begin(), working_.end(), [&](int c) {
    return motion_.cone_origins[static_cast<std::size_t>(c)].guess != Vec6::Zero();
  });
  start_cones(is_warm, velocity_scale);
  Residual current = evaluate(stage);
  for (int iteration = 0;; ++iteration) {
    const ConeConstraint::Products products = cone_products(0);
    const double tolerance = std::max(options.contact_tolerance, current.rounding);
    report.contact_iterations = std::max(report.contact_iterations, iteration);
    if (std::max(current.motion, current.slack) <= tolerance &&
        current.joint <= std::max(options.tolerance, current.rounding) &&
        products.largest <= kProductSlack * kappa_end) {
      report.residual = std::max({report.residual, current.motion, current.joint});
      return true;
    }
    if (is_warm && (iteration == kWarmIterations || !std::isfinite(current.merit))) {  // a bad guess: begin again
      is_warm = false;
      unknowns_ = first_unknowns_;
      start_cones(is_warm, velocity_scale);
      current = evaluate(stage);
      continue;
    }
    if (iteration == options.max_contact_iterations || !std::isfinite(current.merit)) {
      fail(report, fmt::format("the contact solver stopped after {} iterations: motion off by {:.1e} m/s, gaps by "
                               "{:.1e} m/s, products {:.1e} of {:.1e}, worst at {}: reduce dt",
                               iteration, current.motion, current.slack, products.largest, kappa_end,
                               node_name(current.worst_node)));
      return false;
    }
    for (std::size_t n = 0; n < working_.size(); ++n) working_cone(n).scale();
    assemble(stage);
    add_cones_to_matrix();
    if (!factorize(report)) return false;
    find_corrected_direction(products, kappa_end);
    take_step(stage);
    current = evaluate(stage);
    if (!current.is_admissible) {
      fail(report, "a body turns too fast for dt during contact: reduce dt");
      return false;
    }
  }
}

}  // namespace sinew
