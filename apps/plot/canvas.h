// A sheet to draw on, with Cairo underneath: lines, dots and text in a unit of 1/96 inch, y down, kept in memory until finish().
#pragma once

#include <memory>
#include <span>
#include <string>

#include "plot/decimate.h"

struct _cairo;          // NOLINT(bugprone-reserved-identifier): Cairo's own names
struct _cairo_surface;  // NOLINT(bugprone-reserved-identifier)

namespace sinew {

struct Colour {
  double red = 0, green = 0, blue = 0;
};

struct LineStyle {
  Colour colour;
  double width = 1;
  double dash = 0;  // length of dashes and of the gaps between them; 0: solid
};

struct Rectangle {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

enum class Format { Svg, Png };
enum class Align { Left, Centre, Right };
enum class Weight { Normal, Bold };

class Canvas {
 public:
  Canvas(Format format, double width, double height);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  double pixel() const;  // width of the finest column worth drawing

  void draw_line(std::span<const PlotPoint> points, const LineStyle& style);
  void draw_dot(PlotPoint centre, double radius, const Colour& colour);
  void set_font(double size, Weight weight, const Colour& colour);
  double text_width(const std::string& text) const;
  /// The baseline starts, is centred or ends at the point.
  void draw_text(PlotPoint point, const std::string& text, Align align);
  /// Read from bottom to top, centred at the point.
  void draw_text_upwards(PlotPoint point, const std::string& text);
  /// Until end_clip(), nothing is drawn outside.
  void begin_clip(const Rectangle& area);
  void end_clip();

  /// The bytes of the picture; nothing can be drawn afterwards.
  std::string finish();

 private:
  Format format_;
  std::string bytes_;  // of the SVG file
  _cairo_surface* surface_ = nullptr;
  _cairo* cairo_ = nullptr;
};

}  // namespace sinew
