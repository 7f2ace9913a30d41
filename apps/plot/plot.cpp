#include "plot/plot.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <limits>

#include "plot/axis.h"
#include "plot/canvas.h"

#include "sinew/core/error.h"

namespace sinew {
namespace {

// People with colour-blindness can tell them apart, and each stands out from white by 3 to 1 or more. The first three are Okabe and Ito's; the viewer has the same
// (viewer/src/format.ts).
constexpr std::array<Colour, 7> kColours{{{0.000, 0.447, 0.698},
                                          {0.835, 0.369, 0.000},
                                          {0.000, 0.620, 0.451},
                                          {0.753, 0.353, 0.612},
                                          {0.490, 0.306, 0.000},
                                          {0.294, 0.310, 0.878},
                                          {0.169, 0.169, 0.169}}};
constexpr Colour kInk{0.13, 0.13, 0.13};
constexpr Colour kFrame{0.45, 0.45, 0.45};
constexpr Colour kGrid{0.89, 0.89, 0.89};
constexpr Colour kFineGrid{0.95, 0.95, 0.95};
constexpr Colour kReference{0.45, 0.45, 0.45};

constexpr double kTickFont = 11;
constexpr double kLabelFont = 12.5;
constexpr double kTitleFont = 15;
constexpr double kLine = 1.5;
constexpr double kMarker = 3.2;
constexpr double kMargin = 12;  // around the picture
constexpr double kTickLength = 4;
constexpr double kLegendRow = 18;
constexpr double kLegendSwatch = 22;
constexpr double kLegendGap = 16;
constexpr double kPanelGap = 16;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool is_empty() const { return !(low <= high); }
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
  void add(const Range& other) { low = std::min(low, other.low), high = std::max(high, other.high); }
};

bool is_shown(double value, AxisScale scale) {
  return std::isfinite(value) && (scale == AxisScale::Linear || value > 0);
}

bool is_shown(const PlotPanel& panel, const PlotSeries& series, std::size_t i) {
  return is_shown(series.x[i], panel.x_scale) && is_shown(series.y[i], panel.y_scale);
}

enum class Direction { X, Y };

Range find_range(const PlotPanel& panel, Direction direction) {
  Range range;
  for (const PlotSeries& series : panel.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (is_shown(panel, series, i)) range.add(direction == Direction::X ? series.x[i] : series.y[i]);
    }
  }
  return range;
}

// The range with some air at both ends; something sensible if there is nothing to show.
Range with_air(Range range, AxisScale scale, double air) {
  if (range.is_empty()) return scale == AxisScale::Log10 ? Range{1, 10} : Range{0, 1};
  if (scale == AxisScale::Log10) {
    const double factor = std::pow(range.high / range.low, air);
    return {range.low / factor, range.high * factor};
  }
  const double width = range.high - range.low;
  return {range.low - air * width, range.high + air * width};
}

// Lines reach to both ends of the x axis; markers keep off.
double find_x_air(const PlotPanel& panel) {
  const auto has_markers = [](const PlotSeries& s) { return s.has_markers; };
  return std::any_of(panel.series.begin(), panel.series.end(), has_markers) ? 0.03 : 0;
}

struct LegendEntry {
  std::string name;
  LineStyle style;
  bool has_line = true;
  bool has_markers = false;
  double width = 0;
};

LineStyle series_style(std::size_t i) {
  constexpr double kDash = 6;  // series beyond the palette repeat its colours in dashes
  return {kColours[i % kColours.size()], kLine, i / kColours.size() % 2 == 1 ? kDash : 0};
}

constexpr LineStyle kSlopeStyle{kReference, 1.2, 5};

// A panel with its axes, its legend and its place, ready to be drawn.
struct PlacedPanel {
  const PlotPanel* panel = nullptr;
  Axis x;
  Axis y;
  std::vector<std::vector<LegendEntry>> legend_rows;
  Rectangle area;  // between the axes
  bool shows_x_labels = true;

  PlotPoint place(double x_value, double y_value) const {
    return {area.left + x.position(x_value) * area.width(), area.bottom - y.position(y_value) * area.height()};
  }
};

std::vector<std::vector<LegendEntry>> make_legend(Canvas& canvas, const PlotPanel& panel, double width) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const PlotSeries& s = panel.series[i];
    if (!s.name.empty()) entries.push_back({s.name, series_style(i), s.has_line, s.has_markers, 0});
  }
  for (const ReferenceSlope& slope : panel.slopes) {
    if (!slope.name.empty()) entries.push_back({slope.name, kSlopeStyle, true, false, 0});
  }
  std::vector<std::vector<LegendEntry>> rows;
  double left = 0;
  canvas.set_font(kTickFont, Weight::Normal, kInk);
  for (LegendEntry& entry : entries) {
    entry.width = kLegendSwatch + 5 + canvas.text_width(entry.name) + kLegendGap;
    if (rows.empty() || left + entry.width - kLegendGap > width) {
      rows.emplace_back();
      left = 0;
    }
    left += entry.width;
    rows.back().push_back(std::move(entry));
  }
  return rows;
}

