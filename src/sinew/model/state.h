// All that is needed to resume bit for bit, as a plain value: copy it, hash it, write it.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/model.h"

namespace sinew {

struct State {
  double time = 0;            // s
  std::int64_t step = 0;      // completed steps
  std::vector<Vec3> x_W;      // centres of mass, m
  std::vector<Quat> q_WB;     // orientations
  std::vector<Vec3> v_W;      // velocities of the centres of mass at `time`, m/s, world axes
  std::vector<Vec3> omega_B;  // angular velocities at `time`, rad/s, body axes
  VecX lambda;                // joint multipliers at `time` (N, N m): warm start of the next step
  VecX reaction;              // joint multipliers, mean over the last step (N, N m)
  VecX effort;                // along each degree of freedom of joints that follow a motion, what drives them at `time`
                              // (N, N m); empty if none does
  std::vector<std::uint64_t> contact_id;  // contacts that touched in the last step, ascending
  std::vector<Vec6> contact_force;        // along their rows, at its end (N, N m): warm start of the next step
  double substep = 0;             // s, what an adaptive integrator wants to begin the next step with; 0: not known
  VecX joint_q;                   // joint coordinates; kept so that angles continue over whole turns
  std::vector<double> rest_time;  // how long each body has been at rest, s: it may sleep; empty: all are awake
  std::vector<Vec6> load;         // (force_W, torque_B) of forces and control on each body at `time`, where there is a
                                  // rest_time (N, N m): a change wakes

  int body_count() const { return static_cast<int>(x_W.size()); }
};

/// A state of rest at the origin with everything sized for the model.
State make_state(const Model& model);

/// Pose of the centre-of-mass frame of a body (axes of the body frame); identity for the world.
inline Pose com_pose(const State& state, int body) {
  if (body == kWorld) return Pose{Vec3::Zero(), Quat::Identity()};
  return Pose{state.x_W[static_cast<std::size_t>(body)], state.q_WB[static_cast<std::size_t>(body)]};
}

/// Pose X_WB of the body frame (where the user put the body).
Pose body_pose(const Model& model, const State& state, int body);
void set_body_pose(const Model& model, int body, const Pose& X_WB, State& state);

/// All bodies awake: whoever changes poses or velocities of a State by hand calls this; the functions here do.
void wake(State& state);

/// Velocity of the body frame's origin, world axes.
Vec3 body_origin_velocity(const Model& model, const State& state, int body);
/// Sets the motion of a body from the velocity of its frame origin and its angular velocity, both in world axes.
void set_body_velocity(const Model& model, int body, const Vec3& v_origin_W, const Vec3& omega_W, State& state);

/// True if every number is finite.
bool is_finite(const State& state);

/// Equal hashes mean equal bits.
std::uint64_t hash_of(const State& state);

}  // namespace sinew
