// Joints that are known by their poses alone move like the joints with a closed form they imitate; on rails without one, energy is kept to the
// order of the stepper.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_constraint.h"
#include "sinew/dynamics/kinematics.h"

namespace sinew::testing {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kReactionBound = .03;  // N, N m: impulses at either end of a step add up in rows of one end, O(dt)

// A body swings on the joint, which hangs at the origin, with a second one on a ball below it.
SceneDescription make_pair(const AnyJoint& joint) {
  SceneDescription scene;
  scene.bodies = {make_body("first", 1, Vec3(.1, .12, .08), Vec3(.5, 0, 0)),
                  make_body("second", .5, Vec3(.05, .06, .04), Vec3(1, .2, 0))};
  scene.joints = {make_joint("joint", joint, "world", "first", Vec3::Zero()),
                  make_joint("ball", Spherical{}, "first", "second", Vec3(.9, .1, 0))};
  return scene;
}

// Of the first joint: force, and torque about the centre of mass in body axes.
Vec6 reaction_on_child(const Simulation& simulation) {
  const ModelJoint& joint = simulation.model().joint(0);
  const JointConstraint rows =
      compute_joint_constraint(joint, world_place(), body_place(simulation.state(), joint.child));
  return rows.Gt_child.leftCols(joint.rows) * simulation.state().reaction.segment(joint.first_row, joint.rows);
}

// In steppers that know joints by their rows alone; what the rows carry is the same wrench.
void expect_same_motion(const AnyJoint& a, const AnyJoint& b) {
  for (const AnyStepper& stepper : {AnyStepper(Variational{.tolerance = 1e-13}), AnyStepper(Maximal{})}) {
    const Simulation first = simulate(make_pair(a), stepper, .005, 1),
                     second = simulate(make_pair(b), stepper, .005, 1);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LT((first.state().x_W[i] - second.state().x_W[i]).norm(), 1e-9);
      EXPECT_LT((first.state().omega_B[i] - second.state().omega_B[i]).norm(), 1e-9);
    }
    EXPECT_LT((reaction_on_child(first) - reaction_on_child(second)).norm(), kReactionBound);
  }
}

TEST(SplineCurve, OnACircleSwingsLikeAHinge) {
  SplineCurve rail;
  rail.frames.clear();
  for (int i = 0; i < 7; ++i) {
    const Quat turn = exp_quat(Vec3(0, 2 * kPi * i / 7, 0));
    rail.frames.push_back({turn * Vec3(.3, 0, .1), turn});
  }
  expect_same_motion(rail, Revolute{.axis = Vec3::UnitY()});
}

TEST(SplineSurface, OnAPlaneSlidesLikeAPlanarTranslation) {
  SplineSurface plane;
  plane.first_closed = plane.second_closed = false;
  plane.frames.assign(4, std::vector<ControlFrame>(5));
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 5; ++c)  // uneven, but flat
      plane.frames[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)].position =
          Vec3(0, .3 * r + .02 * c * c, .2 * c);
  }
  expect_same_motion(plane, PlanarTranslation{.axis = Vec3::UnitX()});
}

TEST(Composite, OfTwoHingesIsAUniversalJoint) {
  RevoluteMember first, second;
  first.axis = Vec3::UnitY();
  second.axis = Vec3::UnitZ();
  Composite2 chain;
  chain.joints = {first, second};
  expect_same_motion(chain, Universal{.axis = Vec3::UnitY(), .second_axis = Vec3::UnitZ()});
}

// Chains of members with several degrees of freedom are joints that have a closed form of their own, in all steppers.
TEST(Composite, OfLargerMembersIsTheJointTheyMake) {
  const auto chain_of = [](const std::vector<AnyCompositeMember>& members) {
    Composite1 chain;
    chain.joints = members;
    return std::visit([](auto&& fitting) { return AnyJoint(fitting); }, chain.fitting());
  };
  SphericalMember ball;
  ball.order = EulerOrder::YXZ;  // swings about y, far from where it locks
  PrismaticMember line;
  line.axis = Vec3::UnitY();
  PlanarTranslationMember plane;
  plane.axis = Vec3::UnitX();
  RevoluteMember turn;
  turn.axis = Vec3::UnitY();
  UniversalMember cross;
  cross.axis = Vec3::UnitY();
  FixedMember rod;
  rod.position = Vec3(0, 0, -.7);
  const std::vector<std::pair<AnyJoint, AnyJoint>> same = {
      {chain_of({ball}), Spherical{}},
      {chain_of({line, ball}), PointOnLine{.axis = line.axis}},
      {chain_of({plane, ball}), PointOnPlane{.axis = plane.axis}},
      {chain_of({TranslationMember(), turn}), ParallelAxes{.axis = turn.axis}},
      {chain_of({cross, rod, ball}), Distance{.axis = Vec3(0, 0, -1), .length = .7}}};
  for (const auto& [chain, joint] : same) {
    SCOPED_TRACE(std::visit([](const auto& j) { return std::string(j.kName); }, joint));
    expect_same_motion(chain, joint);
    const State a = run_with(Reduced{.tolerance = 1e-11}, make_pair(chain), .01, 1),
                b = run_with(Reduced{.tolerance = 1e-11}, make_pair(joint), .01, 1);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LT((a.x_W[i] - b.x_W[i]).norm(), 1e-8);
      EXPECT_LT((a.omega_B[i] - b.omega_B[i]).norm(), 1e-7);
    }
  }
}

