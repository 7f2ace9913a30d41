// The certificate of a contact after a step: what pushed, how far apart, how well the laws of contact and friction hold.
#pragma once

#include "sinew/steppers/stepper.h"
#include "sinew/steppers/touch.h"

namespace sinew {

/// What the friction discs of a contact did in a step, impulse by impulse, each with the velocity it opposed: friction that reverses within the
/// step is judged by neither end alone.
struct RubbingSum {
  std::array<double, Touch::kMaxDiscs> taken{};  // J: −Σ r·w
  std::array<double, Touch::kMaxDiscs> most{};   // J: Σ |r||w|, what friction of that size could have taken

  void add(const Touch& touch, const Vec6& impulse, const Vec6& velocity);
  double alignment(std::size_t disc) const { return most[disc] > 0 ? taken[disc] / most[disc] : 1; }
};

/// `touch` with its geometry at the end of the step; C_a, force (N, mean over the step) and velocity (at the end) along its rows.
ContactReport make_contact_report(const Touch& touch, const Touch::Rows& C_a, const Vec6& force, const Vec6& velocity,
                                  const RubbingSum& rubbing, bool is_touching);

/// Whether any surfaces of the model have spin or rolling friction.
bool has_turning_friction(const Model& model);

}  // namespace sinew
