// Line plots as SVG or PNG files, drawn with Cairo (docs/decisions/0003-plots-with-cairo.md): panels stacked over a time axis, or
// log-log plots with markers and reference slopes.
#pragma once

#include <string>
#include <vector>

namespace sinew {

enum class AxisScale { Linear, Log10 };

struct PlotSeries {
  std::string name;       // in the legend; none there if empty
  std::vector<double> x;  // same size as y
  std::vector<double> y;  // NaN, infinity and, on a log axis, values that are not positive leave a gap
  bool has_line = true;
  bool has_markers = false;
};

/// A dashed line y = y₀ (x / x₀)^slope, straight on log-log axes, to compare with. Does not widen the axes.
struct ReferenceSlope {
  double slope = 1;
  double x = 1;      // x₀
  double y = 1;      // y₀
  std::string name;  // in the legend, such as "slope 1"
};

struct PlotPanel {
  std::string x_label;  // with unit: "time [s]"; of panels that share x, the last one's is shown
  std::string y_label;
  AxisScale x_scale = AxisScale::Linear;
  AxisScale y_scale = AxisScale::Linear;
  std::vector<PlotSeries> series;
  std::vector<ReferenceSlope> slopes;
};

struct Plot {
  std::string title;
  std::vector<PlotPanel> panels;  // from top to bottom
  bool shares_x = true;           // one x axis, at the bottom, for all panels
  double width = 800;             // of the picture, in units of 1/96 inch; a PNG has twice as many pixels
  double panel_height = 260;      // of one panel between its axes
};

/// The bytes of the picture; the end of the path says of what kind: .svg or .png, else Error{Input}.
std::string draw_plot(const Plot& plot, const std::string& path);
/// Error{File} if it cannot be written.
void write_plot(const Plot& plot, const std::string& path);

}  // namespace sinew
