// Strands against closed forms: springs in series, beads on a string, chains of rods, the catenary; and room against room.
#include <functional>
#include <gtest/gtest.h>
#include <ranges>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_reaction.h"
#include "sinew/dynamics/momentum.h"

namespace sinew::testing {
namespace {

StrandDescription make_strand(int segments, double mass, double stiffness, const PathPoint& from) {
  StrandDescription strand;
  strand.name = "strand";
  strand.from = from;
  strand.segments = segments;
  strand.mass = mass;
  strand.stiffness = stiffness;
  return strand;
}

PathPoint in_world(const Vec3& point) { return {{"world"}, point}; }

// The height of each node under its own weight and that of a load: segment k carries all below its middle,
//   l_k = h (1 + g (M + m (n − k + ½)/n)/K),   in all L (1 + g (M + m/2)/K) as the strand in one piece.
TEST(Strand, StretchesUnderItsWeightAndALoad) {
  constexpr double kMass = .8, kLoad = 2, kLength = 1.3, kStiffness = 500;
  constexpr int kSegments = 7;
  for (const bool has_load : {false, true}) {
    SceneDescription scene;
    scene.strands = {make_strand(kSegments, kMass, kStiffness, in_world(Vec3(.1, .2, .3)))};
    scene.strands[0].length = kLength;
    scene.strands[0].damping = 60;
    if (has_load) {
      scene.bodies = {make_body("load", kLoad, Vec3(.1, .1, .1), Vec3(.1, .2, .3 - kLength - .2))};
      scene.strands[0].to = PathPoint{{"load"}, Vec3(0, 0, .2)};
    }
    const double load = has_load ? kLoad : 0;
    const State state = run(scene, .02, 12);
    const Scene made = make_scene(scene);
    double z = .3;
    for (int k = 1; k <= kSegments; ++k) {
      z -= kLength / kSegments * (1 + kGravity * (load + kMass * (kSegments - k + .5) / kSegments) / kStiffness);
      const bool is_load = has_load && k == kSegments;
      const int body = is_load ? 0 : k - 1 + static_cast<int>(scene.bodies.size());
      const Vec3 x = body_pose(made.system->model(), state, body).p;
      EXPECT_LT((x - Vec3(.1, .2, z - (is_load ? .2 : 0))).norm(), 1e-8) << has_load << " " << k;
    }
    EXPECT_NEAR(z, .3 - kLength * (1 + kGravity * (load + kMass / 2) / kStiffness), 1e-14);
  }
}

// Started in one of its modes with a small amplitude, a chain of beads stays in it: u(t) = u(0) cos ωt.
struct Mode {
  SceneDescription scene;
  Vec3 direction;
  double amplitude;                         // m
  std::function<double(int number)> shape;  // of particle 1, 2, ...
  double omega;                             // rad/s
};

void expect_oscillation(const Mode& mode, double tolerance) {
  SceneDescription description = mode.scene;
  description.gravity.setZero();
  description.stepper = Reduced{.tolerance = 1e-12};
  description.dt = .7 / mode.omega / 10;
  Scene scene = make_scene(description);
  const Model& model = scene.system->model();
  for (int i = 0; i < model.body_count(); ++i) {
    const Pose at = body_pose(model, scene.initial, i);
    set_body_pose(model, i, {at.p + mode.amplitude * mode.shape(i + 1) * mode.direction, at.q}, scene.initial);
  }
  update_joint_coordinates(model, scene.initial);
  const State rest = make_scene(description).initial;
  Simulation simulation(std::move(scene));
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(simulation.step().report.ok());
    const State& state = simulation.state();
    for (std::size_t k = 0; k < state.x_W.size(); ++k) {
      const double expected = mode.shape(static_cast<int>(k) + 1) * std::cos(mode.omega * state.time);
      EXPECT_NEAR((state.x_W[k] - rest.x_W[k]).dot(mode.direction) / mode.amplitude, expected, tolerance);
    }
  }
}

TEST(Strand, SwingsAlongItselfAsAChainOfMasses) {  // one end held, half a mass at the other: ω = 2 √(k/m) sin(π/4n)
  constexpr int n = 6;
  constexpr double kMass = .3, kStiffness = 40, kLength = 1.5;
  SceneDescription scene;
  scene.strands = {make_strand(n, kMass, kStiffness, in_world(Vec3::Zero()))};
  scene.strands[0].length = kLength;
  const double k = kStiffness * n / kLength, m = kMass / n;
  const double omega = 2 * std::sqrt(k / m) * std::sin(std::numbers::pi / (4 * n));
  expect_oscillation({scene, Vec3::UnitZ(), .01, [](int i) { return std::sin(i * std::numbers::pi / (2 * n)); }, omega},
                     1e-8);
}

TEST(Strand, SwingsAcrossAsBeadsOnATautString) {  // ω = 2 √(T/m h) sin(jπ/2n)
  constexpr int n = 8;
  constexpr double kMass = .2, kStiffness = 300, kLength = 1.6, kSpan = 2;
  SceneDescription scene;
  scene.strands = {make_strand(n, kMass, kStiffness, in_world(Vec3::Zero()))};
  scene.strands[0].to = in_world(Vec3(kSpan, 0, 0));
  scene.strands[0].length = kLength;
  const double tension = kStiffness * (kSpan / kLength - 1);
  for (const int j : {1, 3}) {
    const double omega = 2 * std::sqrt(tension / (kMass / n * kSpan / n)) * std::sin(j * std::numbers::pi / (2 * n));
    expect_oscillation(
        {scene, Vec3(0, .6, .8), 1e-5, [j](int i) { return std::sin(i * j * std::numbers::pi / n); }, omega}, 1e-6);
  }
}

TEST(Strand, BendsAsABeamOnTwoSupports) {  // second differences: ω = 4 sin²(jπ/2n) √(B/m h³), for n → ∞ (jπ/L)² √(B/ρ)
  constexpr int n = 10;
  constexpr double kMass = .5, kBending = 3, kLength = 2;
  SceneDescription scene;
  scene.strands = {make_strand(n, kMass, 100, in_world(Vec3::Zero()))};
  scene.strands[0].to = in_world(Vec3(0, kLength, 0));
  scene.strands[0].bending = kBending;
  const double h = kLength / n;
  for (const int j : {1, 2}) {
    const double half = std::sin(j * std::numbers::pi / (2 * n));
    const double omega = 4 * half * half * std::sqrt(kBending / (kMass / n * h * h * h));
    EXPECT_NEAR(omega, std::pow(j * std::numbers::pi / kLength, 2) * std::sqrt(kBending / (kMass / kLength)),
                .04 * omega);
    expect_oscillation(
        {scene, Vec3(.8, 0, .6), 1e-5, [j](int i) { return std::sin(i * j * std::numbers::pi / n); }, omega}, 1e-6);
  }
}

// 1 m of 1 kg between supports .6 m apart, at rest: spec D16. One end is on a post, whose joint feels the strand.
struct Sag {
  double sag;
  Vec3 on_post;  // N, force of the joint on the post
};

Sag hang(int segments) {
  SceneDescription scene;
  scene.bodies = {make_body("post", 3, Vec3(1, 1, 1), Vec3(0, 0, -1))};
  scene.joints = {make_joint("foot", Fixed{}, "world", "post", Vec3(0, 0, -2))};
  scene.strands = {make_strand(segments, 1, 1e6, {{"post"}, Vec3(0, 0, 1)})};
  scene.strands[0].to = in_world(Vec3(.6, 0, 0));
  scene.strands[0].length = 1;
  scene.strands[0].damping = 1e4;
  Damping air;
  air.linear = 10. / segments;
  scene.forces.emplace_back(air);
  scene.dt = .02;
  scene.stepper = Reduced{.integrator = Integrator::ImplicitEuler};  // damps fast motion along the strand too
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 500; ++i) EXPECT_TRUE(simulation.step().report.ok());
  double lowest = 0;
  for (const Vec3& x : simulation.state().x_W | std::views::drop(1)) lowest = std::min(lowest, x.z());
  return {-lowest, compute_joint_reaction(simulation.model().joint(0), simulation.state()).force_W};
}

