// The joint family. To add a joint: write its struct (joint.h says what it offers) and add it here; scene files, schema, docs,
// steppers and law tests find it through this list.
#pragma once

#include <span>

#include "sinew/core/type_list.h"
#include "sinew/joints/composite.h"
#include "sinew/joints/cylindrical.h"
#include "sinew/joints/distance.h"
#include "sinew/joints/fixed.h"
#include "sinew/joints/floating.h"
#include "sinew/joints/helical.h"
#include "sinew/joints/parallel_axes.h"
#include "sinew/joints/planar.h"
#include "sinew/joints/planar_translation.h"
#include "sinew/joints/point_on_line.h"
#include "sinew/joints/point_on_plane.h"
#include "sinew/joints/prismatic.h"
#include "sinew/joints/revolute.h"
#include "sinew/joints/rope.h"
#include "sinew/joints/spherical.h"
#include "sinew/joints/spherical_euler.h"
#include "sinew/joints/spherical_exponential.h"
#include "sinew/joints/spline_curve.h"
#include "sinew/joints/spline_surface.h"
#include "sinew/joints/translation.h"
#include "sinew/joints/universal.h"

namespace sinew {

using AllJoints = TypeList<Fixed, Revolute, Prismatic, Spherical, Cylindrical, Planar, Universal, Helical, Distance,
                           Rope, PlanarTranslation, Translation, ParallelAxes, PointOnLine, PointOnPlane, Floating,
                           SphericalEuler, SphericalExponential, Composite1, Composite2, Composite3, Composite4,
                           Composite5, SplineCurve, SplineSurface>;
using AnyJoint = AllJoints::Variant;

/// Names and units of the coordinates q and the rates v of a joint.
inline std::span<const CoordinateInfo> coordinate_info(const AnyJoint& joint) {
  return std::visit([]<class J>(const J&) -> std::span<const CoordinateInfo> { return J::kCoordinateInfo; }, joint);
}
inline std::span<const CoordinateInfo> rate_info(const AnyJoint& joint) {
  return std::visit([]<class J>(const J&) -> std::span<const CoordinateInfo> { return J::kRateInfo; }, joint);
}
/// The coordinates that are plain scalars, in the order of the degrees of freedom they belong to.
inline std::span<const CoordinateInfo> scalar_info(const AnyJoint& joint) {
  return std::visit(
      []<class J>(const J&) { return std::span<const CoordinateInfo>(J::kCoordinateInfo).first(J::kScalars); }, joint);
}

/// Degrees of freedom, the last ones, whose rates are ω_B of an orientation kept as a quaternion.
template <class J>
constexpr int quaternion_dof() {
  if constexpr (requires { typename J::R; }) return J::R::kCoordinates > J::R::kDof ? J::R::kDof : 0;
  return 0;
}
inline int quaternion_dof(const AnyJoint& joint) {
  return std::visit([]<class J>(const J&) { return quaternion_dof<J>(); }, joint);
}

}  // namespace sinew
