// Forces of the caller's own types, handed to make_scene: they act, are booked and are named like ours, in every stepper.
#include <gtest/gtest.h>

#include "physics/every_stepper.h"

#include "sinew/core/error.h"
#include "sinew/forces/coordinate_force.h"

namespace sinew::testing {
namespace {

// F = −μ m x/|x|³ towards the origin,  V = −μ m/|x|
class Sun final : public Force {
 public:
  Sun(std::string body, double mu) : body_name_(std::move(body)), mu_(mu) {}

  std::string name() const override { return "sun"; }
  void bind(const Model& model) override { body_ = model.find_body(body_name_); }
  void add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const override {
    const Vec3& x = context.state.x_W[static_cast<std::size_t>(body_)];
    out.push_back({body_, -mu_ * context.model.body(body_).mass() / std::pow(x.norm(), 3) * x, Vec3::Zero()});
  }
  bool is_conservative() const override { return true; }
  double potential_energy(const ForceContext& context) const override {
    return -mu_ * context.model.body(body_).mass() / context.state.x_W[static_cast<std::size_t>(body_)].norm();
  }
  std::unique_ptr<Force> clone() const override { return std::make_unique<Sun>(*this); }

 private:
  std::string body_name_;
  double mu_;  // m³/s²
  int body_ = 0;
};

// τ = −k c − d ċ along the distance c of a body from the origin.
class Tether final : public CoordinateForce {
 public:
  Tether(std::string body, double stiffness, double damping)
      : body_name_(std::move(body)), stiffness_(stiffness), damping_(damping) {}

  std::string name() const override { return "tether"; }
  void bind(const Model& model) override { bodies_[0] = model.find_body(body_name_); }
  int coordinate_count() const override { return 1; }
  std::span<const int> bodies(int) const override { return bodies_; }
  double coordinate(int, std::span<const BodyPlace> places, double, std::span<Row> gradient) const override {
    const double length = places[0].x_W.norm();
    gradient[0] << places[0].x_W.transpose() / length, 0, 0, 0;
    return length;
  }
  Effort effort(int, double c, double rate, const Moment&) const override {
    return {-stiffness_ * c - damping_ * rate, -stiffness_, -damping_};
  }
  double energy(int, double c) const override { return stiffness_ / 2 * c * c; }
  bool is_conservative() const override { return damping_ == 0; }
  std::unique_ptr<Force> clone() const override { return std::make_unique<Tether>(*this); }

 private:
  std::string body_name_;
  double stiffness_, damping_;  // N/m, N s/m
  std::array<int, 1> bodies_{};
};

template <class... Forces>
std::vector<std::unique_ptr<Force>> list(Forces... forces) {
  std::vector<std::unique_ptr<Force>> out;
  (out.push_back(std::make_unique<Forces>(std::move(forces))), ...);
  return out;
}

SceneDescription make_planet(const Vec3& velocity, const AnyStepper& stepper, double dt) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.stepper = stepper;
  scene.dt = dt;
  scene.bodies = {make_body("planet", 2, Vec3(.1, .2, .3), Vec3(1, 0, 0))};
  scene.bodies[0].velocity = velocity;
  return scene;
}

class UserForce : public StepperTest {
 protected:
  bool is_first_order() const { return std::holds_alternative<Maximal>(GetParam()); }
  /// A bound for steppers of second order; the maximal one is of first.
  double bound(double of_second_order) const { return (is_first_order() ? 200 : 1) * of_second_order; }
};
INSTANTIATE_TEST_SUITE_P(Steppers, UserForce, every_stepper(), stepper_name);

// ω² r³ = μ
TEST_P(UserForce, HoldsACircularOrbit) {
  const double mu = 4, omega = 2;
  const auto error_after_a_turn = [&](double dt) {
    Simulation simulation(make_scene(make_planet(Vec3(0, omega, 0), GetParam(), dt), list(Sun("planet", mu))));
    advance_for(simulation, 3);
    EXPECT_NEAR(simulation.state().x_W[0].norm(), 1, bound(1e-4));
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), bound(1e-4));
    EXPECT_LT(simulation.ledger().momentum_error(), 1e-12);
    EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-10);
    return (simulation.state().x_W[0] - Vec3(std::cos(omega * 3), std::sin(omega * 3), 0)).norm();
  };
  const double coarse = error_after_a_turn(.01), fine = error_after_a_turn(.005);
  EXPECT_LT(fine, bound(3e-4));
  EXPECT_LT(fine, std::max(coarse / (is_first_order() ? 1.8 : 3.5), 1e-9));
}

