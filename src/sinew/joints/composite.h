// Composite joint: a chain of joints between two bodies with nothing of mass between them, with N degrees of freedom in all.
//   X = F₁ X₁(q₁) F₂ X₂(q₂) …,  S = (Ad S₁  Ad S₂ …)                                                             [Sueda, (2.48)]
//   Ṡ_i = Σ_{j>i} ad(S_i) S_j q̇_j, which is (2.52) with its two blocks apart and +Ṡ₂, followed along the chain  [Sueda, (2.52)]
// Where the columns of S depend on each other (the first and the last of three hinges in line) the chain is singular and so is the joint: keep
// away by stops, or take a joint made for it, such as `spherical`.
#pragma once

#include <string>
#include <vector>

#include "sinew/joints/composite_member.h"
#include "sinew/joints/parametric_joint.h"

namespace sinew {

template <int N>
struct Composite : ParametricJoint<Composite<N>, N> {
  static_assert(N >= 1 && N <= 5);
  static constexpr std::array<std::string_view, 5> kNames = {"composite_1", "composite_2", "composite_3", "composite_4",
                                                             "composite_5"};
  static constexpr std::array<std::string_view, 5> kDocs = {
      "chain of joints with 1 degree of freedom in all, as one joint",
      "chain of joints with 2 degrees of freedom in all, as one joint",
      "chain of joints with 3 degrees of freedom in all, as one joint",
      "chain of joints with 4 degrees of freedom in all, as one joint",
      "chain of joints with 5 degrees of freedom in all, as one joint"};
  static constexpr std::string_view kName = kNames[N - 1];
  static constexpr std::string_view kDoc = kDocs[N - 1];
  static constexpr std::string_view kFamily = "composite";
  static constexpr std::string_view kFamilyDoc =
      "chain of joints as one joint, with as many degrees of freedom as its members have in all, 1 to 5";
  static constexpr std::array<CoordinateInfo, N> kCoordinateInfo = [] {
    constexpr std::array<std::string_view, 5> kOrdinals = {"first", "second", "third", "fourth", "fifth"};
    std::array<CoordinateInfo, N> info;
    for (std::size_t i = 0; i < N; ++i) info[i] = {kOrdinals[i], "rad or m"};
    return info;
  }();
  static constexpr auto kRateInfo = rates_of(kCoordinateInfo);
  static constexpr double kMaxStep = 1;

  std::vector<AnyCompositeMember> joints = example_members();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("joints", "", "members of the chain, from the parent to the child"), self.joints);
  }

  /// Members with another number of degrees of freedom than N, wrong ones, or such that all do no more than fewer could.
  std::string find_error() const;
  /// The composite with as many degrees of freedom as the members have; this one if there is none.
  std::variant<Composite<1>, Composite<2>, Composite<3>, Composite<4>, Composite<5>> fitting() const;

  Vec<N> neutral() const;
  Vec<N> periods() const;

  PoseJet<N> jet(const Vec<N>& q) const;
  /// From the neutral pose, then from starts spread over all angles until one closes the joint: at every other one each coordinate in turn is
  /// first set to its best, for which there is a formula.
  Vec<N> nearest(const Pose& X_AB) const;

 private:
  /// One that is nowhere singular: a hinge; the coordinates of a cylinder, r, φ, z, without z if N = 2, with a hinge at the end if N = 4; a universal
  /// joint that goes anywhere.
  static std::vector<AnyCompositeMember> example_members();
};

using Composite1 = Composite<1>;
using Composite2 = Composite<2>;
using Composite3 = Composite<3>;
using Composite4 = Composite<4>;
using Composite5 = Composite<5>;
extern template struct Composite<1>;
extern template struct Composite<2>;
extern template struct Composite<3>;
extern template struct Composite<4>;
extern template struct Composite<5>;
static_assert(Joint<Composite1> && Joint<Composite2> && Joint<Composite3> && Joint<Composite4> && Joint<Composite5>);
static_assert(CheckedJoint<Composite1> && OneOfFamily<Composite1>);

}  // namespace sinew
