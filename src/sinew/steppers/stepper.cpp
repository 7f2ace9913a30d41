#include "sinew/steppers/stepper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {

void StepReport::reset(int work_entries) {
  status = StepStatus::Converged;
  iterations = 0;
  contact_iterations = 0;
  events = 0;
  integrator = {};
  residual = 0;
  reason.clear();
  work.assign(static_cast<std::size_t>(work_entries), 0.0);
  contacts.clear();
  contact_summary = {};
  asleep = 0;
  sleep_work = 0;
  linear_impulse.setZero();
  angular_impulse.setZero();
}

void IntegratorReport::include(const IntegratorReport& other) {
  evaluations += other.evaluations;
  substeps += other.substeps;
  rejected += other.rejected;
  stiff_substeps += other.stiff_substeps;
  error = std::max(error, other.error);
}

void StepReport::fail(std::string why) {
  status = StepStatus::Failed;
  reason = std::move(why);
}

void StepReport::clear_failure() {
  status = StepStatus::Converged;
  reason.clear();
}

void StepReport::take_back_failure() {
  clear_failure();
  ++contact_summary.rough;
}

void refuse_motions(const System& system, std::string_view stepper) {
  for (const ModelJoint& joint : system.model().joints()) {
    if (joint.motions.empty()) continue;
    throw Error(
        ErrorKind::Input, joint.name,
        fmt::format("the {} stepper does not know joints that follow a motion; use stepper: reduced, or a servo",
                    stepper));
  }
}

void ContactSummary::include(const ContactReport& contact) {
  touching += contact.is_touching ? 1 : 0;
  penetration = std::max(penetration, -contact.gap);
  complementarity = std::max(complementarity, std::abs(contact.complementarity));
  cone_violation = std::max(cone_violation, -contact.cone_slack);
  torque_violation = std::max({torque_violation, -contact.spin.slack, -contact.rolling.slack});
}

}  // namespace sinew
