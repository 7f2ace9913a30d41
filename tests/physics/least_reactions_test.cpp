// Reactions and friction of bearings in loops whose joints repeat each other: the least ones, whatever the order of joints, in every stepper.
#include "sinew/dynamics/least_reactions.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "physics/every_stepper.h"

#include "sinew/dynamics/joint_reaction.h"

namespace sinew::testing {
namespace {

JointReaction reaction_of(const Simulation& simulation, const std::string& name) {
  LeastReactions least(simulation.model());
  VecX reactions = simulation.state().reaction;
  least.factorize(simulation.state());
  least.apply(reactions);
  for (const ModelJoint& joint : simulation.model().joints())
    if (joint.name == name) return compute_joint_reaction(joint, simulation.state(), reactions);
  throw std::runtime_error("no joint " + name);
}

/// Its joints in another order.
SceneDescription permuted(const SceneDescription& scene, const std::vector<std::size_t>& order) {
  SceneDescription out = scene;
  for (std::size_t i = 0; i < order.size(); ++i) out.joints[i] = scene.joints[order[i]];
  return out;
}

const std::vector<std::vector<std::size_t>> kOrders = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 2, 3, 0}, {2, 3, 0, 1}};

/// Four hinges whose axes twist by 40° and 70° against each other: a loop that moves though it has five rows more than freedoms.
SceneDescription make_bennett(bool has_bearings) {
  SceneDescription scene;
  const Vec3 moments(.1, .12, .08);
  scene.bodies = {make_body("l0", 1, moments, Vec3(0.1811788772383368, 0.46601954298361314, 0)),
                  make_body("l1", 1.3, moments, Vec3(-0.0944114573134952, 0.39538880323614434, 0.19405636257554681)),
                  make_body("l2", 1.6, moments, Vec3(-1.0065414345926038, -0.0706307397474687, 0.19405636257554698))};
  const auto hinge = [](double x, double y, double z) { return Revolute{.axis = Vec3(x, y, z)}; };
  scene.joints = {make_joint("j0", hinge(0, 0, 1), "world", "l0", Vec3::Zero()),
                  make_joint("j1", hinge(0.5991031762033002, -0.2329190748514429, 0.766044443118978), "l0", "l1",
                             Vec3(0.3623577544766736, 0.9320390859672263, 0)),
                  make_joint("j2", hinge(-0.26548473976538567, 0.5196275420120449, 0.8120991753069484), "l1", "l2",
                             Vec3(-0.551180669103664, -0.14126147949493761, 0.38811272515109363)),
                  make_joint("j3", hinge(0, 0.9396926207859082, 0.3420201433256686), "world", "l2",
                             Vec3(-1.4619022000815436, 0, 0))};
  for (JointDescription& joint : scene.joints)
    if (has_bearings) joint.bearing = JointBearing{.1, .02, .05};
  return scene;
}

/// A planar four-bar whose coupler hangs 0.1 m out of the plane of its hinges.
SceneDescription make_bent_four_bar(bool has_bearings) {
  const Vec3 along = planar_direction(1.1), right(1.3, 0, 0);
  SceneDescription scene;
  const Quat turned = quat_from_axis_angle(Vec3::UnitY(), -1.1);
  scene.bodies = {make_body("left", .7, Vec3(.06, .06, .001), along / 2, turned),
                  make_body("right", .7, Vec3(.06, .06, .001), right + along / 2, turned),
                  make_body("bar", 2, Vec3(.1, .9, .9), along + Vec3(.65, .1, 0))};
  const Revolute hinge{.axis = Vec3::UnitY()};
  scene.joints = {make_joint("A", hinge, "world", "left", Vec3::Zero()),
                  make_joint("B", hinge, "world", "right", right), make_joint("C", hinge, "left", "bar", along),
                  make_joint("D", hinge, "right", "bar", right + along)};
  for (JointDescription& joint : scene.joints)
    if (has_bearings) joint.bearing = JointBearing{.2, .02, .05};
  return scene;
}

double first_angle(const Simulation& simulation, const std::string& name) {
  for (const ModelJoint& joint : simulation.model().joints())
    if (joint.name == name) return simulation.state().joint_q[joint.first_coordinate];
  throw std::runtime_error("no joint " + name);
}

