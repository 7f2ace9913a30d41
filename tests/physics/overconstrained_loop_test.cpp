// Bennett's linkage: four bars whose hinges are not parallel. It has 20 rows of rank 17 in 18 directions of motion, moves all the same, and what
// its rows repeat is another combination in every pose, unlike that of plane loops. The stabilisations of the maximal stepper on it.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_reaction.h"

namespace sinew::testing {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kDuration = 5;  // s: the crank turns by -4.28 rad

/// Bars of 1 m with hinges twisted by 40°, and of sin 70°/sin 40° m by 70°: opposite bars are alike, the linkage is its own image under half a turn.
SceneDescription make_bennett() {
  const double twist_a = 40 * kDegree, twist_b = 70 * kDegree, start = 1.2, b = std::sin(twist_b) / std::sin(twist_a);
  const Vec3 along(std::cos(start), std::sin(start), 0), up = Vec3::UnitZ();
  std::array<Vec3, 4> anchors = {Vec3::Zero(), along, Vec3::Zero(), Vec3(-b, 0, 0)};
  std::array<Vec3, 4> axes = {up, quat_from_axis_angle(along, twist_a) * up, up,
                              quat_from_axis_angle(Vec3::UnitX(), -twist_b) * up};
  const Vec3 middle = (anchors[1] + anchors[3]) / 2, half_turn = (axes[1] - axes[3]).normalized();
  const auto turned = [&](const Vec3& v) { return Vec3(2 * half_turn.dot(v) * half_turn - v); };
  anchors[2] = middle + turned(anchors[0] - middle);
  axes[2] = turned(axes[0]);
  SceneDescription scene;
  scene.gravity = Vec3(0, 0, -kGravity);
  for (std::size_t i = 0; i < 3; ++i)
    scene.bodies.push_back(make_body("bar" + std::to_string(i), 1 + .3 * static_cast<double>(i), Vec3(.1, .12, .08),
                                     (anchors[i] + anchors[i + 1]) / 2));
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string parent = i == 0 || i == 3 ? "world" : "bar" + std::to_string(i - 1);
    scene.joints.push_back(make_joint("hinge" + std::to_string(i), Revolute{.axis = axes[i]}, parent,
                                      i == 3 ? "bar2" : "bar" + std::to_string(i), anchors[i]));
  }
  return scene;
}

Maximal stabilised(JointStabilisation stabilisation) { return Maximal{.stabilisation = stabilisation}; }

const std::array<JointStabilisation, 4> kAll = {JointStabilisation::Post, JointStabilisation::Baumgarte,
                                                JointStabilisation::BaumgarteVelocity, JointStabilisation::None};

std::string name_of(JointStabilisation s) { return std::string(enum_names(s)[static_cast<std::size_t>(s)]); }

struct Motion {
  double angle = 0;                               // of the crank at the end, rad
  VecX reactions;                                 // forces and torques of all joints at the end, N and N m, world axes
  double largest_reaction = 0, energy_error = 0;  // ever
  int halvings = 0, iterations = 0;               // all; the most of a step
};
Motion follow(const AnyStepper& stepper, double dt, double duration) {
  SceneDescription scene = make_bennett();
  scene.stepper = stepper;
  scene.dt = dt;
  Simulation simulation(make_scene(scene));
  const Model& model = simulation.model();
  Motion out;
  for (long i = std::lround(duration / dt); i > 0; --i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) throw std::runtime_error(step.report.reason);
    out.halvings += step.halvings;
    out.iterations = std::max(out.iterations, step.report.iterations);
    out.reactions.resize(6 * model.joint_count());
    for (int j = 0; j < model.joint_count(); ++j) {
      const JointReaction reaction = compute_joint_reaction(model.joint(j), simulation.state());
      out.reactions.segment<6>(6 * j) << reaction.force_W, reaction.torque_W;
    }
    out.largest_reaction = std::max(out.largest_reaction, out.reactions.lpNorm<Eigen::Infinity>());
    out.energy_error = std::max(out.energy_error, std::abs(simulation.ledger().energy_error()));
  }
  out.angle = simulation.state().joint_q[0];
  return out;
}

