// What scene files say is what the description holds.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "io/scene_test_text.h"

#include "sinew/io/scene_docs.h"
#include "sinew/io/scene_writer.h"

namespace sinew {
namespace {

SceneDescription read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_scene_text(text, "s.yaml", overrides);
}

TEST(SceneReader, ExampleOfTheDocs) {
  const SceneDescription scene = read(std::string(example_scene()));
  EXPECT_EQ(scene.name, "pendulum with a motor");
  EXPECT_EQ(scene.duration, 20);
  ASSERT_EQ(scene.bodies.size(), 2u);
  const auto& box = std::get<Box>(scene.bodies[0].shapes.at(0).shape);
  EXPECT_EQ(box.size, Vec3(0.02, 0.02, 1));
  EXPECT_EQ(scene.bodies[0].shapes[0].density, 2700);
  EXPECT_TRUE(scene.bodies[0].orientation.toRotationMatrix().isApprox(
      Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitY()).matrix()));
  EXPECT_EQ(std::get<Sphere>(scene.bodies[1].shapes.at(0).shape).radius, 0.05);
  ASSERT_EQ(scene.joints.size(), 2u);
  EXPECT_EQ(scene.joints[0].parent.name, "world");
  EXPECT_EQ(scene.joints[0].child.name, "rod");
  EXPECT_EQ(std::get<Revolute>(scene.joints[0].joint).axis, Vec3(0, 1, 0));
  EXPECT_EQ(scene.joints[1].parent.name, "rod");
  const auto& actuator = std::get<JointActuator>(scene.forces.at(0));
  EXPECT_EQ(actuator.effort, std::vector<double>{0.2});
  EXPECT_EQ(actuator.signal.frequency, 2);
  EXPECT_EQ(scene.probes.size(), 3u);
  EXPECT_EQ(std::get<LedgerProbe>(scene.probes[2].probe).entry, "energy.total");
}

TEST(SceneReader, WhatIsNotGivenHasItsDefault) {
  const SceneDescription scene = read("sinew: 1\n");
  const SceneDescription plain;
  EXPECT_EQ(scene.gravity, plain.gravity);
  EXPECT_EQ(scene.dt, plain.dt);
  EXPECT_EQ(std::get<Variational>(scene.stepper).tolerance, Variational{}.tolerance);
  EXPECT_TRUE(scene.bodies.empty());
  EXPECT_EQ(scene.assemble, false);
}

TEST(SceneReader, JsonIsYaml) {
  const SceneDescription scene =
      read(R"({"sinew": 1, "gravity": [0, 0, -1.62], "assemble": true, "stepper": {"type": "variational"}})");
  EXPECT_EQ(scene.gravity.z(), -1.62);
  EXPECT_TRUE(scene.assemble);
}

TEST(SceneReader, OrientationsOfEveryForm) {
  const auto orientation = [](const std::string& text) {
    return read("sinew: 1\nbody: {name: a, mass: 1, inertia: [1, 1, 1], orientation: " + text + "}\n")
        .bodies.at(0)
        .orientation;
  };
  EXPECT_EQ(orientation("{quaternion: [0.6, 0, 0.8, 0]}").coeffs(), Quat(0.6, 0, 0.8, 0).coeffs());
  EXPECT_NEAR(orientation("{quaternion: [0.707107, 0.707107, 0, 0]}").norm(), 1, 1e-15);
  // Rodrigues' formula for a vector, not Eigen's quaternion of an axis and an angle.
  const Vec3 v(1, 2, 3), axis = Vec3(1, 1, 0).normalized();
  const double angle = 0.7;
  const Vec3 turned =
      v * std::cos(angle) + axis.cross(v) * std::sin(angle) + axis * axis.dot(v) * (1 - std::cos(angle));
  EXPECT_LT((orientation("{axis: [3, 3, 0], angle: 0.7}") * v - turned).norm(), 1e-14);
  // Intrinsic: the matrices of the single turns multiply in the order of turning.
  const auto rx = Eigen::AngleAxisd(0.1, Vec3::UnitX()).toRotationMatrix();
  const auto ry = Eigen::AngleAxisd(0.2, Vec3::UnitY()).toRotationMatrix();
  const auto rz = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix();
  EXPECT_LT((orientation("{euler: [0.1, 0.2, 0.3]}").toRotationMatrix() - rx * ry * rz).norm(), 1e-14);
  EXPECT_LT((orientation("{euler: [0.3, 0.2, 0.1], order: zyx}").toRotationMatrix() - rz * ry * rx).norm(), 1e-14);
  EXPECT_LT((orientation("{euler: [90deg, 0, 0]}") * Vec3::UnitY() - Vec3::UnitZ()).norm(), 1e-14);
}

TEST(SceneReader, InertiaAsMomentsOrMatrix) {
  const auto inertia = [](const std::string& text) {
    return read("sinew: 1\nbody: {name: a, mass: 1, inertia: " + text + "}\n").bodies.at(0).inertia.value();
  };
  EXPECT_EQ(inertia("[1, 2, 5/2]"), Mat3(Vec3(1, 2, 2.5).asDiagonal()));
  Mat3 full;
  full << 1, 0.1, 0.2, 0.1, 2, 0.3, 0.2, 0.3, 2.5;
  EXPECT_EQ(inertia("[[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]]"), full);
}