TEST(Strand, HangsAsAChainOfRodsAndConvergesToTheCatenary) {
  constexpr double kCatenary = .3627821852415487, kPull = 1.600680768801839;
  const Sag coarse = hang(10), fine = hang(20);
  EXPECT_NEAR(coarse.sag, .365545036299, 1e-5);  // what a strain of T/K = 5e-6 leaves
  EXPECT_NEAR(fine.sag, .363452616065, 1e-5);
  EXPECT_NEAR(order_of(coarse.sag - kCatenary, fine.sag - kCatenary), 2, .1);
  EXPECT_NEAR(coarse.on_post.x(), -1.598166454822, 2e-5);
  EXPECT_NEAR(fine.on_post.x(), -1.600036513028, 2e-5);
  for (const Sag& sag : {coarse, fine}) EXPECT_NEAR(sag.on_post.z(), kGravity * (3 + .5), 1e-8);
  EXPECT_NEAR(order_of(kPull + coarse.on_post.x(), kPull + fine.on_post.x()), 2, .1);
}

/// Two bodies that turn and fly apart on a strand, far from its rest.
SceneDescription make_bolas() {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("a", 1, Vec3(.1, .2, .25), Vec3(0, 0, 0)),
                  make_body("b", 2, Vec3(.4, .3, .2), Vec3(1, .2, .1), exp_quat(Vec3(.2, -.4, .3)))};
  scene.bodies[0].angular_velocity = Vec3(.3, 1, -.5);
  scene.bodies[1].velocity = Vec3(.2, 1.4, .1);
  scene.strands = {make_strand(6, .6, 60, {{"a"}, Vec3(.1, .1, -.1)})};
  scene.strands[0].to = PathPoint{{"b"}, Vec3(-.1, .2, .1)};
  scene.strands[0].length = 1.2;
  scene.strands[0].damping = .5;
  scene.strands[0].bending = .05;
  return scene;
}

