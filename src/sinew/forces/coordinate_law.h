// A force along coordinates by a law of the user: the coordinates of a joint or the length of a path, each with its own expressions.
//   τ = −dV/dq + f(q, v, t),   ∂τ/∂q = −d²V/dq² + ∂f/∂q,   ∂τ/∂v = ∂f/∂v,   v = q̇
// Joint stiffness and damping as [Sueda, sec. 2.6] asks for, there K_r = −∂τ/∂q and D_r = −∂τ/∂q̇ of any law    [Sueda, (2.77)-(2.78)]
// The derivatives are exact (core/jet.h), so implicit steppers converge for any smooth law. V counts as potential energy.
#pragma once

#include <optional>

#include "sinew/core/expression.h"
#include "sinew/forces/joint_coordinates.h"
#include "sinew/forces/path.h"

namespace sinew {

class CoordinateLaw final : public CoordinateForce {
 public:
  static constexpr std::string_view kName = "law";
  static constexpr std::string_view kDoc =
      "force by expressions of the user, along the angles and travels of a joint or along the length of a path; it "
      "tends to increase the coordinate where it is positive";

  using Potential = ExpressionOf<'q'>;
  using GivenEffort = ExpressionOf<'q', 'v', 't'>;

  std::string label;
  std::optional<JointName> joint;
  std::vector<PathPoint> points;
  std::vector<Potential> potentials;
  std::vector<GivenEffort> efforts;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `law` if not given"), self.label);
    visit(optional("joint", "", "joint along whose coordinates it acts; or `points`"), self.joint);
    visit(optional("points", "", "points of a path along whose length it acts, at least two; or `joint`"), self.points);
    visit(optional("potential", "J",
                   "energy V by the coordinate q in rad or m, such as `20*q^2 + 5*q^4`; its force is -dV/dq; one per "
                   "angle or length of the joint, then three about x, y and z if it turns freely; or one for the path"),
          self.potentials);
    visit(optional(
              "effort", "N or N m",
              "force or torque by the coordinate q in rad or m, its rate v in rad/s or m/s and the time t in s, "
              "such as `-0.3*v*abs(v)`; one per angle or length of the joint, then three about x, y and z if it turns "
              "freely; or one for the path"),
          self.efforts);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  void bind(const Model& model) override;
  int coordinate_count() const override { return joint ? along_joint_.count() : 1; }
  std::span<const int> bodies(int) const override { return joint ? along_joint_.bodies() : along_path_.bodies(); }
  const ModelJoint* along_joint() const override { return joint ? &along_joint_.joint() : nullptr; }
  double near(const State& state, int i) const override { return joint ? along_joint_.near(state, i) : 0; }
  double coordinate(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const override;
  bool compute_curvature(int i, std::span<const BodyPlace> places, std::span<Mat6> out) const override;
  Effort effort(int i, double q, double v, const Moment& moment) const override;
  double energy(int i, double q) const override;
  bool is_conservative() const override { return efforts.empty(); }
  std::unique_ptr<Force> clone() const override { return std::make_unique<CoordinateLaw>(*this); }

 private:
  JointCoordinates along_joint_;
  Path along_path_;
};

}  // namespace sinew