TEST(SceneReader, OneItemStandsForAListOfOne) {
  const std::string list = "sinew: 1\nbodies:\n  - name: a\n    shapes:\n      - {type: sphere, radius: 1, mass: 2}\n";
  const std::string alone = "sinew: 1\nbody:\n  name: a\n  shape: {type: sphere, radius: 1, mass: 2}\n";
  const std::string mixed = "sinew: 1\nbodies:\n  name: a\n  shapes: {type: sphere, radius: 1, mass: 2}\n";
  for (const std::string& text : {list, alone, mixed}) EXPECT_EQ(read(text).bodies.at(0).shapes.at(0).mass, 2) << text;
}

TEST(SceneReader, StepperByNameMapOrOptionsAlone) {
  EXPECT_EQ(std::get<Variational>(read("sinew: 1\nstepper: variational\n").stepper).max_iterations,
            Variational{}.max_iterations);
  EXPECT_EQ(
      std::get<Variational>(read("sinew: 1\nstepper: {type: variational, max_iterations: 7}\n").stepper).max_iterations,
      7);
  EXPECT_EQ(std::get<Variational>(read("sinew: 1\nstepper: {max_iterations: 7}\n").stepper).max_iterations, 7);
}

TEST(SceneReader, AnchorsAndAliases) {
  const SceneDescription scene = read(
      "sinew: 1\n"
      "bodies:\n"
      "  - {name: a, shape: &ball {type: sphere, radius: 0.5, mass: 1}}\n"
      "  - {name: b, shape: *ball}\n");
  EXPECT_EQ(std::get<Sphere>(scene.bodies.at(1).shapes.at(0).shape).radius, 0.5);
}

TEST(SceneReader, EmptyListsAndTextWithByteOrderMark) {
  EXPECT_TRUE(read("\xef\xbb\xbfsinew: 1\njoints:\nforces: []\n").joints.empty());
}

TEST(SceneReader, OverridesByNumberNameAndNewKey) {
  const std::vector<std::string> overrides = {"bodies[0].shape.density=20",
                                              "joints[hinge].axis=[0,3,4]",
                                              "stepper.tolerance=1e-12",
                                              "dt=1/200",
                                              "gravity=[0,0,0]",
                                              "name=two words"};
  const SceneDescription scene = read(small_scene("gravity: [0, 0, -1]\nstepper: variational\n"), overrides);
  EXPECT_EQ(scene.bodies[0].shapes[0].density, 20);
  EXPECT_LT((std::get<Revolute>(scene.joints[0].joint).axis - Vec3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(std::get<Variational>(scene.stepper).tolerance, 1e-12);
  EXPECT_EQ(scene.dt, 0.005);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, 0));
  EXPECT_EQ(scene.name, "two words");
  EXPECT_EQ(read(small_scene("gravity: [0, 0, -1]\n"), {"gravity[2]=-2"}).gravity, Vec3(0, 0, -2));
  EXPECT_EQ(read(small_scene(), {"bodies[rod].shape[0].density=5"}).bodies[0].shapes[0].density, 5);
  EXPECT_EQ(read(small_scene(), {"stepper.max_iterations=3"}).dt, SceneDescription{}.dt);
}

// The size of a composite follows from its members, and is what is written back.
TEST(SceneReader, CompositeCountsItsMembers) {
  const auto read = [](const std::string& type, const std::string& members) {
    return read_scene_text(
        "sinew: 1\nbody: {name: rod, mass: 1, inertia: [1, 1, 1]}\njoints:\n  - {name: chain, type: " + type +
            ", child: rod, anchor: [0, 0, 0], joints: [" + members + "]}\n",
        "s.yaml");
  };
  const std::string members =
      "{type: spherical, order: zyx}, fixed, {type: cylindrical, axis: [0, 1, 0], position: [0, 0, 1]}";
  const SceneDescription scene = read("composite", members);
  const auto* chain = std::get_if<Composite5>(&scene.joints[0].joint);
  ASSERT_NE(chain, nullptr);
  ASSERT_EQ(chain->joints.size(), 3U);
  EXPECT_EQ(std::get<SphericalMember>(chain->joints[0]).order, EulerOrder::ZYX);
  EXPECT_EQ(std::get<CylindricalMember>(chain->joints[2]).position, Vec3(0, 0, 1));
  const std::string text = write_scene_text(scene);
  EXPECT_NE(text.find("type: composite_5"), std::string::npos) << text;
  EXPECT_EQ(write_scene_text(read_scene_text(text, "again.yaml")), text);
  EXPECT_EQ(write_scene_text(read("composite_5", members)), text);
  EXPECT_TRUE(std::holds_alternative<Composite1>(read("composite", "fixed, prismatic").joints[0].joint));
}

}  // namespace
}  // namespace sinew
