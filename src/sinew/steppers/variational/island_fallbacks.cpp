// What keeps the interior-point method of an island on its central path where bodies are uneven or jam.
#include <algorithm>
#include <limits>

#include "sinew/steppers/variational/island.h"

namespace sinew {
namespace {

constexpr double kLeastMobility = 1e-9;  // of what bodies alone have, where joints hold a contact
constexpr double kUneven = 200;          // in mass: up to it paths end well with M of the bodies alone, at less cost
constexpr double kLessFriction = 0.5;    // a power of two: scaled back, coefficients are what they were
constexpr int kMostReductions = 8;       // of friction 10 to 0.04

}  // namespace

// M of the cones with all that joints hold, W_ii of the matrix of the free motion, last factorised. In a loop of uneven bodies, a light bar may carry 10⁶
// times its own mass through its hinges; then paths begin with impulses that much too small, and end with stiffnesses γ/s that much larger than
// they need be, beyond what double precision leaves of ε.
void Island::weigh_through_joints() {
  double heaviest = std::numeric_limits<double>::infinity();  // inverse
  for (const int i : parts_.bodies) heaviest = std::min(heaviest, motion_.body(i).inverse_mass);
  for (ConeConstraint* cone : working_cones_) {
    double lightest = motion_.body(cone->body_a).inverse_mass;
    if (cone->body_b != kWorld) lightest = std::max(lightest, motion_.body(cone->body_b).inverse_mass);
    if (lightest <= kUneven * heaviest) continue;
    double mobility = 0;
    for (int row = 0; row < cone->rows; ++row) {
      respond_to_row(*cone, row);
      mobility = std::max(mobility, cone_rows(*cone, correction_)[row]);
    }
    cone->inverse_mass = std::clamp(mobility, kLeastMobility * cone->inverse_mass, cone->inverse_mass);
  }
}

// Between walls that friction holds on to from both sides, no impulses open a gap: w_n ≥ μ|w_t| is impossible for what lies between. Friction keeps places at
// z_k and gaps are kept at z_{k+1}, so that what rolls or tips there asks for w_n of second order in dt, and for impulses without bound. With
// little friction there is always a solution [Acary2011]: the step, too short to be halved, has as much as lets the bodies out.
bool Island::follow_path_of_jam(Stage stage, double velocity_scale, const Variational& options, StepReport& report) {
  if (stage != Stage::Positions || report.may_be_halved) return false;
  const auto scale_friction = [&](double factor) {
    for (ConeConstraint* cone : working_cones_)
      for (FrictionCone& disc : cone->cones) disc.coefficient *= factor;
  };
  bool is_found = false;
  double scale = 1;
  for (int n = 0; !is_found && n < kMostReductions; ++n) {
    scale *= kLessFriction;
    scale_friction(kLessFriction);
    report.clear_failure();
    is_found = follow_central_path(stage, Start::Cold, 0, velocity_scale, options, report);
  }
  scale_friction(1 / scale);
  return is_found;
}

}  // namespace sinew
