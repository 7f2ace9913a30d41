// The broad phase finds what brute force finds; detection depends on the state alone, allocates nothing, and honours filters.
#include "sinew/contact/contact_detector.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>

#include "contact/contact_scene.h"
#include "counting_malloc.h"
#include "spatial/random_values.h"

#include "sinew/core/error.h"
#include "sinew/core/hash.h"

namespace sinew {
namespace {

using test::ContactScene;
using test::RandomValues;

TEST(DynamicTree, FindsWhatBruteForceFindsOn200MovingBoxes) {
  RandomValues random(81);
  std::vector<DynamicTree::Box> boxes;
  std::vector<int> leaves, stack;
  DynamicTree tree;
  for (int i = 0; i < 200; ++i) {
    const Vec3 x = random.vec3(5), half = Vec3::Constant(0.6) + random.vec3(0.4);
    boxes.emplace_back(x - half, x + half);
    leaves.push_back(tree.insert(boxes.back(), i));
  }
  EXPECT_LE(tree.height(), 15);
  for (int step = 0; step < 50; ++step) {
    for (int i = 0; i < 200; ++i) {
      boxes[i].translate(random.vec3(0.3));
      tree.move(leaves[i], boxes[i], 0.1);
    }
    if (step == 25) {
      tree.remove(leaves[7]);
      leaves[7] = tree.insert(boxes[7], 7);
    }
    for (int i = 0; i < 200; ++i) {
      std::set<int> expected, found;
      for (int j = 0; j < 200; ++j)
        if (boxes[i].intersects(boxes[j])) expected.insert(j);
      tree.query(boxes[i], stack, [&](int j) {
        const bool is_new = !boxes[i].intersects(boxes[j]) || found.insert(j).second;
        EXPECT_TRUE(is_new);
      });
      EXPECT_EQ(found, expected);
    }
    EXPECT_LE(tree.height(), 20);
  }
}

void shake(ContactScene& scene, RandomValues& random, double by) {
  for (int i = 0; i < scene.model.body_count(); ++i) {
    const Pose X = body_pose(scene.model, scene.state, i);
    scene.set_pose(i, {X.p + random.vec3(by), exp_quat(random.vec3(by)) * X.q});
  }
}

TEST(ContactDetector, FindsEveryPairOf200MovingSpheres) {
  RandomValues random(82);
  ContactScene scene;
  for (int i = 0; i < 200; ++i) scene.add(Sphere{random.uniform(0.2, 0.8)}, random.pose(4));
  scene.finish();
  for (int step = 0; step < 20; ++step) {
    shake(scene, random, 0.2);
    std::set<std::pair<int, int>> expected, found;
    const double margin = 0.05;
    for (int i = 0; i < 200; ++i)
      for (int j = i + 1; j < 200; ++j) {
        const auto radius = [&](int k) { return std::get<Sphere>(scene.model.body(k).shapes[0].shape).radius; };
        if ((scene.state.x_W[i] - scene.state.x_W[j]).norm() - radius(i) - radius(j) < 2 * margin)
          expected.insert({i, j});
      }
    for (const Contact& c : scene.detect(margin)) EXPECT_TRUE(found.insert({c.body_a, c.body_b}).second);
    EXPECT_EQ(found, expected);
  }
}

void add_heap(ContactScene& scene, RandomValues& random) {
  for (int i = 0; i < 10; ++i) {
    const Pose X = random.pose(0.8);
    scene.add(Box{Vec3(0.3, 0.4, 0.5)}, X);
    scene.add(Sphere{0.2}, random.pose(0.8));
    scene.add(Capsule{0.1, 0.4}, random.pose(0.8));
    scene.add(Cylinder{0.2, 0.4}, random.pose(0.8));
    scene.add(Cone{0.2, 0.4}, random.pose(0.8));
    scene.add(Ellipsoid{Vec3(0.1, 0.2, 0.3)}, random.pose(0.8));
  }
  scene.add_world(Plane{}, {Vec3(0, 0, -0.5), Quat::Identity()});
  scene.add_world(Heightfield{.size_x = 2, .size_y = 2, .columns = 3, .heights = {0, 0, 0, 0, 0.5, 0, 0, 0, 0}},
                  {Vec3(0, 0, -0.4), Quat::Identity()});
}

std::uint64_t hash_of_contacts(const std::vector<Contact>& contacts) {
  Hash hash;
  for (const Contact& c : contacts) {
    hash.add_bytes(&c.body_a, sizeof c.body_a);
    hash.add_bytes(&c.body_b, sizeof c.body_b);
    hash.add_bytes(&c.id, sizeof c.id);
    for (const Feature* f : {&c.a, &c.b}) {
      hash.add_bytes(f->p.data(), sizeof(Vec3));
      hash.add_bytes(f->axis.data(), sizeof(Vec3));
      hash.add_bytes(&f->radius, sizeof f->radius);
    }
  }
  return hash.value();
}

TEST(ContactDetector, DependsOnTheStateAlone) {
  RandomValues random(83);
  ContactScene scene;
  add_heap(scene, random);
  scene.finish();
  for (int step = 0; step < 10; ++step) {
    shake(scene, random, 0.1);
    const std::uint64_t moved = hash_of_contacts(scene.detect());
    EXPECT_GT(scene.contacts.size(), 20u);
    for (std::size_t i = 1; i < scene.contacts.size(); ++i) {
      const Contact &c = scene.contacts[i - 1], &d = scene.contacts[i];
      EXPECT_LT(std::tuple(c.body_a, static_cast<unsigned>(c.body_b), c.id),
                std::tuple(d.body_a, static_cast<unsigned>(d.body_b), d.id));
    }
    scene.detector = std::make_unique<ContactDetector>(scene.model);
    EXPECT_EQ(hash_of_contacts(scene.detect()), moved);
  }
}

TEST(ContactDetector, GapsOfAHeapAreFiniteAndTheirGradientsRight) {
  RandomValues random(84);
  ContactScene scene;
  add_heap(scene, random);
  scene.finish();
  std::set<std::pair<FeatureKind, FeatureKind>> seen;
  for (int step = 0; step < 5; ++step) {
    shake(scene, random, 0.2);
    for (const Contact& c : scene.detect()) {
      const Pose X_a = com_pose(scene.state, c.body_a), X_b = com_pose(scene.state, c.body_b);
      const ContactGeometry g = evaluate_contact(c, X_a, X_b);
      ASSERT_TRUE(std::isfinite(g.gap) && g.normal_W.allFinite());
      EXPECT_LT(g.gap, 0.02 + 1e-12) << static_cast<int>(c.a.kind) << " " << static_cast<int>(c.b.kind) << " "
                                     << c.body_a << " " << c.body_b;
      EXPECT_GT(g.gap, -1.5);
      seen.insert({c.a.kind, c.b.kind});
      const Vec3 v = random.vec3(), w = random.vec3();
      const auto gap_at = [&](double t) {
        return Vec<1>(evaluate_contact(c, {X_a.p + t * v, exp_quat(t * w) * X_a.q}, X_b).gap);
      };
      EXPECT_NEAR(test::central_difference(gap_at, 1e-6)[0], g.normal_W.dot(v + w.cross(g.point_a_W - X_a.p)), 1e-5);
    }
  }
  EXPECT_GE(seen.size(), 10u);
}

#if SINEW_COUNTS_ALLOCATIONS
TEST(ContactDetector, AllocatesNothingOnceGrown) {
  RandomValues random(85);
  ContactScene scene;
  add_heap(scene, random);
  scene.finish();
  scene.detect(0.3);
  scene.detect(0.3);
  const long before = testing::allocation_count;
  scene.detect(0.1);
  double sum = 0;
  for (const Contact& c : scene.contacts) sum += scene.geometry(c).gap;
  EXPECT_EQ(testing::allocation_count, before) << sum;
}
#endif

TEST(ContactDetector, HonoursGroupsJointsAndCollides) {
  const auto count = [](auto change, const ContactFilter& filter = {}) {
    ModelBuilder builder;
    for (int i = 0; i < 2; ++i) {
      Body body;
      body.name = i == 0 ? "a" : "b";
      body.mass_properties = Sphere{1}.mass_properties(1);
      body.shapes.push_back({Sphere{1}, Pose{}});
      change(i, body.shapes[0]);
      builder.add_body(body);
    }
    if (filter.excluded_bodies.empty() && filter.joined_bodies_collide)
      builder.add_joint("j", Spherical{}, 0, 1, Pose{}, Pose{});
    const Model model = std::move(builder).finish();
    State state = make_state(model);
    state.x_W[1] = Vec3(1.9, 0, 0);
    ContactDetector with(model, filter), without(model, ContactFilter{.excluded_bodies = filter.excluded_bodies});
    std::vector<Contact> contacts;
    const std::vector<double> margins(2, 0.0);
    with.detect(state, margins, contacts);
    const std::size_t n = contacts.size();
    without.detect(state, margins, contacts);
    return std::pair(n, contacts.size());
  };
  const auto nothing = [](int, BodyShape&) {};
  EXPECT_EQ(count(nothing), std::pair(1ul, 1ul));
  EXPECT_EQ(count(nothing, {.joined_bodies_collide = true}), std::pair(1ul, 0ul));
  EXPECT_EQ(count(nothing, {.excluded_bodies = {{1, 0}}}), std::pair(0ul, 0ul));
  EXPECT_EQ(count([](int i, BodyShape& s) { s.collides = i == 0; }), std::pair(0ul, 0ul));
  EXPECT_EQ(count([](int i, BodyShape& s) { s.group = i == 0 ? 1 : 2, s.mask = i == 0 ? 4 : 1; }), std::pair(0ul, 0ul));
  EXPECT_EQ(count([](int i, BodyShape& s) { s.group = i == 0 ? 1 : 2, s.mask = i == 0 ? 2 : 1; }), std::pair(1ul, 1ul));
}

TEST(ContactDetector, RefusesAMeshOnABody) {
  Mesh mesh;
  const TriMesh box = Box{}.triangulate(0);
  mesh.vertices = box.vertices;
  mesh.triangles = box.triangles;
  ContactScene scene;
  scene.add(mesh, Pose{});
  try {
    scene.finish();
    FAIL() << "a mesh was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().where, "body0");
    EXPECT_NE(std::string(error.what()).find("use convex"), std::string::npos);
  }
}

TEST(ContactDetector, SphereOnARidgeRestsOnItAndBoxInAValleyOnItsSides) {
  const auto roof = [](double middle) {
    return Heightfield{.size_x = 2, .size_y = 2, .columns = 3, .heights = {0, middle, 0, 0, middle, 0}};
  };
  ContactScene ridge;
  ridge.add(Sphere{0.3}, {Vec3(0, 0.1, 0.8), Quat::Identity()});
  ridge.add_world(roof(0.5));
  ridge.finish();
  ASSERT_EQ(ridge.detect().size(), 1u);
  EXPECT_EQ(ridge.contacts[0].b.kind, FeatureKind::Line);
  EXPECT_NEAR(ridge.least_gap(), 0, 1e-14);

  ContactScene valley;
  valley.add(Sphere{0.3}, {Vec3(0, 0.1, -0.5 + 0.3 * std::sqrt(1.25)), Quat::Identity()});
  valley.add_world(roof(-0.5));
  valley.finish();
  ASSERT_EQ(valley.detect().size(), 2u);
  for (const Contact& c : valley.contacts) EXPECT_NEAR(valley.geometry(c).gap, 0, 1e-14);
}

}  // namespace
}  // namespace sinew
