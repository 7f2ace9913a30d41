// Composite joint: a chain of N screws between two bodies with nothing of mass between them.
//   X = F₁ exp(ξ₁ q₁) … F_N exp(ξ_N q_N),  S = (Ad S₁ … Ad S_{N−1}  ξ_N)                                    [Sueda, (2.48)]
//   Ṡ_i = Σ_{j>i} ad(S_i) S_j q̇_j, which is (2.52) with its two blocks apart and +Ṡ₂, followed along the chain  [Sueda, (2.52)]
// Joints with more degrees of freedom are written as their screws. Where the columns of S depend on each other (the first and the last of three
// hinges in line) the chain is singular and so is the joint: keep away by stops, or take a joint made for it, such as `spherical`.
#pragma once

#include <string>

#include "sinew/joints/composite_member.h"
#include "sinew/joints/parametric_joint.h"

namespace sinew {

template <int N>
struct Composite : ParametricJoint<Composite<N>, N> {
  static_assert(N >= 2 && N <= 4);
  static constexpr std::array<std::string_view, 3> kNames = {"composite_2", "composite_3", "composite_4"};
  static constexpr std::array<std::string_view, 3> kDocs = {"chain of 2 hinges, sliders or screws as one joint",
                                                            "chain of 3 hinges, sliders or screws as one joint",
                                                            "chain of 4 hinges, sliders or screws as one joint"};
  static constexpr std::string_view kName = kNames[N - 2];
  static constexpr std::string_view kDoc = kDocs[N - 2];
  static constexpr std::array<CoordinateInfo, N> kCoordinateInfo = [] {
    constexpr std::array<std::string_view, 4> kOrdinals = {"first", "second", "third", "fourth"};
    std::array<CoordinateInfo, N> info;
    for (std::size_t i = 0; i < N; ++i) info[i] = {kOrdinals[i], "rad or m"};
    return info;
  }();
  static constexpr auto kRateInfo = rates_of(kCoordinateInfo);
  static constexpr double kMaxStep = 1;

  std::array<AnyCompositeMember, N> joints = example_members();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("joints", "", "members of the chain, from the parent to the child"), self.joints);
  }

  static Vec<N> neutral() { return Vec<N>::Zero(); }
  Vec<N> periods() const;

  PoseJet<N> jet(const Vec<N>& q) const;
  /// From the neutral pose, then from starts spread over all angles until one closes the joint: at every other one each coordinate in turn is
  /// first set to its best, for which there is a formula.
  Vec<N> nearest(const Pose& X_AB) const;

 private:
  /// The coordinates of a cylinder, r, φ, z, without z if N = 2, with a hinge at the end if N = 4.
  static std::array<AnyCompositeMember, N> example_members();
  double distance(const Vec<N>& q, const Pose& X_AB) const;
  /// The coordinate of member k that brings X(q) nearest to X_AB, the others being as in q.
  double best_coordinate(int k, Vec<N> q, const Pose& X_AB) const;
};

using Composite2 = Composite<2>;
using Composite3 = Composite<3>;
using Composite4 = Composite<4>;
extern template struct Composite<2>;
extern template struct Composite<3>;
extern template struct Composite<4>;
static_assert(Joint<Composite2> && Joint<Composite3> && Joint<Composite4>);

}  // namespace sinew
