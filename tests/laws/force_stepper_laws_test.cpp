// Forces in motion: books close with every force of the list; muscles, cables and media against closed forms and statics by hand.
#include <gtest/gtest.h>

#include "forces/force_samples.h"
#include "physics/mechanisms.h"

#include "sinew/forces/muscle_curves.h"

namespace sinew::testing {
namespace {

// Impulses and work explain all changes: of momentum to rounding, of energy with the order of the method.
TEST(ForceBooks, CloseWithEveryForce) {
  AllForces::for_each([]<class F>() {
    for (unsigned seed = 0; seed < 3; ++seed) {
      SCOPED_TRACE(std::string(F::kName) + " " + std::to_string(seed));
      SceneDescription scene;
      scene.gravity = Vec3(0, 0, -1);
      scene.bodies = {make_body("a", 1, Vec3(.1, .12, .14), Vec3(0, 0, 0)),
                      make_body("b", 1.5, Vec3(.12, .1, .2), Vec3(.4, .1, 0), exp_quat(Vec3(.3, .2, .1))),
                      make_body("c", .8, Vec3(.1, .1, .1), Vec3(.3, -.3, .4))};
      scene.joints = {make_joint("j", Cylindrical{}, "a", "b", Vec3(.2, 0, .1))};
      scene.bodies[2].velocity = Vec3(-.4, .2, 0);
      scene.bodies[2].angular_velocity = Vec3(.5, -.3, .8);
      scene.forces.emplace_back(make_force_sample<F>(seed));
      const auto energy_error = [&](double dt) {
        scene.dt = dt;
        Simulation simulation(make_scene(scene));
        for (int i = 0; i < std::lround(2 / dt); ++i) {
          const SimulationStep& step = simulation.step();
          EXPECT_TRUE(step.report.ok()) << step.report.reason;
        }
        EXPECT_LT(simulation.ledger().momentum_error(), 1e-10);
        EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-10);
        return std::abs(simulation.ledger().energy_error());
      };
      const double coarse = energy_error(.01), fine = energy_error(.005);
      EXPECT_LT(fine, 5e-3);
      EXPECT_LT(fine, coarse / 3 + 1e-9);
    }
  });
}

// A limb of two rods in the x-z plane, held by a muscle from the world over the first rod to the second, and damped to rest.
SceneDescription make_held_arm() {
  SceneDescription scene = make_rod_pendulum({.6, .9});
  Muscle muscle;
  muscle.points = {{{"world"}, Vec3(.1, 0, .2)}, {{"rod1"}, Vec3(.08, 0, -.45)}, {{"rod2"}, Vec3(.05, 0, .3)}};
  muscle.activation.offset = .5;
  muscle.peak_force = 300;
  muscle.optimal_length = 1;
  muscle.tendon_length = .3;
  scene.forces.emplace_back(muscle);
  for (const char* joint : {"hinge1", "hinge2"}) {
    JointSpring damper;
    damper.joint = {joint};
    damper.damping = {3};
    scene.forces.emplace_back(damper);
  }
  return scene;
}

Vec3 point_W(const State& state, std::size_t body, const Vec3& point) {
  return state.x_W[body] + state.q_WB[body] * point;
}

TEST(Muscle,
     HoldsAnArmWhereStaticsSays) {  // moments about both hinges: of the muscle, force times arm, and of the weights
  const SceneDescription scene = make_held_arm();
  const Muscle& muscle = std::get<Muscle>(scene.forces[0]);
  const State state = run(scene, .01, 30);
  EXPECT_LT(state.omega_B[0].norm() + state.omega_B[1].norm(), 1e-9);
  const Vec3 from = muscle.points[0].point;
  const Vec3 via = point_W(state, 0, muscle.points[1].point), to = point_W(state, 1, muscle.points[2].point);
  const double x = ((via - from).norm() + (to - via).norm() - .3) / 1;
  const double f = 300 * (.5 * active_force_length(x).value + passive_force_length(x).value);
  EXPECT_GT(f, 10);
  const auto moment = [](const Vec3& about, const Vec3& at, const Vec3& force) {
    return (at - about).cross(force).y();
  };
  const Vec3 weight(0, 0, -9.81), elbow = point_W(state, 0, Vec3(0, 0, -.5));
  EXPECT_NEAR(moment(elbow, to, f * (via - to).normalized()) + moment(elbow, state.x_W[1], weight), 0, 1e-7);
  EXPECT_NEAR(moment(Vec3::Zero(), via, f * (from - via).normalized()) + moment(Vec3::Zero(), state.x_W[0], weight) +
                  moment(Vec3::Zero(), state.x_W[1], weight),
              0, 1e-7);
}

TEST(Muscle, IsToldWhichOfItsPointsIsOnNoBody) {
  SceneDescription scene = make_held_arm();
  std::get<Muscle>(scene.forces[0]).points[1].body = {"rod3"};
  const std::vector<Diagnostic> errors = find_scene_errors(scene);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].where, "forces[0].points[1].body");
}

