#include "sinew/contact/surface_distance.h"

#include <cassert>
#include <cmath>

namespace sinew {
namespace {

// The support of a feature without its thickness: h(n) = c·n + √(nᵀ M n), s(n) = c + M n/√(nᵀ M n); M = 0 for points and lines.
struct Support {
  Vec3 centre;
  Mat3 M;
  bool is_surface;

  Support(const Feature& f, const Pose& X)
      : centre(X * f.p), M(Mat3::Zero()), is_surface(f.kind == FeatureKind::Surface) {
    if (!is_surface) return;
    const Mat3 R = (X.q * f.q_CS).toRotationMatrix();
    M = R * f.radii.cwiseAbs2().asDiagonal() * R.transpose();
  }
  Vec3 point(const Vec3& n) const {
    if (!is_surface) return centre;
    const Vec3 Mn = M * n;
    return centre + Mn / std::sqrt(n.dot(Mn));
  }
  // tᵀ ∇²h(n) u = (tᵀMu − (tᵀMn)(uᵀMn)/(nᵀMn))/√(nᵀMn)
  double curvature(const Vec3& n, const Vec3& t, const Vec3& u) const {
    if (!is_surface) return 0;
    const Vec3 Mn = M * n;
    const double nMn = n.dot(Mn);
    return (t.dot(M * u) - t.dot(Mn) * u.dot(Mn) / nMn) / std::sqrt(nMn);
  }
};

// One step of Newton's method along the tangents t, u (u zero: along t only); a step uphill where the matrix is not definite.
Vec3 newton_step(const Support& a, const Support& b, const Vec3& n, const Vec3& w, const Vec3& t, const Vec3& u) {
  const double g = n.dot(w), wt = w.dot(t), wu = w.dot(u);
  const double tt = a.curvature(-n, t, t) + b.curvature(n, t, t) + g;
  if (u.isZero(0)) return (tt > 0 ? wt / tt : wt / (1e-3 + std::abs(g))) * t;
  const double uu = a.curvature(-n, u, u) + b.curvature(n, u, u) + g;
  const double tu = a.curvature(-n, t, u) + b.curvature(n, t, u);
  const double determinant = tt * uu - tu * tu;
  if (tt > 0 && determinant > 1e-12 * tt * uu)
    return ((uu * wt - tu * wu) / determinant) * t + ((tt * wu - tu * wt) / determinant) * u;
  return (wt * t + wu * u) / (std::abs(tt) + std::abs(uu) + 2 * std::abs(tu));
}

}  // namespace

SurfaceDistance surface_distance(const Feature& a, const Pose& X_a, const Feature& b, const Pose& X_b) {
  const bool a_is_line = a.kind == FeatureKind::Line;
  const Support support_a(a, X_a), support_b(b, X_b);
  const double radius_a = support_a.is_surface ? 0 : a.radius;
  if (b.kind == FeatureKind::Plane) {
    assert(support_a.is_surface);
    const Vec3 n = X_b.rotate(b.axis), x = support_a.point(-n);
    const double gap = n.dot(x - support_b.centre);
    return {gap, n, x, x - gap * n};
  }
  assert(support_b.is_surface);
  const Vec3 line = a_is_line ? X_a.rotate(a.axis) : Vec3::Zero();
  const auto separation = [&](const Vec3& n) { return Vec3(support_a.point(-n) - support_b.point(n)); };

  Vec3 n = X_b.rotate(b.axis);
  if (support_a.is_surface) n -= X_a.rotate(a.axis);
  n -= line.dot(n) * line;
  n.normalize();
  Vec3 w = separation(n);
  constexpr int kIterations = 40;
  for (int i = 0; i < kIterations; ++i) {
    const Vec3 t = a_is_line ? Vec3(line.cross(n)) : n.unitOrthogonal();
    const Vec3 u = a_is_line ? Vec3::Zero() : Vec3(n.cross(t));
    Vec3 step = newton_step(support_a, support_b, n, w, t, u);
    constexpr double kLongest = 0.5;  // rad: beyond it the quadratic model of g means nothing
    if (const double length = step.norm(); length > kLongest) step *= kLongest / length;
    const double g = n.dot(w), slope = step.dot(w);
    for (int halving = 0; halving < 30; ++halving) {
      const Vec3 trial = (n + step).normalized();
      const Vec3 w_trial = separation(trial);
      if (trial.dot(w_trial) >= g - 1e-15 * (std::abs(g) + w.norm()) || slope <= 0) {
        n = trial;
        w = w_trial;
        break;
      }
      step *= 0.5;
    }
    if (step.norm() < 1e-14) break;
  }
  Vec3 x = support_a.point(-n);
  const Vec3 y = support_b.point(n);
  if (a_is_line) x += line.dot(y - x) * line;
  return {n.dot(x - y) - radius_a, n, x - radius_a * n, y};
}

}  // namespace sinew
