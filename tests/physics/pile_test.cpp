// Boxes that fall in a heap, turning: at no step do they overlap, by an oracle that knows nothing of the contacts that were found
// (contact/separating_axes.h), whatever the friction.
#include <gtest/gtest.h>
#include <random>

#include "contact/separating_axes.h"
#include "physics/contact_scenes.h"

namespace sinew::testing {
namespace {

struct Heap {
  SceneDescription scene;
  std::vector<Vec3> sizes;
};

Heap make_heap(unsigned seed, int boxes, double friction) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto vector = [&](double bound) {
    return Vec3(uniform(-bound, bound), uniform(-bound, bound), uniform(-bound, bound));
  };
  Heap heap{make_floor(friction), {}};
  for (int i = 0; i < boxes; ++i) {
    const Vec3 size = Vec3::Constant(.35) + vector(.15);
    heap.sizes.push_back(size);
    BodyDescription box = make_solid("box " + std::to_string(i), Box{.size = size}, 500 * size.prod(),
                                     Vec3(uniform(-.3, .3), uniform(-.3, .3), .6 + .6 * i));
    box.orientation = exp_quat(vector(3));
    box.angular_velocity = vector(3);
    heap.scene.bodies.push_back(std::move(box));
  }
  return heap;
}

/// Depth of the deepest overlap of two boxes, or of one with the floor.
double deepest_overlap(const Simulation& simulation, const std::vector<Vec3>& sizes) {
  std::vector<test::PlacedBox> boxes;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    boxes.push_back(test::placed_box(sizes[i], body_pose(simulation.model(), simulation.state(), static_cast<int>(i))));
  double depth = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    depth = std::max(depth, -test::lowest_point(boxes[i]));
    for (std::size_t k = 0; k < i; ++k) depth = std::max(depth, -test::box_separation(boxes[i], boxes[k]));
  }
  return depth;
}

class Heaps : public ::testing::TestWithParam<std::tuple<unsigned, double>> {};

TEST_P(Heaps, NeverOverlap) {
  const auto [seed, friction] = GetParam();
  const Heap heap = make_heap(seed, 8, friction);
  Simulation simulation(make_scene(heap.scene));
  double depth = 0, reported = 0;
  for (int i = 0; i < 200; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << i << ": " << step.report.reason;
    depth = std::max(depth, deepest_overlap(simulation, heap.sizes));
    reported = std::max(reported, step.report.contact_summary.penetration);
  }
  EXPECT_LT(depth, 2e-9);
  EXPECT_GE(reported, depth - 1e-12) << "what is reported is no less than what is";
}

INSTANTIATE_TEST_SUITE_P(Physics, Heaps,
                         ::testing::Combine(::testing::Values(1u, 2u, 3u), ::testing::Values(0.0, 0.4, 1.0, 10.0)));

// Solids of many shapes, some a hundred times as dense as others, on a floor: at the end of every step a search of its own finds no overlap, neither of corners nor
// of caps that roll on their rims, where the lowest point is another one at the end.
class MixedHeaps : public ::testing::TestWithParam<std::tuple<unsigned, double>> {};

TEST_P(MixedHeaps, NeverOverlap) {
  const auto [seed, friction] = GetParam();
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto vector = [&](double bound) {
    return Vec3(uniform(-bound, bound), uniform(-bound, bound), uniform(-bound, bound));
  };
  const std::vector<Shape> shapes = {Capsule{.radius = .15, .length = .3}, Cylinder{.radius = .2, .length = .3},
                                     Ellipsoid{.radii = Vec3(.25, .15, .2)}, Box{.size = Vec3(.4, .3, .35)},
                                     Sphere{.radius = .2}};
  SceneDescription scene = make_floor(friction);
  for (int i = 0; i < 6; ++i) {
    const Shape& shape = shapes[(seed + static_cast<unsigned>(i)) % shapes.size()];
    BodyDescription body = make_solid("solid " + std::to_string(i), shape, std::pow(10, uniform(0, 2)),
                                      Vec3(uniform(-.3, .3), uniform(-.3, .3), .6 + .6 * i));
    body.orientation = exp_quat(vector(3));
    body.angular_velocity = vector(3);
    scene.bodies.push_back(std::move(body));
  }
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 200; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << i << ": " << step.report.reason;
    ASSERT_LE(step.report.contact_summary.penetration, 1e-7) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Physics, MixedHeaps,
                         ::testing::Combine(::testing::Values(1u, 2u, 3u, 4u), ::testing::Values(0.0, 1.0)));

// The same by the reduced stepper, whose bodies float.
TEST(HeapInJointCoordinates, NeverOverlaps) {
  Heap heap = make_heap(4, 3, 0.4);
  heap.scene.stepper = Reduced{};
  Simulation simulation(make_scene(heap.scene));
  double depth = 0;
  for (int i = 0; i < 150; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << i << ": " << step.report.reason;
    depth = std::max(depth, deepest_overlap(simulation, heap.sizes));
  }
  EXPECT_LT(depth, 1e-8);
}

}  // namespace
}  // namespace sinew::testing
