// Every smooth motion of the reference values (spec section D, made by other means than this library), by all steppers: the adaptive reduced
// one to its tolerance, the others with their order of convergence. Contact values are at the end, where steppers stop being of their order.
#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"
#include "physics/every_stepper.h"

#include "sinew/dynamics/joint_reaction.h"
#include "sinew/generators/a02.h"
#include "sinew/spatial/euler_angles.h"
#include "sinew/steppers/reduced/reduced_dynamics.h"

namespace sinew::testing {
namespace {

using std::numbers::pi;

struct Reference {
  std::string name;
  SceneDescription scene;
  double time;
  std::function<double(const State&)> error;
  double accuracy = 1e-8;    // that the adaptive stepper reaches
  double dt = 2e-3;          // at which the others are of their order: second
  double maximal_dt = 5e-4;  // and first
  int maximal_order = 1;
};

double turned_apart(const Quat& a, const Quat& b) { return log_so3(a.normalized().conjugate() * b).norm(); }

/// Planar rods: angles, and rates if they are given.
std::function<double(const State&)> rods(const std::vector<double>& angles, const std::vector<double>& rates = {}) {
  return [=](const State& s) {
    double sum = 0;
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const double off = angle_distance(rod_angle(s, static_cast<int>(i)), angles[i]);
      sum += off * off;
    }
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const double off = -s.omega_B[i].y() - rates[i];
      sum += off * off;
    }
    return std::sqrt(sum);
  };
}

/// A body on a hinge whose moment makes it the simple pendulum of length 1: (l² + J/m)/l = 1.
SceneDescription make_simple_pendulum(double angle) {
  SceneDescription scene = make_rod_pendulum({angle});
  scene.bodies[0].position *= 1.8;
  scene.bodies[0].inertia = Mat3(Vec3(.09, .09, .01).asDiagonal());
  return scene;
}

/// Two masses with small or no moments at distances of 1.
SceneDescription make_mass_pendulum(double moment) {
  SceneDescription scene = make_rod_pendulum({pi / 2, pi / 2});
  for (std::size_t i = 0; i < 2; ++i) {
    scene.bodies[i].position.x() += .5;
    scene.bodies[i].inertia = Mat3(Mat3::Identity() * moment);
  }
  return scene;
}

SceneDescription make_top() {
  const Quat tilt = quat_from_axis_angle(Vec3::UnitX(), -pi / 6);  // axis towards (0, sin θ, cos θ)
  const Vec3 axis = tilt * Vec3::UnitZ();
  SceneDescription scene;
  scene.bodies = {make_body("top", 1, Vec3(.05, .05, .05), .5 * axis, tilt)};
  scene.bodies[0].angular_velocity = 60 * axis;
  scene.joints = {make_joint("tip", Spherical{}, "world", "top", Vec3::Zero())};
  return scene;
}
std::function<double(const State&)> top_axis(double theta, double phi) {
  const Vec3 axis(-std::sin(theta) * std::sin(phi), std::sin(theta) * std::cos(phi), std::cos(theta));
  return [axis](const State& s) { return (s.q_WB[0] * Vec3::UnitZ() - axis).norm(); };
}

/// The simple pendulum on a ball, without spin about itself.
SceneDescription make_spherical_pendulum(double theta, double rate) {
  const Vec3 along(std::sin(theta), 0, -std::cos(theta));
  SceneDescription scene;
  scene.bodies = {make_body("bob", 1, Vec3(.09, .09, .01), .9 * along, Quat::FromTwoVectors(Vec3::UnitZ(), along))};
  scene.bodies[0].angular_velocity = rate * (Vec3::UnitZ() - along.z() * along);
  scene.bodies[0].velocity = scene.bodies[0].angular_velocity.cross(.9 * along);
  scene.joints = {make_joint("ball", Spherical{}, "world", "bob", Vec3::Zero())};
  return scene;
}
std::function<double(const State&)> bob_at(const Vec3& x) {
  return [x](const State& s) { return (s.x_W[0] / .9 - x).norm(); };
}

SceneDescription make_box_four_bar() {
  SceneDescription scene = make_four_bar();
  for (BodyDescription& body : scene.bodies) {
    const double moment = *body.mass * (*body.mass * *body.mass + .01) / 12;  // 1 kg/m
    body.inertia = Mat3(Vec3(moment, moment, *body.mass * .02 / 12).asDiagonal());
  }
  return scene;
}

SceneDescription make_damped_rod(double section) {
  SceneDescription scene = make_rod_pendulum({pi / 2});
  const double moment = (1 + section * section) / 12;
  scene.bodies[0].inertia = Mat3(Vec3(moment, moment, 1e-3).asDiagonal());
  JointSpring damper;
  damper.joint = {"hinge1"};
  damper.damping = {.5};
  scene.forces.emplace_back(damper);
  return scene;
}

