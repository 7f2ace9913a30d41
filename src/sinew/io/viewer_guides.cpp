#include "sinew/io/viewer_guides.h"

#include <cmath>

namespace sinew {
namespace {

constexpr int kCurvePerSpan = 8, kSurfacePerSpan = 4;  // points from one control frame to the next

// Along one direction of control frames. Closed: once round. Open: from stop to stop, where there is none from or to the last frame.
std::vector<double> make_parameters(std::size_t frames, bool is_closed, const JointStop& stop, int per_span) {
  const auto n = static_cast<double>(frames);
  const double first = !is_closed && std::isfinite(stop.lower) ? stop.lower : 0;
  const double last = is_closed ? n : std::isfinite(stop.upper) ? stop.upper : n - 1;
  const int count = std::max(1, static_cast<int>(std::ceil((last - first) * per_span)));
  std::vector<double> parameters;
  for (int i = 0; i <= count; ++i) parameters.push_back(first + (last - first) * i / count);
  return parameters;
}

JointStop stop_of(const ModelJoint& joint, std::size_t dof) {
  return joint.stops.empty() ? JointStop{} : joint.stops[dof];
}

JointGuide make_guide(const SplineCurve& curve, const ModelJoint& joint) {
  JointGuide guide;
  for (const double q : make_parameters(curve.frames.size(), curve.closed, stop_of(joint, 0), kCurvePerSpan))
    guide.points.push_back(curve.pose(Vec<1>(q)).p);
  guide.columns = static_cast<int>(guide.points.size());
  return guide;
}

JointGuide make_guide(const SplineSurface& surface, const ModelJoint& joint) {
  const std::vector<double> first =
      make_parameters(surface.frames.size(), surface.first_closed, stop_of(joint, 0), kSurfacePerSpan);
  const std::vector<double> second =
      make_parameters(surface.frames.front().size(), surface.second_closed, stop_of(joint, 1), kSurfacePerSpan);
  JointGuide guide{static_cast<int>(first.size()), static_cast<int>(second.size()), {}};
  for (const double q1 : first) {
    for (const double q2 : second) guide.points.push_back(surface.pose(Vec<2>(q1, q2)).p);
  }
  return guide;
}

}  // namespace

std::optional<JointGuide> make_joint_guide(const ModelJoint& joint) {
  if (const auto* curve = std::get_if<SplineCurve>(&joint.type)) return make_guide(*curve, joint);
  if (const auto* surface = std::get_if<SplineSurface>(&joint.type)) return make_guide(*surface, joint);
  return std::nullopt;
}

}  // namespace sinew
