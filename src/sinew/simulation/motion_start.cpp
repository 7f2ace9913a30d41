#include "sinew/simulation/motion_start.h"

#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/steppers/reduced/reduced_dynamics.h"

namespace sinew {
namespace {

constexpr double kSamePosition = 1e-6;       // m, rad
constexpr double kClosureTolerance = 1e-12;  // m, rad

void check_positions(const Model& model, const State& state) {
  for (int j = 0; j < model.joint_count(); ++j) {
    const ModelJoint& joint = model.joint(j);
    for (std::size_t k = 0; k < joint.motions.size(); ++k) {
      if (joint.motions[k].order() > 0) continue;
      const double is = state.joint_q[joint.first_coordinate + static_cast<int>(k)];
      const double must = joint.motions[k].signal().value(0);
      if (std::abs(is - must) <= kSamePosition) continue;
      throw Error(ErrorKind::Input, fmt::format("joints[{}]", j),
                  fmt::format("joint '{}' is at {:.6g} at t = 0, but its motion begins at {:.6g}: move '{}', let the "
                              "motion begin there, or set assemble: true",
                              joint.name, is, must, model.body_name(joint.child)));
    }
  }
}

}  // namespace

void start_motions(const System& system, bool assemble, State& state) {
  const Model& model = system.model();
  if (!model.has_motions()) return;
  if (!assemble) check_positions(model, state);
  ReducedDynamics dynamics(system);
  const Control no_control;
  dynamics.start_step(no_control, state);
  TreeCoordinates start;
  read_coordinates(dynamics.tree(), state, start);
  dynamics.impose(state.time, start.q, start.v);
  if (!dynamics.close_loops(kClosureTolerance, start.q, start.v) || !dynamics.evaluate(state.time, start.q, start.v)) {
    throw Error(ErrorKind::Input, "joints",
                "loops do not close with the joints that follow motions where these begin: start nearer to a closed "
                "pose, or check the motions");
  }
  state = dynamics.bodies();
  update_loose_coordinates(dynamics.tree(), state);
  dynamics.compute_motion_efforts(state.effort);
}

}  // namespace sinew