TEST(Strand, BetweenFreeBodiesChangesNoMomentum) {
  SceneDescription scene = make_bolas();
  scene.dt = .005;
  Simulation simulation(make_scene(scene));
  double mass = 0;
  for (const Body& body : simulation.model().bodies()) mass += body.mass();
  EXPECT_NEAR(mass, 1 + 2 + .6, 1e-14);
  const Momentum before = compute_momentum(simulation.model(), simulation.state());
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(simulation.step().report.ok());
  const Momentum after = compute_momentum(simulation.model(), simulation.state());
  EXPECT_LT((after.linear - before.linear).norm(), 1e-10);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-10);
}

// A load on a strand from the tip of a hinged arm, by every stepper: errors fall with the order of each.
TEST(Strand, MovesAlikeInEveryRoom) {
  SceneDescription scene = make_rod_pendulum({1.2});
  const Vec3 tip(std::sin(1.2), 0, -std::cos(1.2));
  scene.bodies.push_back(make_body("load", .5, Vec3(.01, .01, .01), tip + Vec3(.3, .2, -.4)));
  scene.strands = {make_strand(4, .2, 200, {{"rod1"}, Vec3(0, 0, -.5)})};
  scene.strands[0].to = PathPoint{{"load"}, Vec3(0, 0, .05)};
  scene.strands[0].damping = 1;
  scene.strands[0].length = .6;
  const State exact = run_with(Reduced{.tolerance = 1e-11}, scene, .01, .5);
  const auto error = [&](const AnyStepper& stepper, double dt) {
    const State state = run_with(stepper, scene, dt, .5);
    double largest = 0;
    for (std::size_t i = 0; i < state.x_W.size(); ++i)
      largest = std::max(largest, (state.x_W[i] - exact.x_W[i]).norm());
    return largest;
  };
  const auto expect_order = [&](const AnyStepper& stepper, double dt, double order, double size) {
    const double coarse = error(stepper, dt), fine = error(stepper, dt / 2);
    EXPECT_NEAR(order_of(coarse, fine), order, .2) << coarse << " " << fine;
    EXPECT_LT(fine, size);
  };
  expect_order(Variational{.tolerance = 1e-13}, .002, 2, 2e-4);
  expect_order(Reduced{.integrator = Integrator::Sdirk2, .tolerance = 1e-13}, .002, 2, 2e-4);
  expect_order(Reduced{.integrator = Integrator::ImplicitEuler}, .0005, 1, 5e-3);
  expect_order(Maximal{}, .0005, 1, 5e-3);
}

}  // namespace
}  // namespace sinew::testing
