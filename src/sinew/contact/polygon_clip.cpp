#include "sinew/contact/polygon_clip.h"

namespace sinew {
namespace {

// Height of x over side k of the frame, towards its inside, in units of length.
double inside(std::span<const Vec3> frame, const Vec3& normal, std::size_t k, const Vec3& x) {
  const Vec3& from = frame[k];
  const Vec3 side = frame[(k + 1) % frame.size()] - from;
  const double length = side.norm();
  return length > 0 ? normal.cross(side).dot(x - from) / length : 0;
}

}  // namespace

void clip_polygon(std::span<const Vec3> frame, const Vec3& normal, double tolerance, Clip& clip) {
  for (std::size_t k = 0; k < frame.size() && !clip.corners.empty(); ++k) {
    clip.next.clear();
    const int side = kClipEdge + static_cast<int>(k);
    for (std::size_t i = 0; i < clip.corners.size(); ++i) {
      const ClipCorner& here = clip.corners[i];
      const ClipCorner& there = clip.corners[(i + 1) % clip.corners.size()];
      const double h = inside(frame, normal, k, here.x) + tolerance, t = inside(frame, normal, k, there.x) + tolerance;
      if (h >= 0) clip.next.push_back(here);
      if ((h >= 0) == (t >= 0)) continue;
      const Vec3 cut = here.x + h / (h - t) * (there.x - here.x);
      if (h >= 0)
        clip.next.push_back({cut, here.edge_out, side});
      else
        clip.next.push_back({cut, side, here.edge_out});
    }
    clip.corners.swap(clip.next);
  }
}

bool clip_segment(std::span<const Vec3> frame, const Vec3& normal, double tolerance, const Vec3& x, const Vec3& y,
                  SegmentClip& clip) {
  clip = {};
  for (std::size_t k = 0; k < frame.size(); ++k) {
    const double a = inside(frame, normal, k, x) + tolerance, b = inside(frame, normal, k, y) + tolerance;
    if (a < 0 && b < 0) return false;
    if (a < 0 && a / (a - b) > clip.begin) clip.begin = a / (a - b), clip.begin_side = static_cast<int>(k);
    if (b < 0 && a / (a - b) < clip.end) clip.end = a / (a - b), clip.end_side = static_cast<int>(k);
  }
  return clip.begin <= clip.end;
}

bool is_over_polygon(std::span<const Vec3> frame, const Vec3& normal, double tolerance, const Vec3& x) {
  for (std::size_t k = 0; k < frame.size(); ++k)
    if (inside(frame, normal, k, x) < -tolerance) return false;
  return true;
}

}  // namespace sinew
