// Robots on the floor: statics of standing, closed joints, no foot below the floor.
#include <cmath>
#include <gtest/gtest.h>

#include "sinew/dynamics/joint_error.h"
#include "sinew/generators/quadruped.h"
#include "sinew/simulation/scene.h"

namespace sinew::testing {
namespace {

/// What a run showed: extremes over all steps, and the contacts of the last one.
struct Observed {
  double smallest_gap = 1;     // m
  double largest_opening = 0;  // m, of any joint
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

}  // namespace
}  // namespace sinew::testing
