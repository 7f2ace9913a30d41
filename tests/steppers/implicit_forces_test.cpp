// Forces treated implicitly: a step with paths over several bodies, media, joint springs and laws allocates nothing after the first.
#include <gtest/gtest.h>

#include "counting_malloc.h"

#include "sinew/forces/all_forces.h"
#include "sinew/model/model_builder.h"
#include "sinew/steppers/all_steppers.h"

namespace sinew::testing {
namespace {

#if SINEW_COUNTS_ALLOCATIONS
TEST(ImplicitForces, AllocateNothingAfterTheFirstStep) {
  ModelBuilder builder;
  for (const char* name : {"a", "b", "c"})
    builder.add_body({.name = name, .mass_properties = {1, Vec3::Zero(), Mat3::Identity()}, .shapes = {}});
  builder.add_joint("j", Revolute{}, 0, 1, {}, {Vec3(0, 0, .5), Quat::Identity()});
  Model model = std::move(builder).finish();
  State state = make_state(model);
  set_body_pose(model, 1, {Vec3(0, 0, -.5), Quat::Identity()}, state);
  set_body_pose(model, 2, {Vec3(.4, 1, 0), Quat::Identity()}, state);
  state.v_W[2] = Vec3(.3, 0, .1);

  Muscle muscle;
  muscle.points = {
      {{"a"}, Vec3(.1, 0, 0)}, {{"c"}, Vec3(0, .1, 0)}, {{"b"}, Vec3(.2, 0, 0)}, {{"world"}, Vec3(0, 0, -2)}};
  muscle.peak_force = 5;
  Damping damping;
  damping.linear = .1;
  JointSpring spring;
  spring.joint = {"j"};
  spring.stiffness = {2};
  CoordinateLaw along_joint, along_path;
  along_joint.joint = JointName{"j"};
  along_joint.potentials = {CoordinateLaw::Potential("q^2 + sin(q)^4")};
  along_joint.efforts = {CoordinateLaw::GivenEffort("cos(t) - 0.2*tanh(v)*(1 + q^2)")};
  along_path.points = {{{"b"}, Vec3(.2, 0, 0)}, {{"c"}, Vec3::Zero()}};
  along_path.potentials = {CoordinateLaw::Potential("(1 - exp(-(q - 1)))^2")};
  std::vector<std::unique_ptr<Force>> forces;
  forces.push_back(muscle.clone());
  forces.push_back(damping.clone());
  forces.push_back(spring.clone());
  forces.push_back(along_joint.clone());
  forces.push_back(along_path.clone());
  const System system(std::move(model), std::move(forces));

  ThreadPool pool(1);
  const std::unique_ptr<Stepper> stepper = Variational{}.make_stepper(system, pool);
  StepReport report;
  stepper->advance({}, .01, state, report);
  ASSERT_TRUE(report.ok()) << report.reason;
  AppliedWrenches wrenches;
  std::vector<ForceDerivative> derivatives;
  Kinematics kinematics;
  const auto evaluate = [&] {
    compute_kinematics(system.model(), state, kinematics);
    compute_all_wrenches(system, state, kinematics, {}, state.time, wrenches);
    compute_force_derivatives(system, state, kinematics, state.time, derivatives);
  };
  evaluate();
  const long before = allocation_count;
  bool ok = true;
  for (int i = 0; i < 20; ++i) {
    stepper->advance({}, .01, state, report);
    evaluate();
    ok = ok && report.ok();
  }
  EXPECT_EQ(allocation_count - before, 0);
  EXPECT_TRUE(ok);
  EXPECT_EQ(wrenches.entries.size(), 3u + 3u + 2u + 2u + 2u);
  EXPECT_EQ(derivatives.size(), 9u + 3u + 4u + 4u + 4u);
}
#endif

}  // namespace
}  // namespace sinew::testing
