// What a step reports besides the State: work, outside impulses, and the names of culprits.
#include <algorithm>
#include <fmt/format.h>

#include "sinew/steppers/variational/mechanism_matrix.h"
#include "sinew/steppers/variational/variational_stepper.h"

namespace sinew {

// W += (dt/2) (F·v + τ·ω) with the interval velocities, at each end of the step.
void VariationalStepper::book_work(const AppliedWrenches& wrenches, double dt, StepReport& report) const {
  std::size_t source = 0;
  for (std::size_t e = 0; e < wrenches.entries.size(); ++e) {
    while (e >= wrenches.ends[source]) ++source;
    const AppliedWrench& wrench = wrenches.entries[e];
    const int offset = bodies_[static_cast<std::size_t>(wrench.body)].offset;
    report.work[source] +=
        dt / 2 *
        (wrench.force_W.dot(unknowns_.segment<3>(offset)) + wrench.torque_B.dot(unknowns_.segment<3>(offset + 3)));
  }
}

// Impulses of all forces and of joints to the world. Forces between bodies cancel in the sum.
void VariationalStepper::book_impulses(const AppliedWrenches& wrenches, double dt, bool at_next,
                                       StepReport& report) const {
  const auto book = [&](int body, const Vec3& impulse_W, const Vec3& angular_impulse_B) {
    const BodyPlace& place = at_next ? place_next(body) : place_here(body);
    report.linear_impulse += impulse_W;
    report.angular_impulse += place.x_W.cross(impulse_W) + place.R_WB * angular_impulse_B;
  };
  for (const AppliedWrench& wrench : wrenches.entries)
    book(wrench.body, dt / 2 * wrench.force_W, dt / 2 * wrench.torque_B);
  for (int j = 0; j < system_.model().joint_count(); ++j) {
    if (system_.model().joint(j).parent != kWorld) continue;
    const Vec6& wrench = joints_[static_cast<std::size_t>(j)].wrench_child;
    book(system_.model().joint(j).child, wrench.head<3>(), wrench.tail<3>());
  }
}

std::string VariationalStepper::node_name(int node) const {
  const Model& model = system_.model();
  if (node < 0) return "no body";
  if (node < model.body_count()) return fmt::format("body '{}'", model.body(node).name);
  const auto joint = std::find_if(model.joints().begin(), model.joints().end(), [&](const ModelJoint& candidate) {
    return candidate.constraint == node - model.body_count();
  });
  return fmt::format("joint '{}'", joint->name);
}

void VariationalStepper::fail(StepReport& report, std::string reason) const {
  report.status = StepStatus::Failed;
  report.reason = std::move(reason);
}

}  // namespace sinew
