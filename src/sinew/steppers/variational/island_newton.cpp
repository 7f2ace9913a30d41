// Newton's method for islands without contact, and what loops ask of it.
//
// Joints that close loops may repeat each other: then Λ is not unique, and the rows of (3) do not agree until they are closed. They are
// solved as proximal points [Rockafellar1976]:
//   g(z_{k+1})/dt + ε (Λ − Λ₀) = 0,   Λ₀: at first the guess Λ*, impulses as at the end of the last step
// which has one solution, and its matrix is never singular for want of rank. Λ stays as near to Λ₀ as the joints allow, however many iterations
// it takes. Were Λ₀ the last iterate, the part of Λ that does nothing would collect what rows disagree by on the way, over ε, and never lose it.
// What ε leaves of g, dt ε (Λ − Λ₀), is below rounding in smooth motion; else Λ₀ moves to Λ and the iteration goes on.
//
// Where a loop passes a singular pose within the step (bars in line), impulses at z_k push against the rows at z_{k+1}, or not at all:
// the matrix is indefinite, ε cancels what it has, and (1)-(3) ask for impulses without bound. Then Λ* acts at z_k, as before, and the small rest
// at z*, where the step ends with Λ* alone:
//   M u = p + G(z_k)ᵀ Λ* + G(z*)ᵀ (Λ − Λ*)
// This is the projection onto g = 0: it has a solution in every pose, and its matrix is definite but for terms of dt.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sinew/steppers/variational/island_loops.h"

