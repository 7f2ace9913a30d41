// What a step is asked before and after (1)-(3) are solved: whether its motion exists, and whether it is the one meant.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "sinew/dynamics/coordinate_row.h"
#include "sinew/steppers/variational/discrete_rotation.h"
#include "sinew/steppers/variational/variational_stepper.h"

namespace sinew {
namespace {

constexpr double kLargestJump = 0.1;                  // rad, |ω − ω_k| dt of a step that is resolved
constexpr double kMostTurning = std::numbers::sqrt2;  // rad, |ω| dt: up to a quarter turn, π⁺ grows with ω

}  // namespace

// What turns faster than 2/dt has no motion over the step, unless springs or media slow it down within it.
bool VariationalStepper::turns_are_admissible(const State& state, StepReport& report) const {
  return std::ranges::all_of(islands_.all(), [&](const std::unique_ptr<Island>& island) {
    return island->is_pushed_implicitly() || !explain_fast_turning(*island, state, report);
  });
}

/// True if a body of the island turns too fast: the step fails for that.
bool VariationalStepper::explain_fast_turning(const Island& island, const State& state, StepReport& report) const {
  for (const int i : island.parts().bodies) {
    const Vec3& omega = state.omega_B[static_cast<std::size_t>(i)];
    if (is_admissible(omega, motion_.dt)) continue;
    report.clear_failure();
    report.fail(fmt::format("body '{}' turns at {:.4g} rad/s, more than 2/dt = {:.4g}: reduce dt",
                            system_.model().body_name(i), omega.norm(), 2 / std::abs(motion_.dt)));
    return true;
  }
  return false;
}

// Equations (1)-(3) have more than one solution. The one that tends to the motion for dt → 0 changes a body's angular velocity by a small
// angle per step; a large change means that the motion is not resolved, or that Newton's method went to a solution without meaning. Forces
// that are treated implicitly may change it by more: a stiff spring that turns a wheel to its other side within a step keeps its energy as long as steps are
// equal, and shorter ones now and then would not. Impacts may, too, so bodies of islands with contacts are not asked.
bool VariationalStepper::is_resolved(StepReport& report) {
  for (std::size_t i = 0; i < islands_.all().size(); ++i) {
    Island& island = *islands_.all()[i];
    if (island.is_asleep() || !islands_.cones(i).empty()) continue;
    const auto jump = [&](int body) {
      const BodyMotion& data = motion_.body(body);
      return std::abs(motion_.dt) * (data.interval_velocity.tail<3>() - data.velocity_here.tail<3>()).norm();
    };
    const auto worst = std::ranges::max_element(island.parts().bodies, {}, jump);
    if (jump(*worst) <= kLargestJump || is_explained(island, report)) continue;
    if (!report.ok()) return false;
    report.fail(
        fmt::format("body '{}' changes its turning by {:.2g} rad in one step, more than {}: the motion is too "
                    "fast for dt = {:.3g} s, reduce dt",
                    system_.model().body(*worst).name, jump(*worst), kLargestJump, motion_.dt));
    return false;
  }
  return true;
}

// Whether no angular momentum changes by more than that, but for what implicit forces do to it, and every turn is one of those that grow with it.
bool VariationalStepper::is_explained(Island& island, StepReport& report) const {
  if (!island.is_pushed_implicitly() || !island.find_response_to_elements(report)) return false;
  return std::ranges::all_of(island.parts().bodies, [&](int i) {
    const BodyMotion& data = motion_.body(i);
    const Vec3 after = data.inverse_inertia_matrix * data.momentum_after;
    const Vec3 rest = after - data.velocity_here.tail<3>() - data.response.tail<3>();
    return std::abs(motion_.dt) * rest.norm() <= kLargestJump &&
           std::abs(motion_.dt) * data.interval_velocity.tail<3>().norm() <= kMostTurning;
  });
}

// Stops far away were not looked at; none may have been passed.
bool VariationalStepper::respects_stops(const State& state, StepReport& report) const {
  bool is_respected = true;
  for (const ModelJoint& joint : system_.model().joints()) {
    for_joint_stops(joint, state.joint_q, [&](int i, const JointStop& stop, double near) {
      const auto is_beyond = [&](const BodyPlace& parent, const BodyPlace& child, double tolerance) {
        const double q = compute_coordinate_row(joint, i, parent, child, near).value;
        return q < stop.lower - tolerance || q > stop.upper + tolerance;
      };
      if (!is_beyond(motion_.place_next(joint.parent), motion_.place_next(joint.child), 1e-9)) return;
      // one that starts outside is brought back
      if (is_beyond(motion_.place_here(joint.parent), motion_.place_here(joint.child), 0)) return;
      report.fail(fmt::format("joint '{}' went through its stop: reduce dt", joint.name));
      is_respected = false;
    });
  }
  return is_respected;
}

}  // namespace sinew
