#include "sinew/simulation/motion_start.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/spatial/so3.h"
#include "sinew/steppers/reduced/reduced_dynamics.h"

namespace sinew {
namespace {

constexpr double kSamePosition = 1e-6;       // m, rad
constexpr double kClosureTolerance = 1e-12;  // m, rad

[[noreturn]] void refuse_start(const Model& model, int j, const std::string& is, const std::string& must) {
  const ModelJoint& joint = model.joint(j);
  throw Error(ErrorKind::Input, fmt::format("joints[{}]", j),
              fmt::format("joint '{}' is at {} at t = 0, but its motion begins at {}: move '{}', let the motion begin "
                          "there, or set assemble: true",
                          joint.name, is, must, model.body_name(joint.child)));
}

/// Motions with the derivatives that follow from them.
void check_finite(const Model& model, int j, double time) {
  constexpr std::array<std::string_view, 3> kNames{"position", "velocity", "acceleration"};
  const ModelJoint& joint = model.joint(j);
  for (std::size_t k = 0; k < joint.motions.size(); ++k) {
    const PrescribedMotion& motion = joint.motions[k];
    if (motion.is_free()) continue;
    const Jet given = motion.signal().at(time);
    const std::array<double, 3> values{given.value, given.rate, given.acceleration};
    for (auto i = static_cast<std::size_t>(motion.order()); i < kNames.size(); ++i) {
      const double value = values[i - static_cast<std::size_t>(motion.order())];
      if (std::isfinite(value)) continue;
      throw Error(ErrorKind::Input,
                  fmt::format("joints[{}].motions[{}].{}", j, k, kNames[static_cast<std::size_t>(motion.order())]),
                  fmt::format("expected a motion of joint '{}' whose {} is finite at t = {:g} s, got {}: let it begin "
                              "smoothly",
                              joint.name, kNames[i], time, value));
    }
  }
}

std::string as_text(const Vec3& r) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", r.x(), r.y(), r.z()); }

/// The last three coordinates, a rotation vector.
void check_turn(const Model& model, const State& state, int j) {
  const ModelJoint& joint = model.joint(j);
  const PrescribedMotion* motions = joint.motions.data() + joint.dof - 3;
  if (!motions[0].position) return;
  const Vec3 must(motions[0].signal().value(0), motions[1].signal().value(0), motions[2].signal().value(0));
  const Quat is = FreeRotation::orientation(state.joint_q.segment<4>(joint.first_coordinate + joint.coordinates - 4));
  if (log_so3(is.conjugate() * exp_quat(must)).norm() <= kSamePosition) return;
  refuse_start(model, j, as_text(log_so3(is)), as_text(must));
}

void check_positions(const Model& model, const State& state) {
  for (int j = 0; j < model.joint_count(); ++j) {
    const ModelJoint& joint = model.joint(j);
    if (joint.motions.empty()) continue;
    const int turning = quaternion_dof(joint.type);
    for (int k = 0; k < joint.dof - turning; ++k) {
      const PrescribedMotion& motion = joint.motions[static_cast<std::size_t>(k)];
      if (!motion.position) continue;
      const double is = state.joint_q[joint.first_coordinate + k], must = motion.signal().value(0);
      if (std::abs(is - must) > kSamePosition)
        refuse_start(model, j, fmt::format("{:.6g}", is), fmt::format("{:.6g}", must));
    }
    if (turning > 0) check_turn(model, state, j);
  }
}

}  // namespace

void start_motions(const System& system, bool assemble, State& state) {
  const Model& model = system.model();
  if (!model.has_motions()) return;
  for (int j = 0; j < model.joint_count(); ++j) {
    if (model.joint(j).motions.empty()) continue;
    check_finite(model, j, state.time);
  }
  ReducedDynamics dynamics(system);
  if (!assemble) check_positions(model, state);
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
