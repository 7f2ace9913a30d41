// The certificate of a contact after a step: what pushed, how far apart, how well the laws of contact and friction hold.
#pragma once

#include "sinew/steppers/stepper.h"
#include "sinew/steppers/touch.h"

namespace sinew {

/// `touch` with its geometry at the end of the step; C_a, force (N, mean over the step) and velocity along its rows.
ContactReport make_contact_report(const Touch& touch, const Touch::Rows& C_a, const Vec6& force, const Vec6& velocity,
                                  bool is_touching);

/// Whether any surfaces of the model have spin or rolling friction.
bool has_turning_friction(const Model& model);

}  // namespace sinew
