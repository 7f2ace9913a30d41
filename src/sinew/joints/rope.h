// Rope: the origins of A and B are never farther apart than `length`, and never nearer than `shortest`. It has no rows; its first coordinate
// is the distance d, which has these two stops. Taut it pulls, slack it does nothing.
//
// Coordinates: d, the frame r on the rope (rod_frame.h), p = d r z, and the orientation q_AB of B, both as quaternions (w, x, y, z).
// v = (d', ω of the rope's frame about its x and y, ω_B).  With Q = R_ABᵀ R_r, Q' = Q[ω_r] − [ω_B]Q:
//   S = | 0    0      1 |      Ṡ = | 0     0               0 |      D = | 0   zᵀQᵀ   |
//       | Q z  d Q K  0 |          | Q' z  d' Q K + d Q'K  0 |          | 0   KᵀQᵀ/d |
//                                                                      | 1   0      |
// Where the ends meet, d = 0, the direction is not known from p; D then gives it no rate.
#pragma once

#include "sinew/joints/joint.h"
#include "sinew/joints/rod_frame.h"
#include "sinew/joints/rotation_rows.h"

namespace sinew {

struct Rope {
  static constexpr std::string_view kName = "rope";
  static constexpr std::string_view kDoc =
      "rope without mass or stretch: two points are no farther apart than its length; slack it does nothing";
  static constexpr int kRows = 0, kTranslationRows = 0, kDof = 6, kCoordinates = 9, kScalars = 1;
  static constexpr auto kDistanceInfo = std::array<CoordinateInfo, 1>{{{"distance", "m"}}};
  static constexpr auto kCoordinateInfo =
      joined(joined(kDistanceInfo, RodFrame::kCoordinateInfo), FreeRotation::kCoordinateInfo);
  static constexpr auto kRateInfo =
      joined(joined(rates_of(kDistanceInfo), RodFrame::kRateInfo), FreeRotation::kRateInfo);

  Vec3 axis = Vec3::UnitZ();
  double length = 1;
  double shortest = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "",
                   "with `anchor`: direction in the world from the anchor, the rope's end on the parent, to its end on "
                   "the child, taut at t = 0")
              .unit_vector(),
          self.axis);
    visit(required("length", "m", "length of the rope: the largest distance of its ends").above(0), self.length);
    visit(optional("shortest", "m", "smallest distance of its ends; 0: any").at_least(0), self.shortest);
  }

  std::string find_error() const { return shortest < length ? "" : "expected `shortest` below `length`"; }
  /// Between which the first coordinate stays. Ends that may meet need no stop.
  double lower() const { return shortest > 0 ? shortest : -std::numeric_limits<double>::infinity(); }
  double upper() const { return length; }

  Quat alignment() const { return z_onto(axis); }

  static Vec<0> residual(const Pose&) { return {}; }
  static Mat<0, 6> residual_jacobian(const Pose&) { return {}; }

  static Pose pose(const Vec<9>& q) {
    return Pose{rod_of(q) * Vec3(0, 0, q[0]), FreeRotation::orientation(q.tail<4>())};
  }
  Vec<9> neutral() const { return composed(length, Quat::Identity(), FreeRotation::neutral()); }
  static Vec<9> coordinates(const Pose& X_AB, const Vec<9>& near) {
    return composed(X_AB.p.norm(), RodFrame::carried(rod_of(near), X_AB.p),
                    FreeRotation::coordinates(X_AB.q, near.tail<4>()));
  }

  static Mat<6, 6> motion_subspace(const Vec<9>& q) {
    const Mat3 Q = rod_in_B(q);
    Mat<6, 6> S = Mat<6, 6>::Zero();
    S.topRightCorner<3, 3>().setIdentity();
    S.bottomLeftCorner<3, 1>() = Q.col(2);
    S.block<3, 2>(3, 1) = q[0] * Q * RodFrame::across();
    return S;
  }
  static Mat<6, 6> motion_subspace_rate(const Vec<9>& q, const Vec<6>& v) {
    const Mat3 Q = rod_in_B(q);
    const Mat3 Q_rate = Q * skew(Vec3(v[1], v[2], 0)) - skew(v.tail<3>()) * Q;
    Mat<6, 6> S_rate = Mat<6, 6>::Zero();
    S_rate.bottomLeftCorner<3, 1>() = Q_rate.col(2);
    S_rate.block<3, 2>(3, 1) = (v[0] * Q + q[0] * Q_rate) * RodFrame::across();
    return S_rate;
  }
  static Mat<6, 6> rate_map(const Vec<9>& q) {
    const Mat3 Q = rod_in_B(q);
    Mat<6, 6> D = Mat<6, 6>::Zero();
    D.topRightCorner<1, 3>() = Q.col(2).transpose();
    if (q[0] > 0) D.block<2, 3>(1, 3) = (Q * RodFrame::across()).transpose() / q[0];
    D.bottomLeftCorner<3, 3>().setIdentity();
    return D;
  }
  static Vec<9> integrate(const Vec<9>& q, const Vec<6>& v) {
    return composed(q[0] + v[0], RodFrame::turned(rod_of(q), v.segment<2>(1)),
                    FreeRotation::integrate(q.tail<4>(), v.tail<3>()));
  }
  static Vec<6> difference(const Vec<9>& q1, const Vec<9>& q0) {
    Vec<6> v;
    v[0] = q1[0] - q0[0];
    v.segment<2>(1) = RodFrame::difference(rod_of(q1), rod_of(q0));
    v.tail<3>() = FreeRotation::difference(q1.tail<4>(), q0.tail<4>());
    return v;
  }

 private:
  static Quat rod_of(const Vec<9>& q) { return FreeRotation::orientation(q.segment<4>(1)); }
  static Vec<9> composed(double distance, const Quat& rod, const Vec<4>& orientation) {
    Vec<9> q;
    q << distance, FreeRotation::as_vector(rod), orientation;
    return q;
  }
  static Mat3 rod_in_B(const Vec<9>& q) {
    return (FreeRotation::orientation(q.tail<4>()).conjugate() * rod_of(q)).toRotationMatrix();
  }
};
static_assert(Joint<Rope>);

}  // namespace sinew
