#include "plot/canvas.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr double kPngScale = 2;          // pixels per unit
constexpr double kPointsPerUnit = 0.75;  // SVG surfaces measure in 1/72 inch

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int size) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Canvas::Canvas(Format format, double width, double height) : format_(format) {
  if (format_ == Format::Svg) {
    surface_ =
        cairo_svg_surface_create_for_stream(append_bytes, &bytes_, width * kPointsPerUnit, height * kPointsPerUnit);
    cairo_ = cairo_create(surface_);
    cairo_scale(cairo_, kPointsPerUnit, kPointsPerUnit);
  } else {
    surface_ = cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(width * kPngScale)),
                                          static_cast<int>(std::ceil(height * kPngScale)));
    cairo_ = cairo_create(surface_);
    cairo_scale(cairo_, kPngScale, kPngScale);
  }
  cairo_set_source_rgb(cairo_, 1, 1, 1);
  cairo_paint(cairo_);
  cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo_, options);
  cairo_font_options_destroy(options);
}

Canvas::~Canvas() {
  cairo_destroy(cairo_);
  cairo_surface_destroy(surface_);
}

double Canvas::pixel() const { return 1 / kPngScale; }

void Canvas::draw_line(std::span<const PlotPoint> points, const LineStyle& style) {
  if (points.empty()) return;
  cairo_new_path(cairo_);
  for (const PlotPoint& point : points) cairo_line_to(cairo_, point.x, point.y);
  if (points.size() == 1) cairo_line_to(cairo_, points[0].x, points[0].y);
  cairo_set_source_rgb(cairo_, style.colour.red, style.colour.green, style.colour.blue);
  cairo_set_line_width(cairo_, style.width);
  cairo_set_dash(cairo_, &style.dash, style.dash > 0 ? 1 : 0, 0);
  cairo_set_line_cap(cairo_, style.dash > 0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  cairo_stroke(cairo_);
}

void Canvas::draw_dot(PlotPoint centre, double radius, const Colour& colour) {
  cairo_new_path(cairo_);
  cairo_arc(cairo_, centre.x, centre.y, radius, 0, 2 * M_PI);
  cairo_set_source_rgb(cairo_, colour.red, colour.green, colour.blue);
  cairo_fill(cairo_);
}

void Canvas::set_font(double size, Weight weight, const Colour& colour) {
  cairo_select_font_face(cairo_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         weight == Weight::Bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo_, size);
  cairo_set_source_rgb(cairo_, colour.red, colour.green, colour.blue);
}

double Canvas::text_width(const std::string& text) const {
  cairo_text_extents_t extents;
  cairo_text_extents(cairo_, text.c_str(), &extents);
  return extents.x_advance;
}

void Canvas::draw_text(PlotPoint point, const std::string& text, Align align) {
  const double shift = align == Align::Left ? 0 : (align == Align::Centre ? 0.5 : 1.0);
  cairo_move_to(cairo_, point.x - shift * text_width(text), point.y);
  cairo_show_text(cairo_, text.c_str());
}

void Canvas::draw_text_upwards(PlotPoint point, const std::string& text) {
  cairo_save(cairo_);
  cairo_translate(cairo_, point.x, point.y);
  cairo_rotate(cairo_, -M_PI / 2);
  draw_text({0, 0}, text, Align::Centre);
  cairo_restore(cairo_);
}

void Canvas::begin_clip(const Rectangle& area) {
  cairo_save(cairo_);
  cairo_rectangle(cairo_, area.left, area.top, area.width(), area.height());
  cairo_clip(cairo_);
}

void Canvas::end_clip() { cairo_restore(cairo_); }

std::string Canvas::finish() {
  if (format_ == Format::Png) cairo_surface_write_to_png_stream(surface_, append_bytes, &bytes_);
  cairo_surface_finish(surface_);
  if (const cairo_status_t status = cairo_surface_status(surface_); status != CAIRO_STATUS_SUCCESS || bytes_.empty()) {
    throw Error(ErrorKind::File, "plot", fmt::format("cannot be drawn: {}", cairo_status_to_string(status)));
  }
  return std::move(bytes_);
}

}  // namespace sinew
