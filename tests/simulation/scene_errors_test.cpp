// Names and choices of a scene: each mistake is found where it is, and nothing else.
#include <gtest/gtest.h>

#include "sinew/simulation/scene_description.h"

namespace sinew {
namespace {

BodyDescription ball(const std::string& name) {
  BodyDescription body;
  body.name = name;
  body.shapes.resize(1);
  body.shapes[0].shape = Sphere{};
  body.density = 1000;
  return body;
}

JointDescription hinge(const std::string& name, const std::string& parent, const std::string& child) {
  JointDescription joint;
  joint.name = name;
  joint.joint = Revolute{};
  joint.parent.name = parent;
  joint.child.name = child;
  joint.anchor = Vec3::Zero();
  return joint;
}

SceneDescription pendulum() {
  SceneDescription scene;
  scene.bodies = {ball("a"), ball("b")};
  scene.joints = {hinge("j", "world", "a"), hinge("k", "a", "b")};
  return scene;
}

// The path of every finding.
std::vector<std::string> places(const SceneDescription& scene) {
  std::vector<std::string> result;
  for (const Diagnostic& d : find_scene_errors(scene)) {
    EXPECT_FALSE(d.message.empty());
    result.push_back(d.where);
  }
  return result;
}

// The path of the one finding after a change of the good scene.
template <class Change>
std::string place_after(Change change) {
  SceneDescription scene = pendulum();
  change(scene);
  const auto found = places(scene);
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? "" : found.front();
}

using Scene = SceneDescription;
const Mat3 kInertia = Vec3(1, 1, 1).asDiagonal();

TEST(SceneErrors, GoodScenes) {
  EXPECT_TRUE(places(pendulum()).empty());
  EXPECT_TRUE(places(SceneDescription{}).empty());
  Scene scene = pendulum();
  scene.bodies[0].density.reset();
  scene.bodies[0].shapes[0].mass = 1;
  scene.bodies[1].density.reset();
  scene.bodies[1].mass = 1;
  scene.bodies.push_back({});
  scene.bodies[2].name = "c";
  scene.bodies[2].mass = 1;
  scene.bodies[2].inertia = kInertia;
  scene.bodies[2].center_of_mass = Vec3(1, 0, 0);
  scene.joints[0].anchor.reset();
  scene.joints[0].parent_frame.emplace();
  scene.joints[0].child_frame.emplace();
  EXPECT_TRUE(places(scene).empty());
}

TEST(SceneErrors, Names) {
  EXPECT_EQ(place_after([](Scene& s) { s.bodies.push_back(ball("a")); }), "bodies[2].name");
  EXPECT_EQ(place_after([](Scene& s) { s.bodies.push_back(ball("world")); }), "bodies[2].name");
  EXPECT_EQ(place_after([](Scene& s) { s.bodies.push_back(ball("")); }), "bodies[2].name");
  EXPECT_EQ(place_after([](Scene& s) { s.joints.push_back(hinge("j", "a", "b")); }), "joints[2].name");
  EXPECT_EQ(place_after([](Scene& s) { s.probes = {{"p", LedgerProbe{"x"}}, {"p", LedgerProbe{"y"}}}; }),
            "probes[1].name");
}

TEST(SceneErrors, References) {
  EXPECT_EQ(place_after([](Scene& s) { s.joints[1].parent.name = "x"; }), "joints[1].parent");
  EXPECT_EQ(place_after([](Scene& s) { s.joints[1].child.name = "x"; }), "joints[1].child");
  EXPECT_EQ(place_after([](Scene& s) { s.joints[1].child.name = "world"; }), "joints[1].child");
  EXPECT_EQ(place_after([](Scene& s) { s.joints[1].child.name = "a"; }), "joints[1].child");
  EXPECT_EQ(place_after([](Scene& s) { s.probes = {{"p", BodyPoseProbe{{"x"}}}}; }), "probes[0].body");
  EXPECT_EQ(place_after([](Scene& s) { s.probes = {{"p", BodyPoseProbe{{"world"}}}}; }), "probes[0].body");
  EXPECT_EQ(place_after([](Scene& s) { s.probes = {{"p", JointRateProbe{{"a"}}}}; }), "probes[0].joint");
  EXPECT_EQ(place_after([](Scene& s) { s.forces.emplace_back(ExternalWrench{}); }), "forces[0].body");
  EXPECT_EQ(place_after([](Scene& s) { s.forces.emplace_back(JointActuator{}); }), "forces[0].joint");
}

TEST(SceneErrors, NearNamesAreSuggested) {
  Scene scene = pendulum();
  scene.bodies[0].name = "upper_arm";
  scene.joints[1].parent.name = "uper_arm";
  scene.joints[0].child.name = "upper_arm";
  const auto found = find_scene_errors(scene);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message, "expected the name of a body, got 'uper_arm' (did you mean 'upper_arm'?)");
}

TEST(SceneErrors, Masses) {
  EXPECT_EQ(place_after([](Scene& s) { s.bodies[0].shapes.clear(); }), "bodies[0]");
  EXPECT_EQ(place_after([](Scene& s) { s.bodies[0].density.reset(); }), "bodies[0].shapes[0]");
  EXPECT_EQ(place_after([](Scene& s) { s.bodies[0].mass = 1; }), "bodies[0].density");
  EXPECT_EQ(place_after([](Scene& s) { s.bodies[0].center_of_mass = Vec3::Zero(); }), "bodies[0].center_of_mass");
  EXPECT_EQ(place_after([](Scene& s) { s.bodies[0].shapes[0].mass = s.bodies[0].shapes[0].density = 1; }),
            "bodies[0].shapes[0].density");
  EXPECT_EQ(place_after([](Scene& s) {
              s.bodies[0].density.reset();
              s.bodies[0].mass = 1;
              s.bodies[0].shapes[0].density = 1;
            }),
            "bodies[0].shapes[0].density");
}

TEST(SceneErrors, GivenInertias) {
  const auto with_inertia = [](const Mat3& inertia, std::optional<double> mass) {
    return place_after([&](Scene& s) {
      s.bodies[0].density.reset();
      s.bodies[0].inertia = inertia;
      s.bodies[0].mass = mass;
    });
  };
  EXPECT_EQ(with_inertia(kInertia, std::nullopt), "bodies[0].inertia");
  EXPECT_EQ(with_inertia(Vec3(1, 1, 2.1).asDiagonal(), 1), "bodies[0].inertia");
  EXPECT_EQ(with_inertia(Vec3(1, 1, -1).asDiagonal(), 1), "bodies[0].inertia");
  Mat3 skew = kInertia;
  skew(0, 1) = 0.1;
  EXPECT_EQ(with_inertia(skew, 1), "bodies[0].inertia");
  EXPECT_EQ(place_after([](Scene& s) {
              s.bodies[0].inertia = kInertia;
              s.bodies[0].mass = 1;
            }),
            "bodies[0].density");
}

TEST(SceneErrors, Frames) {
  EXPECT_EQ(place_after([](Scene& s) { s.joints[0].anchor.reset(); }), "joints[0]");
  EXPECT_EQ(place_after([](Scene& s) { s.joints[0].child_frame.emplace(); }), "joints[0].child_frame");
  EXPECT_EQ(place_after([](Scene& s) {
              s.joints[0].anchor.reset();
              s.joints[0].parent_frame.emplace();
            }),
            "joints[0]");
}

TEST(SceneErrors, ShapesThatAreNoSolids) {
  EXPECT_EQ(place_after([](Scene& s) { s.bodies[0].shapes[0].shape = Mesh{}; }), "bodies[0].shapes[0]");
  EXPECT_EQ(place_after([](Scene& s) {
              Convex flat;
              flat.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
              s.bodies[0].shapes[0].shape = flat;
            }),
            "bodies[0].shapes[0]");
}

}  // namespace
}  // namespace sinew
