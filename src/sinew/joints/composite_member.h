// A member of a composite joint: a joint of the family after a fixed frame F in which the member before it ends. Joints all of whose coordinates
// are angles and lengths are screws in a row, whose columns of S at q = 0 are these screws, turned from z onto the joint's axis:
//   X = F exp(ξ₁ q₁) … exp(ξ_n q_n)
// A ball is three hinges, which lock like Euler angles do. Rails and surfaces have poses and derivatives of their own.
#pragma once

#include <string_view>

#include "sinew/core/fields.h"
#include "sinew/core/type_list.h"
#include "sinew/joints/cylindrical.h"
#include "sinew/joints/fixed.h"
#include "sinew/joints/helical.h"
#include "sinew/joints/parallel_axes.h"
#include "sinew/joints/planar.h"
#include "sinew/joints/planar_translation.h"
#include "sinew/joints/prismatic.h"
#include "sinew/joints/revolute.h"
#include "sinew/joints/spherical_euler.h"
#include "sinew/joints/spline_curve.h"
#include "sinew/joints/spline_surface.h"
#include "sinew/joints/translation.h"
#include "sinew/joints/universal.h"
#include "sinew/spatial/se3.h"

namespace sinew {

/// Where a member begins.
struct MemberFrame {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("position", "m", "origin of the member's joint frame, in the frame the member before it moves"),
          self.position);
    visit(optional("orientation", "", "axes of the member's joint frame, in the frame the member before it moves"),
          self.orientation);
  }

  Pose base_frame() const { return {position, orientation}; }
};

template <class J>
struct CompositeMember : J, MemberFrame {
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    J::visit_fields(self, visit);
    MemberFrame::visit_fields(self, visit);
  }

  std::array<Vec6, J::kDof> screws() const
    requires(!Parametric<J>)
  {
    std::array<Vec6, J::kDof> screws;
    if constexpr (J::kDof > 0) {
      const Mat<6, J::kDof> S = this->motion_subspace(Vec<J::kCoordinates>::Zero());
      const Mat3 turn = this->alignment().toRotationMatrix();
      for (int i = 0; i < J::kDof; ++i)
        screws[static_cast<std::size_t>(i)] =
            stacked(turn * S.col(i).template head<3>(), turn * S.col(i).template tail<3>());
    }
    return screws;
  }
};

/// Three hinges of a ball.
struct EulerHinges : SphericalEuler {
  static constexpr std::string_view kName = "spherical";
  static constexpr std::string_view kDoc =
      "ball and socket as three hinges, the angles of `order`; it locks where the first axis meets the third";
};

using FixedMember = CompositeMember<Fixed>;
using RevoluteMember = CompositeMember<Revolute>;
using PrismaticMember = CompositeMember<Prismatic>;
using SphericalMember = CompositeMember<EulerHinges>;
using CylindricalMember = CompositeMember<Cylindrical>;
using PlanarMember = CompositeMember<Planar>;
using UniversalMember = CompositeMember<Universal>;
using HelicalMember = CompositeMember<Helical>;
using PlanarTranslationMember = CompositeMember<PlanarTranslation>;
using TranslationMember = CompositeMember<Translation>;
using ParallelAxesMember = CompositeMember<ParallelAxes>;
using SplineCurveMember = CompositeMember<SplineCurve>;
using SplineSurfaceMember = CompositeMember<SplineSurface>;

using CompositeMembers = TypeList<FixedMember, RevoluteMember, PrismaticMember, SphericalMember, CylindricalMember,
                                  PlanarMember, UniversalMember, HelicalMember, PlanarTranslationMember,
                                  TranslationMember, ParallelAxesMember, SplineCurveMember, SplineSurfaceMember>;
using AnyCompositeMember = CompositeMembers::Variant;

inline int degrees_of(const AnyCompositeMember& member) {
  return std::visit([]<class M>(const M&) { return M::kDof; }, member);
}

}  // namespace sinew