void draw_legend(Canvas& canvas, const PlacedPanel& placed) {
  double y = placed.area.top - 8 - kLegendRow * static_cast<double>(placed.legend_rows.size() - 1);
  for (const auto& row : placed.legend_rows) {
    double row_width = -kLegendGap;
    for (const LegendEntry& entry : row) row_width += entry.width;
    double x = placed.area.right - row_width;
    for (const LegendEntry& entry : row) {
      const std::array<PlotPoint, 2> swatch{{{x, y - 4}, {x + kLegendSwatch, y - 4}}};
      if (entry.has_line) canvas.draw_line(swatch, entry.style);
      if (entry.has_markers) canvas.draw_dot({x + kLegendSwatch / 2, y - 4}, kMarker, entry.style.colour);
      canvas.set_font(kTickFont, Weight::Normal, kInk);
      canvas.draw_text({x + kLegendSwatch + 5, y}, entry.name, Align::Left);
      x += entry.width;
    }
    y += kLegendRow;
  }
}

void draw_axes(Canvas& canvas, const PlacedPanel& placed) {
  const Rectangle& area = placed.area;
  const auto grid = [&](const Tick& tick) { return LineStyle{tick.label.empty() ? kFineGrid : kGrid, 0.8}; };
  for (const Tick& tick : placed.x.ticks()) {
    const double x = area.left + placed.x.position(tick.value) * area.width();
    canvas.draw_line(std::array<PlotPoint, 2>{{{x, area.top}, {x, area.bottom}}}, grid(tick));
  }
  for (const Tick& tick : placed.y.ticks()) {
    const double y = area.bottom - placed.y.position(tick.value) * area.height();
    canvas.draw_line(std::array<PlotPoint, 2>{{{area.left, y}, {area.right, y}}}, grid(tick));
  }
  const LineStyle frame{kFrame, 1};
  canvas.set_font(kTickFont, Weight::Normal, kInk);
  for (const Tick& tick : placed.x.ticks()) {
    const double x = area.left + placed.x.position(tick.value) * area.width();
    const double length = tick.label.empty() ? kTickLength / 2 : kTickLength;
    canvas.draw_line(std::array<PlotPoint, 2>{{{x, area.bottom}, {x, area.bottom + length}}}, frame);
    canvas.set_font(kTickFont, Weight::Normal, kInk);
    if (placed.shows_x_labels) canvas.draw_text({x, area.bottom + kTickLength + 12}, tick.label, Align::Centre);
  }
  for (const Tick& tick : placed.y.ticks()) {
    const double y = area.bottom - placed.y.position(tick.value) * area.height();
    const double length = tick.label.empty() ? kTickLength / 2 : kTickLength;
    canvas.draw_line(std::array<PlotPoint, 2>{{{area.left - length, y}, {area.left, y}}}, frame);
    canvas.set_font(kTickFont, Weight::Normal, kInk);
    canvas.draw_text({area.left - kTickLength - 4, y + 4}, tick.label, Align::Right);
  }
  canvas.draw_line(
      std::array<PlotPoint, 3>{{{area.left, area.top}, {area.left, area.bottom}, {area.right, area.bottom}}}, frame);
  canvas.set_font(kTickFont, Weight::Normal, kInk);
  canvas.draw_text({area.left, area.top - 8}, placed.y.offset_text(), Align::Left);
  if (placed.shows_x_labels) {
    canvas.draw_text({area.right, area.bottom + kTickLength + 27}, placed.x.offset_text(), Align::Right);
    canvas.set_font(kLabelFont, Weight::Normal, kInk);
    canvas.draw_text({0.5 * (area.left + area.right), area.bottom + kTickLength + 30}, placed.panel->x_label,
                     Align::Centre);
  }
  canvas.set_font(kLabelFont, Weight::Normal, kInk);
  canvas.draw_text_upwards({kMargin + kLabelFont, 0.5 * (area.top + area.bottom)}, placed.panel->y_label);
}

void draw_series(Canvas& canvas, const PlacedPanel& placed, const PlotSeries& series, const LineStyle& style) {
  std::vector<PlotPoint> run;  // points between two gaps
  const auto draw_run = [&] {
    if (series.has_line) canvas.draw_line(decimate(run, canvas.pixel()), style);
    run.clear();
  };
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!is_shown(*placed.panel, series, i)) {
      draw_run();
      continue;
    }
    run.push_back(placed.place(series.x[i], series.y[i]));
    if (series.has_markers) canvas.draw_dot(run.back(), kMarker, style.colour);
  }
  draw_run();
}