std::vector<Reference> make_references() {
  const auto at = [](const std::string& name, double time) {
    std::string text = fmt::format("{}_t{:g}", name, time);
    std::replace(text.begin(), text.end(), '.', 'p');
    return text;
  };
  std::vector<Reference> out;
  const auto add = [&](const std::string& name, const SceneDescription& scene, double time,
                       const std::function<double(const State&)>& error) -> Reference& {
    return out.emplace_back(Reference{.name = at(name, time), .scene = scene, .time = time, .error = error});
  };
  // D1: pendulums from rest
  for (const auto& [t, angle] :
       {std::pair{.5, .4017708498080833}, {1., -1.405027311524799}, {2., .916647589663245}, {5., 1.229451811485386}})
    add("d1_simple", make_simple_pendulum(pi / 2), t, rods({angle}));
  for (const auto& [t, angle] : {std::pair{1., 1.602248901927917}, {2., -2.698492989772741}})
    add("d1_high", make_simple_pendulum(3), t, rods({angle}));
  for (const auto& [t, angle] :
       {std::pair{.5, -.0903520899559723}, {1., -1.562621718034471}, {2., 1.538098984222289}, {5., -1.366714573239865}})
    add("d1_rod", make_rod_pendulum({pi / 2}), t, rods({angle}));
  // D2, D3: free bodies; without forces the maximal stepper is of second order
  struct Tumble {
    double t;
    Vec3 omega;
    Quat q;
  };
  for (const Tumble& r : {Tumble{1,
                                 {.5778024718120799, .8161766374798108, .8820158155105363},
                                 {.779039602588, .358209265957, .195829970695, .475850861047}},
                          Tumble{5,
                                 {-.1643504297652695, -.9864020155271233, .8219916998291464},
                                 {-.892059380238, .345719957007, -.246102924411, .155374142165}},
                          Tumble{10,
                                 {-.9210699984443322, .389397044115332, .9744006605830824},
                                 {.861441174065, .107340757620, .220947321794, -.444498983542}}}) {
    Reference& reference = add("d2_tumbling", free_body(Vec3(1, 0, 1)), r.t, [r](const State& s) {
      return std::hypot((s.omega_B[0] - r.omega).norm(), turned_apart(r.q, s.q_WB[0]));
    });
    reference.maximal_order = 2;
  }
  for (const auto& [t, omega] : {std::pair{5., Vec3(-1.083575286129505, 1.681060557888788, .6256557628362521)},
                                 {10., Vec3(-.04104996797077952, -1.999603685766157, .02506724203950928)},
                                 {20., Vec3(.1300811371421331, 1.995790294033872, .07554491432296076)}}) {
    Reference& reference = add("d3_dzhanibekov", free_body(Vec3(.01, 2, .01)), t,
                               [omega = omega](const State& s) { return (s.omega_B[0] - omega).norm(); });
    reference.maximal_order = 2;
  }
  // D4: heavy top
  for (const auto& [t, theta, phi] :
       {std::tuple{.5, .785149494146, 1.027210913494}, {5., .700497157830, 9.634562541280}}) {
    Reference& reference = add("d4_top", make_top(), t, top_axis(theta, phi));
    reference.dt = 4e-4, reference.maximal_dt = 2e-4;
  }
  {
    const Quat q = quat_from_euler(Vec3(1.696255035539 + pi, .580746218939, 58.726125915507 - pi), EulerOrder::ZXZ);
    Reference& reference = add("d4_top", make_top(), 1, [q](const State& s) { return turned_apart(q, s.q_WB[0]); });
    reference.dt = 4e-4, reference.maximal_dt = 2e-4;
  }
  // D5: double pendulums
  struct Double {
    std::string name;
    SceneDescription scene;
    double t;
    std::vector<double> angles, rates;
  };
  for (const Double& r :
       {Double{"d5_rods",
               make_rod_pendulum({pi / 2, pi / 2}),
               .5,
               {.448142625932, 1.041962887304},
               {-2.414308312648, -5.949104936118}},
        {"d5_rods",
         make_rod_pendulum({pi / 2, pi / 2}),
         1,
         {-1.207716238191, -.814391023091},
         {-3.406517532972, -.516045472105}},
        {"d5_rods",
         make_rod_pendulum({pi / 2, pi / 2}),
         2,
         {-.082758306821, .407362074912},
         {-.961145444545, 11.898955053044}},
        {"d5_rods",
         make_rod_pendulum({pi / 2, pi / 2}),
         3,
         {1.025086012289, .495734647626},
         {-4.593357105475, 1.184320880614}},
        {"d5_rods",
         make_rod_pendulum({pi / 2, pi / 2}),
         5,
         {1.138543796667, 1.244379927765},
         {4.910950023995, -5.424710593147}},
        {"d5_low",
         make_rod_pendulum({pi / 4, pi / 4}),
         1,
         {-.612561695634, -.810621633580},
         {-1.556250294504, .092000534380}},
        {"d5_low",
         make_rod_pendulum({pi / 4, pi / 4}),
         5,
         {.671242062071, .798245542737},
         {-1.365372548252, .269116057683}},
        {"d5_small", make_rod_pendulum({.1, -.2}), 1, {.075051123341, -.166072787271}, {-.406860616865, .844328360743}},
        {"d5_small", make_rod_pendulum({.1, -.2}), 5, {-.093922667856, .203511269137}, {.107843582203, -.247596431844}},
        {"d5_points",
         make_mass_pendulum(1e-9),
         1,
         {-.625087699806, -1.034585085680},
         {-3.922279572888, -1.303099248696}},
        {"d5_points", make_mass_pendulum(1e-9), 5, {-.627186705067, -1.301315550210}, {2.125408673843, 3.881888727265}},
        {"d5_cubes",
         make_mass_pendulum(1. / 600),
         1,
         {-.622012056554, -1.036772446118},
         {-3.907445906123, -1.333171620116}},
        {"d5_cubes",
         make_mass_pendulum(1. / 600),
         5,
         {-.637637444191, -1.294214609589},
         {2.186241739001, 3.772387655460}}}) {
    Reference& reference = add(r.name, r.scene, r.t, rods(r.angles, r.rates));
    reference.accuracy = r.name == "d5_points" ? 1e-6 : 1e-7;  // a moment of 1e-9 is not none
    if (r.t >= 2) reference.dt = 1e-3, reference.maximal_dt = 1e-4;
  }
  // D6: rods on balls
  for (const auto& [t, a, b] :
       {std::tuple{.5, Vec3(.1319810577, .1337301872, -.4633543325), Vec3(.6946022388, .3829051672, -1.1530305241)},
        {1., Vec3(-.4394284991, -.1778683992, -.1589510200), Vec3(-1.1358050375, -.3803998155, -.7461186215)},
        {2., Vec3(.0609522301, .2571460098, -.4244534784), Vec3(.3839545610, .1117312510, -.9877398497)}})
    add("d6_spatial", make_spherical_double_pendulum(), t,
        [a = a, b = b](const State& s) { return std::hypot((s.x_W[0] - a).norm(), (s.x_W[1] - b).norm()); });
  // D7: spherical pendulum
  for (const auto& [t, x] : {std::pair{1., Vec3(-.738316659553, -.431492043651, -.518365823037)},
                             {5., Vec3(.417759486177, -.392265615383, -.819514916702)}})
    add("d7_spherical", make_spherical_pendulum(pi / 3, 2), t, bob_at(x));
  add("d7_conical", make_spherical_pendulum(pi / 4, 3.724706034961694), 2,
      bob_at(Vec3(std::cos(2 * 3.724706034961694), std::sin(2 * 3.724706034961694), -1) / std::numbers::sqrt2));
  // D8: four-bar
  for (const auto& [t, angles] : {std::pair{.25, std::vector{2.77829252662, 1.66070935633, 3.08194594845}},
                                  {.5, {2.52124567223, 1.78228216376, 2.86542551278}},
                                  {1., {2.07867288822, 4.61046037909, 4.12008671079}},
                                  {2., {3.14202800986, 7.79112399023, 3.44076041248}},
                                  {5., {1.9631054281, 4.2252021436, 3.9181229738}}})
    add("d8_rods", make_four_bar(), t, rods(angles));
  for (const auto& [t, angles] : {std::pair{1., std::vector{2.07462854660, 4.59957306529, 4.11511694586}},
                                  {2., {3.14212853194, 7.79107924967, 3.44086768924}}})
    add("d8_boxes", make_box_four_bar(), t, rods(angles));
  // D10: damped pendulum
  for (const auto& [t, angle, rate] : {std::tuple{.5, .234864399729, -3.951328043498},
                                       {1., -.729873698420, .581787387149},
                                       {2., .288879393665, -.893832072512},
                                       {5., .026525513273, .070736714959},
                                       {10., .000600720077, .001772866115}})
    add("d10_rod", make_damped_rod(0), t, rods({angle}, {rate}));
  add("d10_box", make_damped_rod(.1), 1, rods({-.731225677682}));
  add("d10_box", make_damped_rod(.1), 5, rods({.026216375667}));
  // D15: springs
  const auto spring = [](double x, double v) {
    return [x, v](const State& s) { return std::hypot(s.x_W[0].x() - 2 - x, (s.v_W[0].x() - v) / 10); };
  };
  add("d15_spring", make_oscillator(100, 0), 1, spring(-.8390715290764525, 5.440211108893698));
  add("d15_damped", make_oscillator(100, 2), 1, spring(-.3368516805904134, 1.853457069846059));
  return out;
}

