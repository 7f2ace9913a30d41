// Laws of steppers with every joint type: momentum of free-flying chains, joints that stay closed, resuming bit for bit; energy, of the
// variational one in a band for a long time, of the reduced one to its tolerance.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_error.h"
#include "sinew/dynamics/momentum.h"

namespace sinew::testing {
namespace {

template <class J>
class JointStepperLaws : public ::testing::Test {};
template <class List>
struct AsTestTypes;
template <class... Js>
struct AsTestTypes<TypeList<Js...>> {
  using Types = ::testing::Types<Js...>;
};
TYPED_TEST_SUITE(JointStepperLaws, AsTestTypes<AllJoints>::Types);

// Four bodies in a row that tumble, each joint in another direction: its frames are turned with the bodies.
template <class J>
SceneDescription make_flying_chain() {
  SceneDescription scene;
  scene.gravity = Vec3::Zero();
  scene.assemble = true;  // velocities become ones that the joints allow
  for (int i = 0; i < 4; ++i) {
    const std::string name = "body" + std::to_string(i);
    scene.bodies.push_back(
        make_body(name, 1 + .3 * i, Vec3(.1, .15, .2), Vec3(.6 * i, .1 * i, 0), exp_quat(Vec3(.3, .2, -.4) * i)));
    scene.bodies.back().velocity = Vec3(.1 * i, .2, -.1 * i);
    scene.bodies.back().angular_velocity = Vec3(.5, -.3 * i, .4);
    if (i > 0) {
      scene.joints.push_back(make_joint("joint" + std::to_string(i), J{}, "body" + std::to_string(i - 1), name,
                                        Vec3(.6 * i - .3, .1 * i, .1)));
    }
  }
  return scene;
}

// A pendulum on a ball, a second body tied to the world by a rod, and the joint between the two: bounded whatever the joint allows, and
// never overconstrained. Gravity pulls.
template <class J>
SceneDescription make_tied_pair() {
  SceneDescription scene;
  scene.bodies = {make_body("first", 1, Vec3(.1, .12, .08), Vec3(.5, 0, 0)),
                  make_body("second", 1.5, Vec3(.15, .1, .12), Vec3(1, .2, .1), exp_quat(Vec3(.1, .2, .1)))};
  scene.joints = {
      make_joint("ball", Spherical{}, "world", "first", Vec3::Zero()),
      make_joint("joint", J{}, "first", "second", Vec3(.8, .1, 0)),
      make_joint("rod", Distance{.axis = Vec3(0, 0, -1), .length = 1.2}, "world", "second", Vec3(1, .3, 1.2))};
  return scene;
}

const std::vector<AnyStepper> kSteppers = {Variational{}, Maximal{}, Reduced{.tolerance = 1e-11}};
// Splines are C²: higher derivatives jump where their pieces meet, and the error there is larger than the estimate.
template <class J>
constexpr bool kIsSpline = std::is_same_v<J, SplineCurve> || std::is_same_v<J, SplineSurface>;

TYPED_TEST(JointStepperLaws, FreeFlyingChainsConserveMomentum) {
  for (const AnyStepper& stepper : kSteppers) {
    const bool is_reduced = std::holds_alternative<Reduced>(stepper);  // finds its own steps within dt
    const double accuracy = is_reduced && kIsSpline<TypeParam> ? 2e-7 : 1e-10;
    Simulation simulation = make_run(stepper, make_flying_chain<TypeParam>(), is_reduced ? .05 : .01);
    const Momentum before = compute_momentum(simulation.model(), simulation.state());
    advance_for(simulation, 10);
    const Momentum after = compute_momentum(simulation.model(), simulation.state());
    EXPECT_LT((after.linear - before.linear).norm(), accuracy);
    EXPECT_LT((after.angular - before.angular).norm(), accuracy);
    const LargestJointError error = find_largest_joint_error(simulation.model(), simulation.state());
    EXPECT_LT(error.distance, 1e-9);
    EXPECT_LT(error.angle, 1e-9);
  }
}

TYPED_TEST(JointStepperLaws, EnergyStaysInItsBand) {
  SceneDescription description = make_tied_pair<TypeParam>();
  description.dt = 1e-3;
  Simulation simulation(make_scene(description));
  // joints without a closed form search for their pose at every step: a tenth of the time
  constexpr int kBlocks = 10, kSteps = Parametric<TypeParam> ? 1000 : 10000;  // each step of those is a search
  std::array<double, kBlocks> mean{}, largest{};
  double distance = 0;
  for (std::size_t block = 0; block < kBlocks; ++block) {
    for (int i = 0; i < kSteps; ++i) {
      ASSERT_TRUE(simulation.step().report.ok()) << simulation.step().report.reason;
      const double error = simulation.ledger().energy_error();
      mean[block] += error / kSteps;
      largest[block] = std::max(largest[block], std::abs(error));
      distance = std::max(distance, simulation.ledger().joint_error().distance);
    }
  }
  double first = 0, second = 0, band = 0;
  for (std::size_t block = 0; block < kBlocks; ++block) {
    (block < kBlocks / 2 ? first : second) += mean[block] / (kBlocks / 2);
    band = std::max(band, largest[block]);
  }
  EXPECT_LT(distance, 1e-9);
  // J, of some 10 J that swing; a surface that bends as much in a span as others in their whole motion asks for shorter steps, and a rope that
  // becomes taut stops bodies within one
  constexpr bool kIsRough = std::is_same_v<TypeParam, SplineSurface> || std::is_same_v<TypeParam, Rope>;
  EXPECT_LT(band, (kIsRough ? 3e-3 : 5e-4));
  EXPECT_LT(std::abs(second - first), .1 * band);
}

TYPED_TEST(JointStepperLaws, EnergyErrorFollowsTheTolerance) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    Simulation simulation = make_run(Reduced{.tolerance = tolerance}, make_tied_pair<TypeParam>(), .1);
    double energy = 0, distance = 0;
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(simulation.step().report.ok()) << simulation.last_step().report.reason;
      energy = std::max(energy, std::abs(simulation.ledger().energy_error()));
      distance = std::max(distance, simulation.ledger().joint_error().distance);
    }
    EXPECT_LT(energy, (kIsSpline<TypeParam> ? 2e4 : 200) * tolerance);  // J, of some 10 J that swing
    EXPECT_LT(distance, 2e-12);                                         // closure_tolerance and rounding
  }
}

TYPED_TEST(JointStepperLaws, ResumesBitForBit) {
  for (const AnyStepper& stepper : kSteppers) {
    SceneDescription description = make_tied_pair<TypeParam>();
    description.stepper = stepper;
    const Scene scene = make_scene(description);
    Simulation whole(scene), first(scene);
    advance(whole, 60);
    advance(first, 23);
    Simulation second(scene, first.make_checkpoint());
    advance(second, 37);
    EXPECT_EQ(hash_of(whole.state()), hash_of(second.state()));
  }
}

}  // namespace
}  // namespace sinew::testing
