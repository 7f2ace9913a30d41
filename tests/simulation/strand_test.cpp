// Strands as particles, joints and a force: where they lie at t = 0, what they weigh, what moves with what; and mistakes.
#include "sinew/simulation/strand.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "sinew/simulation/scene.h"
#include "sinew/simulation/strand_curve.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

BodyDescription make_body(const std::string& name, const Vec3& position) {
  BodyDescription body;
  body.name = name;
  body.mass = 2;
  body.inertia = Mat3(Vec3(.3, .4, .5).asDiagonal());
  body.position = position;
  return body;
}

/// A strand from a body to the world.
SceneDescription make_strand_scene() {
  SceneDescription scene;
  scene.bodies = {make_body("a", Vec3(1, 2, 3))};
  StrandDescription& strand = scene.strands.emplace_back();
  strand.name = "s";
  strand.from = {{"a"}, Vec3(.1, .2, .3)};
  strand.to = PathPoint{{"world"}, Vec3(2, 3, 3)};
  strand.segments = 5;
  strand.mass = .5;
  strand.stiffness = 100;
  return scene;
}

void expect_segments(const std::vector<Vec3>& nodes, double length) {
  for (std::size_t k = 1; k < nodes.size(); ++k) EXPECT_NEAR((nodes[k] - nodes[k - 1]).norm(), length, 1e-13) << k;
}

TEST(StrandCurve, HasSegmentsOfTheRightLengthBetweenItsEnds) {
  for (const Vec3& span : {Vec3(1, 0, 0), Vec3(.3, -.4, .5), Vec3(0, 0, 1), Vec3(0, 0, -.2), Vec3(0, 0, 0)}) {
    for (const int n : {2, 3, 8, 41}) {
      for (const double slack : {1e-10, 1e-4, .3, 2.}) {
        const double length = span.norm() + slack;
        const std::vector<Vec3> nodes = lay_out_strand(span, length, n, Vec3::UnitZ());
        ASSERT_EQ(nodes.size(), static_cast<std::size_t>(n) + 1);
        EXPECT_LT((nodes.back() - span).norm(), 1e-13);
        expect_segments(nodes, length / n);
      }
    }
  }
}

TEST(StrandCurve, SagsInTheVerticalPlane) {
  const Vec3 span(1, 1, .5);
  const std::vector<Vec3> nodes = lay_out_strand(span, 2, 9, Vec3::UnitZ());
  for (std::size_t i = 1; i + 1 < nodes.size(); ++i) {
    EXPECT_NEAR(nodes[i].x(), nodes[i].y(), 1e-14);
    EXPECT_LT(nodes[i].z(), .5 * nodes[i].x());
  }
}

TEST(StrandCurve, IsStraightIfStretched) {
  const std::vector<Vec3> nodes = lay_out_strand(Vec3(3, 0, 0), 2, 3, Vec3::UnitZ());
  for (int i = 0; i <= 3; ++i) EXPECT_EQ(nodes[static_cast<std::size_t>(i)], Vec3(i, 0, 0));
}

TEST(Strand, IsParticlesThatDoNotTurnAndAForce) {
  const Scene scene = make_scene(make_strand_scene());
  const Model& model = scene.system->model();
  ASSERT_EQ(model.body_count(), 5);
  for (int i = 1; i <= 4; ++i) {
    EXPECT_EQ(model.body(i).name, "s." + std::to_string(i));
    EXPECT_EQ(model.joint(i - 1).name, "s." + std::to_string(i));
    EXPECT_EQ(model.joint(i - 1).dof, 3);
    EXPECT_DOUBLE_EQ(model.body(i).mass(), .1);
    const Vec3 expected = Vec3(1.1, 2.2, 3.3) + i / 5. * Vec3(.9, .8, -.3);
    EXPECT_LT((body_pose(model, scene.initial, i).p - expected).norm(), 1e-14);
  }
  ASSERT_EQ(scene.system->force_count(), 2);
  EXPECT_EQ(scene.system->force(1).name(), "s");
  EXPECT_EQ(scene.description.bodies.size(), 1U);  // as it was written
}