class ReferenceValues : public ::testing::TestWithParam<Reference> {
 protected:
  double error(const AnyStepper& stepper, double dt) const {
    const double steps = std::ceil(GetParam().time / dt - 1e-9);
    return GetParam().error(run_with(stepper, GetParam().scene, GetParam().time / steps, GetParam().time));
  }
  void expect_order(const AnyStepper& stepper, double dt, int order) const {
    const double coarse = error(stepper, dt), fine = error(stepper, dt / 2);
    EXPECT_GT(order_of(coarse, fine), order - .15) << coarse << " " << fine;  // leading errors may cancel: then more
  }
};
INSTANTIATE_TEST_SUITE_P(SectionD, ReferenceValues, ::testing::ValuesIn(make_references()),
                         [](const auto& test) { return test.param.name; });

TEST_P(ReferenceValues, AreReachedByTheAdaptiveStepper) {
  EXPECT_LT(error(Reduced{.tolerance = 1e-12}, .02), GetParam().accuracy);
}
TEST_P(ReferenceValues, AreApproachedInJointCoordinatesWithOrderTwo) {
  expect_order(Reduced{.integrator = Integrator::Sdirk2, .tolerance = 1e-12}, GetParam().dt, 2);
}
TEST_P(ReferenceValues, AreApproachedInMaximalCoordinatesWithTheirOrder) {
  expect_order(Maximal{}, GetParam().maximal_dt, GetParam().maximal_order);
}
TEST_P(ReferenceValues, AreApproachedByTheVariationalStepperWithOrderTwo) {
  if (GetParam().name.starts_with("d5_points")) return;  // no points here: moments of 1e-9 amplify what Newton leaves
  expect_order(Variational{}, GetParam().dt, 2);
}

