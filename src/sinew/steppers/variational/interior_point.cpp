// The contact problem of an island by a primal-dual interior-point method: Newton's method on the equations with all products of a contact
// relaxed to κ (cone_constraint.h), κ falling as fast as a predictor finds it can [Mehrotra1992], steps cut before the boundary and kept near
// the central path. The law of Coulomb is not monotone, so centrality is held more tightly than in convex programming.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sinew/steppers/variational/discrete_rotation.h"
#include "sinew/steppers/variational/island.h"

namespace sinew {
namespace {

constexpr double kBoundary = 0.98;  // part of the way to the boundary a step may go
constexpr double kSmallestCentring = 0.03;
constexpr double kBoldCentring = 1e-4;  // where the predictor goes all the way
constexpr double kCentrality = 0.01;    // smallest product over the mean
constexpr double kProductSlack = 50;    // products end below this times κ_end
constexpr int kRefinements = 2;
constexpr double kWarmKappa = 1e-4;  // products a warm start begins with, over those of a cold one
constexpr int kWarmIterations = 12;  // after which a warm start is given up

}  // namespace

double Island::cone_step() const {
  double length = std::numeric_limits<double>::infinity();
  for (const int c : working_) length = std::min(length, motion_.cones[static_cast<std::size_t>(c)].max_step());
  return length;
}

void Island::find_direction(double kappa, bool with_correction, int refinements) {
  for (std::size_t n = 0; n < working_.size(); ++n)
    motion_.cones[static_cast<std::size_t>(working_[n])].aim(kappa, slack_errors_[n], with_correction);
  newton_step_ = -residual_;
  add_cone_impulses(1, &ConeConstraint::k, newton_step_);
  ldu_.solve(newton_step_);
  for (std::size_t n = 0; n < working_.size(); ++n) {
    ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(working_[n])];
    cone.recover(cone_rows(cone, newton_step_), slack_errors_[n]);
  }
  // K is large where bodies touch: rounding of δu there is seen in δr. Refinement on the equations with δr as unknowns takes it out.
  for (int n = 0; n < refinements; ++n) {
    multiply(newton_step_, correction_);
    correction_ = -residual_ - correction_;
    add_cone_impulses(1, &ConeConstraint::delta_impulse, correction_);
    ldu_.solve(correction_);
    newton_step_ += correction_;
    for (const int c : working_) {
      ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
      cone.refine(cone_rows(cone, correction_));
    }
  }
}

