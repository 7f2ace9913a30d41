// Spline surface joint: B moves on a surface of frames with two parameters, as a shoulder blade on the ribs. Place (x, y, z) and Euler angles
// (α, β, γ about x, y, z) of the control frames are splines each; X(q), S, ∂S/∂q: spatial/se3_spline.h [Sueda, §2.4.13], after
// [LeeTerzopoulos2008]. q counts control frames along the two directions. Angles lock at |β| = π/2: control frames must stay
// away from it, and then the surface between them does too, for it never leaves their range.
#pragma once

#include <string>
#include <vector>

#include "sinew/joints/control_frame.h"
#include "sinew/joints/parametric_joint.h"

namespace sinew {

struct SplineSurface : ParametricJoint<SplineSurface, 2> {
  static constexpr std::string_view kName = "spline_surface";
  static constexpr std::string_view kDoc =
      "gliding on a smooth surface of frames with two parameters, such as a shoulder blade on the ribs";
  static constexpr std::array<CoordinateInfo, 2> kCoordinateInfo = {
      {{"first_parameter", ""}, {"second_parameter", ""}}};
  static constexpr auto kRateInfo = rates_of(kCoordinateInfo);
  static constexpr double kMaxStep = 1;

  std::vector<std::vector<ControlFrame>> frames = example_frames();
  bool first_closed = true, second_closed = true;
  double first_start = 0, second_start = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required(
              "frames", "",
              "rows of control frames, at least 4 by 4: the first parameter counts rows, the second frames in a row"),
          self.frames);
    visit(optional("first_closed", "",
                   "whether the last row is followed by the first; else the surface goes on straight"),
          self.first_closed);
    visit(optional("second_closed", "", "whether the last frame of each row is followed by its first"),
          self.second_closed);
    visit(optional("first_start", "", "with `anchor`: the first parameter at t = 0"), self.first_start);
    visit(optional("second_start", "", "with `anchor`: the second parameter at t = 0"), self.second_start);
  }

  std::string find_error() const;
  Vec<2> neutral() const { return Vec<2>(first_start, second_start); }
  Vec<2> periods() const { return Vec<2>(first_closed ? rows() : 0, second_closed ? columns() : 0); }

  PoseJet<2> jet(const Vec<2>& q) const;
  /// From the control frame that is nearest to X_AB.
  Vec<2> nearest(const Pose& X_AB) const;

 private:
  /// A torus of frames.
  static std::vector<std::vector<ControlFrame>> example_frames();
  int rows() const { return static_cast<int>(frames.size()); }
  int columns() const { return static_cast<int>(frames.front().size()); }
  const ControlFrame& frame(int row, int column) const {
    return frames[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  }
  /// (x, y, z, α, β, γ) of a control frame, angles continuing those of `before`; beyond open ends the outermost difference repeats.
  Vec6 control(int row, int column, const Vec6& before) const;
};
static_assert(Joint<SplineSurface> && CheckedJoint<SplineSurface>);

}  // namespace sinew