// D1: after a period everything is as it was.
TEST(ReferencePeriods, OfPendulums) {
  for (const auto& [angle, period] : {std::pair{pi / 6, 2.040989889519130},
                                      {pi / 3, 2.152874666880516},
                                      {pi / 2, 2.367841947576237},
                                      {2 * pi / 3, 2.754089828887826},
                                      {3., 5.158066754267866}}) {
    const State s = run_with(Reduced{.tolerance = 1e-12}, make_simple_pendulum(angle), period / 100, period);
    EXPECT_LT(rods({angle}, {0})(s), 2e-8) << angle;
  }
  for (const auto& [angle, period] :
       {std::pair{pi / 6, 1.666461266500427}, {pi / 2, 1.933334854373246}, {3., 4.211543869056686}}) {
    const State s = run_with(Reduced{.tolerance = 1e-12}, make_rod_pendulum({angle}), period / 100, period);
    EXPECT_LT(rods({angle}, {0})(s), 2e-8) << angle;
  }
}

// D4: steady precession at 30°, slow and fast; nutation from rest.
TEST(ReferenceTop, PrecessesSteadilyAndNutates) {
  for (const double rate : {1.971663724918228, 9.575341658874287}) {
    SceneDescription scene = make_top();
    const Vec3 axis = scene.bodies[0].position / .5;
    const Vec3 omega = rate * Vec3::UnitZ() + (60 - rate * axis.z()) * axis;  // 60 about the axis
    scene.bodies[0].angular_velocity = omega;
    scene.bodies[0].velocity = omega.cross(.5 * axis);
    const State s = run_with(Reduced{.tolerance = 1e-12}, scene, .01, 1);
    EXPECT_LT(top_axis(pi / 6, rate)(s), 1e-8);
  }
  const State low = run_with(Reduced{.tolerance = 1e-12}, make_top(), .8753851860963324 / 100, .8753851860963324 / 2);
  EXPECT_NEAR(std::acos((low.q_WB[0] * Vec3::UnitZ()).z()), .7973184218439538, 1e-8);
  const State back = run_with(Reduced{.tolerance = 1e-12}, make_top(), .8753851860963324 / 100, .8753851860963324);
  EXPECT_LT(top_axis(pi / 6, 1.650818588534783)(back), 1e-7);
}

// D4: an upright top sleeps if it spins faster than 48.52215988597375 rad/s; slower, the smallest tilt grows.
TEST(ReferenceTop, SleepsAboveItsLimit) {
  const auto deepest = [](double spin) {
    const double tilt = 1e-3;
    const Vec3 axis(0, std::sin(tilt), std::cos(tilt));
    SceneDescription scene;
    scene.bodies = {make_body("top", 1, Vec3(.05, .05, .05), .5 * axis, quat_from_axis_angle(Vec3::UnitX(), -tilt))};
    scene.bodies[0].angular_velocity = spin * axis;
    scene.joints = {make_joint("tip", Spherical{}, "world", "top", Vec3::Zero())};
    Simulation simulation = make_run(Reduced{.tolerance = 1e-10}, scene, .01);
    double most = 0;
    for (int i = 0; i < 1000; ++i) {
      advance(simulation, 1);
      most = std::max(most, std::acos((simulation.state().q_WB[0] * Vec3::UnitZ()).z()) / tilt);
    }
    return most;
  };
  // small tilts move as z̈ = i ω I₃/I₁ ż + m g l/I₁ z: they grow to 1/√(1 − limit²/ω²) times what they were, or without bound
  const double limit = 48.52215988597375;
  EXPECT_NEAR(deepest(1.05 * limit), 1 / std::sqrt(1 - 1 / (1.05 * 1.05)), .01);
  EXPECT_NEAR(deepest(1.01 * limit), 1 / std::sqrt(1 - 1 / (1.01 * 1.01)), .1);
  EXPECT_GT(deepest(.99 * limit), 50);
}

