// The arm of scenes/musculoskeletal_arm.yaml reaches its target by the activations stored there; activations of a controller act as those of
// the scene.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/io/scene_reader.h"

namespace sinew::testing {
namespace {

TEST(MusculoskeletalArm, ReachesTheTarget) {
  Simulation simulation(read_scene(std::string(SINEW_SOURCE_DIR) + "/scenes/musculoskeletal_arm.yaml"));
  const Vec3 target(.35, .12, 1.25);
  const int hand = simulation.model().find_body("hand");
  const auto distance = [&] { return (body_pose(simulation.model(), simulation.state(), hand).p - target).norm(); };
  EXPECT_GT(distance(), .5);
  while (simulation.state().time < simulation.scene().description.duration - simulation.dt() / 2)
    ASSERT_TRUE(simulation.step().report.ok()) << simulation.last_step().report.reason;
  EXPECT_LT(distance(), .01);
  EXPECT_LT(simulation.state().v_W[static_cast<std::size_t>(hand)].norm(), .1);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-4);
}

TEST(Control, SetsActivations) {
  SceneDescription scene = make_rod_pendulum({.3, .5});
  for (const double x : {-.1, .1}) {
    Muscle muscle;
    muscle.points = {{{"world"}, Vec3(x, 0, .1)}, {{"rod1"}, Vec3(x, 0, .1)}};
    muscle.peak_force = 100;
    muscle.optimal_length = .4;
    muscle.activation.offset = x > 0 ? .3 : .1;
    scene.forces.push_back(muscle);
  }
  for (const AnyStepper& stepper : {AnyStepper(Variational{}), AnyStepper(Reduced{}), AnyStepper(Maximal{})}) {
    scene.stepper = stepper;
    SceneDescription other = scene;
    for (AnyForce& force : other.forces) std::get<Muscle>(force).activation.offset = 0;
    Simulation by_scene(make_scene(scene)), by_control(make_scene(other));
    ASSERT_EQ(by_control.system().input_count(), 2);
    Control control;
    control.inputs = Eigen::Vector2d(.1, .3);
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(by_scene.step().report.ok());
      ASSERT_TRUE(by_control.step(control).report.ok());
    }
    EXPECT_EQ(hash_of(by_scene.state()), hash_of(by_control.state()));
  }
}

}  // namespace
}  // namespace sinew::testing
