// K and D of a whole system in the one place their signs must be right: linearly implicit Euler, written out,
//   (M + dt D − dt² K) u⁺ = M u + dt (f + D u),   x⁺ = x + dt v⁺                                        [Sueda, (1.30), corrected]
// against the values of spec A.0 and D15.
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "sinew/forces/all_forces.h"
#include "sinew/model/model_builder.h"
#include "sinew/spatial/blocks.h"
#include "sinew/system/system.h"

namespace sinew {
namespace {

System make_system(const Force& force) {
  ModelBuilder builder;
  builder.add_body({.name = "mass", .mass_properties = {1, Vec3::Zero(), Mat3::Identity()}, .shapes = {}});
  std::vector<std::unique_ptr<Force>> forces;
  forces.push_back(force.clone());
  return {std::move(builder).finish(), std::move(forces)};
}

/// One body of unit mass and inertia that does not turn.
State run_implicit_euler(const System& system, State state, double dt, int steps) {
  Kinematics kinematics;
  AppliedWrenches wrenches;
  std::vector<ForceDerivative> derivatives;
  for (int i = 0; i < steps; ++i) {
    compute_kinematics(system.model(), state, kinematics);
    compute_all_wrenches(system, state, kinematics, {}, state.time, wrenches);
    compute_force_derivatives(system, state, kinematics, state.time, derivatives);
    const Vec6 u = stacked(state.v_W[0], state.omega_B[0]);
    Vec6 f = Vec6::Zero();
    Mat6 K = Mat6::Zero(), D = Mat6::Zero();
    for (const AppliedWrench& wrench : wrenches.entries) f += stacked(wrench.force_W, wrench.torque_B);
    for (const ForceDerivative& derivative : derivatives) K += derivative.K, D += derivative.D;
    const Mat6 A = Mat6::Identity() + dt * D - dt * dt * K;
    const Vec6 next = A.partialPivLu().solve(u + dt * (f + D * u));
    state.v_W[0] = next.head<3>();
    state.omega_B[0] = next.tail<3>();
    state.x_W[0] += dt * state.v_W[0];
  }
  return state;
}

TEST(ForceDerivatives, MakeASpringImplicit) {  // D15
  Spring spring;
  spring.body_a = {"mass"};
  spring.stiffness = 100;
  spring.rest_length = 2;
  const System system = make_system(spring);
  State state = make_state(system.model());
  state.x_W[0] = Vec3(3, 0, 0);
  state = run_implicit_euler(system, state, .01, 100);
  EXPECT_NEAR(state.x_W[0].x() - 2, -.52086652604010, 1e-12);
  EXPECT_NEAR(state.v_W[0].x(), 3.13702525300696, 1e-11);
}

TEST(ForceDerivatives, CountDampingOnce) {  // A.0: m = d = 1; twice would be .135326, not at all 1
  Damping damping;
  damping.linear = 1;
  const System system = make_system(damping);
  State state = make_state(system.model());
  state.v_W[0] = Vec3(0, 1, 0);
  state = run_implicit_euler(system, state, .01, 100);
  EXPECT_NEAR(state.v_W[0].y(), .369711, 5e-7);
}

TEST(AppliedWrenches, LeaveOutWhatSteppersTreatImplicitly) {
  ExternalWrench push;
  push.body = {"mass"};
  push.force = Vec3(1, 2, 3);
  for (const bool is_implicit : {false, true}) {
    Damping damping;
    damping.linear = 1;
    const System system = is_implicit ? make_system(damping) : make_system(push);
    State state = make_state(system.model());
    Kinematics kinematics;
    compute_kinematics(system.model(), state, kinematics);
    AppliedWrenches some, all;
    compute_applied_wrenches(system, state, kinematics, {}, 0, some);
    compute_all_wrenches(system, state, kinematics, {}, 0, all);
    EXPECT_EQ(some.entries.size(), is_implicit ? 0u : 1u);
    EXPECT_EQ(all.entries.size(), 1u);
    EXPECT_EQ(some.ends.size(), 2u);  // the force and control
  }
}

}  // namespace
}  // namespace sinew
