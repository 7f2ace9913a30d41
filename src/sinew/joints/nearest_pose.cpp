#include "sinew/joints/nearest_pose.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <limits>

namespace sinew {
namespace {

/// E = X⁻¹ X_AB with the sign of q that has w ≥ 0, and what the head of nearest_pose.h makes of it.
struct PoseError {
  double w;
  Vec3 v, p;

  PoseError(const Pose& X, const Pose& X_AB) {
    const Pose E = X.inverse() * X_AB;
    const double sign = E.q.w() < 0 ? -1 : 1;
    w = sign * E.q.w();
    v = sign * E.q.vec();
    p = E.p;
  }
  double cost() const { return p.squaredNorm() / 2 + 2 * v.squaredNorm(); }
  Vec6 e() const { return stacked(2 * v, p); }
  Vec6 gradient() const { return stacked(2 * w * v, p); }  // (s̃, p̃)
  Mat6 L() const { return blocks(w * Mat3::Identity() - skew(v), Mat3::Zero(), Mat3::Zero(), Mat3::Identity()); }
  Mat6 M() const {
    return blocks(w * w * Mat3::Identity() - w * skew(v) - v * v.transpose(), Mat3::Zero(), Mat3::Zero(),
                  Mat3::Identity());
  }
  Mat6 B() const { return blocks(Mat3::Identity(), Mat3::Zero(), -skew(p), Mat3::Identity()); }
};

template <int N>
Mat<N, N> hessian(const PoseJet<N>& jet, const PoseError& error) {
  Mat<N, N> H = jet.S.transpose() * error.M() * error.B() * jet.S;
  const Vec6 gradient = error.gradient();
  for (int j = 0; j < N; ++j) H.col(j) -= jet.S_by[static_cast<std::size_t>(j)].transpose() * gradient;
  return H;
}

/// H⁻¹ Sᵀ(s̃, p̃) if that goes downhill, else (SᵀS)⁻¹ Sᵀ(s̃, p̃), which always does.
template <int N>
Vec<N> newton_step(const PoseJet<N>& jet, const PoseError& error) {
  const Vec<N> descent = jet.S.transpose() * error.gradient();
  const Eigen::LLT<Mat<N, N>> newton(hessian(jet, error));
  if (newton.info() == Eigen::Success) return newton.solve(descent);
  return Mat<N, N>(jet.S.transpose() * jet.S).llt().solve(descent);
}

/// The rows P and F of S.
template <int N>
struct RowChoice {
  std::array<int, N> pivots;
  std::array<int, 6 - N> others;

  /// Gaussian elimination by columns with the largest pivots. Weights that differ decide where a symmetry makes entries equal, so that
  /// rounding does not.
  explicit RowChoice(const Mat<6, N>& S) {
    constexpr std::array<double, 6> kWeight = {0.75, 0.79, 0.83, 0.87, 0.93, 1};
    Mat<6, N> A = S;
    std::array<bool, 6> is_pivot{};
    for (int c = 0; c < N; ++c) {
      int best = -1;
      const auto size = [&](int r) { return std::abs(A(r, c)) * kWeight[static_cast<std::size_t>(r)]; };
      for (int r = 0; r < 6; ++r) {
        if (!is_pivot[static_cast<std::size_t>(r)] && (best < 0 || size(r) > size(best))) best = r;
      }
      is_pivot[static_cast<std::size_t>(best)] = true;
      pivots[static_cast<std::size_t>(c)] = best;
      for (int k = c + 1; k < N; ++k) A.col(k) -= A.col(c) * (A(best, k) / A(best, c));
    }
    std::size_t next = 0;
    for (const int r : {3, 4, 5, 0, 1, 2}) {
      if (!is_pivot[static_cast<std::size_t>(r)]) others[next++] = r;
    }
  }

