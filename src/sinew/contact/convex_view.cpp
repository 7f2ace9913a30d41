#include "sinew/contact/convex_view.h"

#include <cmath>

namespace sinew {
namespace {

Vec3 on_rim(const Vec3& m, double radius) {
  const double rho = std::hypot(m.x(), m.y());
  return rho > 0 ? Vec3(radius / rho * m.x(), radius / rho * m.y(), 0) : Vec3(radius, 0, 0);
}

}  // namespace

SupportPoint ConvexView::support(const Vec3& direction) const {
  if (kind == Kind::Polytope) {
    int best = 0;
    double most = direction.dot(corners[0]);
    for (int i = 1; i < static_cast<int>(corners.size()); ++i) {
      const double reach = direction.dot(corners[i]);
      if (reach > most) most = reach, best = i;
    }
    return {corners[best], best};
  }
  const Vec3 m = X_WS.q.conjugate() * direction;
  Vec3 x;
  if (kind == Kind::Ellipsoid) {
    const Vec3 scaled = dimensions.cwiseProduct(m);
    const double norm = scaled.norm();
    x = norm > 0 ? Vec3(dimensions.cwiseProduct(scaled) / norm) : Vec3(dimensions.x(), 0, 0);
  } else if (kind == Kind::Cylinder) {
    x = on_rim(m, dimensions.x());
    x.z() = m.z() >= 0 ? dimensions.z() : -dimensions.z();
  } else {
    const double at_rim = dimensions.x() * std::hypot(m.x(), m.y()), at_apex = dimensions.z() * m.z();
    x = at_rim >= at_apex ? on_rim(m, dimensions.x()) : Vec3(0, 0, dimensions.z());
  }
  return {X_WS * x, -1};
}

int ConvexView::face_count() const {
  switch (kind) {
    case Kind::Polytope:
      return topology->face_count();
    case Kind::Cylinder:
      return 2;
    case Kind::Cone:
      return 1;
    case Kind::Ellipsoid:
      break;
  }
  return 0;
}

Vec3 ConvexView::face_normal(int f) const {
  if (kind == Kind::Polytope) return face_normals[f];
  return kind == Kind::Cylinder && f == 0 ? axis() : Vec3(-axis());
}

Vec3 ConvexView::face_point(int f) const {
  if (kind == Kind::Polytope) return corners[topology->face(f).front()];
  if (kind == Kind::Cone) return X_WS.p;
  return X_WS.p + (f == 0 ? dimensions.z() : -dimensions.z()) * axis();
}

Eigen::AlignedBox3d ConvexView::bounds() const {
  Vec3 low, high;
  for (int i = 0; i < 3; ++i) {
    high[i] = support(Vec3::Unit(i)).x[i] + radius;
    low[i] = support(-Vec3::Unit(i)).x[i] - radius;
  }
  return {low, high};
}

}  // namespace sinew