// D9: through singular poses, where all bars lie in line.
TEST(ReferenceWindows, PassTheSingularPoses) {
  for (const auto& [time, x, z] : {std::tuple{1., -.195020301950, -.980799205662},
                                   {2., .057815795768, .998327267863},
                                   {5., -.811310461003, -.584615545352},
                                   {10., .328458111537, .944518538180}}) {
    const auto error = [t = time, top = Vec3(x, 0, z)](const AnyStepper& stepper, double dt) {
      const State s = run_with(stepper, A02{.windows = 2}.make(), dt, t);
      return (s.x_W[0] + s.q_WB[0] * Vec3(0, 0, .5) - top).norm();
    };
    EXPECT_LT(error(Reduced{.tolerance = 1e-11}, .01), 1e-6) << time;
    EXPECT_GT(order_of(error(Variational{}, 2e-3), error(Variational{}, 1e-3)), 1.85) << time;
    EXPECT_GT(order_of(error(Maximal{}, 2e-3), error(Maximal{}, 1e-3)), .85)
        << time;  // measured: 2, its leading errors cancel
    EXPECT_LT(error(Maximal{}, 1e-3), 1e-4) << time;
  }
}

/// N rods of 1 m and 1 kg together, hanging from the world by hinges; or with both ends on supports `span` apart, laid out as an arc of a circle.
SceneDescription make_rod_chain(int n, double span) {
  double low = 0, high = 2 * pi;  // half of the angle of the arc: chord/arc = sin(a)/a, rods are chords themselves
  const double length = 1. / n;
  const auto chord = [&](double a) { return length * std::sin(a) / std::sin(a / n); };
  for (int i = 0; i < 200 && span > 0; ++i) {
    const double middle = (low + high) / 2;
    (chord(middle) > span ? low : high) = middle;
  }
  SceneDescription scene;
  scene.assemble = true;
  std::string above = "world";
  Vec3 top = Vec3::Zero();
  for (int i = 0; i < n; ++i) {
    const double angle = span > 0 ? pi / 2 + low * ((2 * i + 1.) / n - 1) : 0;  // from hanging down, towards +x
    const Vec3 along = length * planar_direction(angle);
    const std::string name = "rod" + std::to_string(i + 1);
    BodyDescription rod = make_bar(name, top, top + along);
    rod.mass = length;
    scene.bodies.push_back(rod);
    scene.joints.push_back(
        make_joint("hinge" + std::to_string(i + 1), Revolute{.axis = Vec3::UnitY()}, above, name, top));
    above = name;
    top += along;
  }
  if (span > 0)
    scene.joints.push_back(make_joint("end", Revolute{.axis = Vec3::UnitY()}, "world", above, Vec3(span, 0, 0)));
  return scene;
}

// D17: frequencies of a hanging chain, from the accelerations around rest.
TEST(ReferenceChain, HasItsFrequencies) {
  for (const auto& [n, expected] : {std::pair{1, std::vector{3.836013555763}},
                                    {2, {3.790253584835, 10.166315840197}},
                                    {3, {3.777754560904, 9.396275858019, 17.751568546531}},
                                    {5, {3.770504534515}},
                                    {10, {3.767208518302, 8.728321546416}},
                                    {50, {3.766113579450}}}) {
    const Scene scene = make_scene(make_rod_chain(n, 0));
    ReducedDynamics dynamics(*scene.system);
    const Control control;
    dynamics.start_step(control, scene.initial);
    Eigen::MatrixXd A(n, n);
    for (int k = 0; k < n; ++k) {
      const double h = 1e-3 / n;
      const auto pulled = [&](double by) {
        EXPECT_TRUE(dynamics.evaluate(0, by * VecX::Unit(n, k), VecX::Zero(n)));
        return dynamics.v_dot();
      };
      const VecX one = pulled(h), two = pulled(2 * h);
      A.col(k) = -(8 * one - two) / (6 * h);  // odd in the displacement
    }
    std::vector<double> squares;
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(A, false);
    for (Eigen::Index i = 0; i < solver.eigenvalues().size(); ++i) squares.push_back(solver.eigenvalues()[i].real());
    std::sort(squares.begin(), squares.end());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(std::sqrt(squares[i]), expected[i], 1e-8 * expected[i] * n) << n;
  }
}

