#include "sinew/forces/spring.h"

#include "sinew/core/error.h"

namespace sinew {

void Spring::bind(const Model& model) {
  const auto from_com = [&](int body, const Vec3& point) {
    return body == kWorld ? point : Vec3(point - model.body(body).com());
  };
  child_ = model.find_body(body_a.name);
  parent_ = model.find_body(body_b.name);
  child_point_ = from_com(child_, point_a);
  parent_point_ = from_com(parent_, point_b);
  if (child_ == kWorld) {
    std::swap(child_, parent_);
    std::swap(child_point_, parent_point_);
  }
  if (child_ == parent_) throw Error(ErrorKind::Input, "body_b", "expected two different bodies, got the same twice");
}

// ∂l = u·(δx_a + δθ_a × r_a − δx_b − δθ_b × r_b),  u = (x_a − x_b)/l
CoordinateRow Spring::coordinate(int, const BodyPlace& parent, const BodyPlace& child, double) const {
  const Vec3 r_child = child.R_WB * child_point_, r_parent = parent.R_WB * parent_point_;
  const Vec3 d = child.x_W + r_child - parent.x_W - r_parent;
  const double length = d.norm();
  const Vec3 u = length > 0 ? Vec3(d / length) : Vec3::UnitZ();
  CoordinateRow row;
  row.value = length;
  row.child.leftCols<3>() = u.transpose();
  row.child.rightCols<3>() = child_point_.cross(child.R_WB.transpose() * u).transpose();
  row.parent.leftCols<3>() = -u.transpose();
  row.parent.rightCols<3>() = -parent_point_.cross(parent.R_WB.transpose() * u).transpose();
  return row;
}

}  // namespace sinew
