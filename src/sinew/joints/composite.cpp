#include "sinew/joints/composite.h"

#include <Eigen/QR>
#include <fmt/format.h>
#include <limits>

#include "sinew/joints/rotation_rows.h"

namespace sinew {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr int kSweeps = 3, kStarts = 64;
constexpr double kClosed = 1e-20, kNearlyClosed = 1e-6;  // m², rad²
constexpr int kMostDegrees = 5;

int count_degrees(const std::vector<AnyCompositeMember>& members) {
  int sum = 0;
  for (const AnyCompositeMember& member : members) sum += degrees_of(member);
  return sum;
}

/// What a coordinate of the chain does.
struct Kind {
  enum { Turn, Screw, Way, Parameter } what;
  double period = 0;  // after which it comes back to the same pose; 0: never
  int count = 0;      // of control frames, for a parameter
};
Kind kind_of(const Vec6& screw) {
  const Vec3 omega = screw.head<3>(), v = screw.tail<3>();
  if (omega.isZero(0)) return {Kind::Way};
  return v.isZero(0) ? Kind{Kind::Turn, kTurn} : Kind{Kind::Screw};
}
std::array<Kind, 1> kinds_of(const SplineCurve& curve) {
  return {Kind{Kind::Parameter, curve.periods()[0], static_cast<int>(curve.frames.size())}};
}
std::array<Kind, 2> kinds_of(const SplineSurface& surface) {
  return {Kind{Kind::Parameter, surface.periods()[0], static_cast<int>(surface.frames.size())},
          Kind{Kind::Parameter, surface.periods()[1], static_cast<int>(surface.frames.front().size())}};
}

template <int N>
std::array<Kind, N> kinds_of(const std::vector<AnyCompositeMember>& members) {
  std::array<Kind, N> kinds;
  std::size_t k = 0;
  for (const AnyCompositeMember& member : members) {
    std::visit(
        [&]<class M>(const M& m) {
          if constexpr (requires { m.screws(); }) {
            for (const Vec6& screw : m.screws()) kinds[k++] = kind_of(screw);
          } else {
            for (const Kind& kind : kinds_of(m)) kinds[k++] = kind;
          }
        },
        member);
  }
  return kinds;
}

/// Start number s, spread over all angles and parameters: q_k = 2π frac(s/φ^(k+1)) with φ^(N+1) = φ + 1; zero for s = 0   [Roberts2018]
template <int N>
Vec<N> start_point(int s, const std::array<Kind, N>& kinds) {
  double phi = 1.5;
  for (int i = 0; i < 40; ++i) phi = std::pow(1 + phi, 1.0 / (N + 1));
  Vec<N> q;
  for (int k = 0; k < N; ++k) {
    const double share = std::remainder(s / std::pow(phi, k + 1), 1.0);
    const Kind& kind = kinds[static_cast<std::size_t>(k)];
    q[k] = kind.what == Kind::Parameter ? kind.count * (share < 0 ? share + 1 : share) : kTurn * share;
  }
  return q;
}

template <int N>
Pose chain_pose(const std::vector<AnyCompositeMember>& members, const Vec<N>& q) {
  Pose X;
  int k = 0;
  for (const AnyCompositeMember& member : members) {
    std::visit(
        [&]<class M>(const M& m) {
          X = X * m.base_frame();
          if constexpr (requires { m.screws(); }) {
            for (const Vec6& screw : m.screws()) X = X * exp_se3(q[k++] * screw);
          } else if constexpr (M::kDof <= N) {
            X = X * m.pose(q.template segment<M::kDof>(k));
            k += M::kDof;
          }
        },
        member);
  }
  return X;
}

/// The coordinate number k that brings X(q) nearest to X_AB, the others being as in q. Along a screw x the distance is
/// A + D x + E x² + b cos x + c sin x: whole turns from 0 give D and E, thirds of a turn b and c. Of a parameter, the best control frame.
template <int N>
double best_coordinate(const std::vector<AnyCompositeMember>& members, const Kind& kind, int k, Vec<N> q,
                       const Pose& X_AB) {
  const auto at = [&](double x) {
    q[k] = x;
    return pose_distance(chain_pose<N>(members, q), X_AB);
  };
  const double before = q[k], zero = at(0);
  if (kind.what == Kind::Parameter) {
    double best = 0, least = zero;
    for (int i = 1; i < kind.count; ++i) {
      const double distance = at(i);
      if (distance < least) least = distance, best = i;
    }
    return best;
  }
  const double after_turn = at(kTurn), before_turn = at(-kTurn);
  const double D = (after_turn - before_turn) / (2 * kTurn),
               E = (after_turn + before_turn - 2 * zero) / (2 * kTurn * kTurn);
  if (kind.what == Kind::Way) return -D / (2 * E);
  const double x = kTurn / 3, plus = at(x) - D * x - E * x * x, minus = at(-x) + D * x - E * x * x;
  const double b = (2 * zero - plus - minus) / 3, c = (plus - minus) / std::sqrt(3.0);
  if (std::hypot(b, c) < 1e-12) return before;
  const double angle = std::atan2(-c, -b);
  return kind.what == Kind::Screw && E > 0 ? nearest_turn(angle, -D / (2 * E)) : angle;
}

template <class M>
M about(const Vec3& axis, const Vec3& position = Vec3::Zero()) {
  M member;
  member.axis = axis;
  member.position = position;
  return member;
}

}  // namespace

