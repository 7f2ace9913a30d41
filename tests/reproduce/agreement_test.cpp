// How experiments judge: criteria, verdicts, growth, powers; and that every figure of the sources can be asked for.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "reproduce/measure.h"
#include "reproduce/report.h"
#include "reproduce/scene_recording.h"

#include "sinew/core/error.h"
#include "sinew/generators/chain.h"
#include "sinew/io/recording_reader.h"

namespace sinew::reproduce {
namespace {

Outcome judged(std::vector<Criterion> criteria, const std::string& note = "") {
  Outcome outcome;
  outcome.judge(std::move(criteria), note);
  return outcome;
}

TEST(Agreement, AllCriteriaMustHold) {
  const Outcome outcome = judged({{"it is fast", "it takes 1 s", true}, {"it is right", "it is off by 0 m", true}});
  EXPECT_TRUE(outcome.agrees);
  EXPECT_EQ(verdict(outcome), "Agrees. It takes 1 s; it is off by 0 m.");
}

TEST(Agreement, SaysWhatIsNotReproducedAndWhatTheSourceSaysThere) {
  const Outcome outcome =
      judged({{"it is fast", "it takes 9 s", false}, {"it is right", "it is off by 0 m", true}}, "One run.");
  EXPECT_FALSE(outcome.agrees);
  EXPECT_EQ(verdict(outcome),
            "Agrees in part. It is off by 0 m. Not reproduced (1 of 2 points): it takes 9 s, where the source says: it "
            "is fast. One run.");
}

TEST(Agreement, NothingHeldOrNothingAskedIsNoAgreement) {
  EXPECT_TRUE(verdict(judged({{"it is fast", "it takes 9 s", false}})).starts_with("Differs. "));
  EXPECT_FALSE(judged({}).agrees);
}

Trace trace_of(double (*value)(double), long count = 1000) {
  Trace trace;
  for (long i = 0; i < count; ++i) trace.add(value(static_cast<double>(i)), i, count, 100);
  return trace;
}

TEST(Trace, TellsGrowthFromOscillationAndFromLostValues) {
  EXPECT_TRUE(trace_of([](double i) { return -i * std::sin(i); }).grows_in_every_tenth());
  EXPECT_FALSE(trace_of([](double i) { return std::sin(i); }).grows_in_every_tenth());
  EXPECT_FALSE(trace_of([](double i) { return i > 990 ? kNaN : i; }).grows_in_every_tenth());
  EXPECT_EQ(trace_of([](double i) { return i; }).kept.size(), 10U);
  EXPECT_EQ(trace_of([](double i) { return i; }).tenths[3].low, 300);
  EXPECT_EQ(trace_of([](double i) { return i; }).tenths[3].high, 399);
}

TEST(LogSlope, IsThePowerAndLeavesOutWhatIsNoTime) {
  EXPECT_NEAR(log_slope({1, 2, 3, 4}, {2, 16, kNaN, 128}), 3, 1e-12);
  EXPECT_NEAR(large_slope({1, 2, 4, 8}, {5, 5, 1, 2}), 1, 1e-12);
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("sinew_reproduce_{}", ::getpid())) {}
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(Report, WritesTheFilesAnExperimentAddsAndSaysWhatTheyAre) {
  const Folder folder;
  Outcome outcome = judged({{"it moves", "it moves by 1 m", true}});
  outcome.table.add("time [s]", {0, 1});
  outcome.plot.panels = {make_time_panel("x [m]", {{.name = "", .x = {0, 1}, .y = {0, 1}}})};
  Chain chain{.links = 2, .dt = .01, .duration = .5};
  SceneDescription scene = chain.make();
  scene.record_interval = .05;
  outcome.files.push_back({".mcap", "what it did", [&](const std::string& path) { record_scene(scene, path); }});
  write_outcome({.id = "x-1", .title = "t", .source = "s", .claim = "c", .setup = "u"}, outcome, folder.path());

  const Recording recording = read_recording(folder.path() + "/x-1.mcap");
  ASSERT_EQ(recording.frames(), 11U);
  EXPECT_FALSE(recording.is_truncated);
  EXPECT_NEAR(recording.times.back(), .5, 1e-12);
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(simulation.step().report.ok());
  EXPECT_EQ(recording.pose(10, 1)[0], body_pose(simulation.model(), simulation.state(), 1).p.x());
  std::ifstream page(folder.path() + "/x-1.md");
  const std::string text(std::istreambuf_iterator<char>(page), {});
  EXPECT_NE(text.find("[x-1.mcap](x-1.mcap): what it did."), std::string::npos);
}

TEST(Experiments, EveryFigureOfTheSourcesIsThere) {
  for (const char* id : {"003-fig4a", "003-fig4b", "003-fig4c", "003-fig4d", "003-fig5a", "003-fig5b", "003-fig6",
                         "003-fig8",  "002-fig7a", "002-fig7b", "002-fig7c", "002-fig7d", "002-fig8a", "002-fig8b",
                         "002-fig9a", "002-fig9b", "002-fig9c", "002-fig9d", "002-fig10", "002-fig11", "002-fig12",
                         "003-fig7",  "002-fig13", "002-fig14", "a02-2",     "a02-40"}) {
    EXPECT_NO_THROW(static_cast<void>(find_experiment(id))) << id;
  }
  EXPECT_THROW(static_cast<void>(find_experiment("003-fig4z")), Error);
}

// The sums must come out as the box of the drop is seen to fall: exact touchdown after √(2h/g) = 0.2856 s, and the soft floor sinking in as
// far as free fall goes in the step that crosses it, 0.4 − g dt² · 29 · 30/2 = −26.7 mm.
TEST(Experiments, BoxDropAgrees) {
  const Outcome outcome = find_experiment("002-fig7d").run({});
  EXPECT_TRUE(outcome.agrees) << outcome.sentence;
  EXPECT_NEAR(*std::ranges::min_element(outcome.table.columns[2]), .4 - 9.81e-4 * 435, 1e-12);
}

}  // namespace
}  // namespace sinew::reproduce