TEST(Strand, GivesHalfASegmentToTheBodyItIsFixedTo) {  // m = .5/10 at p
  const Scene scene = make_scene(make_strand_scene());
  const Body& body = scene.system->model().body(0);
  const Vec3 p(.1, .2, .3);
  EXPECT_NEAR(body.mass(), 2.05, 1e-15);
  EXPECT_LT((body.com() - .05 / 2.05 * p).norm(), 1e-15);
  const Mat3 about_p = .05 * 2 / 2.05 * (p.squaredNorm() * Mat3::Identity() - p * p.transpose());  // reduced mass
  EXPECT_LT((body.inertia() - Mat3(Vec3(.3, .4, .5).asDiagonal()) - about_p).norm(), 1e-15);
}

TEST(Strand, MovesWithItsEnds) {
  SceneDescription description = make_strand_scene();
  description.bodies[0].velocity = Vec3(1, 0, 0);
  description.bodies[0].angular_velocity = Vec3(0, 0, 2);
  const Scene scene = make_scene(description);
  const Vec3 at_a = Vec3(1, 0, 0) + Vec3(0, 0, 2).cross(Vec3(.1, .2, .3));
  for (std::size_t i = 1; i <= 4; ++i)
    EXPECT_LT((scene.initial.v_W[i] - (1 - static_cast<double>(i) / 5) * at_a).norm(), 1e-14);
}

TEST(Strand, WithAFreeEndHangs) {
  SceneDescription description = make_strand_scene();
  description.strands[0].to.reset();
  description.strands[0].length = 1;
  description.gravity = Vec3(0, -2, 0);
  const Scene scene = make_scene(description);
  const Model& model = scene.system->model();
  ASSERT_EQ(model.body_count(), 6);
  EXPECT_LT((body_pose(model, scene.initial, 5).p - Vec3(1.1, 1.2, 3.3)).norm(), 1e-14);
  EXPECT_DOUBLE_EQ(model.body(5).mass(), .05);
}

TEST(Strand, MayHangOnAnother) {
  SceneDescription description = make_strand_scene();
  StrandDescription& branch = description.strands.emplace_back(description.strands[0]);
  branch.name = "branch";
  branch.from = {{"s.2"}, Vec3::Zero()};
  const Scene scene = make_scene(description);
  const Model& model = scene.system->model();
  EXPECT_EQ(model.body_count(), 9);
  EXPECT_DOUBLE_EQ(model.body(2).mass(), .15);
}

/// The path of the one finding after a change of the good scene.
template <class Change>
std::string place_after(Change change) {
  SceneDescription scene = make_strand_scene();
  change(scene, scene.strands[0]);
  try {
    make_scene(scene);
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().size(), 1U);
    return error.diagnostics().front().where;
  }
  return "";
}

TEST(Strand, Mistakes) {
  using S = SceneDescription;
  using D = StrandDescription;
  EXPECT_EQ(place_after([](S&, D&) {}), "");
  EXPECT_EQ(place_after([](S&, D& d) { d.segments = 0; }), "strands[0].segments");
  EXPECT_EQ(place_after([](S&, D& d) { d.mass = 0; }), "strands[0].mass");
  EXPECT_EQ(place_after([](S&, D& d) { d.stiffness = -1; }), "strands[0].stiffness");
  EXPECT_EQ(place_after([](S&, D& d) { d.length = 0; }), "strands[0].length");
  EXPECT_EQ(place_after([](S&, D& d) { d.from.body = {"x"}; }), "strands[0].from.body");
  EXPECT_EQ(place_after([](S&, D& d) { d.to->body = {"s.2"}; }), "strands[0].to.body");
  EXPECT_EQ(place_after([](S&, D& d) { d.to.reset(); }), "strands[0]");
  EXPECT_EQ(place_after([](S&, D& d) { d.segments = 1, d.to->body = {"a"}; }), "strands[0].segments");
  EXPECT_EQ(place_after([](S&, D& d) { d.to->point = Vec3(1.1, 2.2, 3.3); }), "strands[0].to");
  EXPECT_EQ(place_after([](S& s, D&) { s.bodies.push_back(make_body("s.3", Vec3::Zero())); }), "strands[0].name");
  EXPECT_EQ(place_after([](S& s, D&) { s.strands.push_back(s.strands[0]); }), "strands[1].name");
}

}  // namespace
}  // namespace sinew