TEST(Muscle, DrivesAJointAndTheBooksClose) {
  SceneDescription scene = make_rod_pendulum({1.2});
  for (const double side : {-1.0, 1.0}) {  // a pair that pulls in turn
    Muscle muscle;
    muscle.points = {{{"world"}, Vec3(.1 * side, 0, .3)}, {{"rod1"}, Vec3(.03 * side, 0, .4)}};
    muscle.activation = {.offset = .4, .amplitude = .4 * side, .frequency = .8};
    muscle.peak_force = 400;
    muscle.optimal_length = .3;
    muscle.tendon_length = .1;
    scene.forces.emplace_back(muscle);
  }
  const auto energy_error = [&](double dt) {
    scene.dt = dt;
    Simulation simulation(make_scene(scene));
    for (int i = 0; i < std::lround(2 / dt); ++i) EXPECT_TRUE(simulation.step().report.ok());
    EXPECT_LT(simulation.ledger().momentum_error(), 1e-10);
    EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-10);
    EXPECT_GT(std::abs(simulation.ledger().value("work.muscle")), .1);  // it does something
    return std::abs(simulation.ledger().energy_error());
  };
  const double coarse = energy_error(.004), fine = energy_error(.002);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(order_of(coarse, fine), 2, .5);
}

// Two weights on a cable over two points, starting with the tension of the steady motion: a = g (m₂ − m₁)/(m₁ + m₂), T = 2 m₁ m₂ g/(m₁ + m₂).
TEST(Cable, LetsTheHeavierWeightSink) {
  const double g = 9.81, m1 = 1, m2 = 3, T = 2 * m1 * m2 * g / (m1 + m2), a = g * (m2 - m1) / (m1 + m2);
  SceneDescription scene;
  scene.bodies = {make_body("light", m1, Vec3::Ones(), Vec3(0, 0, 0)),
                  make_body("heavy", m2, Vec3::Ones(), Vec3(1, 0, 0))};
  Cable cable;
  cable.points = {
      {{"light"}, Vec3::Zero()}, {{"world"}, Vec3(0, 0, 2)}, {{"world"}, Vec3(1, 0, 2)}, {{"heavy"}, Vec3::Zero()}};
  cable.stiffness = 1e5;
  cable.rest_length = 5 - T / cable.stiffness;
  scene.forces.emplace_back(cable);
  const State state = run(scene, .01, .5);
  EXPECT_NEAR(state.x_W[0].z(), a / 2 * .25, 1e-9);
  EXPECT_NEAR(state.x_W[1].z(), -a / 2 * .25, 1e-9);
}

SceneDescription make_free_body(const AnyForce& force) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("ball", 2, Vec3(.5, .5, .5), Vec3::Zero())};
  scene.bodies[0].velocity = Vec3(3, 0, 4);
  scene.bodies[0].angular_velocity = Vec3(0, 2, 0);
  scene.forces = {force};
  return scene;
}

TEST(Damping, SlowsExponentially) {  // v = w + (v₀ − w) e^{−d t/m},  ω = ω₀ e^{−c t/I}
  Damping damping;
  damping.linear = 3;
  damping.angular = 2;
  damping.medium_velocity = Vec3(1, -1, 0);
  std::vector<double> errors;
  for (const double dt : {.01, .005}) {
    const State state = run(make_free_body(damping), dt, 1);
    const Vec3 v = damping.medium_velocity + (Vec3(3, 0, 4) - damping.medium_velocity) * std::exp(-1.5);
    errors.push_back((state.v_W[0] - v).norm() + std::abs(state.omega_B[0].y() - 2 * std::exp(-4)));
  }
  EXPECT_LT(errors[1], 1e-4);
  EXPECT_NEAR(order_of(errors[0], errors[1]), 2, .05);
}

TEST(Damping, IsStableHoweverThick) {
  Damping damping;
  damping.linear = 1e7;
  damping.angular = 1e7;
  const State state = run(make_free_body(damping), .01, 1);
  EXPECT_LE(state.v_W[0].norm(), 5);
  EXPECT_LE(state.omega_B[0].norm(), 2);
}

TEST(Drag, SlowsAsItShould) {  // v = v₀/(1 + k v₀ t/m),  k = ½ ρ c A
  Drag drag;
  drag.density = 1.2;
  drag.coefficient = .5;
  drag.area = 2;
  drag.rotational = .3;
  std::vector<double> errors;
  for (const double dt : {.01, .005}) {
    const State state = run(make_free_body(drag), dt, 1);
    const double v = 5 / (1 + .6 * 5 / 2), omega = 2 / (1 + .3 * 2 / .5);
    errors.push_back((state.v_W[0] - v * Vec3(.6, 0, .8)).norm() + std::abs(state.omega_B[0].y() - omega));
  }
  EXPECT_LT(errors[1], 1e-4);
  EXPECT_NEAR(order_of(errors[0], errors[1]), 2, .05);
}

TEST(Drag, EndsAtTerminalVelocity) {  // m g = ½ ρ c A v²
  Drag drag;
  drag.area = 2;
  SceneDescription scene = make_free_body(drag);
  scene.gravity = Vec3(0, 0, -9.81);
  const State state = run(scene, .02, 20);
  EXPECT_NEAR(state.v_W[0].z(), -std::sqrt(2 * 9.81 / (.5 * 1.2 * 1 * 2)), 1e-9);
}

}  // namespace
}  // namespace sinew::testing
