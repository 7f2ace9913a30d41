// A pose that depends on N parameters q, with its first and second derivatives as body twists: X(q),
//   [S_i] = X⁻¹ ∂X/∂q_i,  ∂S_i/∂q_j                                                                    [Sueda, (2.29)]
// built as a product of fixed poses and exponentials of screws, X = … exp(ξ f(q)) …: the one recursion behind chains of joints [Sueda,
// (2.48), (2.52)], spline curves [Sueda, Alg. 3] and spline surfaces [Sueda, Alg. 4]. ∂S_i/∂q_j is not symmetric:
// ∂S_i/∂q_j − ∂S_j/∂q_i = ad(S_i) S_j.
#pragma once

#include <array>
#include <cstddef>

#include "sinew/spatial/se3.h"

namespace sinew {

template <int N>
struct PoseJet {
  Pose X;
  Mat<6, N> S = Mat<6, N>::Zero();
  std::array<Mat<6, N>, N> S_by = zeros();  // [j]: ∂S/∂q_j

  /// X ← X F
  void append(const Pose& F) {
    const Mat6 Ad = inverse_adjoint(F);
    X = X * F;
    S = Ad * S;
    for (Mat<6, N>& slope : S_by) slope = Ad * slope;
  }

  /// X ← X exp(ξ f), f a function of q with gradient f_i and second derivatives f_ij:
  ///   S_i ← ξ f_i + Ad S_i,  ∂S_ij ← ξ f_ij + Ad (∂S_ij + ad(S_i) ξ f_j),  Ad = Ad(exp(−ξ f))
  /// The last factor is f_j, not f as printed for curves; S_i in it is the one before.             [Sueda, Alg. 3, Alg. 4]
  void append(const Vec6& xi, double f, const Vec<N>& f_i, const Mat<N, N>& f_ij) {
    const Pose Q = exp_se3(f * xi);
    const Mat6 Ad = inverse_adjoint(Q);
    for (int i = 0; i < N; ++i) {
      const Vec6 turned = cross_motion(S.col(i), xi);
      for (int j = 0; j < N; ++j) {
        auto slope = S_by[static_cast<std::size_t>(j)].col(i);
        slope = (xi * f_ij(i, j) + Ad * (slope + turned * f_i[j])).eval();
      }
    }
    S = (xi * f_i.transpose() + Ad * S).eval();
    X = X * Q;
  }

  /// X ← X Y, Y a function of q_k … q_{k+n−1} alone, on which nothing before it depends:
  ///   S ← (Ad S  Y_S),  ∂S_ij ← Ad ∂S_ij + ad(Ad S_i) Y_S_j for j of Y,  Ad = Ad(Y⁻¹)                              [Sueda, (2.52)]
  template <int n>
  void append(const PoseJet<n>& Y, int k) {
    append(Y.X);
    for (int j = 0; j < n; ++j) {
      Mat<6, N>& slope = S_by[static_cast<std::size_t>(k + j)];
      for (int i = 0; i < k; ++i) slope.col(i) += cross_motion(S.col(i), Y.S.col(j));
      slope.template middleCols<n>(k) = Y.S_by[static_cast<std::size_t>(j)];
    }
    S.template middleCols<n>(k) = Y.S;
  }

  /// Ṡ = Σ_j ∂S/∂q_j q̇_j
  Mat<6, N> S_rate(const Vec<N>& q_rate) const {
    Mat<6, N> sum = Mat<6, N>::Zero();
    for (int j = 0; j < N; ++j) sum += q_rate[j] * S_by[static_cast<std::size_t>(j)];
    return sum;
  }

 private:
  static std::array<Mat<6, N>, N> zeros() {
    std::array<Mat<6, N>, N> all;
    all.fill(Mat<6, N>::Zero());
    return all;
  }
};

}  // namespace sinew
