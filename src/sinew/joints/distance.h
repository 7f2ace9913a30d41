// Distance joint: a massless rod with ball ends at the origins of A and B holds them `length` apart.  g = (p·p − L²)/(2L)
// is to first order |p| − L, polynomial, and its multiplier is the force in the rod (N, positive when it pushes).
//
// Coordinates: the frame r on the rod (rod_frame.h), p = L r z, and the orientation q_AB of B, both as quaternions (w, x, y, z).
// v = (ω of the rod's frame about its x and y, ω_B).
//   p' in A = L R_r K (v₁, v₂);   with Q = R_ABᵀ R_r:
//   S = | 0      1 |      Ṡ = | 0                      0 |      D = | 0   KᵀQᵀ/L |
//       | L Q K  0 |          | L (Q[ω_r] − [ω_B]Q) K  0 |          | 1   0      |
#pragma once

#include "sinew/joints/joint.h"
#include "sinew/joints/rod_frame.h"
#include "sinew/joints/rotation_rows.h"

namespace sinew {

struct Distance {
  static constexpr std::string_view kName = "distance";
  static constexpr std::string_view kDoc = "massless rod with ball ends: two points keep their distance";
  static constexpr int kRows = 1, kTranslationRows = 1, kDof = 5, kCoordinates = 8, kScalars = 0;
  static constexpr auto kCoordinateInfo = joined(RodFrame::kCoordinateInfo, FreeRotation::kCoordinateInfo);
  static constexpr auto kRateInfo = joined(RodFrame::kRateInfo, FreeRotation::kRateInfo);

  Vec3 axis = Vec3::UnitZ();
  double length = 1;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "",
                   "with `anchor`: direction in the world from the anchor, the rod's end on the parent, to its end on "
                   "the child")
              .unit_vector(),
          self.axis);
    visit(required("length", "m", "length of the rod").above(0), self.length);
  }

  Quat alignment() const { return z_onto(axis); }

  Vec<1> residual(const Pose& X_AB) const { return Vec<1>((X_AB.p.squaredNorm() - length * length) / (2 * length)); }
  Mat<1, 6> residual_jacobian(const Pose& X_AB) const {
    Mat<1, 6> dg = Mat<1, 6>::Zero();
    dg.rightCols<3>() = X_AB.p.transpose() / length;
    return dg;
  }

  Pose pose(const Vec<8>& q) const {
    return Pose{rod_of(q) * Vec3(0, 0, length), FreeRotation::orientation(q.tail<4>())};
  }
  static Vec<8> neutral() { return composed(Quat::Identity(), FreeRotation::neutral()); }
  static Vec<8> coordinates(const Pose& X_AB, const Vec<8>& near) {
    return composed(RodFrame::carried(rod_of(near), X_AB.p), FreeRotation::coordinates(X_AB.q, near.tail<4>()));
  }

  Mat<6, 5> motion_subspace(const Vec<8>& q) const {
    Mat<6, 5> S = Mat<6, 5>::Zero();
    S.topRightCorner<3, 3>().setIdentity();
    S.bottomLeftCorner<3, 2>() = length * rod_in_B(q) * RodFrame::across();
    return S;
  }
  Mat<6, 5> motion_subspace_rate(const Vec<8>& q, const Vec<5>& v) const {
    const Mat3 Q = rod_in_B(q);
    Mat<6, 5> S_rate = Mat<6, 5>::Zero();
    S_rate.bottomLeftCorner<3, 2>() =
        length * (Q * skew(Vec3(v[0], v[1], 0)) - skew(v.tail<3>()) * Q) * RodFrame::across();
    return S_rate;
  }
  Mat<5, 6> rate_map(const Vec<8>& q) const {
    Mat<5, 6> D = Mat<5, 6>::Zero();
    D.topRightCorner<2, 3>() = (rod_in_B(q) * RodFrame::across()).transpose() / length;
    D.bottomLeftCorner<3, 3>().setIdentity();
    return D;
  }
  static Vec<8> integrate(const Vec<8>& q, const Vec<5>& v) {
    return composed(RodFrame::turned(rod_of(q), v.head<2>()), FreeRotation::integrate(q.tail<4>(), v.tail<3>()));
  }
  static Vec<5> difference(const Vec<8>& q1, const Vec<8>& q0) {
    Vec<5> v;
    v.head<2>() = RodFrame::difference(rod_of(q1), rod_of(q0));
    v.tail<3>() = FreeRotation::difference(q1.tail<4>(), q0.tail<4>());
    return v;
  }

 private:
  static Quat rod_of(const Vec<8>& q) { return FreeRotation::orientation(q.head<4>()); }
  static Vec<8> composed(const Quat& rod, const Vec<4>& orientation) {
    Vec<8> q;
    q << FreeRotation::as_vector(rod), orientation;
    return q;
  }
  static Mat3 rod_in_B(const Vec<8>& q) {
    return (FreeRotation::orientation(q.tail<4>()).conjugate() * rod_of(q)).toRotationMatrix();
  }
};
static_assert(Joint<Distance>);

}  // namespace sinew