  /// S_P⁻¹
  Mat<N, N> inverse(const Mat<6, N>& S) const { return Mat<N, N>(S(pivots, Eigen::all)).inverse(); }
  /// Nᵀ A = A_F − S_F S_P⁻¹ A_P
  template <int Columns>
  Mat<6 - N, Columns> reduced(const Mat<6, N>& S, const Mat<6, Columns>& A) const {
    return A(others, Eigen::all) - S(others, Eigen::all) * (inverse(S) * A(pivots, Eigen::all));
  }
};

}  // namespace

double pose_distance(const Pose& X, const Pose& X_AB) { return PoseError(X, X_AB).cost(); }

template <int N>
Nearest<N> find_nearest(const PoseMap<N>& map, const Pose& X_AB, const Vec<N>& start, double max_step) {
  constexpr int kMaxIterations = 60, kMaxHalvings = 30;
  constexpr double kSmall =
      1e-3;  // below it Newton's method converges by itself, and rounding hides what a line search compares
  Vec<N> q = start;
  PoseJet<N> jet = map(q);
  PoseError error(jet.X, X_AB);
  double last_length = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    Vec<N> step = newton_step(jet, error);
    double length = step.norm();
    if (length > max_step) step *= max_step / length, length = max_step;
    const bool is_small = length < kSmall;
    const double rounding = 2 * std::numeric_limits<double>::epsilon() * (1 + q.norm());
    if (length <= rounding || (is_small && length >= last_length)) break;
    last_length = is_small ? length : std::numeric_limits<double>::infinity();
    for (int halving = 0;; ++halving) {
      jet = map(q + step);
      const PoseError there(jet.X, X_AB);
      if (is_small || halving == kMaxHalvings || there.cost() < error.cost()) {
        error = there;
        q += step;
        break;
      }
      step /= 2;
    }
  }
  return {q, error.cost()};
}

template <int N>
Vec<6 - N> nearest_residual(const PoseJet<N>& nearest, const Pose& X_AB) {
  return RowChoice<N>(nearest.S).template reduced<1>(nearest.S, PoseError(nearest.X, X_AB).e());
}

template <int N>
Mat<6 - N, 6> nearest_residual_jacobian(const PoseJet<N>& nearest, const Pose& X_AB) {
  const PoseError error(nearest.X, X_AB);
  const RowChoice<N> rows(nearest.S);
  const Vec6 e = error.e();
  const Vec<N> y = rows.inverse(nearest.S) * e(rows.pivots);
  Mat<6, N> by_q = error.L() * error.B() * nearest.S;
  for (int j = 0; j < N; ++j) by_q.col(j) += nearest.S_by[static_cast<std::size_t>(j)] * y;
  const Mat<N, 6> q_by_X = hessian(nearest, error).inverse() * nearest.S.transpose() * error.M();
  const Mat3 R_T = nearest.X.rotation().transpose();
  const Mat6 from_A = blocks(R_T, Mat3::Zero(), Mat3::Zero(), R_T);
  return rows.template reduced<6>(nearest.S, (error.L() - by_q * q_by_X) * from_A);
}

template <int N>
Mat<N, 6> left_inverse(const Mat<6, N>& S) {
  return Mat<N, N>(S.transpose() * S).llt().solve(Mat<N, 6>(S.transpose()));
}

template Nearest<1> find_nearest(const PoseMap<1>&, const Pose&, const Vec<1>&, double);
template Nearest<2> find_nearest(const PoseMap<2>&, const Pose&, const Vec<2>&, double);
template Nearest<3> find_nearest(const PoseMap<3>&, const Pose&, const Vec<3>&, double);
template Nearest<4> find_nearest(const PoseMap<4>&, const Pose&, const Vec<4>&, double);
template Nearest<5> find_nearest(const PoseMap<5>&, const Pose&, const Vec<5>&, double);
template Vec<5> nearest_residual(const PoseJet<1>&, const Pose&);
template Vec<4> nearest_residual(const PoseJet<2>&, const Pose&);
template Vec<3> nearest_residual(const PoseJet<3>&, const Pose&);
template Vec<2> nearest_residual(const PoseJet<4>&, const Pose&);
template Vec<1> nearest_residual(const PoseJet<5>&, const Pose&);
template Mat<5, 6> nearest_residual_jacobian(const PoseJet<1>&, const Pose&);
template Mat<4, 6> nearest_residual_jacobian(const PoseJet<2>&, const Pose&);
template Mat<3, 6> nearest_residual_jacobian(const PoseJet<3>&, const Pose&);
template Mat<2, 6> nearest_residual_jacobian(const PoseJet<4>&, const Pose&);
template Mat<1, 6> nearest_residual_jacobian(const PoseJet<5>&, const Pose&);
template Mat<1, 6> left_inverse(const Mat<6, 1>&);
template Mat<2, 6> left_inverse(const Mat<6, 2>&);
template Mat<3, 6> left_inverse(const Mat<6, 3>&);
template Mat<4, 6> left_inverse(const Mat<6, 4>&);
template Mat<5, 6> left_inverse(const Mat<6, 5>&);

}  // namespace sinew