bool Island::solve_interior_point(Stage stage, const Variational& options, StepReport& report) {
  working_ = stage == Stage::Positions ? cones_ : active_cones_;
  slack_errors_.assign(working_.size(), 0.0);
  cone_pairs_.assign(working_.size(), -1);
  for (std::size_t n = 0; n < working_.size(); ++n) {
    const ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(working_[n])];
    if (cone.body_b == kWorld) continue;
    const std::pair<int, int> pair = std::minmax(cone.body_a, cone.body_b);
    cone_pairs_[n] =
        static_cast<int>(std::lower_bound(parts_.pairs.begin(), parts_.pairs.end(), pair) - parts_.pairs.begin());
  }

  for (const int c : working_)  // what the last step or stage had
    motion_.cone_origins[static_cast<std::size_t>(c)].guess = motion_.cones[static_cast<std::size_t>(c)].impulse;
  // sizes: the relative velocities contacts would have, now and if they did not act
  for (const int c : working_) motion_.cones[static_cast<std::size_t>(c)].impulse.setZero();
  evaluate(stage);
  correction_ = unknowns_;
  for (const int i : parts_.bodies) {
    const BodyMotion& body = motion_.body(i);
    correction_.segment<3>(body.offset) -= body.inverse_mass * residual_.segment<3>(body.offset);
    correction_.segment<3>(body.offset + 3) -= body.inverse_inertia_matrix * residual_.segment<3>(body.offset + 3);
  }
  double velocity_scale = 1e-6;
  for (const int c : working_) {
    const ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
    velocity_scale = std::max({velocity_scale, cone_rows(cone, unknowns_).lpNorm<Eigen::Infinity>(),
                               cone_rows(cone, correction_).lpNorm<Eigen::Infinity>()});
  }
  const double kappa_end = options.contact_tolerance * std::min(velocity_scale, 1.0);
  const bool is_warm = std::any_of(working_.begin(), working_.end(), [&](int c) {
    return motion_.cone_origins[static_cast<std::size_t>(c)].guess != Vec6::Zero();
  });
  const VecX first_unknowns = unknowns_;
  const auto start = [&](bool warm) {
    unknowns_ = first_unknowns;
    for (const int c : working_) {
      ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
      if (!warm) {
        cone.start(velocity_scale);
        continue;
      }
      cone.impulse = motion_.cone_origins[static_cast<std::size_t>(c)].guess;
      cone.start_warm(kWarmKappa * velocity_scale * velocity_scale);
    }
  };
  start(is_warm);
  int iterations_of_warm_start = 0;

  Residual current = evaluate(stage);
  for (int iteration = 0;; ++iteration) {
    ConeConstraint::Products total;
    total.smallest = std::numeric_limits<double>::infinity();
    const auto sum_products = [&](double length) {
      ConeConstraint::Products sum;
      sum.smallest = std::numeric_limits<double>::infinity();
      for (const int c : working_) {
        const ConeConstraint::Products p = motion_.cones[static_cast<std::size_t>(c)].products(length);
        sum.sum += p.sum;
        sum.count += p.count;
        sum.smallest = std::min(sum.smallest, p.smallest);
        sum.largest = std::max(sum.largest, p.largest);
      }
      return sum;
    };
    for (const int c : working_) {
      ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
      cone.delta_impulse.setZero();
      cone.delta_velocity.setZero();
      for (FrictionCone& friction : cone.cones) friction.delta_psi = 0;
    }
    total = sum_products(0);
    const double kappa = total.sum / total.count;
    const double tolerance = std::max(options.contact_tolerance, current.rounding);
    report.contact_iterations = std::max(report.contact_iterations, iteration);
    if (std::max(current.motion, current.slack) <= tolerance &&
        current.joint <= std::max(options.tolerance, current.rounding) && total.largest <= kProductSlack * kappa_end) {
      report.residual = std::max({report.residual, current.motion, current.joint});
      return true;
    }
    if (is_warm && iterations_of_warm_start == 0 &&
        (iteration == kWarmIterations || !std::isfinite(current.merit))) {  // a bad guess: begin again
      iterations_of_warm_start = iteration;
      start(false);
      current = evaluate(stage);
      continue;
    }
    if (iteration == options.max_contact_iterations || !std::isfinite(current.merit)) {
      fail(report, fmt::format("the contact solver stopped after {} iterations: motion off by {:.1e} m/s, gaps by "
                               "{:.1e} m/s, products {:.1e} of {:.1e}, worst at {}: reduce dt",
                               iteration, current.motion, current.slack, total.largest, kappa_end,
                               node_name(current.worst_node)));
      return false;
    }
    for (const int c : working_) motion_.cones[static_cast<std::size_t>(c)].scale();
    assemble(stage);
    add_cones_to_matrix();
    if (!factorize(report)) return false;

    find_direction(0, false, 0);
    const double predictor = std::min(1.0, cone_step());
    const double reached = sum_products(predictor).sum / total.count;
    const double ratio = std::clamp(reached / kappa, 0.0, 1.0);
    const bool is_bold = predictor > 0.99 && total.smallest > 0.1 * kappa;
    const double centring = std::max(is_bold ? kBoldCentring : kSmallestCentring, ratio * ratio * ratio);
    for (const int c : working_) {  // the correction of a predictor that could not go all the way
      ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
      cone.delta_impulse *= predictor * predictor;
    }
    find_direction(std::max(centring * kappa, kappa_end), true, kRefinements);

    double length = std::min(1.0, kBoundary * cone_step());
    for (int n = 0; n < 20; ++n, length *= 0.8) {
      const ConeConstraint::Products p = sum_products(length);
      if (p.smallest >= kCentrality * p.sum / p.count) break;
    }
    trial_ = unknowns_;
    unknowns_ = trial_ + length * newton_step_;
    if (stage == Stage::Positions) {
      const auto admissible = [&] {
        return std::all_of(parts_.bodies.begin(), parts_.bodies.end(), [&](int i) {
          return is_admissible(unknowns_.segment<3>(motion_.body(i).offset + 3), motion_.dt);
        });
      };
      while (length > 1e-6 && !admissible()) {
        length /= 2;
        unknowns_ = trial_ + length * newton_step_;
      }
    }
    for (const int c : working_) motion_.cones[static_cast<std::size_t>(c)].move(length);
    current = evaluate(stage);
    if (!current.is_admissible) {
      fail(report, "a body turns too fast for dt during contact: reduce dt");
      return false;
    }
  }
}

}  // namespace sinew
