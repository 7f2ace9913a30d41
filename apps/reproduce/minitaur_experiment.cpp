// A robot whose four legs are closed loops trots: loops stay closed, feet stay above the floor, and legs of five hinges, which repeat
// constraints, move as legs that do not.
#include <algorithm>
#include <fmt/format.h>

#include "reproduce/experiment_list.h"
#include "reproduce/measure.h"
#include "reproduce/scene_recording.h"

#include "sinew/generators/minitaur.h"

namespace sinew::reproduce {
namespace {

constexpr double kClosed = 1e-9;         // m: what Sinew promises of every joint
constexpr double kRigid = 1e-9;          // m: most of what a foot may be below the floor
constexpr double kUpright = 0.15;        // m: lowest middle of a trunk that stands 0.19 m high
constexpr double kAlike = 1e-6;          // m, between the two kinds of feet
constexpr double kAlikeTime = 0.2;       // s, before contact makes small differences large
constexpr long kEvery = 20;              // steps between values kept
constexpr double kFrameInterval = 0.04;  // s, of the recording

struct TrotRun {
  std::vector<double> times, x, z, joint;
  std::vector<Vec3> early;  // places of the trunk until kAlikeTime
  double lowest = 1, penetration = 0, joint_error = 0;
  long steps = 0, halvings = 0;
  double seconds = 0;
  std::string failure;
};

Minitaur make_robot(FootJoint foot, double duration) {
  return {.foot = foot, .gait = MinitaurGait::Trot, .swing = 0.3, .stride = 0.3, .duration = duration};
}

TrotRun run_trot(const Minitaur& robot, const std::function<void(double)>& progress) {
  Simulation simulation(make_scene(robot.make()));
  TrotRun run;
  const long steps = std::lround(robot.duration / robot.dt);
  run.seconds = measure_seconds([&] {
    for (long i = 1; i <= steps && run.failure.empty(); ++i) {
      const SimulationStep& step = simulation.step();
      if (!step.report.ok()) {
        run.failure = fmt::format("stops at {:.3f} s: {}", simulation.state().time, step.report.reason);
        break;
      }
      run.steps = i;
      run.halvings += step.halvings;
      for (const ContactReport& contact : step.report.contacts)
        run.penetration = std::max(run.penetration, -contact.gap);
      const Vec3& trunk = simulation.state().x_W[0];
      run.lowest = std::min(run.lowest, trunk.z());
      run.joint_error = std::max(run.joint_error, simulation.ledger().joint_error().distance);
      if (simulation.state().time < kAlikeTime) run.early.push_back(trunk);
      if (i % kEvery != 0) continue;
      progress(static_cast<double>(i) / static_cast<double>(steps));
      run.times.push_back(simulation.state().time);
      run.x.push_back(trunk.x()), run.z.push_back(trunk.z());
      run.joint.push_back(simulation.ledger().joint_error().distance);
    }
  });
  return run;
}

}  // namespace

Experiment make_trotting_minitaur() {
  return {
      .id = "003-fig7",
      .aliases = {},
      .title = "a quadruped with closed-loop legs trots",
      .source = "[Bruedigam2020, Fig. 7]",
      .claim =
          "Closed-loop segments can be used as legs of quadrupedal robots such as the Minitaur; the source shows the "
          "robot and no measurement.",
      .setup =
          "`sinew make minitaur --param gait=trot --param swing=0.3 --param stride=0.3`: cranks of 0.1 m, rods of 0.2 "
          "m, 5.9 kg, servos of at most 3.5 N m, floor with friction 0.8, dt = 0.001 s. Two kinds of legs: rods that "
          "meet in a pin (22 constraint rows a leg, none twice), and in a fifth hinge (25 rows of rank 22).",
      .run = [](const Context& context) {
        const double duration = context.choose(5.0, 0.5);
        const TrotRun pin =
            run_trot(make_robot(FootJoint::Pin, duration), [&](double done) { context.progress(done / 2); });
        const TrotRun hinge =
            run_trot(make_robot(FootJoint::Hinge, duration), [&](double done) { context.progress(0.5 + done / 2); });
        double apart = 0;
        for (std::size_t i = 0; i < std::min(pin.early.size(), hinge.early.size()); ++i)
          apart = std::max(apart, (pin.early[i] - hinge.early[i]).norm());
        Outcome outcome;
        outcome.table.add("time [s]", pin.times);
        outcome.table.add("pin: trunk x [m]", pin.x);
        outcome.table.add("pin: trunk z [m]", pin.z);
        outcome.table.add("pin: joint error [m]", pin.joint);
        outcome.table.add("hinge: trunk x [m]", hinge.x);
        outcome.table.add("hinge: trunk z [m]", hinge.z);
        outcome.table.add("hinge: joint error [m]", hinge.joint);
        for (std::vector<double>& column : outcome.table.columns) column.resize(pin.times.size(), kNaN);
        outcome.plot.title = "trotting on four closed loops, dt = 0.001 s";
        outcome.plot.panel_height = 180;
        outcome.plot.panels = {
            make_time_panel("x of the trunk [m]", {{.name = "legs with a pin", .x = pin.times, .y = pin.x},
                                                   {.name = "legs of five hinges", .x = hinge.times, .y = hinge.x}}),
            make_time_panel("height of the trunk [m]",
                            {{.name = "", .x = pin.times, .y = pin.z}, {.name = "", .x = hinge.times, .y = hinge.z}}),
            make_time_panel("joint error [m]", {{.name = "", .x = pin.times, .y = pin.joint},
                                                {.name = "", .x = hinge.times, .y = hinge.joint}})};
        outcome.plot.panels.back().y_scale = AxisScale::Log10;
        outcome.judge(
            {{.statement = fmt::format(
                  "legs that are closed loops (here: runs to the end, every joint closed to {:.0e} m)", kClosed),
              .measured = fmt::format(
                  "both robots {}, with joint errors up to {:.1e} m (pin) and {:.1e} m (hinge){}{}",
                  pin.failure.empty() && hinge.failure.empty() ? "run to the end" : "do not both run to the end",
                  pin.joint_error, hinge.joint_error, pin.failure.empty() ? "" : "; pin: " + pin.failure,
                  hinge.failure.empty() ? "" : "; hinge: " + hinge.failure),
              .holds = pin.failure.empty() && hinge.failure.empty() &&
                       std::max(pin.joint_error, hinge.joint_error) < kClosed},
             {.statement = fmt::format("on rigid ground (here: no foot more than {:.0e} m below it)", kRigid),
              .measured = fmt::format("feet are at most {:.1e} m below the floor",
                                      std::max(pin.penetration, hinge.penetration)),
              .holds = std::max(pin.penetration, hinge.penetration) < kRigid},
             {.statement = fmt::format("a robot that walks (here: forward, its trunk never lower than {} m)", kUpright),
              .measured = fmt::format("they trot {:.2f} m and {:.2f} m in {} s, the trunk never lower than {:.3f} m",
                                      pin.x.back(), hinge.x.back(), duration, std::min(pin.lowest, hinge.lowest)),
              .holds = pin.x.back() > 0 && hinge.x.back() > 0 && std::min(pin.lowest, hinge.lowest) > kUpright},
             {.statement = fmt::format("repeated constraints change nothing (here: less than {:.0e} m in {} s)", kAlike,
                                       kAlikeTime),
              .measured = fmt::format("trunks are {:.1e} m apart after {} s at most", apart, kAlikeTime),
              .holds = apart < kAlike}},
            fmt::format("A step takes {:.0f} microseconds (pin) and {:.0f} (hinge); halved: {} and {} of {}.",
                        1e6 * pin.seconds / static_cast<double>(std::max(1L, pin.steps)),
                        1e6 * hinge.seconds / static_cast<double>(std::max(1L, hinge.steps)), pin.halvings,
                        hinge.halvings, pin.steps));
        outcome.is_timing = true;
        outcome.files.push_back({.suffix = ".mcap",
                                 .about = "recording of the robot with pins, 25 frames a second, with contacts; `sinew "
                                          "render 003-fig7.mcap -o trot.html --png 003-fig7.png` makes a page that "
                                          "replays it and a picture",
                                 .write = [duration](const std::string& path) {
                                   SceneDescription scene = make_robot(FootJoint::Pin, duration).make();
                                   scene.record_interval = kFrameInterval;
                                   record_scene(scene, path);
                                 }});
        return outcome;
      }};
}

}  // namespace sinew::reproduce
