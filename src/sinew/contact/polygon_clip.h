// A polygon cut down to the part above (or below) a convex polygon, by the algorithm of Sutherland and Hodgman [SutherlandHodgman1974]; each
// corner of the result remembers which edges made it, so that it keeps its name while the bodies move a little.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct ClipCorner {
  Vec3 x;
  int edge_in,
      edge_out;  // edges before and after it: 0, 1, ... of the polygon cut, kClipEdge + k of the polygon that cuts
};
inline constexpr int kClipEdge = 1 << 20;

/// Scratch and result of a cut; keep it and nothing is allocated once it has grown.
struct Clip {
  std::vector<ClipCorner> corners;
  std::vector<ClipCorner> next;
};

/// Cuts the closed polygon in clip.corners (three or more) by the sides of `frame`, counter-clockwise about `normal`. A corner less than
/// `tolerance` outside counts as inside.
void clip_polygon(std::span<const Vec3> frame, const Vec3& normal, double tolerance, Clip& clip);

/// Likewise a segment x + t(y − x): the part from t[0] to t[1] and the sides of the frame that cut it (-1: none). False if nothing is left.
struct SegmentClip {
  double begin = 0, end = 1;
  int begin_side = -1, end_side = -1;
};
bool clip_segment(std::span<const Vec3> frame, const Vec3& normal, double tolerance, const Vec3& x, const Vec3& y,
                  SegmentClip& clip);

/// True if x is above or below the polygon, or less than `tolerance` beside it.
bool is_over_polygon(std::span<const Vec3> frame, const Vec3& normal, double tolerance, const Vec3& x);

}  // namespace sinew
