// The contact problem of an island by a primal-dual interior-point method: Newton's method on the equations with all products of a contact
// relaxed to κ (cone_constraint.h), κ falling along the central path (central_path.h).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sinew/steppers/variational/island.h"

namespace sinew {
namespace {

constexpr int kMaxRefinements = 8;
constexpr int kFreeMotionRefinements = 2;
// Contacts add stiffness of any size to a body: other pivots are small next to it without being wrong, and directions are refined.
constexpr double kLeastContactPivot = 1e-16;
constexpr double kUnrefined = std::numeric_limits<double>::infinity();
constexpr double kLeapProducts = 1e3;  // over κ_end, below which a leap to the end of the path is tried
constexpr int kMostDeeper = 2;
constexpr std::size_t kMostToDecide = 40;  // contacts: among more some are always on the verge, and deeper is in vain
constexpr double kDeeper = 1e-3;           // of κ each
constexpr double kRefinement = 0.01;       // of the tolerance: what a direction may leave of its equations
constexpr double kShortestStep = 1e-6;
constexpr int kMostRowsToImprove = 150;  // of cones: to seek a better solution than a rough one takes their square
constexpr int kPatience = 20;  // iterations, after which products relative to the squares of fast impacts suffice
constexpr double kRoughJoint = 1e-8, kRoughMotion = 1e-7, kRoughSlack = 1e-7;  // m or rad, m/s, m/s

}  // namespace

ConeConstraint& Island::working_cone(std::size_t n) const {
  return motion_.cones[static_cast<std::size_t>(working_[n])];
}

// The cones of a stage, and the impulses they had in the last step or stage as guesses.
void Island::choose_cones(Stage stage) {
  working_ = stage == Stage::Positions ? cones_ : active_cones_;
  slack_errors_.assign(working_.size(), 0.0);
  cone_pairs_.assign(working_.size(), -1);
  working_cones_.clear();
  for (const int i : parts_.bodies) motion_.body(i).is_touched = false;
  for (std::size_t n = 0; n < working_.size(); ++n) {
    ConeConstraint& cone = working_cone(n);
    motion_.body(cone.body_a).is_touched = true;
    if (cone.body_b != kWorld) motion_.body(cone.body_b).is_touched = true;
    working_cones_.push_back(&cone);
    motion_.cone_origins[static_cast<std::size_t>(working_[n])].guess = cone.impulse;
    if (cone.body_b == kWorld) continue;
    const std::pair<int, int> pair = std::minmax(cone.body_a, cone.body_b);
    cone_pairs_[n] =
        static_cast<int>(std::lower_bound(parts_.pairs.begin(), parts_.pairs.end(), pair) - parts_.pairs.begin());
  }
}

// One Newton step to the motion without contacts: unknowns_. Returns the largest relative velocity contacts then have, or had before. False:
// the equations are singular.
bool Island::find_free_motion(Stage stage, double& velocity_scale, StepReport& report) {
  const auto fastest = [&] {
    double largest = 0;
    for (std::size_t n = 0; n < working_.size(); ++n)
      largest = std::max(largest, cone_rows(working_cone(n), unknowns_).lpNorm<Eigen::Infinity>());
    return largest;
  };
  for (std::size_t n = 0; n < working_.size(); ++n) working_cone(n).impulse.setZero();
  evaluate(stage);
  assemble(stage);
  if (!factorize(report)) return false;
  velocity_scale = std::max(kSmallestVelocityScale, fastest());
  const auto take_newton_step = [&] {
    newton_step_ = residual_;
    ldu_.solve(newton_step_);
    unknowns_ -= newton_step_;
  };
  take_newton_step();
  // Rows of a loop that repeat each other agree only to first order, and ε makes large impulses of the rest: once more with what is left.
  for (int n = 0; has_loops_ && stage == Stage::Positions && n < kFreeMotionRefinements; ++n) {
    if (!evaluate(stage).is_admissible) break;
    take_newton_step();
  }
  velocity_scale = std::max(velocity_scale, fastest());
  return true;
}

// The impulses of the last step or stage, and the motion they give, to first order: with the matrix of the free motion.
void Island::find_guess(Stage stage) {
  unknowns_ = first_unknowns_;
  take_guessed_impulses();
  newton_step_.setZero();
  add_cone_impulses(1, &ConeConstraint::impulse, newton_step_);
  ldu_.solve(newton_step_);
  unknowns_ += newton_step_;
  if (stage == Stage::Positions && !turns_are_admissible()) unknowns_ = first_unknowns_;
  guessed_unknowns_ = unknowns_;
}

void Island::take_guessed_impulses() {
  for (std::size_t n = 0; n < working_.size(); ++n)
    working_cone(n).impulse = motion_.cone_origins[static_cast<std::size_t>(working_[n])].guess;
}

// (6) is linear, and rows that repeat each other agree: ε need not hold impulses, Λ₀ is the iterate.
Island::Residual Island::evaluate_on_path(Stage stage) {
  if (stage == Stage::Velocities) centre_ = unknowns_;
  return evaluate(stage);
}

// Whether the iterate obeys all laws: as exactly as the path would end, or better.
bool Island::is_solution(const Residual& current, double velocity_scale, const Variational& options) {
  const double tolerance = std::max(options.contact_tolerance, current.rounding);
  if (!current.is_admissible || !(current.motion <= tolerance) ||
      current.joint > std::max(options.tolerance, current.place_rounding))
    return false;
  const double law_tolerance = std::max(options.contact_tolerance * std::min(1.0, velocity_scale), current.rounding);
  return std::ranges::all_of(working_cones_,
                             [&](const ConeConstraint* cone) { return cone->law_error() <= law_tolerance; });
}

bool Island::accept(const Residual& current, StepReport& report) {
  report.residual = std::max({report.residual, current.motion, current.joint});
  return true;
}

// All the way along the path at once: products of zero to first order, with the matrix in work. Near its end that is exact to rounding, if it is clear
// what is open, closed, sticks and slides. False: it is not, and everything is as before.
bool Island::leap(Stage stage, double velocity_scale, const Variational& options, StepReport& report) {
  if (motion_.polygon.is_used()) return false;
  find_direction(0, false, kRefinement * options.contact_tolerance);
  keep_point();
  unknowns_ += newton_step_;
  for (ConeConstraint* cone : working_cones_) cone->leap();
  if (stage != Stage::Positions || turns_are_admissible()) {
    const Residual end = evaluate_on_path(stage);
    if (is_solution(end, velocity_scale, options)) {
      for (ConeConstraint* cone : working_cones_) cone->rest();
      return accept(end, report);
    }
  }
  return_to_point();
  evaluate_on_path(stage);
  return false;
}

void Island::keep_point() {
  kept_unknowns_ = unknowns_;
  kept_points_.clear();
  for (const ConeConstraint* cone : working_cones_) kept_points_.push_back(cone->point());
}

// The point kept is the result.
bool Island::accept_point(Stage stage, StepReport& report) {
  report.clear_failure();
  return_to_point();
  return accept(evaluate_on_path(stage), report);
}

void Island::return_to_point() {
  unknowns_ = kept_unknowns_;
  for (std::size_t n = 0; n < working_.size(); ++n) working_cones_[n]->return_to(kept_points_[n]);
}

void Island::find_direction(double kappa, bool with_correction, double tolerance) {
  for (std::size_t n = 0; n < working_.size(); ++n) working_cone(n).aim(kappa, slack_errors_[n], with_correction);
  newton_step_ = -residual_;
  add_cone_impulses(1, &ConeConstraint::k, newton_step_);
  ldu_.solve(newton_step_);
  for (std::size_t n = 0; n < working_.size(); ++n)
    working_cone(n).recover(cone_rows(working_cone(n), newton_step_), slack_errors_[n]);
  // K is large where bodies touch: rounding of δu there is seen in δr. Refinement on the equations with δr as unknowns takes it out.
  for (int i = 0; tolerance < kUnrefined && i < kMaxRefinements; ++i) {
    multiply(newton_step_, correction_);
    correction_ = -residual_ - correction_;
    add_cone_impulses(1, &ConeConstraint::delta_impulse, correction_);
    if (correction_.lpNorm<Eigen::Infinity>() <= tolerance * smallest_inertia_) break;
    ldu_.solve(correction_);
    newton_step_ += correction_;
    for (std::size_t n = 0; n < working_.size(); ++n) working_cone(n).refine(cone_rows(working_cone(n), correction_));
  }
}

// Predictor and corrector: newton_step_ and the directions of the cones.
void Island::find_corrected_direction(const ConeConstraint::Products& now, double kappa_end, double tolerance,
                                      double last_length) {
  find_direction(0, false, kUnrefined);
  const double predictor = std::min(1.0, step_to_boundary(working_cones_));
  const double centring = choose_centring(now, compute_products(working_cones_, predictor), predictor, last_length);
  for (ConeConstraint* cone : working_cones_) cone->shorten(predictor * predictor);
  find_direction(std::max(centring * now.mean(), kappa_end), true, kRefinement * tolerance);
}

// The step along the direction, as long as cones, centrality and turning allow. Returns its length.
double Island::take_step(Stage stage, double mean_product, double velocity_scale) {
  double length = choose_step(working_cones_, mean_product, velocity_scale);
  trial_ = unknowns_;
  unknowns_ = trial_ + length * newton_step_;
  while (stage == Stage::Positions && length > kShortestStep && !turns_are_admissible()) {
    length /= 2;
    unknowns_ = trial_ + length * newton_step_;
  }
  for (std::size_t n = 0; n < working_.size(); ++n) working_cone(n).move(length);
  return length;
}

// Impacts among many bodies with friction may have no smooth central path: what is left when half of the iterations are used up is accepted
// if it is small next to the velocities of the impact. Reports show it as complementarity and penetration.
bool Island::is_rough_solution(const Residual& residual, const ConeConstraint::Products& products,
                               double velocity_scale) {
  const double scale = std::max(1.0, velocity_scale);
  return residual.joint <= kRoughJoint && residual.motion <= kRoughMotion * scale &&
         residual.slack <= kRoughSlack * scale && products.largest <= kRoughProducts * velocity_scale * velocity_scale;
}

// Where that fails and there are loops, they may be what cannot be closed: again, closed ahead (island_newton.cpp).
bool Island::solve_interior_point(Stage stage, const Variational& options, StepReport& report) {
  choose_cones(stage);
  const ContactSummary summary = report.contact_summary;
  const double residual = report.residual;
  if (solve_cones(stage, options, report)) return true;
  if (!has_loops_ || stage != Stage::Positions) return false;
  report.clear_failure();
  report.contact_summary = summary;
  report.residual = residual;
  close_ahead();
  return solve_cones(stage, options, report);
}

bool Island::solve_cones(Stage stage, const Variational& options, StepReport& report) {
  is_rough_ = is_loop_open_ = false;
  start_stage(stage);
  trial_ = unknowns_;
  double velocity_scale = 0;
  if (!find_free_motion(stage, velocity_scale, report)) return false;
  if (stage == Stage::Positions && !turns_are_admissible()) unknowns_ = trial_;
  if (stage == Stage::Velocities) free_velocities_ = unknowns_;
  first_unknowns_ = unknowns_;
  contact_iterations_ = 0;
  const double scale2 = velocity_scale * velocity_scale;
  const auto follow = [&](Start start, double kappa) {
    report.clear_failure();
    return follow_central_path(stage, start, kappa, velocity_scale, options, report);
  };
  find_guess(stage);
  centre_ = guess_;
  const Residual current = evaluate_on_path(stage);
  if (current.is_admissible) {
    if (is_solution(current, velocity_scale, options)) {  // what rests goes on resting
      for (ConeConstraint* cone : working_cones_) cone->rest();
      return accept(current, report);
    }
    const double kappa = choose_near_kappa(working_cones_, velocity_scale, options.contact_tolerance);
    if (kappa < kNear * kWarmKappa * scale2 && follow(Start::Near, kappa)) return keep_path_end(report);
    if (is_loop_open_) return false;
  }
  if (follow(Start::Warm, kWarmKappa * scale2)) return keep_path_end(report);
  if (is_loop_open_) return false;
  const bool is_found = follow(Start::Cold, 0);
  if (is_loop_open_) return false;
  if (is_found && (!is_rough_ || count_cone_rows() > kMostRowsToImprove)) return keep_path_end(report);
  const std::string reason = report.reason;
  const VecX rough_unknowns = unknowns_;
  std::vector<ConeConstraint> rough_cones;
  for (const ConeConstraint* cone : working_cones_) rough_cones.push_back(*cone);
  if (sweep_cones(stage, velocity_scale, report)) {
    first_unknowns_ = unknowns_;
    for (std::size_t n = 0; n < working_.size(); ++n)
      motion_.cone_origins[static_cast<std::size_t>(working_[n])].guess = working_cone(n).impulse;
    if (follow(Start::Here, kSweptKappa * scale2) && !is_rough_) return true;
    report.clear_failure();
    if (rest_at_swept(stage, velocity_scale, options, report)) return true;
  }
  if (!is_found) return report.fail(reason), false;
  report.clear_failure();
  unknowns_ = rough_unknowns;
  for (std::size_t n = 0; n < working_.size(); ++n) *working_cones_[n] = rough_cones[n];
  const Residual left = evaluate(stage);
  report.residual = std::max({report.residual, left.motion, left.joint});
  is_rough_ = true;
  return keep_path_end(report);
}

bool Island::keep_path_end(StepReport& report) {
  if (is_rough_) ++report.contact_summary.rough;
  return true;
}

// What sweeps or pivots found, if the central path does not lead closer. False: it does not solve the equations.
bool Island::rest_at_swept(Stage stage, double velocity_scale, const Variational& options, StepReport& report) {
  unknowns_ = first_unknowns_;
  take_guessed_impulses();
  evaluate(stage);
  for (ConeConstraint* cone : working_cones_) cone->rest();
  const Residual left = evaluate(stage);
  if (is_solution(left, velocity_scale, options)) return accept(left, report);
  const double scale = std::max(1.0, velocity_scale);
  if (left.joint > kRoughJoint || left.motion > kRoughMotion * scale || left.slack > kRoughSlack * scale) return false;
  report.residual = std::max({report.residual, left.motion, left.joint});
  ++report.contact_summary.rough;
  return true;
}

bool Island::follow_central_path(Stage stage, Start start, double kappa, double velocity_scale,
                                 const Variational& options, StepReport& report) {
  set_regularisation(kRegularisation);
  if (start == Start::Warm || start == Start::Cold) {
    unknowns_ = start == Start::Warm ? guessed_unknowns_ : first_unknowns_;
    if (start == Start::Warm) take_guessed_impulses();
    centre_ = guess_;
    evaluate(stage);
  }
  for (ConeConstraint* cone : working_cones_)
    start == Start::Cold ? cone->start(velocity_scale) : cone->start_warm(kappa, velocity_scale);
  is_rough_ = is_loop_open_ = false;
  Residual current = evaluate_on_path(stage);
  double length = 1, last_left = std::numeric_limits<double>::infinity();
  int deeper = 0;  // iterations beyond the end of the path, to where a leap sees what sticks and what slides
  for (int iteration = 0;; ++iteration) {
    const ConeConstraint::Products products = compute_products(working_cones_, 0);
    const double tolerance = std::max(options.contact_tolerance, current.rounding);
    const double joint_tolerance = std::max(options.tolerance, current.place_rounding);
    const double kappa_end =
        options.contact_tolerance *
        (iteration < kPatience ? std::min(velocity_scale, 1.0) : velocity_scale * std::max(velocity_scale, 1.0));
    const bool is_path_done =
        std::max(current.motion, current.slack) <= tolerance && products.largest <= kProductSlack * kappa_end;
    const bool is_done = is_path_done && current.joint <= joint_tolerance;
    if (is_done) {
      if (start == Start::Here || deeper == kMostDeeper || working_cones_.size() > kMostToDecide ||
          motion_.polygon.is_used() || is_solution(current, velocity_scale, options))
        return accept(current, report);
      keep_point();
      ++deeper;
    } else {
      if (deeper > 0) return accept_point(stage, report);
      if ((start == Start::Near || start == Start::Warm) &&
          (iteration == kWarmIterations || length < kShortestWarmStep || !std::isfinite(current.merit)))
        return false;
      if (2 * iteration >= options.max_contact_iterations && is_rough_solution(current, products, velocity_scale)) {
        is_rough_ = true;
        return accept(current, report);
      }
      if (iteration == options.max_contact_iterations || !std::isfinite(current.merit)) {
        report.fail(fmt::format(
            "the contact solver stopped after {} iterations: joints off by {:.1e} m, motion by {:.1e} m/s, gaps by "
            "{:.1e} m/s, products {:.1e} of {:.1e}, worst at {}: reduce dt",
            iteration, current.joint, current.motion, current.slack, products.largest, kappa_end,
            node_name(current.worst_node)));
        return false;
      }
    }
    double left = is_path_done ? last_left : std::numeric_limits<double>::infinity();
    if ((is_path_done || stage == Stage::Positions) && !move_centre(joint_tolerance, tolerance, left, current)) {
      if (stage == Stage::Velocities) {  // what is left is along a direction that joints hardly hold in this pose
        is_rough_ = current.joint > kRoughJoint;
        return accept(current, report);
      }
      is_loop_open_ = true;
      report.fail(
          fmt::format("a loop does not close at {} in a singular pose: reduce dt", node_name(current.worst_node)));
      return false;
    }
    if (is_path_done) last_left = left;
    report.contact_iterations = std::max(report.contact_iterations, ++contact_iterations_);
    for (std::size_t n = 0; n < working_.size(); ++n) working_cone(n).scale();
    assemble(stage);
    add_cones_to_matrix();
    if (!factorize(report, kLeastContactPivot)) return deeper > 0 && accept_point(stage, report);
    if (products.mean() <= kLeapProducts * kappa_end && leap(stage, velocity_scale, options, report)) return true;
    find_corrected_direction(products, kappa_end * std::pow(kDeeper, deeper), tolerance, length);
    length = take_step(stage, products.mean(), velocity_scale);
    current = evaluate_on_path(stage);
    if (!current.is_admissible) {
      if (deeper > 0) return accept_point(stage, report);
      report.fail("a body turns too fast for dt during contact: reduce dt");
      return false;
    }
  }
}

}  // namespace sinew
