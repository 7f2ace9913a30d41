// A box dropped on another that is 10⁴ times lighter or heavier, with every friction: no step fails, and contacts hold as between equals.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

namespace sinew::testing {
namespace {

constexpr double kSide = .5, kHeavy = 1e4;

struct Drop {
  bool is_heavy_above;
  double friction;
  double speed = 0;  // m/s, level
  double tilt = 0;   // rad
};

/// One box on the floor, and one that falls on it from 0.2 m above.
SceneDescription make_drop(const Drop& drop) {
  SceneDescription scene = make_floor(drop.friction);
  const Box box{.size = Vec3::Constant(kSide)};
  scene.bodies = {make_solid("below", box, drop.is_heavy_above ? 1 : kHeavy, Vec3(0, 0, kSide / 2)),
                  make_solid("above", box, drop.is_heavy_above ? kHeavy : 1, Vec3(0, 0, 1.5 * kSide + .2),
                             exp_quat(drop.tilt * Vec3(.6, .8, 0)))};
  scene.bodies[1].velocity = Vec3(drop.speed, 0, 0);
  return scene;
}

/// Runs 2 s, dt = 0.01; returns the steps whose contacts are less exact than asked.
int expect_exact(Simulation& simulation) {
  int rough = 0;
  double penetration = 0, complementarity = 0, cone_violation = 0;
  for (int i = 0; i < 200; ++i) {
    const SimulationStep& step = simulation.step();
    EXPECT_TRUE(step.report.ok()) << step.report.reason;
    if (!step.report.ok()) break;
    const ContactSummary& contacts = step.report.contact_summary;
    penetration = std::max(penetration, contacts.penetration);
    complementarity = std::max(complementarity, contacts.complementarity);
    cone_violation = std::max(cone_violation, contacts.cone_violation);
    rough += contacts.rough > 0;
  }
  const double weight = kHeavy * kGravity;
  EXPECT_LT(penetration, 1e-9);
  EXPECT_LT(complementarity, 1e-8 * weight);  // a loaded gap below 1e-8 m
  EXPECT_LT(cone_violation, 1e-4 * weight);   // of steps that count as rough
  return rough;
}

TEST(MassRatio, DroppedFlatItLiesStill) {
  for (const bool is_heavy_above : {true, false}) {
    for (const double friction : {0.0, .5, 10.0}) {
      SCOPED_TRACE(::testing::Message() << "heavy " << (is_heavy_above ? "above" : "below") << ", " << friction);
      Simulation simulation(make_scene(make_drop({is_heavy_above, friction})));
      EXPECT_EQ(expect_exact(simulation), 0);
      EXPECT_NEAR(simulation.state().x_W[1].z(), 1.5 * kSide, 1e-9);
      EXPECT_LT(simulation.state().v_W[1].norm(), 1e-9);
    }
  }
}

// What slides on the other, or comes down on an edge and rolls over it. A heavy box that jams the light one with friction leaves steps that are less exact
// than asked, 120 of 200 at worst; within the bounds, too.
TEST(MassRatio, SlidingOrTumblingItComesToTheEnd) {
  for (const bool is_heavy_above : {true, false}) {
    for (const double friction : {0.0, .5, 10.0}) {
      for (const double speed : {0.0, 1.0, 3.0}) {
        for (const double tilt : {0.0, .2}) {
          SCOPED_TRACE(::testing::Message() << "heavy " << (is_heavy_above ? "above" : "below") << ", friction "
                                            << friction << ", speed " << speed << ", tilt " << tilt);
          Simulation simulation(make_scene(make_drop({is_heavy_above, friction, speed, tilt})));
          const int rough = expect_exact(simulation);
          if (!is_heavy_above || friction == 0) {
            EXPECT_EQ(rough, 0);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew::testing
