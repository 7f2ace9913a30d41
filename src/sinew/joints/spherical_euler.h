// Spherical joint in Euler angles about the axes i, j, k of `order`:  R = R_i(q₁) R_j(q₂) R_k(q₃),  v = q̇.  g = p
//   S = (s₁ s₂ s₃; 0),  s₃ = e_k, s₂ = R_kᵀ e_j, s₁ = R_kᵀ R_jᵀ e_i,   ṡ_i = Σ_{j>i} s_i × s_j q̇_j             [Sueda, (2.34), (2.35)]
//   D = (ŝ⁻¹ 0), ŝ = (s₁ s₂ s₃),  det ŝ = ±cos q₂ (three different axes) or ±sin q₂ (k = i)
// Where that is zero the angles lock. So there are two charts: `order`, and the order with the same i, j and the other third axis. With
// c = e_i · R e_k for either third axis, the determinants are √(1 − c²), and the two c² add up to at most 1: of the two charts one is always
// half a right angle away from its lock. The fourth coordinate tells the chart, 0 for `order`; it is constant along all motion, and
// `recharted` changes it when the determinant is below a half. As angles change their meaning there, none is a scalar coordinate.
#pragma once

#include "sinew/joints/joint.h"
#include "sinew/spatial/euler_angles.h"

namespace sinew {

struct SphericalEuler {
  static constexpr std::string_view kName = "spherical_euler";
  static constexpr std::string_view kDoc =
      "ball and socket whose coordinates are three Euler angles, in two charts that avoid gimbal lock";
  static constexpr int kRows = 3, kTranslationRows = 3, kDof = 3, kCoordinates = 4, kScalars = 0;
  static constexpr std::array<CoordinateInfo, 4> kCoordinateInfo = {
      {{"first_angle", "rad"}, {"second_angle", "rad"}, {"third_angle", "rad"}, {"chart", ""}}};
  static constexpr std::array<CoordinateInfo, 3> kRateInfo = {
      {{"first_angle", "rad/s"}, {"second_angle", "rad/s"}, {"third_angle", "rad/s"}}};

  EulerOrder order = EulerOrder::XYZ;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("order", "", "axes of the three angles, first to last, each as turned by the ones before"),
          self.order);
  }

  static Quat alignment() { return Quat::Identity(); }
  static Vec3 residual(const Pose& X_AB) { return X_AB.p; }
  static Mat<3, 6> residual_jacobian(const Pose&);

  Pose pose(const Vec<4>& q) const;
  /// No rotation, in the chart of the two where that is not locked.
  Vec<4> neutral() const;
  /// In the chart of `near`, and of the two triples of angles there the nearer.
  Vec<4> coordinates(const Pose& X_AB, const Vec<4>& near) const;
  Vec<4> recharted(const Vec<4>& q) const;

  Mat<6, 3> motion_subspace(const Vec<4>& q) const;
  Mat<6, 3> motion_subspace_rate(const Vec<4>& q, const Vec3& v) const;
  Mat<3, 6> rate_map(const Vec<4>& q) const;
  static Vec<4> integrate(const Vec<4>& q, const Vec3& v);
  Vec3 difference(const Vec<4>& q1, const Vec<4>& q0) const;

 private:
  EulerOrder chart_order(double chart) const;
  Mat3 axes_in_B(const Vec<4>& q) const;  // ŝ
};
static_assert(Joint<SphericalEuler> && Rechartable<SphericalEuler>);

}  // namespace sinew