// D17 in time: two rods in their first mode, small enough to be linear.
class ReferenceModes : public StepperTest {};
INSTANTIATE_TEST_SUITE_P(Steppers, ReferenceModes, every_stepper(), stepper_name);
TEST_P(ReferenceModes, OfTwoRodsSwing) {
  const double omega = 3.790253584835, g = kGravity, l = .5, m = .5;
  // M θ̈ + K θ = 0 of two equal rods: M = m l² (4/3 1/2; 1/2 1/3), K = m g l (3/2 0; 0 1/2)
  Eigen::Matrix2d M, K;
  M << 4. / 3, 1. / 2, 1. / 2, 1. / 3;
  M *= m * l * l;
  K = m * g * l * Eigen::Vector2d(1.5, .5).asDiagonal();
  const Eigen::Matrix2d N = K - omega * omega * M;
  const double ratio = -N(0, 0) / N(0, 1), size = 1e-4, t = 1.3;
  EXPECT_NEAR(N(1, 0) + N(1, 1) * ratio, 0, 1e-9);
  SceneDescription scene;
  std::string above = "world";
  Vec3 top = Vec3::Zero();
  for (int i = 0; i < 2; ++i) {
    const Vec3 along = l * planar_direction(size * (i == 0 ? 1 : ratio));
    const std::string name = "rod" + std::to_string(i + 1);
    scene.bodies.push_back(make_bar(name, top, top + along));
    scene.joints.push_back(
        make_joint("hinge" + std::to_string(i + 1), Revolute{.axis = Vec3::UnitY()}, above, name, top));
    above = name;
    top += along;
  }
  const auto error = [&](double dt) {
    const State s = run_with(GetParam(), scene, dt, t);
    return std::hypot(rod_angle(s, 0) / size - std::cos(omega * t),
                      rod_angle(s, 1) / size / ratio - std::cos(omega * t));
  };
  const double coarse = error(2e-3), fine = error(1e-3);
  if (std::holds_alternative<Reduced>(GetParam()))
    EXPECT_LT(fine, 1e-3);  // of 1e-4 rad, to a tolerance of 1e-8
  else
    EXPECT_NEAR(order_of(coarse, fine), std::holds_alternative<Maximal>(GetParam()) ? 1 : 2, .1)
        << coarse << " " << fine;
}

// D16: a chain between two supports comes to rest as the polygon of its rods.
class ReferenceCatenary : public ::testing::TestWithParam<AnyStepper> {};
INSTANTIATE_TEST_SUITE_P(Steppers, ReferenceCatenary,
                         ::testing::Values(Variational{}, Maximal{}, Reduced{.integrator = Integrator::ImplicitEuler}),
                         stepper_name);
TEST_P(ReferenceCatenary, ChainOfRodsHangsAsThePolygon) {
  for (const auto& [n, H, sag] : {std::tuple{10, 1.598166454822, .365545036299}, {20, 1.600036513028, .363452616065}}) {
    SceneDescription scene = make_rod_chain(n, .6);
    Damping air;
    air.linear = 10. / n;
    scene.forces.emplace_back(air);
    const Simulation simulation = simulate(scene, GetParam(), .01, 24);
    const State& s = simulation.state();
    const Vec3 lowest =
        s.x_W[static_cast<std::size_t>(n) / 2] - s.q_WB[static_cast<std::size_t>(n) / 2] * Vec3(0, 0, -.5 / n);
    EXPECT_NEAR(-lowest.z(), sag, 1e-8) << n;
    const JointReaction reaction = compute_joint_reaction(simulation.model().joint(0), s);
    EXPECT_NEAR(reaction.force_W.x(), -H, 1e-6) << n;
    EXPECT_NEAR(reaction.force_W.z(), kGravity / 2, 1e-6) << n;
  }
}

