// Forces and torques in joints, in the frames of the joints, against statics by hand.
#include "sinew/dynamics/joint_reaction.h"

#include <gtest/gtest.h>

#include "physics/mechanisms.h"

namespace sinew::testing {
namespace {

JointDescription make_framed_joint(const std::string& name, const AnyJoint& type, const std::string& parent,
                                   const std::string& child, const Pose& X_PA, const Pose& X_CB) {
  JointDescription joint;
  joint.name = name;
  joint.joint = type;
  joint.parent.name = parent;
  joint.child.name = child;
  joint.parent_frame = FrameDescription{X_PA.p, X_PA.q};
  joint.child_frame = FrameDescription{X_CB.p, X_CB.q};
  return joint;
}

Simulation run_at_rest(SceneDescription scene, int steps = 20) {
  scene.gravity = Vec3(0, 0, -kGravity);
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < steps; ++i) {
    if (!simulation.step().report.ok()) throw std::runtime_error(simulation.step().report.reason);
  }
  for (const Vec3& v : simulation.state().v_W) EXPECT_LT(v.norm(), 1e-9);
  return simulation;
}

JointReaction reaction_of(const Simulation& simulation, const std::string& joint) {
  return compute_joint_reaction(simulation.model().joint(simulation.model().find_joint(joint)), simulation.state());
}

void expect_wrench(const Wrench& actual, const Vec3& torque, const Vec3& force) {
  EXPECT_LT((actual.force - force).norm(), 1e-8) << actual.force.transpose() << " N, expected " << force.transpose();
  EXPECT_LT((actual.torque - torque).norm(), 1e-8)
      << actual.torque.transpose() << " N m, expected " << torque.transpose();
}

// A chain of balls at rest: each carries the weight below it. Frames are turned, differently on parent and child.
TEST(JointReaction, OfAHangingChainIsTheWeightBelow) {
  SceneDescription scene;
  const Quat on_parent = exp_quat(Vec3(.3, -.7, .4)), on_child = exp_quat(Vec3(-.2, .5, 1.1));
  std::string above = "world";
  for (int i = 0; i < 4; ++i) {
    const std::string name = "link" + std::to_string(i);
    scene.bodies.push_back(make_body(name, 1 + i, Vec3(.1, .1, .01), Vec3(0, 0, -.5 - i)));
    scene.joints.push_back(make_framed_joint("ball" + std::to_string(i), Spherical{}, above, name,
                                             {Vec3(0, 0, i == 0 ? 0 : -.5), on_parent}, {Vec3(0, 0, .5), on_child}));
    above = name;
  }
  const Simulation simulation = run_at_rest(scene);
  double below = 10;
  for (int i = 0; i < 4; ++i) {
    const JointReaction reaction = reaction_of(simulation, "ball" + std::to_string(i));
    const Vec3 up(0, 0, below * kGravity);
    expect_wrench(reaction.in_A, Vec3::Zero(), on_parent.conjugate() * up);
    expect_wrench(reaction.in_B, Vec3::Zero(), on_child.conjugate() * up);
    below -= 1 + i;
  }
}

// Three beams along x welded to a wall and to each other: shear force and bending moment of a cantilever.
TEST(JointReaction, OfACantileverIsShearAndBendingMoment) {
  SceneDescription scene;
  const Quat turned = exp_quat(Vec3(.5, .2, -.9));
  std::string before = "world";
  for (int i = 0; i < 3; ++i) {
    const std::string name = "beam" + std::to_string(i);
    scene.bodies.push_back(make_body(name, 1 + i, Vec3(.01, .1, .1), Vec3(.5 + i, 0, 0)));
    scene.joints.push_back(make_framed_joint("weld" + std::to_string(i), Fixed{}, before, name,
                                             {Vec3(i == 0 ? 0 : .5, 0, 0), turned}, {Vec3(-.5, 0, 0), turned}));
    before = name;
  }
  const Simulation simulation = run_at_rest(scene);
  for (int i = 0; i < 3; ++i) {
    double shear = 0, moment = 0;
    for (int k = i; k < 3; ++k) shear += (1 + k) * kGravity, moment += (1 + k) * kGravity * (k + .5 - i);
    const JointReaction reaction = reaction_of(simulation, "weld" + std::to_string(i));
    const Vec3 force = turned.conjugate() * Vec3(0, 0, shear), torque = turned.conjugate() * Vec3(0, -moment, 0);
    expect_wrench(reaction.in_A, torque, force);
    expect_wrench(reaction.in_B, torque, force);
  }
}

// A beam of length L on a universal joint and a ball on a plane, its centre of mass at (a, e): the plane carries W a/L, the universal
// joint the rest and the torsion W e.
TEST(JointReaction, OfASimplySupportedBeamIsTheLeverRule) {
  const double L = 2, a = .7, e = .15, W = 3 * kGravity;
  SceneDescription scene;
  scene.bodies = {make_body("beam", 3, Vec3(.1, 1, 1))};
  scene.bodies[0].center_of_mass = Vec3(a, e, 0);
  scene.joints = {make_joint("cross", Universal{.axis = Vec3::UnitY(), .second_axis = Vec3::UnitZ()}, "world", "beam",
                             Vec3::Zero()),
                  make_joint("support", PointOnPlane{.axis = Vec3::UnitZ()}, "world", "beam", Vec3(L, 0, 0))};
  const Simulation simulation = run_at_rest(scene);
  const JointReaction cross = reaction_of(simulation, "cross"), support = reaction_of(simulation, "support");
  EXPECT_LT((cross.force_W - Vec3(0, 0, W * (1 - a / L))).norm(), 1e-8) << cross.force_W.transpose();
  EXPECT_LT((cross.torque_W - Vec3(W * e, 0, 0)).norm(), 1e-8) << cross.torque_W.transpose();
  EXPECT_LT((support.force_W - Vec3(0, 0, W * a / L)).norm(), 1e-8) << support.force_W.transpose();
  EXPECT_LT(support.torque_W.norm(), 1e-8) << support.torque_W.transpose();
}

// A body flat on a planar joint, away from the origin of A: the same force, with the moment of its lever arm about A.
TEST(JointReaction, OfAPlanarSupportHasTheLeverArmAboutA) {
  const double x = .7, y = -.4, W = 2 * kGravity;
  SceneDescription scene;
  scene.bodies = {make_body("slab", 2, Vec3(.1, .1, .1), Vec3(x, y, 0), exp_quat(Vec3(0, 0, .6)))};
  scene.joints = {make_framed_joint("table", Planar{}, "world", "slab", Pose{}, Pose{})};
  const JointReaction reaction = reaction_of(run_at_rest(scene), "table");
  expect_wrench(reaction.in_A, Vec3(y * W, -x * W, 0), Vec3(0, 0, W));
  expect_wrench(reaction.in_B, Vec3::Zero(), Vec3(0, 0, W));
}

// A nut on an upright screw without friction is held by the torque W·pitch/2π, and the thread carries its weight.
TEST(JointReaction, OfAScrewCarriesTheWeightHeldByATorque) {
  const double pitch = .02, W = 2 * kGravity;
  SceneDescription scene;
  scene.bodies = {make_body("nut", 2, Vec3(.1, .1, .1))};
  scene.joints = {make_joint("screw", Helical{.pitch = pitch}, "world", "nut", Vec3::Zero())};
  JointActuator motor;
  motor.joint.name = "screw";
  motor.effort = {W * pitch / (2 * std::numbers::pi)};
  scene.forces = {motor};
  const JointReaction reaction = reaction_of(run_at_rest(scene), "screw");
  expect_wrench(reaction.in_B, Vec3(0, 0, -motor.effort[0]), Vec3(0, 0, W));
}

TEST(JointReaction, OfARodIsItsTension) {
  SceneDescription scene;
  scene.bodies = {make_body("weight", 2, Vec3(.1, .1, .1), Vec3(0, 0, -.8))};
  scene.joints = {make_joint("rod", Distance{.axis = Vec3(0, 0, -1), .length = .8}, "world", "weight", Vec3::Zero())};
  const Simulation simulation = run_at_rest(scene);
  const JointReaction reaction = reaction_of(simulation, "rod");
  EXPECT_LT((reaction.force_W - Vec3(0, 0, 2 * kGravity)).norm(), 1e-8);
  EXPECT_LT(reaction.torque_W.norm(), 1e-8);
  EXPECT_NEAR(simulation.state().reaction[0], -2 * kGravity, 1e-8);  // pulls
}

}  // namespace
}  // namespace sinew::testing