void draw_panel(Canvas& canvas, const PlacedPanel& placed) {
  const PlotPanel& panel = *placed.panel;
  draw_axes(canvas, placed);
  const double air = kMarker + 1;
  const Rectangle& area = placed.area;
  canvas.begin_clip({area.left - air, area.top - air, area.right + air, area.bottom + air});
  for (const ReferenceSlope& slope : panel.slopes) {
    const auto at = [&](double x) { return placed.place(x, slope.y * std::pow(x / slope.x, slope.slope)); };
    canvas.begin_clip(area);
    canvas.draw_line(std::array{at(placed.x.low()), at(placed.x.high())}, kSlopeStyle);
    canvas.end_clip();
  }
  for (std::size_t i = 0; i < panel.series.size(); ++i) draw_series(canvas, placed, panel.series[i], series_style(i));
  canvas.end_clip();
  if (find_range(panel, Direction::Y).is_empty()) {
    canvas.set_font(kLabelFont, Weight::Normal, kFrame);
    canvas.draw_text({0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom)}, "no data", Align::Centre);
  }
  if (!placed.legend_rows.empty()) draw_legend(canvas, placed);
}

std::vector<PlacedPanel> make_panels(const Plot& plot) {
  Range shared_range;
  double shared_air = 0;
  for (const PlotPanel& panel : plot.panels) {
    shared_range.add(find_range(panel, Direction::X));
    shared_air = std::max(shared_air, find_x_air(panel));
  }
  std::vector<PlacedPanel> placed;
  for (std::size_t i = 0; i < plot.panels.size(); ++i) {
    const PlotPanel& panel = plot.panels[i];
    const Range x = plot.shares_x ? with_air(shared_range, panel.x_scale, shared_air)
                                  : with_air(find_range(panel, Direction::X), panel.x_scale, find_x_air(panel));
    const Range y = with_air(find_range(panel, Direction::Y), panel.y_scale, 0.05);
    placed.push_back({.panel = &panel,
                      .x = Axis(x.low, x.high, panel.x_scale, plot.width / 80),
                      .y = Axis(y.low, y.high, panel.y_scale, plot.panel_height / 34),
                      .legend_rows = {},
                      .area = {},
                      .shows_x_labels = !plot.shares_x || i + 1 == plot.panels.size()});
  }
  return placed;
}

// Fills in the areas and legends; returns the height of the picture.
double place_panels(Canvas& canvas, const Plot& plot, std::vector<PlacedPanel>& panels) {
  double widest_label = 0;
  canvas.set_font(kTickFont, Weight::Normal, kInk);
  for (const PlacedPanel& placed : panels) {
    for (const Tick& tick : placed.y.ticks()) widest_label = std::max(widest_label, canvas.text_width(tick.label));
  }
  const double left = kMargin + kLabelFont + 8 + widest_label + kTickLength + 4;
  const double right = plot.width - kMargin - 10;
  double top = kMargin + (plot.title.empty() ? 0 : kTitleFont + 8);
  for (PlacedPanel& placed : panels) {
    canvas.set_font(kTickFont, Weight::Normal, kInk);
    const std::string& offset = placed.y.offset_text();
    const double offset_width = offset.empty() ? 0 : canvas.text_width(offset) + kLegendGap;
    placed.legend_rows = make_legend(canvas, *placed.panel, right - left - offset_width);
    const std::size_t rows = std::max<std::size_t>(placed.legend_rows.size(), offset.empty() ? 0 : 1);
    top += rows == 0 ? 6 : 4 + kLegendRow * static_cast<double>(rows);
    placed.area = {left, top, right, top + plot.panel_height};
    top = placed.area.bottom + (placed.shows_x_labels ? kTickLength + 34 : 0) + kPanelGap;
  }
  return top - kPanelGap + (panels.empty() ? kPanelGap : 0) + kMargin * 0.5;
}

Format find_format(const std::string& path) {
  std::string lower = path;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower.ends_with(".svg")) return Format::Svg;
  if (lower.ends_with(".png")) return Format::Png;
  throw Error(ErrorKind::Input, path, "expected a file name ending in .svg or .png");
}

void write_file(const std::string& path, const std::string& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool is_written = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  int reason = errno;
  const bool is_closed = file != nullptr && std::fclose(file) == 0;
  if (is_written && !is_closed) reason = errno;
  if (!is_written || !is_closed) {
    throw Error(ErrorKind::File, path, fmt::format("cannot write this file: {}", std::strerror(reason)));
  }
}

}  // namespace

std::string draw_plot(const Plot& plot, const std::string& path) {
  const Format format = find_format(path);
  for (const PlotPanel& panel : plot.panels) {
    for (const PlotSeries& series : panel.series) {
      if (series.x.size() == series.y.size()) continue;
      throw Error(ErrorKind::Input, path,
                  fmt::format("series '{}' has {} x and {} y values", series.name, series.x.size(), series.y.size()));
    }
  }
  std::vector<PlacedPanel> panels = make_panels(plot);
  Canvas ruler(Format::Png, 1, 1);  // text has to be measured before the height is known
  const double height = place_panels(ruler, plot, panels);
  Canvas canvas(format, plot.width, height);
  if (!plot.title.empty() && !panels.empty()) {
    canvas.set_font(kTitleFont, Weight::Bold, kInk);
    canvas.draw_text({panels.front().area.left, kMargin + kTitleFont - 2}, plot.title, Align::Left);
  }
  for (const PlacedPanel& placed : panels) draw_panel(canvas, placed);
  return canvas.finish();
}

void write_plot(const Plot& plot, const std::string& path) { write_file(path, draw_plot(plot, path)); }

}  // namespace sinew