class ReferenceContacts : public StepperTest {
 protected:
  bool is_maximal() const { return std::holds_alternative<Maximal>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Steppers, ReferenceContacts, every_stepper(), stepper_name);

// D11: a block comes to rest after .9174311926605505 m. Braked by a = μ g it stops within a step of length h, at the beginning or at the end of
// which the steppers put it, whichever is nearer: off by at most a (h/2)²/2. The maximal one is of first order there.
TEST_P(ReferenceContacts, BlockStopsWhereCoulombSays) {
  SceneDescription scene = make_block(.5);
  scene.bodies[0].velocity = 3 * Vec3(std::cos(.7), std::sin(.7), 0);
  const auto error = [&](double dt) {
    return std::abs(run_with(GetParam(), scene, dt, 1).x_W[0].head<2>().norm() - .9174311926605505);
  };
  if (is_maximal()) {
    const double fine = error(1e-3);
    EXPECT_LT(fine, 2e-3);
    EXPECT_NEAR(order_of(error(2e-3), fine), 1, .1);
    return;
  }
  for (const double dt : {4e-3, 1e-3, 5e-4}) EXPECT_LT(error(dt), .5 * kGravity * dt * dt / 8) << dt;
}

// D12: apexes .64 and .4096.
TEST_P(ReferenceContacts, BallBouncesToTheRightHeights) {
  SceneDescription scene = make_floor(0, .8);
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = .1}, 1, Vec3(0, 0, 1.1)));
  const auto error = [&](double dt) {
    Simulation simulation = make_run(GetParam(), scene, dt);
    std::vector<double> apexes;
    double before = -1;
    for (long i = std::lround(2 / dt); i > 0; --i) {
      advance(simulation, 1);
      const double z = simulation.state().x_W[0].z() - .1, rate = simulation.state().v_W[0].z();
      if (before > 0 && rate <= 0) apexes.push_back(z + rate * rate / (2 * kGravity));
      before = rate;
    }
    return apexes.size() < 2 ? 1 : std::max(std::abs(apexes[0] - .64), std::abs(apexes[1] - .4096));
  };
  // located in time by the reduced one, up to a step late with the others
  for (const double dt : {2e-3, 5e-4, 1.25e-4})
    EXPECT_LT(error(dt), std::holds_alternative<Reduced>(GetParam()) ? 1e-11 : 3 * dt) << dt;
}

// D13: where and when a ball begins to roll, and a ball that rolls down a slope.
TEST_P(ReferenceContacts, BallRollsInTimeAndDownASlope) {
  SceneDescription scene = make_floor(.2);
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = .1}, 1, Vec3(0, 0, .1)));
  scene.bodies[0].velocity = Vec3(3, 0, 0);
  const auto error = [&](double dt) {
    const State state = run_with(GetParam(), scene, dt, 1);
    EXPECT_NEAR(state.v_W[0].x(), 15. / 7, 1e-9);
    EXPECT_NEAR(state.omega_B[0].y(), 150. / 7, 1e-8);
    return std::abs(state.x_W[0].x() - 1.123385133870062 - 15. / 7 * (1 - .4368719965050240));
  };
  if (is_maximal()) {
    const double fine = error(2.5e-3);
    EXPECT_LT(fine, 2e-3);
    EXPECT_NEAR(order_of(error(5e-3), fine), 1, .1);
  } else {
    for (const double dt : {1e-2, 2.5e-3, 1.25e-3}) EXPECT_LT(error(dt), .2 * kGravity * dt * dt / 8) << dt;  // as D11
  }
  scene.bodies[0].angular_velocity = Vec3(0, -20, 0);
  EXPECT_NEAR(run_with(GetParam(), scene, .01, 1).v_W[0].x(), 11. / 7, 1e-9);
  SceneDescription slope = make_floor(.5);
  slope.gravity = tilted_gravity(pi / 6, 0);
  slope.bodies.push_back(make_solid("ball", Sphere{.radius = .1}, 1, Vec3(0, 0, .1)));
  EXPECT_NEAR(run_with(GetParam(), slope, .01, 1).v_W[0].x(), 3.503571428571429, 1e-6);
}

// D13: down a slope of 30° a ball rolls without slipping if its friction is at least .1649572197684645 = 2/7 tan 30°.
TEST_P(ReferenceContacts, BallSlipsDownASlopeBelowItsFriction) {
  const double limit = .1649572197684645;
  for (const double friction : {limit - .001, limit + .001}) {
    SceneDescription scene = make_floor(friction);
    scene.gravity = tilted_gravity(pi / 6, .4);
    scene.bodies.push_back(make_solid("ball", Sphere{.radius = .1}, 1, Vec3(0, 0, .1)));
    const State s = run_with(GetParam(), scene, .01, 1);
    const Vec3 slip = s.v_W[0] + (s.q_WB[0] * s.omega_B[0]).cross(Vec3(0, 0, -.1));
    if (friction > limit)
      EXPECT_LT(slip.norm(), 1e-9);
    else  // faster by g (sin α − μ cos α) than its rim by (5/2) g μ cos α
      EXPECT_NEAR(slip.norm(), kGravity * (std::sin(pi / 6) - 3.5 * friction * std::cos(pi / 6)), 1e-6);
  }
}

constexpr double kRodRadius = 1e-7;  // that of a line, nearly

/// A rod of 1 m on its end, leaning by an angle from upright.
SceneDescription make_leaning_rod(double tilt, double friction) {
  SceneDescription scene = make_floor(friction);
  const Quat q = quat_from_axis_angle(Vec3::UnitY(), tilt);
  scene.bodies.push_back(
      make_solid("rod", Capsule{.radius = kRodRadius, .length = 1}, 1, Vec3(0, 0, std::cos(tilt) / 2 + kRodRadius), q));
  scene.bodies[0].inertia = Mat3(Vec3(1. / 12, 1. / 12, 1e-6).asDiagonal());
  return scene;
}

