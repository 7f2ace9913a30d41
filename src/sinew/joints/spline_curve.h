// Spline curve joint (rail): B follows a cubic B-spline of control frames, place and axes together.  X(q), S, ∂S/∂q: spatial/se3_spline.h
// [Sueda, §2.4.12], after [LeeTerzopoulos2008]. q counts spans: the curve is nearest to control frame i about q = i. Its effort is an
// energy (J per span), its stops are parameters.
#pragma once

#include <string>
#include <vector>

#include "sinew/joints/control_frame.h"
#include "sinew/joints/parametric_joint.h"

namespace sinew {

struct SplineCurve : ParametricJoint<SplineCurve, 1> {
  static constexpr std::string_view kName = "spline_curve";
  static constexpr std::string_view kDoc =
      "rail: the child follows a smooth curve of frames, open or closed; its coordinate counts control frames";
  static constexpr std::array<CoordinateInfo, 1> kCoordinateInfo = {{{"parameter", ""}}};
  static constexpr auto kRateInfo = rates_of(kCoordinateInfo);
  static constexpr double kMaxStep = 1;

  std::vector<ControlFrame> frames = example_frames();
  bool closed = true;
  double start = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("frames", "", "control frames along the rail, at least 4"), self.frames);
    visit(optional("closed", "",
                   "true: the last frame is followed by the first. false: the rail runs from the first frame to the "
                   "last, and straight on beyond them"),
          self.closed);
    visit(optional("start", "", "with `anchor`: the parameter at t = 0"), self.start);
  }

  std::string find_error() const;
  Vec<1> neutral() const { return Vec<1>(start); }
  Vec<1> periods() const { return Vec<1>(closed ? static_cast<double>(frames.size()) : 0); }

  PoseJet<1> jet(const Vec<1>& q) const;
  /// From the control frame that is nearest to X_AB.
  Vec<1> nearest(const Pose& X_AB) const;

 private:
  /// A ring of frames that turn with it, not flat.
  static std::vector<ControlFrame> example_frames();
  int size() const { return static_cast<int>(frames.size()); }
  Pose control(int i) const;
};
static_assert(Joint<SplineCurve> && CheckedJoint<SplineCurve>);

}  // namespace sinew