// An orbit from 1 m to 3 m and back, a = 2, T = 2π √(a³/μ): its energy comes back, and what the force did is the change of the kinetic energy.
TEST_P(UserForce, KeepsTheEnergyOfAnEllipse) {
  const double mu = 1, speed = std::sqrt(mu * (2 - 1 / 2.)), period = 2 * std::numbers::pi * std::sqrt(8 / mu);
  Simulation simulation(make_scene(make_planet(Vec3(0, speed, 0), GetParam(), period / 2000), list(Sun("planet", mu))));
  advance(simulation, 1000);
  const Ledger& books = simulation.ledger();
  EXPECT_NEAR(simulation.state().x_W[0].norm(), 3, bound(1e-3));
  EXPECT_NEAR(books.value("work.sun"), -mu * 2 * (1 - 1 / 3.), bound(1e-3));
  EXPECT_NEAR(books.value("energy.total"), -mu * 2 / 4, bound(1e-4));
  advance(simulation, 1000);
  EXPECT_LT(std::abs(books.energy_error()), bound(1e-6));
  EXPECT_LT((simulation.state().x_W[0] - Vec3(1, 0, 0)).norm(), bound(1e-3));
}

// m c̈ = −k c along a radius: c = cos(ω t) until it would pass the origin; and with damping c = e^{−δt} (cos νt + δ/ν sin νt).
TEST_P(UserForce, AlongACoordinateOscillates) {
  const double stiffness = 8, t = .5;
  Simulation simulation(make_scene(make_planet(Vec3::Zero(), GetParam(), .002), list(Tether("planet", stiffness, 0))));
  advance_for(simulation, t);
  EXPECT_NEAR(simulation.state().x_W[0].x(), std::cos(2 * t), bound(1e-5));
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), bound(1e-4));

  const double damping = 1.6, delta = damping / 4, nu = std::sqrt(4 - delta * delta);
  Simulation damped(
      make_scene(make_planet(Vec3::Zero(), GetParam(), .002), list(Tether("planet", stiffness, damping))));
  advance_for(damped, t);
  const double c = std::exp(-delta * t) * (std::cos(nu * t) + delta / nu * std::sin(nu * t));
  const double rate = -std::exp(-delta * t) * (nu + delta * delta / nu) * std::sin(nu * t);
  EXPECT_NEAR(damped.state().x_W[0].x(), c, bound(1e-5));
  EXPECT_LT(std::abs(damped.ledger().energy_error()), bound(1e-4));
  EXPECT_NEAR(damped.ledger().value("work.tether"), stiffness / 2 * (c * c - 1) + rate * rate, bound(1e-4));
}

TEST(UserForces, ActBesidesThoseOfTheSceneUnderTheirNames) {
  SceneDescription scene = make_planet(Vec3(0, 2, 0), Variational{}, .01);
  scene.forces = {Damping{}};
  scene.probes = {{"work", LedgerProbe{"work.sun_3"}}};
  Simulation simulation(make_scene(scene, list(Sun("planet", 3), Sun("planet", 1))));
  advance_for(simulation, 1);
  EXPECT_NEAR(simulation.state().x_W[0].norm(), 1, 1e-3);
  EXPECT_EQ(simulation.system().force_count(), 4);
  EXPECT_EQ(simulation.ledger().find_column("work.sun") + 1, simulation.ledger().find_column("work.sun_3"));
}

TEST(UserForces, ResumeBitForBit) {
  const SceneDescription scene = make_planet(Vec3(0, 1.5, 0), Variational{}, .01);
  Simulation whole(make_scene(scene, list(Sun("planet", 4))));
  advance(whole, 20);
  Simulation resumed(make_scene(scene, list(Sun("planet", 4))), whole.make_checkpoint());
  advance(whole, 20);
  advance(resumed, 20);
  EXPECT_EQ(hash_of(resumed.state()), hash_of(whole.state()));
  EXPECT_THROW(Simulation(make_scene(scene), whole.make_checkpoint()), Error);
}

TEST(UserForces, MistakesAreNamed) {
  const SceneDescription scene = make_planet(Vec3::Zero(), Variational{}, .01);
  std::vector<std::unique_ptr<Force>> forces = list(Sun("planit", 4));
  forces.push_back(nullptr);
  try {
    make_scene(scene, std::move(forces));
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.diagnostics().size(), 2u);
    EXPECT_EQ(error.diagnostics()[0].text(),
              "user_forces[0]: expected the name of a body, got 'planit' (did you mean 'planet'?)");
    EXPECT_EQ(error.diagnostics()[1].text(), "user_forces[1]: expected a force, got a null pointer");
  }
}

}  // namespace
}  // namespace sinew::testing
