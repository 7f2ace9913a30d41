#include "sinew/forces/path.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

/// From one point to another; a segment without length points up.
struct Segment {
  Vec3 direction = Vec3::UnitZ();
  double length;

  explicit Segment(const Vec3& from_to) : length(from_to.norm()) {
    if (length > 0) direction = from_to / length;
  }
};

}  // namespace

void Path::bind(const Model& model, std::span<const PathPoint> points) {
  bodies_.clear();
  nodes_.clear();
  bool touches_world = false;
  for (const PathPoint& point : points) {
    const int body = model.find_body(point.body.name);
    if (body == kWorld) {
      touches_world = true;
      nodes_.push_back({kWorld, point.point});
      continue;
    }
    auto known = std::find(bodies_.begin(), bodies_.end(), body);
    if (known == bodies_.end()) known = bodies_.insert(bodies_.end(), body);
    nodes_.push_back({static_cast<int>(known - bodies_.begin()), point.point - model.body(body).com()});
  }
  if (bodies_.size() + (touches_world ? 1 : 0) < 2)
    throw Error(ErrorKind::Input, "points",
                "expected points on two different bodies, or on a body and the world, got fewer");
}

Vec3 Path::position(const Node& node, std::span<const BodyPlace> places) {
  if (node.body == kWorld) return node.p;
  const BodyPlace& place = places[static_cast<std::size_t>(node.body)];
  return place.x_W + place.R_WB * node.p;
}

double Path::length(std::span<const BodyPlace> places, std::span<CoordinateForce::Row> gradient) const {
  std::fill(gradient.begin(), gradient.end(), CoordinateForce::Row::Zero());
  const auto add = [&](const Node& node, const Vec3& s) {
    if (node.body == kWorld) return;
    const auto a = static_cast<std::size_t>(node.body);
    gradient[a].head<3>() += s.transpose();
    gradient[a].tail<3>() += node.p.cross(places[a].R_WB.transpose() * s).transpose();
  };
  double sum = 0;
  Vec3 from = position(nodes_.front(), places);
  for (std::size_t k = 1; k < nodes_.size(); ++k) {
    const Vec3 to = position(nodes_[k], places);
    const Segment segment(to - from);
    sum += segment.length;
    add(nodes_[k - 1], -segment.direction);
    add(nodes_[k], segment.direction);
    from = to;
  }
  return sum;
}

void Path::compute_curvature(std::span<const BodyPlace> places, std::span<Mat6> out) const {
  std::fill(out.begin(), out.end(), Mat6::Zero());
  const std::size_t n = bodies_.size();
  const auto index = [](const Node& node) { return static_cast<std::size_t>(node.body); };
  const auto motion = [&](const Node& node) {  // J
    Mat<3, 6> J;
    J.leftCols<3>().setIdentity();
    J.rightCols<3>() = -places[index(node)].R_WB * skew(node.p);
    return J;
  };
  for (std::size_t k = 1; k < nodes_.size(); ++k) {
    const Node &a = nodes_[k - 1], &b = nodes_[k];
    const Segment segment(position(b, places) - position(a, places));
    if (segment.length == 0) continue;
    const Vec3& u = segment.direction;
    const Mat3 P = (Mat3::Identity() - u * u.transpose()) / segment.length;
    const auto add = [&](const Node& node, const Node& other, const Vec3& s) {
      if (node.body == kWorld) return;
      const Mat<3, 6> J = motion(node);
      Mat6& own = out[index(node) * n + index(node)];
      own += J.transpose() * P * J;
      own.bottomRightCorner<3, 3>() += skew(node.p) * skew(places[index(node)].R_WB.transpose() * s);
      if (other.body != kWorld) out[index(node) * n + index(other)] -= J.transpose() * P * motion(other);
    };
    add(a, b, -u);
    add(b, a, u);
  }
}

}  // namespace sinew
