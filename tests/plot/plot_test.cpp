// Plots: ticks, thinning that keeps every peak, and the files.
#include "plot/plot.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <random>

#include "plot/axis.h"
#include "plot/decimate.h"

#include "sinew/core/error.h"

// Fontconfig, below Cairo, keeps its configuration until the process ends; LeakSanitizer need not tell.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }

namespace sinew {
namespace {

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> texts;
  for (const Tick& tick : axis.ticks()) {
    if (!tick.label.empty()) texts.push_back(tick.label);
  }
  return texts;
}

TEST(PlotAxis, StepsAreOneTwoFive) {
  EXPECT_DOUBLE_EQ(find_nice_step(0.7), 1);
  EXPECT_DOUBLE_EQ(find_nice_step(1.0), 1);
  EXPECT_DOUBLE_EQ(find_nice_step(1.01), 2);
  EXPECT_DOUBLE_EQ(find_nice_step(3), 5);
  EXPECT_DOUBLE_EQ(find_nice_step(6e-9), 1e-8);
}

TEST(PlotAxis, LinearLabels) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels(Axis(0, 10, AxisScale::Linear, 5)), (Labels{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels(Axis(-0.3, 0.3, AxisScale::Linear, 6)),
            (Labels{"−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"}));
  const Axis small(0, 3e-11, AxisScale::Linear, 3);
  EXPECT_EQ(labels(small), (Labels{"0", "1", "2", "3"}));
  EXPECT_EQ(small.offset_text(), "×10⁻¹¹");
  const Axis drift(-14.715 - 1.1e-9, -14.715 + 1.1e-9, AxisScale::Linear, 4.6);
  EXPECT_EQ(drift.offset_text(), "×10⁻⁹ − 14.715");
  EXPECT_EQ(labels(drift), (Labels{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
}

TEST(PlotAxis, LogLabels) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels(Axis(1, 1000, AxisScale::Log10, 8)), (Labels{"1", "10", "100", "1000"}));
  EXPECT_EQ(labels(Axis(1e-12, 1e-9, AxisScale::Log10, 8)), (Labels{"10⁻¹²", "10⁻¹¹", "10⁻¹⁰", "10⁻⁹"}));
  EXPECT_NEAR(Axis(1, 100, AxisScale::Log10, 8).position(10), 0.5, 1e-15);
  EXPECT_TRUE(std::isnan(Axis(1, 100, AxisScale::Log10, 8).position(0)));
}

TEST(PlotAxis, TicksLieInsideAndAreNotTooMany) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(-15, 15), part(-1, 1);
  for (int round = 0; round < 2000; ++round) {
    const double middle = part(random) * std::pow(10, exponent(random)), half = std::pow(10, exponent(random));
    const Axis axis(middle - half, middle + half, AxisScale::Linear, 7);
    EXPECT_GE(axis.ticks().size(), 2U) << middle << ' ' << half;
    EXPECT_LE(axis.ticks().size(), 9U) << middle << ' ' << half;
    for (const Tick& tick : axis.ticks()) {
      EXPECT_GE(axis.position(tick.value), -1e-6);
      EXPECT_LE(axis.position(tick.value), 1 + 1e-6);
    }
  }
}

TEST(PlotAxis, ConstantDataGetARange) {
  for (const double value : {0.0, 0.1, -3e8}) {
    const Axis axis(value, value, AxisScale::Linear, 5);
    EXPECT_LT(axis.low(), value);
    EXPECT_GT(axis.high(), value);
    EXPECT_GE(axis.ticks().size(), 2U);
  }
  EXPECT_GE(labels(Axis(7, 7, AxisScale::Log10, 5)).size(), 2U);
}

TEST(PlotDecimate, KeepsExtremesOfEveryColumnAndTheOrder) {
  std::mt19937 random(9);
  std::normal_distribution<double> noise;
  std::vector<PlotPoint> points(100000);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = {static_cast<double>(i) * 0.005, noise(random)};
  points[60123].y = 1000;
  const std::vector<PlotPoint> kept = decimate(points, 1.0);
  EXPECT_LE(kept.size(), 4U * 500U);
  for (int column = 0; column < 500; column += 20) {
    const auto extremes = [&](const std::vector<PlotPoint>& all) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const PlotPoint& p : all) {
        if (std::floor(p.x) == column) low = std::min(low, p.y), high = std::max(high, p.y);
      }
      return std::pair(low, high);
    };
    EXPECT_EQ(extremes(kept), extremes(points));
  }
  EXPECT_TRUE(
      std::is_sorted(kept.begin(), kept.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; }));
  EXPECT_EQ(kept.front(), points.front());
  EXPECT_EQ(kept.back(), points.back());
  EXPECT_TRUE(decimate({}, 1.0).empty());
}

std::string write_and_read(const Plot& plot, const std::string& name) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("sinew_plot_test_" + name);
  write_plot(plot, path.string());
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(path);
  return bytes;
}

Plot make_awkward_plot() {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Plot plot;
  plot.title = "awkward";
  PlotPanel gaps{.x_label = "t [s]", .y_label = "y [m]", .series = {}, .slopes = {}};
  gaps.series.push_back({.name = "gaps", .x = {0, 1, 2, 3, 4}, .y = {1, nan, 2, inf, 3}});
  gaps.series.push_back({.name = "empty", .x = {}, .y = {}});
  PlotPanel log = gaps;
  log.y_scale = AxisScale::Log10;
  log.series[0].y = {1, 0, -1, 100, 10};
  log.series[0].has_markers = true;
  log.slopes.push_back({.slope = 2, .x = 1, .y = 1, .name = "slope 2"});
  plot.panels = {gaps, log, PlotPanel{}};
  return plot;
}

TEST(PlotFile, SvgAndPngByExtension) {
  EXPECT_TRUE(write_and_read(make_awkward_plot(), "a.png").starts_with("\x89PNG\r\n"));
  EXPECT_TRUE(write_and_read(make_awkward_plot(), "a.PNG").starts_with("\x89PNG\r\n"));
  const std::string svg = write_and_read(make_awkward_plot(), "a.svg");
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_FALSE(write_and_read(Plot{}, "empty.svg").empty());
}

TEST(PlotFile, ErrorsAreOfTheRightKind) {
  const auto kind_of = [](const Plot& plot, const std::string& path) {
    try {
      write_plot(plot, path);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << path;
    return ErrorKind::Input;
  };
  EXPECT_EQ(kind_of({}, "plot.pdf"), ErrorKind::Input);
  EXPECT_EQ(kind_of({}, "plot"), ErrorKind::Input);
  EXPECT_EQ(kind_of(make_awkward_plot(), "/nowhere/plot.svg"), ErrorKind::File);
  EXPECT_EQ(kind_of(make_awkward_plot(), "/nowhere/plot.png"), ErrorKind::File);
  Plot uneven = make_awkward_plot();
  uneven.panels[0].series[0].x.pop_back();
  EXPECT_EQ(kind_of(uneven, "plot.svg"), ErrorKind::Input);
}

}  // namespace
}  // namespace sinew
