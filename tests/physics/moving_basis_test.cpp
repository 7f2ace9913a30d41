// Reactions of joints whose rows change their basis as the body moves: in every step, also where the basis changes, they are what Newton's and
// Euler's laws ask for with the velocities before and after it,
//   f = m Δv/dt − m g,   τ = Δ(R J ω)/dt about the centre of mass
// up to the part along the motion that a turning normal takes in a step, O(dt).
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_constraint.h"

namespace sinew::testing {
namespace {

constexpr double kPi = std::numbers::pi;

struct Rail {
  std::string name;
  AnyJoint joint;
  Vec3 velocity;
  double duration;  // s, with a change in it
};

// A ring along which nothing turns: in the axes of a bead on it, it moves along x, then z.
SplineCurve make_ring() {
  SplineCurve ring;
  ring.frames.clear();
  for (int i = 0; i < 9; ++i)
    ring.frames.push_back({exp_quat(Vec3(0, 2 * kPi * i / 9, 0)) * Vec3::UnitX(), Quat::Identity()});
  return ring;
}

// An arm that turns and grows, at its end a hinge across.
Composite3 make_arm() {
  RevoluteMember first, third;
  PrismaticMember second;
  first.axis = Vec3::UnitY();
  second.axis = Vec3::UnitX();
  second.position = Vec3(.7, 0, 0);
  third.axis = Vec3(1, 1, 0).normalized();
  Composite3 arm;
  arm.joints = {first, second, third};
  return arm;
}

SceneDescription make_scene_on(const Rail& rail) {
  SceneDescription scene;
  scene.assemble = true;
  scene.bodies = {make_body("bead", 1, Vec3(.02, .03, .04), Vec3(1, 0, 0))};
  scene.bodies[0].velocity = rail.velocity;
  scene.joints = {make_joint("rail", rail.joint, "world", "bead", Vec3::Zero())};
  return scene;
}

struct Found {
  double largest = 0;  // N, N m: difference in any step
  int changes = 0;     // of the basis
};

JointConstraint rows_here(const Simulation& simulation) {
  const ModelJoint& joint = simulation.model().joint(0);
  return compute_joint_constraint(joint, world_place(), body_place(simulation.state(), joint.child));
}

Found compare_with_momentum(const SceneDescription& scene, const AnyStepper& stepper, double dt, double duration) {
  Simulation simulation = make_run(stepper, scene, dt);
  const int rows = simulation.model().joint(0).rows;
  const auto momentum = [&] {
    const State& s = simulation.state();
    const Body& body = simulation.model().body(0);
    return stacked(Vec3(body.mass() * s.v_W[0]), Vec3(s.q_WB[0] * (body.inertia() * s.omega_B[0])));
  };
  Found found;
  for (long i = 0; i < std::lround(duration / dt); ++i) {
    const Vec6 before = momentum();
    const Mat6 Gt_before = rows_here(simulation).Gt_child;
    advance(simulation, 1);
    const JointConstraint here = rows_here(simulation);
    Vec6 wrench = here.Gt_child.leftCols(rows) * simulation.state().reaction.head(rows);
    wrench.tail<3>() = (simulation.state().q_WB[0] * Vec3(wrench.tail<3>())).eval();
    const Vec6 expected = (momentum() - before) / dt + stacked(Vec3(0, 0, kGravity), Vec3::Zero());
    found.largest = std::max(found.largest, (wrench - expected).norm());
    if ((here.Gt_child - Gt_before).leftCols(rows).norm() > .5) ++found.changes;
  }
  return found;
}

TEST(MovingBasis, ReactionsAreTheChangeOfMomentumInEveryStep) {
  const std::vector<Rail> rails = {{"ring", make_ring(), Vec3(0, 0, 3), 1.5},
                                   {"surface", SplineSurface{}, Vec3(0, 1, .5), .6},
                                   {"arm", make_arm(), Vec3(.3, .2, 3), .6}};
  const std::vector<AnyStepper> steppers = {Variational{}, Variational{.order = 4}, Maximal{},
                                            Maximal{.stabilisation = JointStabilisation::Baumgarte}, Reduced{}};
  for (const Rail& rail : rails) {
    for (const AnyStepper& stepper : steppers) {
      const std::string_view name = std::visit([](const auto& s) { return s.kName; }, stepper);
      SCOPED_TRACE(rail.name + ", " + std::string(name));
      const SceneDescription scene = make_scene_on(rail);
      const Found coarse = compare_with_momentum(scene, stepper, 1e-3, rail.duration),
                  fine = compare_with_momentum(scene, stepper, 5e-4, rail.duration);
      EXPECT_GT(coarse.changes, 0);
      EXPECT_GT(order_of(coarse.largest, fine.largest), .8) << coarse.largest << " " << fine.largest;
      EXPECT_LT(fine.largest, .03 * kGravity) << fine.changes;
    }
  }
}

}  // namespace
}  // namespace sinew::testing
