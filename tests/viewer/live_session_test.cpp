// What a live session sends when its settings change, and that it stays stable.
#include "viewer/live_session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/io/scene_reader.h"

namespace sinew {
namespace {

using Json = nlohmann::json;
using Kind = ViewerMessage::Kind;

/// Keeps all that a session sends.
class Listener {
 public:
  void receive(SharedMessage message) {
    {
      const std::lock_guard lock(mutex_);
      if (message->kind == Kind::Status) status_ = Json::parse(message->data);
      messages_.push_back(std::move(message));
    }
    something_new_.notify_all();
  }
  /// The first state that is as asked; null if none comes.
  Json wait_for(const std::function<bool(const Json&)>& is_right) {
    std::unique_lock lock(mutex_);
    const bool has_come = something_new_.wait_for(lock, std::chrono::seconds(20),
                                                  [&] { return !status_.is_null() && is_right(status_); });
    return has_come ? status_ : Json();
  }
  std::vector<Kind> kinds() {
    const std::lock_guard lock(mutex_);
    std::vector<Kind> out;
    for (const SharedMessage& message : messages_) out.push_back(message->kind);
    return out;
  }
  long openings() {
    const std::vector<Kind> all = kinds();
    return std::count(all.begin(), all.end(), Kind::Opening);
  }

 private:
  std::mutex mutex_;
  std::condition_variable something_new_;
  std::vector<SharedMessage> messages_;
  Json status_;
};

// With another stepper the books may have no columns for sleep: frames are then not those that the header of before tells of. Would catch such frames
// without a new opening, and openings, which cost listeners what they have, where nothing asks for them.
TEST(LiveSession, OpensAnewWhenColumnsChangeAndOnlyThen) {
  Listener listener;
  LiveSession session(read_scene_text(R"(sinew: 1
stepper: {type: variational, sleep_speed: 0.01}
bodies:
  - {name: ball, mass: 1, shape: {type: sphere, radius: 0.1}}
)",
                                      "sleepy"),
                      [&](SharedMessage message) { listener.receive(std::move(message)); });
  session.set_listeners(1);
  EXPECT_EQ(listener.openings(), 1);
  session.command(R"({"do": "dt", "value": 0.002})", 1);
  ASSERT_FALSE(listener.wait_for([](const Json& status) { return status["dt"] == 0.002; }).is_null());
  EXPECT_EQ(listener.openings(), 1);

  const auto is_made_with = [](const char* stepper) {
    return [stepper](const Json& status) { return status["stepper"] == stepper; };
  };
  session.command(R"({"do": "stepper", "value": "reduced"})", 1);
  ASSERT_FALSE(listener.wait_for(is_made_with("reduced")).is_null());
  EXPECT_EQ(listener.openings(), 2);
  const std::vector<Kind> kinds = listener.kinds();
  const auto last = std::find(kinds.rbegin(), kinds.rend(), Kind::Opening).base();  // behind it
  ASSERT_NE(last, kinds.end());
  EXPECT_EQ(*last, Kind::Frame);
  const std::vector<SharedMessage> greeting = session.greet();  // of who comes now
  ASSERT_EQ(greeting.size(), 3u);
  EXPECT_EQ(greeting[0]->kind, Kind::Opening);
  EXPECT_EQ(greeting[1]->kind, Kind::Frame);

  session.command(R"({"do": "stepper", "value": "maximal"})", 1);
  ASSERT_FALSE(listener.wait_for(is_made_with("maximal")).is_null());
  EXPECT_EQ(listener.openings(), 2);
  session.command(R"({"do": "restore"})", 1);
  ASSERT_FALSE(listener.wait_for(is_made_with("variational")).is_null());
  EXPECT_EQ(listener.openings(), 3);
}

// A spring for steps of 1 ms, k dt² = 64 with steps of 1 s, is far beyond what an explicit method stands. Would catch a pull that keeps it.
TEST(LiveSession, TunesThePullToANewStep) {
  Listener listener;
  LiveSession session(read_scene_text(R"(sinew: 1
dt: 0.001
gravity: [0, 0, 0]
max_step_halvings: 0
stepper: {type: reduced, integrator: symplectic_euler}
bodies:
  - {name: ball, mass: 1, shape: {type: sphere, radius: 0.1}}
)",
                                      "pulled"),
                      [&](SharedMessage message) { listener.receive(std::move(message)); });
  session.set_listeners(1);
  session.command(R"({"do": "pull", "body": 0, "point": [0, 0, 0], "target": [1, 0, 0]})", 1);
  session.command(R"({"do": "dt", "value": 1})", 1);
  for (int i = 0; i < 5; ++i) session.command(R"({"do": "step"})", 1);
  const Json status = listener.wait_for([](const Json& now) { return now["time"] > 4.5 || now["trouble"] != ""; });
  ASSERT_FALSE(status.is_null());
  EXPECT_EQ(status["trouble"], "");
  EXPECT_NEAR(status["time"].get<double>(), 5, 1e-9);
}

// What the session says of its pace is what a clock on the wall measures, for steps longer than a picture and at low speed. Would catch pictures without a
// step that count as lost time. A machine that is busy for a moment spoils one measurement, not all.
TEST(LiveSession, SaysHowFastItGoes) {
  using Clock = std::chrono::steady_clock;
  for (const auto& [dt, speed] : {std::pair{0.02, 1.0}, {0.05, 1.0}, {0.005, 0.1}}) {
    Listener listener;
    LiveSession session(
        read_scene_text("sinew: 1\nbodies: [{name: ball, mass: 1, shape: {type: sphere, radius: 0.1}}]\n", "falling"),
        [&](SharedMessage message) { listener.receive(std::move(message)); });
    session.set_listeners(1);
    session.command(Json{{"do", "dt"}, {"value", dt}}.dump(), 1);
    session.command(Json{{"do", "speed"}, {"value", speed}}.dump(), 1);
    session.command(R"({"do": "play"})", 1);
    double time = 0, difference = 1e9;
    Clock::time_point then;
    for (int attempt = 0; attempt < 6 && difference > 0.2 * speed; ++attempt) {
      const Json status = listener.wait_for([&, next = time + speed](const Json& now) { return now["time"] >= next; });
      ASSERT_FALSE(status.is_null());
      const double passed = std::chrono::duration<double>(Clock::now() - then).count();
      const double measured = (status["time"].get<double>() - time) / passed;
      if (attempt > 0) difference = std::abs(status["real_time"].get<double>() - measured);
      then = Clock::now();
      time = status["time"];
    }
    EXPECT_LT(difference, 0.2 * speed) << dt << " " << speed;
  }
}

}  // namespace
}  // namespace sinew
