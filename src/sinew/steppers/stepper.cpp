#include "sinew/steppers/stepper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {

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
}

}  // namespace sinew
