#include "sinew/forces/medium_force.h"

#include "sinew/core/error.h"
#include "sinew/spatial/blocks.h"

namespace sinew {
namespace {

Vec6 velocity_of(const State& state, int body) {
  const auto k = static_cast<std::size_t>(body);
  return stacked(state.v_W[k], state.omega_B[k]);
}

}  // namespace

void MediumForce::bind(const Model& model) {
  indices_.clear();
  for (const BodyName& body : bodies) {
    indices_.push_back(model.find_body(body.name));
    if (indices_.back() == kWorld) throw Error(ErrorKind::Input, "bodies", "expected names of bodies, got the world");
  }
  if (!bodies.empty()) return;
  for (int i = 0; i < model.body_count(); ++i) indices_.push_back(i);
}

Resistance MediumForce::resistance(const Vec6& velocity) const {
  Vec6 relative = velocity;
  relative.head<3>() -= medium_velocity;
  return relative_resistance(relative);
}

void MediumForce::add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const {
  for (const int body : indices_) {
    const Vec6 wrench = resistance(velocity_of(context.state, body)).wrench;
    out.push_back({body, wrench.head<3>(), wrench.tail<3>()});
  }
}

void MediumForce::add_derivatives(const ForceContext& context, std::vector<ForceDerivative>& out) const {
  for (const int body : indices_)
    out.push_back({body, body, Mat6::Zero(), resistance(velocity_of(context.state, body)).D});
}

}  // namespace sinew