// Would catch: rows that repeat each other only while they are closed, taken at their word; the linkage then stops.
TEST(OverconstrainedLoop, MovesWithEveryStabilisation) {
  const double exact = follow(Reduced{}, .01, kDuration).angle;
  EXPECT_NEAR(exact, -4.2828, 1e-4);
  for (const JointStabilisation stabilisation : kAll) {
    const Motion coarse = follow(stabilised(stabilisation), .0025, kDuration),
                 fine = follow(stabilised(stabilisation), .00125, kDuration);
    EXPECT_LT(std::abs(fine.angle - exact), .01) << name_of(stabilisation);
    const double coarse_error = std::abs(coarse.angle - exact), fine_error = std::abs(fine.angle - exact);
    EXPECT_NEAR(order_of(coarse_error, fine_error), 1, .5) << name_of(stabilisation);
    EXPECT_NEAR(order_of(coarse.energy_error, fine.energy_error), 1, .3) << name_of(stabilisation);
    EXPECT_EQ(coarse.halvings + fine.halvings, 0) << name_of(stabilisation);
    EXPECT_LT(std::max(coarse.iterations, fine.iterations), 12) << name_of(stabilisation);
  }
}

// They share a load in the one way that takes the least impulses, however the joints are kept closed. Would catch what the rows disagree by,
// over ε: 10⁶ N, growing with the step.
TEST(OverconstrainedLoop, ReactionsAreBoundedAndConverge) {
  const double duration = 1;
  const VecX exact = follow(stabilised(JointStabilisation::Post), 1e-4, duration).reactions;
  EXPECT_GT(exact.lpNorm<Eigen::Infinity>(), 10);
  for (const JointStabilisation stabilisation : kAll) {
    const Motion coarse = follow(stabilised(stabilisation), .004, duration),
                 fine = follow(stabilised(stabilisation), .002, duration);
    const double coarse_error = (coarse.reactions - exact).norm(), fine_error = (fine.reactions - exact).norm();
    EXPECT_LT(coarse.largest_reaction, 60) << name_of(stabilisation);
    EXPECT_LT(fine.largest_reaction, 60) << name_of(stabilisation);
    EXPECT_LT(fine_error, .05 * exact.norm()) << name_of(stabilisation);
    EXPECT_NEAR(order_of(coarse_error, fine_error), 1, .3) << name_of(stabilisation);
  }
}

// What the mechanism leans on the world with is unique: weight and inertia, by the reduced stepper.
TEST(OverconstrainedLoop, LeansOnTheWorldAsMuchAsWithOtherEquations) {
  const auto force_on_world = [](const Motion& motion) {
    return Vec3(motion.reactions.segment<3>(0) + motion.reactions.segment<3>(18));
  };
  const Vec3 expected = force_on_world(follow(Reduced{}, .001, .5));
  for (const JointStabilisation stabilisation : kAll) {
    const Vec3 found = force_on_world(follow(stabilised(stabilisation), .001, .5));
    EXPECT_LT((found - expected).norm(), .02 * expected.norm()) << name_of(stabilisation);
  }
}

// Rows are combined, never moved: impulses stay pairs at one place, also where a loop is open.
TEST(OverconstrainedLoop, FloatingItKeepsItsMomentum) {
  for (const JointStabilisation stabilisation : kAll) {
    SceneDescription scene = make_bennett();
    scene.gravity.setZero();
    scene.bodies.push_back(make_body("base", 2, Vec3(.3, .3, .2), Vec3(-.7, 0, 0)));
    scene.joints.front().parent.name = scene.joints.back().parent.name = "base";
    for (BodyDescription& body : scene.bodies) {
      body.angular_velocity = Vec3(.5, 1, -.3);
      body.velocity = body.angular_velocity.cross(body.position);
    }
    scene.stepper = stabilised(stabilisation);
    scene.dt = .005;
    Simulation simulation(make_scene(scene));
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(simulation.step().report.ok()) << simulation.last_step().report.reason;
    EXPECT_LT(simulation.ledger().momentum_error(), 1e-9) << name_of(stabilisation);
    EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-9) << name_of(stabilisation);
  }
}

}  // namespace
}  // namespace sinew::testing