// D14: without friction the centre falls straight; the rod lies after .3849019707423906 s (from 30°) or .585947472819335 s (from .1), with
// ω = 5.048477754073601 or 5.411374371093937.
TEST_P(ReferenceContacts, RodFallsStraight) {
  for (const auto& [tilt, time, omega] :
       {std::tuple{pi / 6, .3849019707423906, 5.048477754073601}, {.1, .585947472819335, 5.411374371093937}}) {
    const auto errors = [&, tilt = tilt, time = time, omega = omega](double dt) -> Vec<2> {
      const double end = .98 * time, steps = std::round(end / dt);  // just before it lies
      const State s = run_with(GetParam(), make_leaning_rod(tilt, 0), end / steps, end);
      EXPECT_NEAR(s.x_W[0].x(), 0, 1e-12);
      // then on by the exact equation, θ̈ (1/12 + sin²θ/4) + θ̇² sin θ cos θ/4 = (g/2) sin θ: at `time` the angle must be π/2, its rate `omega`
      double theta = std::acos((s.q_WB[0] * Vec3::UnitZ()).z()), rate = s.omega_B[0].y();
      const auto acceleration = [](double a, double w) {
        return (kGravity / 2 * std::sin(a) - w * w * std::sin(a) * std::cos(a) / 4) /
               (1. / 12 + std::sin(a) * std::sin(a) / 4);
      };
      const int n = 2000;
      const double h = (time - end) / n;
      for (int i = 0; i < n; ++i) {  // midpoint rule
        const double a = theta + h / 2 * rate, w = rate + h / 2 * acceleration(theta, rate);
        rate += h * acceleration(a, w), theta += h * w;
      }
      return {std::abs(theta - pi / 2), std::abs(rate - omega)};
    };
    const Vec<2> coarse = errors(1e-3), fine = errors(5e-4);
    EXPECT_LT(fine.maxCoeff(), is_maximal() ? 2e-3 : 1e-6);
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(order_of(coarse[i], fine[i]), is_maximal() ? 1 : 2, .15) << tilt << ' ' << i;
  }
}

// D14: the normal force on a sliding rod, 60° to the floor, when it starts: friction towards the centre (its tip leads) or away from it.
TEST_P(ReferenceContacts, SlidingRodPressesTheFloor) {
  for (const auto& [speed, friction, normal] :
       {std::tuple{-1., .5, 8.914284272982346}, {1., .5, 4.088319277313512}, {0., 0., 5.605714285714286}}) {
    SceneDescription scene = make_leaning_rod(pi / 6, friction);  // its foot is at x = −1/4
    scene.bodies[0].velocity = Vec3(speed, 0, 0);
    Simulation simulation = make_run(GetParam(), scene, 1e-5);
    advance(simulation, 2);
    double force = 0;
    for (const ContactReport& contact : simulation.last_step().report.contacts) force += contact.normal_force;
    EXPECT_NEAR(force, normal, 1e-5) << speed;
  }
}

// D14: Painlevé. A rod that slides with its tip ahead at tan φ = 2 slides on if μ < 4/3; beyond that no force lets it, and its foot stops at
// once, by the impulse .3 N s (with .4 along the floor): a unit of it changes the foot's velocity by 1 + 3c² up, 1 + 3s² along, 3cs across.
TEST_P(ReferenceContacts, RodSlidesOnOrJamsAsPainleveSays) {
  const double c = 1 / std::sqrt(5.), s = 2 / std::sqrt(5.), dt = 1e-6;
  for (const double friction : {1.3, 1.33, 1.336, 1.37}) {
    SceneDescription scene = make_leaning_rod(std::atan2(c, s), friction);
    scene.bodies[0].velocity = Vec3(-1, 0, 0);
    Simulation simulation = make_run(GetParam(), scene, dt);
    advance(simulation, 1);
    double force = 0;
    for (const ContactReport& contact : simulation.last_step().report.contacts) force += contact.normal_force;
    const Vec3 arm = simulation.state().q_WB[0] * Vec3(0, 0, -.5);
    const double slip =
        (simulation.state().v_W[0] + (simulation.state().q_WB[0] * simulation.state().omega_B[0]).cross(arm)).x();
    if (friction < 4. / 3) {
      const double normal = kGravity / (1 + 3 * c * (c - friction * s));
      EXPECT_NEAR(force / normal, 1, 2e-4) << friction;  // the radius of the rod weighs more the nearer the limit is
      // the foot is pulled by μ (1 + 3s²) − 3cs times the force
      EXPECT_NEAR(slip, -1 + dt * normal * (friction * (1 + 3 * s * s) - 3 * c * s), 1e-5) << friction;
    } else {
      EXPECT_NEAR(slip, 0, 1e-6) << friction;
      EXPECT_NEAR(force * dt, .3, 1e-4) << friction;
    }
  }
}

}  // namespace
}  // namespace sinew::testing
