// Joints made of one translational and one rotational part, the twelve joints of [Bruedigam2024, Table B.2]:
//   g = (D_Tᵀ p_AB, D_Rᵀ 2·vec q_AB)                                                                    [Bruedigam2024, (B.7a)]
//   q = (free components of p_AB, rotation),  v = (their rates in A, ω_B along the free axes E)
//   S = | 0        E |        Ṡ = | 0                   0 |        D = Sᵀ (the columns of S are orthonormal)
//       | Rᵀ C_T   0 |            | −[E v_R] Rᵀ C_T     0 |        R = R_AB
#pragma once

#include "sinew/joints/joint.h"
#include "sinew/joints/rotation_rows.h"
#include "sinew/joints/translation_rows.h"

namespace sinew {

template <class Translation, class Rotation>
struct ComposedJoint {
  using T = Translation;
  using R = Rotation;
  static constexpr int kRows = T::kRows + R::kRows, kTranslationRows = T::kRows;
  static constexpr int kDof = T::kDof + R::kDof, kCoordinates = T::kDof + R::kCoordinates;
  static constexpr int kScalars = T::kDof + R::kScalars;
  static constexpr auto kCoordinateInfo = joined(T::kInfo, R::kCoordinateInfo);
  static constexpr auto kRateInfo = joined(rates_of(T::kInfo), R::kRateInfo);
  using Coordinates = Vec<kCoordinates>;
  using Rates = Vec<kDof>;

  static Vec<kRows> residual(const Pose& X_AB) {
    Vec<kRows> g;
    g.template head<T::kRows>() = X_AB.p.segment<T::kRows>(T::kFirstRow);
    g.template tail<R::kRows>() = rotation_residual(X_AB.q).template head<R::kRows>();
    return g;
  }
  static Mat<kRows, 6> residual_jacobian(const Pose& X_AB) {
    Mat<kRows, 6> dg = Mat<kRows, 6>::Zero();
    dg.template block<T::kRows, T::kRows>(0, 3 + T::kFirstRow).setIdentity();
    dg.template block<R::kRows, 3>(T::kRows, 0) = rotation_residual_jacobian(X_AB.q).template topRows<R::kRows>();
    return dg;
  }

  static Pose pose(const Coordinates& q) {
    Pose X_AB{Vec3::Zero(), R::orientation(rotation_of(q))};
    X_AB.p.segment<T::kDof>(T::kFirstDof) = q.template head<T::kDof>();
    return X_AB;
  }
  static Coordinates neutral() { return composed(Vec<T::kDof>::Zero(), R::neutral()); }
  static Coordinates coordinates(const Pose& X_AB, const Coordinates& near) {
    return composed(X_AB.p.segment<T::kDof>(T::kFirstDof), R::coordinates(X_AB.q, rotation_of(near)));
  }

  static Mat<6, kDof> motion_subspace([[maybe_unused]] const Coordinates& q) {
    Mat<6, kDof> S = Mat<6, kDof>::Zero();
    if constexpr (R::kDof > 0) S.template topRightCorner<3, R::kDof>() = R::axes();
    if constexpr (T::kDof > 0) S.template bottomLeftCorner<3, T::kDof>() = free_directions(q);
    return S;
  }
  static Mat<6, kDof> motion_subspace_rate([[maybe_unused]] const Coordinates& q, [[maybe_unused]] const Rates& v) {
    Mat<6, kDof> S_rate = Mat<6, kDof>::Zero();
    if constexpr (R::kDof > 0 && T::kDof > 0) {
      const Vec3 omega_B = R::axes() * v.template tail<R::kDof>();
      S_rate.template bottomLeftCorner<3, T::kDof>() = -skew(omega_B) * free_directions(q);
    }
    return S_rate;
  }
  static Mat<kDof, 6> rate_map(const Coordinates& q) { return motion_subspace(q).transpose(); }

  static Coordinates integrate(const Coordinates& q, const Rates& v) {
    return composed(q.template head<T::kDof>() + v.template head<T::kDof>(),
                    R::integrate(rotation_of(q), v.template tail<R::kDof>()));
  }
  static Rates difference(const Coordinates& q1, const Coordinates& q0) {
    Rates v;
    v.template head<T::kDof>() = q1.template head<T::kDof>() - q0.template head<T::kDof>();
    v.template tail<R::kDof>() = R::difference(rotation_of(q1), rotation_of(q0));
    return v;
  }

 private:
  static Vec<R::kCoordinates> rotation_of(const Coordinates& q) { return q.template tail<R::kCoordinates>(); }
  static Coordinates composed(const Vec<T::kDof>& translation, const Vec<R::kCoordinates>& rotation) {
    Coordinates q;
    q.template head<T::kDof>() = translation;
    q.template tail<R::kCoordinates>() = rotation;
    return q;
  }
  /// Rᵀ C_T: the free directions of A, in B.
  static Mat<3, T::kDof> free_directions(const Coordinates& q) {
    return R::orientation(rotation_of(q)).toRotationMatrix().transpose().template middleCols<T::kDof>(T::kFirstDof);
  }
};

}  // namespace sinew
