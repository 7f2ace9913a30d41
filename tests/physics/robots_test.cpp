// Robots on the floor and an arm in an exoskeleton: statics of standing, closed joints and loops, no foot below the floor, torques.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>

#include "sinew/dynamics/joint_error.h"
#include "sinew/generators/exoskeleton.h"
#include "sinew/generators/minitaur.h"
#include "sinew/generators/quadruped.h"
#include "sinew/simulation/simulation.h"

namespace sinew::testing {
namespace {

/// What a run showed: extremes over all steps, and the contacts of the last one.
struct Observed {
  double smallest_gap = 1;     // m
  double largest_opening = 0;  // m, of any joint
  double highest = 0;          // m, of body 0
  long steps_in_flight = 0;
  long halvings = 0;
  StepReport last;
  State state;
};

Observed observe(const SceneDescription& description, double duration,
                 const std::function<void(const Model&, const State&)>& inspect = nullptr) {
  Simulation simulation(make_scene(description));
  const Model& model = simulation.model();
  Observed observed;
  const long steps = std::lround(duration / description.dt);
  for (long i = 0; i < steps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) throw std::runtime_error(step.report.reason);
    observed.halvings += step.halvings;
    bool is_in_flight = true;
    for (const ContactReport& contact : step.report.contacts) {
      observed.smallest_gap = std::min(observed.smallest_gap, contact.gap);
      if (contact.is_touching) is_in_flight = false;
    }
    observed.steps_in_flight += is_in_flight;
    for (const ModelJoint& joint : model.joints())
      observed.largest_opening =
          std::max(observed.largest_opening, compute_joint_error(joint, simulation.state()).distance);
    observed.highest = std::max(observed.highest, simulation.state().x_W[0].z());
    if (inspect) inspect(model, simulation.state());
  }
  observed.last = simulation.last_step().report;
  observed.state = simulation.state();
  return observed;
}

double weight(const SceneDescription& description) {
  const Scene scene = make_scene(description);
  double mass = 0;
  for (const Body& body : scene.system->model().bodies()) mass += body.mass();
  return mass * -description.gravity.z();
}

Observed expect_standing(const SceneDescription& description, double duration) {
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
  EXPECT_EQ(observed.halvings, 0);
  return observed;
}

// 4.713 kg of trunk and four legs of 0.696 + 1.013 + 0.166 + 0.06 kg.
TEST(QuadrupedRobot, HasThePublishedMass) { EXPECT_NEAR(weight(Quadruped{}.make()), 9.81 * (4.713 + 4 * 1.935), 1e-9); }

TEST(QuadrupedRobot, StandsOnFourFeet) { expect_standing(Quadruped{}.make(), 2); }

// Virtual work: cranks α below level hold a trunk h = c sin α + √(r² − c² cos² α) above the feet, so that
//   Σ τ = dV/dα,   V/g = m_t h + 8 (m_c (h − c/2 sin α) + m_r (h − c sin α)/2)
// whatever forces feet exert on one another through the floor.
TEST(MinitaurRobot, StandsOnLegsThatAreLoops) {
  const SceneDescription description = Minitaur{}.make();
  const Observed observed = expect_standing(description, 2);
  const Scene scene = make_scene(description);
  const Model& model = scene.system->model();
  double alpha = 0, largest = 0;
  for (const std::string_view leg : Minitaur::kLegs) {
    for (const double side : {1.0, -1.0}) {
      const int joint = model.find_joint(std::string(leg) + (side > 0 ? "_fore_motor" : "_aft_motor"));
      const double angle = observed.state.joint_q[model.joint(joint).first_coordinate];
      alpha += side * angle / 8;
      largest = std::max(largest, std::abs(Minitaur::kStiffness * angle));
    }
  }
  const double c = Minitaur::kCrank, r = Minitaur::kRod, cos = std::cos(alpha), sin = std::sin(alpha);
  const double rise = c * cos + c * c * cos * sin / std::sqrt(r * r - c * c * cos * cos);  // dh/dα
  const double slope = 9.81 * (Minitaur::kTrunkMass * rise + 8 * Minitaur::kCrankMass * (rise - c / 2 * cos) +
                               8 * Minitaur::kRodMass * (rise - c * cos) / 2);
  EXPECT_NEAR(-8 * Minitaur::kStiffness * alpha, slope, 1e-4 * slope);
  EXPECT_LT(largest, Minitaur::kLargestTorque);
}

TEST(MinitaurRobot, LegsOfFiveHingesMoveAsLegsWithoutRepeatedConstraints) {
  Minitaur robot{.swing = 0.5};
  const Observed pinned = observe(robot.make(), 0.2);
  robot.foot = FootJoint::Hinge;
  const Observed hinged = observe(robot.make(), 0.2);
  EXPECT_LT(hinged.largest_opening, 1e-9);
  EXPECT_LT((hinged.state.x_W[0] - pinned.state.x_W[0]).norm(), 1e-6);
}

TEST(MinitaurRobot, HopsAndComesDownAgain) {
  const SceneDescription scene = Minitaur{.swing = 0.5}.make();
  const Observed observed = observe(scene, 0.8);
  EXPECT_GT(observed.smallest_gap, -1e-9);
  EXPECT_LT(observed.largest_opening, 1e-9);
  EXPECT_GT(observed.highest, scene.bodies.front().position.z() + 0.04);
  EXPECT_GT(observed.steps_in_flight, 100);
  EXPECT_LT(observed.steps_in_flight, 700);
}

TEST(MinitaurRobot, TrotsForward) {
  const SceneDescription scene = Minitaur{.gait = MinitaurGait::Trot, .swing = 0.3, .stride = 0.3}.make();
  const Observed observed = observe(scene, 1.5);
  EXPECT_GT(observed.smallest_gap, -1e-9);
  EXPECT_LT(observed.largest_opening, 1e-9);
  EXPECT_GT(observed.state.x_W[0].x(), 0.3);
  EXPECT_GT(observed.state.x_W[0].z(), 0.15);
}

/// Largest torque of the elbow motor over one period of the routine, N m; loops must stay closed.
double observe_elbow_torque(Patient patient, double scale) {
  const SceneDescription scene = Exoskeleton{.patient = patient, .scale = scale, .dt = 0.004}.make();
  double largest = 0;
  const Observed observed = observe(scene, 2 * std::numbers::pi, [&](const Model& model, const State& state) {
    const int first = model.joint(model.find_joint("elbow")).first_coordinate;
    const double quarter = std::numbers::pi / 4;
    const double error = quarter * (std::sin(state.time) - 1) - state.joint_q[first];
    const Vec3 spin_W =
        state.q_WB[3] * state.omega_B[3] - state.q_WB[2] * state.omega_B[2];  // of fore_link to upper_link
    const double rate = (state.q_WB[2] * Vec3::UnitY()).dot(spin_W);
    largest = std::max(largest, std::abs(scale * (50 * error + 5 * (quarter * std::cos(state.time) - rate))));
  });
  EXPECT_LT(observed.largest_opening, 1e-9);
  EXPECT_EQ(observed.halvings, 0);
  return largest;
}

TEST(ExoskeletonOnAnArm, LeadsAHealthyArmWithinTheLimit) {
  EXPECT_LT(observe_elbow_torque(Patient::Healthy, 1), 5);
  EXPECT_LT(observe_elbow_torque(Patient::Healthy, 0.2), 5);
}

TEST(ExoskeletonOnAnArm, ExceedsTheLimitForASpasticArmUntilGainsAreTuned) {
  EXPECT_GT(observe_elbow_torque(Patient::Spastic, 1), 5);
  EXPECT_LT(observe_elbow_torque(Patient::Spastic, 0.2), 5);
}

}  // namespace
}  // namespace sinew::testing
