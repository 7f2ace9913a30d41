#include "sinew/steppers/stepper.h"

#include <algorithm>
#include <cmath>

namespace sinew {

void StepReport::reset(int work_entries) {
  status = StepStatus::Converged;
  iterations = 0;
  contact_iterations = 0;
  residual = 0;
  reason.clear();
  work.assign(static_cast<std::size_t>(work_entries), 0.0);
  contacts.clear();
  contact_summary = {};
  linear_impulse.setZero();
  angular_impulse.setZero();
}

void StepReport::fail(std::string why) {
  status = StepStatus::Failed;
  reason = std::move(why);
}

void ContactSummary::include(const ContactReport& contact) {
  touching += contact.is_touching ? 1 : 0;
  penetration = std::max(penetration, -contact.gap);
  complementarity = std::max(complementarity, std::abs(contact.complementarity));
  cone_violation = std::max(cone_violation, -contact.cone_slack);
}

}  // namespace sinew
