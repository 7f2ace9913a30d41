// A live run that keeps up says so, whatever its step and speed; one that does not tells how fast it goes. The clock is made up.
#include "viewer/pace.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr double kPicture = 1.0 / 60;   // s
constexpr double kBudget = 0.8 / 60;    // s of a picture that may be spent stepping
constexpr double kDuration = 20;        // s
constexpr double kBeforeMeasuring = 2;  // s

struct Told {
  double least = 1e9, most = 0;  // real_time() of all pictures
  double simulated = 0;          // s over wall time
};

/// A run of steps of `dt` that take `cost` s each, with pictures `picture` s apart.
Told run(double dt, double speed, double cost, double picture = kPicture) {
  Told told;
  Pace pace;
  double now = 100, simulated = 0;
  pace.begin(now, speed);
  for (double next = now; now < 100 + kDuration; next = std::max(next + picture, now)) {
    now = std::max(now, next);
    const double began = now;
    pace.pass(now);
    while (pace.is_due(dt)) {
      pace.pay(dt);
      now += cost;
      simulated += dt;
      if (now - began > kBudget) {
        pace.give_up();
        break;
      }
    }
    if (now < 100 + kBeforeMeasuring) continue;
    told.least = std::min(told.least, pace.real_time());
    told.most = std::max(told.most, pace.real_time());
  }
  told.simulated = simulated / (now - 100);
  return told;
}

// Would catch pictures without a step that count as lost, or what is left over that counts as late.
TEST(Pace, IsTheSpeedAskedForIfStepsKeepUp) {
  for (const double dt : {0.001, 0.01, 0.02, 0.05, 0.4}) {
    for (const double speed : {0.1, 1.0, 4.0}) {
      const Told told = run(dt, speed, 1e-5);
      EXPECT_NEAR(told.simulated, speed, 0.01 * speed + dt / kDuration) << dt;
      EXPECT_NEAR(told.least, speed, 1e-9) << dt;
      EXPECT_NEAR(told.most, speed, 1e-9) << dt;
    }
  }
}

// 45 ms for a step of 50 ms: more than a picture may take, and still in time.
TEST(Pace, LetsLongStepsTakeTheirTime) {
  const Told told = run(0.05, 1, 0.045);
  EXPECT_NEAR(told.simulated, 1, 0.01);
  EXPECT_GT(told.least, 0.98);
}

// Twice the time there is: half the speed, and no more owed at the end than at the start.
TEST(Pace, TellsHowFastItGoesIfStepsDoNotKeepUp) {
  for (const auto& [dt, speed] : {std::pair{0.005, 1.0}, {0.05, 1.0}, {0.001, 0.2}}) {
    const Told told = run(dt, speed, 2 * dt / speed);
    EXPECT_LT(told.most, 0.75 * speed) << dt;
    EXPECT_NEAR(told.least, told.simulated, 0.15 * speed) << dt;
    EXPECT_NEAR(told.most, told.simulated, 0.15 * speed) << dt;
  }
}

// A machine that is busy elsewhere for a moment: made up for; one that slept: not.
TEST(Pace, MakesUpForShortGapsOnly) {
  EXPECT_NEAR(run(0.001, 1, 1e-6, 0.2).simulated, 1, 0.01);
  EXPECT_LT(run(0.001, 1, 1e-6, 1).most, 0.3);
}

}  // namespace
}  // namespace sinew