// The coordinates differ, the constraint does not: the same bits.
TEST(Spherical, MovesTheSameInAllCoordinates) {
  const auto swing = [](const AnyJoint& joint) {
    SceneDescription scene = make_pair(joint);
    scene.bodies[0].angular_velocity = Vec3(6, -2, 1);
    scene.bodies[0].velocity = scene.bodies[0].angular_velocity.cross(scene.bodies[0].position);
    scene.assemble = true;
    Simulation simulation(make_scene(scene));
    for (int i = 0; i < 300; ++i) {
      EXPECT_TRUE(simulation.step().report.ok());
      const ModelJoint& model_joint = simulation.model().joint(0);
      const Pose expected = joint_pose(model_joint, simulation.state());
      std::visit(
          [&]<class J>(const J& type) {
            const Vec<J::kCoordinates> q = simulation.state().joint_q.segment<J::kCoordinates>(0);
            EXPECT_LT(log_so3(expected.q.conjugate() * type.pose(q).q).norm(), 1e-12);
            Vec<J::kDof> v;
            compute_joint_rates(model_joint, simulation.state(), v.data());
            const Vec6 twist = type.motion_subspace(q) * v;
            EXPECT_LT((twist.head<3>() - joint_twist(model_joint, simulation.state()).angular).norm(), 1e-10);
          },
          model_joint.type);
    }
    return simulation.state();
  };
  const State quaternion = swing(Spherical{});
  for (const AnyJoint& joint : {AnyJoint(SphericalExponential{}), AnyJoint(SphericalEuler{}),
                                AnyJoint(SphericalEuler{.order = EulerOrder::ZXZ})}) {
    const State other = swing(joint);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(quaternion.x_W[i], other.x_W[i]);
      EXPECT_EQ(quaternion.q_WB[i].coeffs(), other.q_WB[i].coeffs());
    }
  }
}

// In maximal coordinates, where rows of one pose correct errors of another: first order beside the reduced stepper, on rails and surfaces
// that take the body through all the bases of their rows, whatever keeps joints closed.
TEST(ParametricJoints, ConvergeInMaximalCoordinates) {
  RevoluteMember first;
  first.axis = Vec3::UnitY();
  PrismaticMember second;
  Composite2 chain;
  chain.joints = {first, second};
  for (const AnyJoint& joint : {AnyJoint(SplineCurve{}), AnyJoint(SplineSurface{}), AnyJoint(chain)}) {
    const std::string_view name = std::visit([](const auto& j) { return j.kName; }, joint);
    SceneDescription scene = make_pair(joint);
    scene.assemble = true;
    scene.bodies[0].velocity = Vec3(0, 1, .5);
    const State exact = run_with(Reduced{.tolerance = 1e-11}, scene, .01, .5);
    for (const JointStabilisation kind : {JointStabilisation::Post, JointStabilisation::Baumgarte}) {
      const auto error = [&](double dt) {
        const State s = run_with(Maximal{.stabilisation = kind}, scene, dt, .5);
        return (s.x_W[0] - exact.x_W[0]).norm() + (s.x_W[1] - exact.x_W[1]).norm();
      };
      const double coarse = error(1e-3), fine = error(5e-4);
      EXPECT_NEAR(order_of(coarse, fine), 1, .15) << name << " " << coarse << " " << fine;
    }
  }
}

SceneDescription make_bead_on_ring() {
  SceneDescription scene;
  scene.assemble = true;
  scene.bodies = {make_body("bead", 1, Vec3(.02, .03, .04), Vec3(1, 0, 0))};
  scene.bodies[0].velocity = Vec3(0, 3, 0);
  scene.joints = {make_joint("rail", SplineCurve{}, "world", "bead", Vec3::Zero())};
  return scene;
}

// A bead on a bent ring under gravity, over span boundaries: energy errors shrink with dt² and do not grow with time.
TEST(SplineCurve, KeepsTheEnergyOfABead) {
  SceneDescription scene = make_bead_on_ring();
  const auto largest_error = [&](double dt, double duration) {
    scene.dt = dt;
    Simulation simulation(make_scene(scene));
    double largest = 0;
    for (long i = 0; i < std::lround(duration / dt); ++i) {
      EXPECT_TRUE(simulation.step().report.ok());
      largest = std::max(largest, std::abs(simulation.ledger().energy_error()));
    }
    EXPECT_GT(std::abs(simulation.state().joint_q[0]), 8);  // more than one lap
    EXPECT_LT(simulation.ledger().joint_error().distance, 1e-9);
    return largest;
  };
  const double coarse = largest_error(.004, 5), fine = largest_error(.002, 5);
  EXPECT_NEAR(order_of(coarse, fine), 2, .2);
  EXPECT_LT(largest_error(.004, 20), 1.3 * coarse);
}

}  // namespace
}  // namespace sinew::testing
