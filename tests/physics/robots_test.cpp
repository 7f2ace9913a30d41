// Robots on the floor and arms in loops: statics of standing, closed loops, no foot below the floor.
#include <cmath>
#include <gtest/gtest.h>

#include "sinew/dynamics/joint_error.h"
#include "sinew/generators/exoskeleton.h"
#include "sinew/generators/minitaur.h"
#include "sinew/generators/quadruped.h"
#include "sinew/simulation/scene.h"

namespace sinew::testing {
namespace {

/// What a run showed: extremes over all steps, and the contacts of the last one.
struct Observed {
  double smallest_gap = 1;     // m
  double largest_opening = 0;  // m, of any joint
  double highest = 0;          // m, of body 0
  StepReport last;
  State state;
};

Observed observe(const SceneDescription& description, double duration) {
  const Scene scene = make_scene(description);
  const Model& model = scene.system->model();
  ThreadPool pool(1);
  const auto stepper =
      std::visit([&](const auto& options) { return options.make_stepper(*scene.system, pool); }, description.stepper);
  Observed observed;
  observed.state = scene.initial;
  const long steps = std::lround(duration / description.dt);
  for (long i = 0; i < steps; ++i) {
    stepper->advance({}, description.dt, observed.state, observed.last);
    if (!observed.last.ok()) throw std::runtime_error(observed.last.reason);
    for (const ContactReport& contact : observed.last.contacts)
      observed.smallest_gap = std::min(observed.smallest_gap, contact.gap);
    for (const ModelJoint& joint : model.joints())
      observed.largest_opening =
          std::max(observed.largest_opening, compute_joint_error(joint, observed.state).distance);
    observed.highest = std::max(observed.highest, body_pose(model, observed.state, 0).p.z());
  }
  return observed;
}

double weight(const SceneDescription& description) {
  const Scene scene = make_scene(description);
  double mass = 0;
  for (const Body& body : scene.system->model().bodies()) mass += body.mass();
  return mass * -description.gravity.z();
}

void expect_standing(const SceneDescription& description, double duration) {
  const Observed observed = observe(description, duration);
  int touching = 0;
  double normal_force = 0;
  for (const ContactReport& contact : observed.last.contacts) {
    touching += contact.normal_force > 1;
    normal_force += contact.normal_force;
    EXPECT_LT(contact.sliding_speed, 1e-3);
  }
  EXPECT_EQ(touching, 4);
  EXPECT_NEAR(normal_force, weight(description), 0.01 * weight(description));
  EXPECT_GT(observed.smallest_gap, -1e-9);
  EXPECT_LT(observed.largest_opening, 1e-9);
}

// 4.713 kg of trunk and four legs of 0.696 + 1.013 + 0.166 + 0.06 kg.
TEST(QuadrupedRobot, HasThePublishedMass) { EXPECT_NEAR(weight(Quadruped{}.make()), 9.81 * (4.713 + 4 * 1.935), 1e-9); }

TEST(QuadrupedRobot, StandsOnFourFeet) { expect_standing(Quadruped{}.make(), 2); }

TEST(MinitaurRobot, StandsOnLegsThatAreLoops) { expect_standing(Minitaur{}.make(), 2); }

TEST(MinitaurRobot, HopsAndComesDownAgain) {
  const SceneDescription scene = Minitaur{.swing = 0.5}.make();
  const Observed observed = observe(scene, 1.5);
  EXPECT_GT(observed.smallest_gap, -1e-9);
  EXPECT_LT(observed.largest_opening, 1e-9);
  EXPECT_GT(observed.highest, scene.bodies.front().position.z() + 0.05);
}

TEST(ExoskeletonOnAnArm, KeepsItsLoopsClosed) {
  for (const Patient patient : {Patient::Healthy, Patient::Spastic}) {
    const SceneDescription scene = Exoskeleton{.patient = patient}.make();
    const Observed observed = observe(scene, 2);
    EXPECT_LT(observed.largest_opening, 1e-9);
    // The motors lead the arm: its elbow follows that of the exoskeleton within what the cuffs give.
    const Scene made = make_scene(scene);
    const Model& model = made.system->model();
    const auto angle = [&](const char* joint) {
      return observed.state.joint_q[model.joint(model.find_joint(joint)).first_coordinate];
    };
    EXPECT_NEAR(angle("elbow"), angle("arm_elbow"), 0.1);
  }
}

}  // namespace
}  // namespace sinew::testing