TEST(LeastReactions, BearingsRubAlikeWhateverTheOrderOfJoints) {
  for (const bool is_bennett : {true, false}) {
    const SceneDescription scene = is_bennett ? make_bennett(true) : make_bent_four_bar(true);
    const std::string first = scene.joints[0].name;
    std::vector<double> angles, energies;
    for (const auto& order : kOrders) {
      const Simulation simulation = simulate(permuted(scene, order), Reduced{}, .005, 1);
      angles.push_back(first_angle(simulation, first));
      energies.push_back(simulation.ledger().value("work.contact"));
    }
    for (std::size_t i = 1; i < kOrders.size(); ++i) {
      EXPECT_NEAR(angles[i], angles[0], 1e-6) << is_bennett << i;
      EXPECT_NEAR(energies[i], energies[0], 1e-5) << is_bennett << i;
    }
    EXPECT_LT(energies[0], -1e-3);
  }
}

TEST(LeastReactions, DoNotDependOnTheOrderOfJointsOrTheStepper) {
  for (const bool is_bennett : {true, false}) {
    const SceneDescription scene = is_bennett ? make_bennett(false) : make_bent_four_bar(false);
    const double duration = .1;
    const Simulation reference = simulate(scene, Reduced{}, .0005, duration);
    const std::vector<AnyStepper> steppers = {Reduced{}, Variational{}, Maximal{}};
    for (const AnyStepper& stepper : steppers) {
      for (const auto& order : kOrders) {
        const Simulation simulation = simulate(permuted(scene, order), stepper, .0005, duration);
        for (const JointDescription& joint : scene.joints) {
          const JointReaction expected = reaction_of(reference, joint.name), got = reaction_of(simulation, joint.name);
          const double bound =
              std::holds_alternative<Reduced>(stepper) ? 5e-3 : 5e-2;  // N, N m, of 10 and more: means over a step
          EXPECT_LT((got.force_W - expected.force_W).norm(), bound) << joint.name << is_bennett;
          EXPECT_LT((got.torque_W - expected.torque_W).norm(), bound) << joint.name << is_bennett;
        }
      }
    }
  }
}

// What ε leaves of repeated rows in the maximal stepper is large at any dt.
TEST(LeastReactions, OfLongStepsAreAsLarge) {
  const SceneDescription scene = make_bennett(false);
  const JointReaction expected = reaction_of(simulate(scene, Reduced{}, .005, 1), "j0");
  for (const double dt : {.01, .0025}) {
    const JointReaction got = reaction_of(simulate(scene, Maximal{}, dt, 1), "j0");
    EXPECT_LT((got.force_W - expected.force_W).norm(), 150 * dt * expected.force_W.norm()) << dt;
  }
}

/// A door of 3 kg on two hinges 2·half apart, its centre `reach` from their line.
constexpr double kMass = 3, kHalf = .7, kReach = .5;
SceneDescription make_door() {
  SceneDescription scene;
  scene.bodies = {make_body("door", kMass, Vec3(.2, .3, .25), Vec3(kReach, 0, 0))};
  scene.joints = {make_joint("top", Revolute{}, "world", "door", Vec3(0, 0, kHalf)),
                  make_joint("low", Revolute{}, "world", "door", Vec3(0, 0, -kHalf))};
  return scene;
}

class Door : public StepperTest {};

// Half the weight each; its moment M = m g a by forces ∓H and moments T: the least H² + T² with 2 b H + 2 T = M, H = b M/(2 (1 + b²)), T = H/b.
TEST_P(Door, SharesItsWeightBetweenItsHinges) {
  const Simulation simulation = simulate(make_door(), GetParam(), .01, .1);
  const double moment = kMass * kGravity * kReach, T = moment / 2 / (1 + kHalf * kHalf), H = kHalf * T;
  for (const double side : {1.0, -1.0}) {
    const JointReaction got = reaction_of(simulation, side > 0 ? "top" : "low");
    EXPECT_LT((got.force_W - Vec3(-side * H, 0, kMass * kGravity / 2)).norm(), 1e-6) << side;
    EXPECT_LT((got.torque_W - Vec3(0, -T, 0)).norm(), 1e-6) << side;
  }
}

INSTANTIATE_TEST_SUITE_P(Steppers, Door, every_stepper(), stepper_name);

// With bearings of length L moments count by their lever ℓ = L/2: the least H² + T²/ℓ².
TEST(LeastReactions, BearingsCarryMomentsByTheirLength) {
  const double lever = .05, moment = kMass * kGravity * kReach, share = moment / 2 / (lever * lever + kHalf * kHalf);
  SceneDescription scene = make_door();
  for (JointDescription& joint : scene.joints) joint.bearing = JointBearing{.1, .01, 2 * lever};
  const JointReaction top = reaction_of(simulate(scene, Reduced{}, .01, .1), "top");
  EXPECT_LT((top.force_W - Vec3(-kHalf * share, 0, kMass * kGravity / 2)).norm(), 1e-6);
  EXPECT_LT((top.torque_W - Vec3(0, -lever * lever * share, 0)).norm(), 1e-6);
}

}  // namespace
}  // namespace sinew::testing
