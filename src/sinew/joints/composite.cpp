#include "sinew/joints/composite.h"

#include <limits>

#include "sinew/joints/rotation_rows.h"

namespace sinew {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr int kSweeps = 3, kStarts = 64;
constexpr double kNearlyClosed = 1e-6;  // m², rad²: no other start could do better

Pose frame_of(const AnyCompositeMember& member) {
  return std::visit([](const auto& m) { return m.frame(); }, member);
}
Vec6 screw_of(const AnyCompositeMember& member) {
  return std::visit([](const auto& m) { return m.screw(); }, member);
}
bool turns(const AnyCompositeMember& member) { return !std::holds_alternative<PrismaticMember>(member); }

/// Start number s, spread over all angles: q_k = 2π frac(s/φ^(k+1)) with φ^(N+1) = φ + 1; zero for s = 0   [Roberts2018]
template <int N>
Vec<N> start_point(int s) {
  double phi = 1.5;
  for (int i = 0; i < 40; ++i) phi = std::pow(1 + phi, 1.0 / (N + 1));
  Vec<N> q;
  for (int k = 0; k < N; ++k) q[k] = kTurn * std::remainder(s / std::pow(phi, k + 1), 1.0);
  return q;
}

}  // namespace

template <int N>
std::array<AnyCompositeMember, N> Composite<N>::example_members() {
  RevoluteMember turn, wrist;
  PrismaticMember lift, reach;
  reach.axis = Vec3::UnitX();
  wrist.axis = Vec3::UnitY();
  wrist.position = Vec3(0.2, 0, 0);
  if constexpr (N == 2) return {turn, reach};
  if constexpr (N == 3) return {turn, lift, reach};
  if constexpr (N == 4) return {turn, lift, reach, wrist};
}

template <int N>
Vec<N> Composite<N>::periods() const {
  Vec<N> periods;
  for (int k = 0; k < N; ++k)
    periods[k] = std::holds_alternative<RevoluteMember>(joints[static_cast<std::size_t>(k)]) ? kTurn : 0;
  return periods;
}

template <int N>
PoseJet<N> Composite<N>::jet(const Vec<N>& q) const {
  PoseJet<N> jet;
  for (int k = 0; k < N; ++k) {
    const AnyCompositeMember& member = joints[static_cast<std::size_t>(k)];
    jet.append(frame_of(member));
    jet.append(screw_of(member), q[k], Vec<N>::Unit(k), Mat<N, N>::Zero());
  }
  return jet;
}

template <int N>
double Composite<N>::distance(const Vec<N>& q, const Pose& X_AB) const {
  Pose X;
  for (int k = 0; k < N; ++k) {
    const AnyCompositeMember& member = joints[static_cast<std::size_t>(k)];
    X = X * frame_of(member) * exp_se3(q[k] * screw_of(member));
  }
  return pose_distance(X, X_AB);
}

// Along one coordinate x the distance is A + D x + E x² + b cos x + c sin x: whole turns from 0 give D and E, thirds of a turn b and c.
template <int N>
double Composite<N>::best_coordinate(int k, Vec<N> q, const Pose& X_AB) const {
  const auto at = [&](double x) {
    q[k] = x;
    return distance(q, X_AB);
  };
  const double before = q[k], zero = at(0), after_turn = at(kTurn), before_turn = at(-kTurn);
  const double D = (after_turn - before_turn) / (2 * kTurn),
               E = (after_turn + before_turn - 2 * zero) / (2 * kTurn * kTurn);
  const AnyCompositeMember& member = joints[static_cast<std::size_t>(k)];
  if (!turns(member)) return -D / (2 * E);
  const double x = kTurn / 3, plus = at(x) - D * x - E * x * x, minus = at(-x) + D * x - E * x * x;
  const double b = (2 * zero - plus - minus) / 3, c = (plus - minus) / std::sqrt(3.0);
  if (std::hypot(b, c) < 1e-12) return before;
  const double angle = std::atan2(-c, -b);
  return std::holds_alternative<HelicalMember>(member) && E > 0 ? nearest_turn(angle, -D / (2 * E)) : angle;
}

template <int N>
Vec<N> Composite<N>::nearest(const Pose& X_AB) const {
  Nearest<N> best{Vec<N>::Zero(), std::numeric_limits<double>::infinity()};
  for (int s = 0; s < kStarts && best.cost > kNearlyClosed; ++s) {
    Vec<N> q = start_point<N>(s);
    for (int sweep = 0; sweep < (s % 2 == 0 ? kSweeps : 0); ++sweep) {
      for (int k = 0; k < N; ++k) q[k] = best_coordinate(k, q, X_AB);
    }
    const Nearest<N> found = find_nearest<N>(PoseMap<N>(*this), X_AB, q, kMaxStep);
    if (found.cost < best.cost) best = found;
  }
  return best.q;
}

template struct Composite<2>;
template struct Composite<3>;
template struct Composite<4>;

}  // namespace sinew
