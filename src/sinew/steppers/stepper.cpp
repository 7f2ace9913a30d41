#include "sinew/steppers/stepper.h"

#include <algorithm>
#include <cmath>

namespace sinew {

void ContactSummary::include(const ContactReport& contact) {
  touching += contact.is_touching ? 1 : 0;
  penetration = std::max(penetration, -contact.gap);
  complementarity = std::max(complementarity, std::abs(contact.complementarity));
  cone_violation = std::max(cone_violation, -contact.cone_slack);
}

}  // namespace sinew