template <int N>
std::vector<AnyCompositeMember> Composite<N>::example_members() {
  const auto turn = about<RevoluteMember>(Vec3::UnitZ()), wrist = about<RevoluteMember>(Vec3::UnitY(), Vec3(0.2, 0, 0));
  const auto lift = about<PrismaticMember>(Vec3::UnitZ()), reach = about<PrismaticMember>(Vec3::UnitX());
  if constexpr (N == 1) return {FixedMember(), wrist};
  if constexpr (N == 2) return {turn, reach};
  if constexpr (N == 3) return {turn, lift, reach};
  if constexpr (N == 4) return {turn, lift, reach, wrist};
  if constexpr (N == 5) return {TranslationMember(), about<UniversalMember>(Vec3::UnitZ(), Vec3(0.2, 0, 0))};
}

template <int N>
std::string Composite<N>::find_error() const {
  std::string list;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string error = std::visit(
        [&]<class M>(const M& m) -> std::string {
          list += fmt::format("{}{} {}", list.empty() ? "" : ", ", M::kName, M::kDof);
          if constexpr (CheckedJoint<M>) {
            return m.find_error();
          } else {
            return {};
          }
        },
        joints[i]);
    if (!error.empty()) return fmt::format("member {} of the chain, counted from 0: {}", i, error);
  }
  const int degrees = count_degrees(joints);
  if (degrees != N) {
    const std::string remedy =
        degrees == 0 ? "take type: fixed for a chain that does not move"
        : degrees > kMostDegrees
            ? "take type: floating for a body that moves freely, or leave members out"
            : fmt::format("take type: composite_{}, or type: composite, which counts them", degrees);
    const bool has_size = degrees > 0 && degrees <= kMostDegrees;
    return fmt::format("expected members with {} in all, got {} ({}): {}",
                       has_size ? fmt::format("{} degree{} of freedom", N, N == 1 ? "" : "s")
                                : fmt::format("1 to {} degrees of freedom", kMostDegrees),
                       degrees, list.empty() ? "no members" : list, remedy);
  }
  constexpr int kTries = 8;
  for (int s = 1; s <= kTries; ++s) {
    Eigen::ColPivHouseholderQR<Mat<6, N>> qr(jet(start_point<N>(s, kinds_of<N>(joints))).S);
    qr.setThreshold(1e-9);
    if (qr.rank() == N) return {};
  }
  return fmt::format(
      "expected members that each add a motion, got {} degrees of freedom ({}) of which some do what others do: leave "
      "them out",
      N, list);
}

template <int N>
std::variant<Composite<1>, Composite<2>, Composite<3>, Composite<4>, Composite<5>> Composite<N>::fitting() const {
  const auto sized = [&]<int M>() {
    Composite<M> chain;
    chain.joints = joints;
    return chain;
  };
  switch (count_degrees(joints)) {
    case 1:
      return sized.template operator()<1>();
    case 2:
      return sized.template operator()<2>();
    case 3:
      return sized.template operator()<3>();
    case 4:
      return sized.template operator()<4>();
    case 5:
      return sized.template operator()<5>();
    default:
      return *this;
  }
}

template <int N>
Vec<N> Composite<N>::neutral() const {
  Vec<N> q = Vec<N>::Zero();
  int k = 0;
  for (const AnyCompositeMember& member : joints) {
    std::visit(
        [&]<class M>(const M& m) {
          if constexpr (!requires { m.screws(); } && M::kDof <= N) q.template segment<M::kDof>(k) = m.neutral();
          k += M::kDof;
        },
        member);
  }
  return q;
}

template <int N>
Vec<N> Composite<N>::periods() const {
  Vec<N> periods;
  const std::array<Kind, N> kinds = kinds_of<N>(joints);
  for (int k = 0; k < N; ++k) periods[k] = kinds[static_cast<std::size_t>(k)].period;
  return periods;
}

template <int N>
PoseJet<N> Composite<N>::jet(const Vec<N>& q) const {
  PoseJet<N> jet;
  int k = 0;
  for (const AnyCompositeMember& member : joints) {
    std::visit(
        [&]<class M>(const M& m) {
          jet.append(m.base_frame());
          if constexpr (requires { m.screws(); }) {
            for (const Vec6& screw : m.screws()) {
              jet.append(screw, q[k], Vec<N>::Unit(k), Mat<N, N>::Zero());
              ++k;
            }
          } else if constexpr (M::kDof <= N) {
            jet.append(m.jet(q.template segment<M::kDof>(k)), k);
            k += M::kDof;
          }
        },
        member);
  }
  return jet;
}

template <int N>
Vec<N> Composite<N>::nearest(const Pose& X_AB) const {
  // Poses with five degrees of freedom are a surface that may pass through itself: what is nearly closed may be so on the other sheet.
  constexpr int kMore = N == 5 ? 16 : 0;
  const std::array<Kind, N> kinds = kinds_of<N>(joints);
  Nearest<N> best{Vec<N>::Zero(), std::numeric_limits<double>::infinity()};
  for (int s = 0, more = kMore; s < kStarts && more >= 0 && best.cost > kClosed; ++s) {
    Vec<N> q = start_point<N>(s, kinds);
    for (int sweep = 0; sweep < (s % 2 == 0 ? kSweeps : 0); ++sweep) {
      for (int k = 0; k < N; ++k) q[k] = best_coordinate<N>(joints, kinds[static_cast<std::size_t>(k)], k, q, X_AB);
    }
    const Nearest<N> found = find_nearest<N>(PoseMap<N>(*this), X_AB, q, kMaxStep);
    if (found.cost < best.cost) best = found;
    if (best.cost <= kNearlyClosed) --more;
  }
  return best.q;
}

template struct Composite<1>;
template struct Composite<2>;
template struct Composite<3>;
template struct Composite<4>;
template struct Composite<5>;

}  // namespace sinew