namespace sinew {
namespace {

constexpr int kMaxLineSearchHalvings = 6;  // a step that short is lost: halving dt is cheaper
constexpr double kRegularisationGrowth = 1e3;
constexpr double kSmallestRegularisation = 1e-12, kLargestRegularisation = 1e-3;
constexpr double kCentred = 0.1;                // of |g|: rows smaller than this are solved for Λ₀ as it is
constexpr double kSlowest = 0.5;                // of |g| may be left when Λ₀ moves, else the loop is closed ahead
constexpr double kSingularAmplification = 1e3;  // of rounding, near singular poses of loops
constexpr double kSingularError = 1e-8;         // m, rad: and never more than this
constexpr double kMostClosedAhead = 1e-3;       // of the momentum: more is left to shorter steps
constexpr int kSingularPatience = 3;            // times as many iterations

}  // namespace

void Island::start_stage(Stage stage) {
  stage_in_work_ = stage;
  set_regularisation(kRegularisation);
}

// ε of every joint and constraint from G M⁻¹ Gᵀ where impulses act; none in trees.
void Island::set_regularisation(double epsilon) {
  regularisation_ = epsilon;
  if (!has_loops_) return;
  const auto size_of = [&](int body, const auto& linear, const auto& angular) {
    const BodyMotion& data = motion_.body(body);
    return linear.squaredNorm() * data.inverse_mass + angular.squaredNorm() * data.inverse_inertia;
  };
  for_joints([&]<int R>(JointMotion& data, const ModelJoint& joint) {
    data.regularisation = 0;
    const JointConstraint& rows = stage_in_work_ == Stage::Velocities ? data.next : data.here;
    const auto add = [&](int body, const Mat6& Gt) {
      if (body == kWorld) return;
      data.regularisation += epsilon / R * size_of(body, Gt.topLeftCorner<3, R>(), Gt.bottomLeftCorner<3, R>());
    };
    add(joint.child, rows.Gt_child);
    add(joint.parent, rows.Gt_parent);
  });
  for (const int c : parts_.couplings) {
    const ModelConstraint& constraint = motion_.constraint(c);
    CouplingMotion& data = motion_.coupling(c);
    const CouplingMotion::PerBody& A = stage_in_work_ == Stage::Velocities ? data.A_next : data.A_here;
    data.regularisation = 0;
    for (std::size_t b = 0; b < static_cast<std::size_t>(constraint.body_count); ++b)
      data.regularisation +=
          epsilon / constraint.rows * size_of(constraint.bodies[b], A[b].leftCols<3>(), A[b].rightCols<3>());
  }
}

// Takes out what ε leaves of g, once that is all that is left; `last_left`: what it left the last time. False: it does not become less, impulses at
// z_k do not close the loop.
bool Island::move_centre(double tolerance, double rate_tolerance, double& last_left, Residual& current) {
  if (!has_loops_ || (current.joint <= tolerance && current.rate <= rate_tolerance)) return true;
  const bool is_linear = stage_in_work_ == Stage::Velocities;
  const double left = std::max(current.joint, std::abs(motion_.dt) * current.rate);
  if (!is_linear && current.row > kCentred * left) return true;
  if (left > kSlowest * last_left) {
    if (is_linear ? regularisation_ <= kSmallestRegularisation : !closes_ahead_) return false;
    set_regularisation(std::max(regularisation_ / kRegularisationGrowth, kSmallestRegularisation));
  }
  last_left = left;
  centre_ = unknowns_;
  current = evaluate(stage_in_work_);
  return true;
}

// From the guess again, the rows along which impulses act being those at its end.
void Island::close_ahead() {
  closes_ahead_ = false;
  unknowns_ = centre_ = guess_;
  evaluate(Stage::Positions);
  for_joints([]<int R>(JointMotion& data, const ModelJoint&) { data.ahead = data.next; });
  for (const int c : parts_.couplings) motion_.coupling(c).A_ahead = motion_.coupling(c).A_next;
  closes_ahead_ = true;
}

// What is closed ahead obeys (1), (2) but for (G(z_k) − G(z*))ᵀ (Λ − Λ*), which is of first order. Where that is not small next to the momentum there is,
// and the step may be halved, it should be: shorter steps around the singular pose keep energy and angular momentum.
bool Island::is_close_to_symplectic(StepReport& report) {
  if (!closes_ahead_ || !report.may_be_halved) return true;
  closes_ahead_ = false;
  evaluate(Stage::Positions);
  double left = 0, all = 0;  // J, twice the kinetic energy of both
  for (const int i : parts_.bodies) {
    const BodyMotion& data = motion_.body(i);
    const Body& body = motion_.model().body(i);
    const Vec3 linear = residual_.segment<3>(data.offset), angular = residual_.segment<3>(data.offset + 3);
    left += data.inverse_mass * linear.squaredNorm() + angular.dot(data.inverse_inertia_matrix * angular);
    all += body.mass() * data.interval_velocity.head<3>().squaredNorm() +
           data.momentum_after.dot(data.inverse_inertia_matrix * data.momentum_after);
  }
  closes_ahead_ = true;
  evaluate(Stage::Positions);
  if (left <= kMostClosedAhead * kMostClosedAhead * all) return true;
  report.fail(
      fmt::format("a loop passes a singular pose, where impulses at the start of the step do not close it ({:.1e} of "
                  "the momentum): reduce dt",
                  std::sqrt(left / all)));
  return false;
}

bool Island::solve_newton(const Variational& options, StepReport& report) {
  if (iterate_newton(options.max_iterations, options, report)) return true;
  if (!has_loops_) return false;
  report.clear_failure();
  close_ahead();
  return iterate_newton(kSingularPatience * options.max_iterations, options, report);
}

// Newton's method with backtracking on (1)-(3). Near a singular pose, where constraints hardly act in some direction, its step there goes as
// far as residual/√ε, beyond what the linearisation means. If no part of it helps, a larger ε shortens it and leaves that direction to the
// iterations that follow [Levenberg1944]. Rounding is amplified there: what cannot be reduced and is that small is accepted.
bool Island::iterate_newton(int max_iterations, const Variational& options, StepReport& report) {
  working_ = {};
  set_regularisation(kRegularisation);
  Residual current = evaluate(Stage::Positions);
  const auto error_of = [](const Residual& r) { return std::max(r.joint, r.motion); };
  const auto is_amplified_rounding = [&] {
    const auto is_small = [](double error, double rounding) {
      return error <= std::min(kSingularAmplification * rounding, kSingularError);
    };
    return has_loops_ && is_small(current.joint, current.place_rounding) && is_small(current.motion, current.rounding);
  };
  const bool is_first_try = has_loops_ && !closes_ahead_;  // nothing to report yet
  double last_left = std::numeric_limits<double>::infinity();
  for (int iterations = 0;;) {
    const double tolerance = std::max(options.tolerance, current.place_rounding);
    const double motion_tolerance = std::max(options.tolerance, current.rounding);
    if (current.joint <= tolerance && current.motion <= motion_tolerance) break;
    if (iterations == max_iterations || !std::isfinite(current.merit)) {
      if (is_amplified_rounding()) break;
      if (is_first_try) return false;
      report.residual = std::max(report.residual, error_of(current));
      report.fail(
          fmt::format("Newton's method stopped after {} iterations with residual {:.2e} at {}: reduce dt, or "
                      "look for a blow-up",
                      iterations, error_of(current), node_name(current.worst_node)));
      return false;
    }
    if (!move_centre(tolerance, motion_tolerance, last_left, current)) return false;
    assemble(Stage::Positions);
    if (!factorize(report)) return false;
    newton_step_ = residual_;
    ldu_.solve(newton_step_);
    ++iterations;
    report.iterations = std::max(report.iterations, iterations);
    trial_ = unknowns_;
    if (search_line(current)) continue;
    if (closes_ahead_ && regularisation_ * kRegularisationGrowth <= kLargestRegularisation) {
      set_regularisation(regularisation_ * kRegularisationGrowth);
      centre_ = unknowns_;
      current = evaluate(Stage::Positions);
      continue;
    }
    if (is_amplified_rounding()) break;
    if (is_first_try) return false;
    report.residual = std::max(report.residual, error_of(current));
    report.fail(fmt::format("no Newton step reduces the residual {:.2e} at {}: reduce dt", error_of(current),
                            node_name(current.worst_node)));
    return false;
  }
  report.residual = std::max(report.residual, error_of(current));
  return true;
}

// Goes back along the Newton step from `trial_` until the residual is smaller. False: it never is, and the iterate is as before.
bool Island::search_line(Residual& current) {
  double length = 1;
  for (int halvings = 0; halvings <= kMaxLineSearchHalvings; ++halvings, length /= 2) {
    unknowns_ = trial_ - length * newton_step_;
    const Residual next = evaluate(Stage::Positions);
    const bool is_rounding = next.joint <= next.place_rounding && next.motion <= next.rounding;
    if (next.is_admissible && (next.merit < current.merit || is_rounding)) {
      current = next;
      return true;
    }
  }
  unknowns_ = trial_;
  current = evaluate(Stage::Positions);
  return false;
}

}  // namespace sinew
