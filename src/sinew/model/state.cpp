#include "sinew/model/state.h"

#include <cmath>

#include "sinew/core/hash.h"

namespace sinew {

State make_state(const Model& model) {
  const auto n = static_cast<std::size_t>(model.body_count());
  State state;
  state.x_W.assign(n, Vec3::Zero());
  state.q_WB.assign(n, Quat::Identity());
  state.v_W.assign(n, Vec3::Zero());
  state.omega_B.assign(n, Vec3::Zero());
  state.lambda = VecX::Zero(model.rows());
  state.reaction = VecX::Zero(model.rows());
  state.joint_q = VecX::Zero(model.coordinates());
  if (model.has_motions()) state.effort = VecX::Zero(model.dof());
  for (const ModelJoint& joint : model.joints()) {
    std::visit(
        [&]<class J>(const J& type) {
          auto q = state.joint_q.segment<J::kCoordinates>(joint.first_coordinate);
          q = type.neutral();
          if (Rechartable<J> && !joint.motions.empty()) q.setZero();
        },
        joint.type);
  }
  return state;
}

Pose body_pose(const Model& model, const State& state, int body) {
  Pose X = com_pose(state, body);
  if (body != kWorld) X.p -= X.q * model.body(body).com();
  return X;
}

void set_body_pose(const Model& model, int body, const Pose& X_WB, State& state) {
  state.x_W[static_cast<std::size_t>(body)] = X_WB.p + X_WB.q * model.body(body).com();
  state.q_WB[static_cast<std::size_t>(body)] = X_WB.q;
  wake(state);
}

void wake(State& state) {
  state.rest_time.clear();
  state.load.clear();
}

Vec3 body_origin_velocity(const Model& model, const State& state, int body) {
  const auto i = static_cast<std::size_t>(body);
  return state.v_W[i] - state.q_WB[i] * state.omega_B[i].cross(model.body(body).com());
}

void set_body_velocity(const Model& model, int body, const Vec3& v_origin_W, const Vec3& omega_W, State& state) {
  const auto i = static_cast<std::size_t>(body);
  state.omega_B[i] = state.q_WB[i].conjugate() * omega_W;
  state.v_W[i] = v_origin_W + state.q_WB[i] * state.omega_B[i].cross(model.body(body).com());
  wake(state);
}

bool is_finite(const State& state) {
  bool finite = std::isfinite(state.time) && std::isfinite(state.substep) && state.lambda.allFinite() &&
                state.reaction.allFinite() && state.joint_q.allFinite() && state.effort.allFinite();
  for (std::size_t i = 0; i < state.x_W.size() && finite; ++i) {
    finite = state.x_W[i].allFinite() && state.q_WB[i].coeffs().allFinite() && state.v_W[i].allFinite() &&
             state.omega_B[i].allFinite();
  }
  for (const Vec6& force : state.contact_force) finite = finite && force.allFinite();
  for (const double time : state.rest_time) finite = finite && std::isfinite(time);
  for (const Vec6& load : state.load) finite = finite && load.allFinite();
  return finite;
}

std::uint64_t hash_of(const State& state) {
  Hash hash;
  const auto add_vector = [&](const VecX& v) {
    hash.add_bytes(v.data(), sizeof(double) * static_cast<std::size_t>(v.size()));
  };
  hash.add_bytes(&state.time, sizeof state.time);
  hash.add_bytes(&state.step, sizeof state.step);
  hash.add_bytes(&state.substep, sizeof state.substep);
  for (std::size_t i = 0; i < state.x_W.size(); ++i) {
    hash.add_bytes(state.x_W[i].data(), sizeof(Vec3));
    hash.add_bytes(state.q_WB[i].coeffs().data(), sizeof(Quat));
    hash.add_bytes(state.v_W[i].data(), sizeof(Vec3));
    hash.add_bytes(state.omega_B[i].data(), sizeof(Vec3));
  }
  add_vector(state.lambda);
  add_vector(state.reaction);
  add_vector(state.joint_q);
  add_vector(state.effort);
  hash.add_bytes(state.contact_id.data(), sizeof(std::uint64_t) * state.contact_id.size());
  hash.add_bytes(state.contact_force.data(), sizeof(Vec6) * state.contact_force.size());
  hash.add_bytes(state.rest_time.data(), sizeof(double) * state.rest_time.size());
  hash.add_bytes(state.load.data(), sizeof(Vec6) * state.load.size());
  return hash.value();
}

}  // namespace sinew
