// What a joint is driven by along its scalar coordinates: spring, damper, position and velocity servo are one law,
//   τ_i = k_i (q*_i a(t) + o_i − q_i) + d_i (v*_i a(t) − q̇_i),   |τ_i| ≤ limit                                    [Bruedigam2024, alg. 6]
// With `tracks_rate` the wanted rate is also that of the target, q*_i ȧ(t)                                          [Bruedigam2024, alg. 8]
// A spring is a servo with a constant target; V = k/2 (q − q*)² counts as its energy if nothing else acts.
#pragma once

#include "sinew/core/signal.h"
#include "sinew/forces/joint_coordinates.h"

namespace sinew {

/// Shared by `joint_spring` and `servo`: one coordinate per degree of freedom of a joint.
class JointLaw : public CoordinateForce {
 public:
  std::string label;
  JointName joint;
  std::vector<double> stiffness, damping, target;

  int coordinate_count() const final { return coordinates_.count(); }
  std::span<const int> bodies(int) const final { return coordinates_.bodies(); }
  const ModelJoint* along_joint() const final { return &coordinates_.joint(); }
  double near(const State& state, int i) const final { return coordinates_.near(state, i); }
  double coordinate(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const final {
    return coordinates_.value(i, places, near, gradient);
  }

 protected:
  /// `target_field`: what the scene calls the target, for errors.
  void bind_joint(const Model& model, std::string_view target_field);
  /// One number per degree of freedom; nothing means zeros.
  void complete(std::vector<double>& values, std::string_view field) const;

 private:
  JointCoordinates coordinates_;
};

class JointSpring final : public JointLaw {
 public:
  static constexpr std::string_view kName = "joint_spring";
  static constexpr std::string_view kDoc = "spring and damper along the angles and travels of a joint";

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `joint_spring` if not given"), self.label);
    visit(required("joint", "", "joint it acts on"), self.joint);
    visit(optional("stiffness", "N/m or N m/rad", "one number per degree of freedom; 0 if not given"), self.stiffness);
    visit(optional("damping", "N s/m or N m s/rad", "one number per degree of freedom; 0 if not given"), self.damping);
    visit(optional("rest", "m or rad", "coordinates without force; 0 if not given"), self.target);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  void bind(const Model& model) override { bind_joint(model, "rest"); }
  Effort effort(int i, double c, double rate, const Moment&) const override;
  double energy(int i, double c) const override;
  bool is_conservative() const override;
  std::unique_ptr<Force> clone() const override { return std::make_unique<JointSpring>(*this); }
};

class Servo final : public JointLaw {
 public:
  static constexpr std::string_view kName = "servo";
  static constexpr std::string_view kDoc =
      "position and velocity control of a joint (PD), implicit, with an optional limit of effort";

  std::vector<double> offset, target_rate;
  Signal signal;
  bool tracks_rate = false;
  double limit = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `servo` if not given"), self.label);
    visit(required("joint", "", "joint it drives"), self.joint);
    visit(optional("stiffness", "N/m or N m/rad", "position gain, one number per degree of freedom"), self.stiffness);
    visit(optional("damping", "N s/m or N m s/rad", "velocity gain, one number per degree of freedom"), self.damping);
    visit(optional("target", "m or rad", "wanted coordinates, times the signal, plus the offset; 0 if not given"),
          self.target);
    visit(optional("offset", "m or rad", "added to the target at all times; 0 if not given"), self.offset);
    visit(optional("target_rate", "m/s or rad/s", "wanted rates, times the signal; 0 if not given"), self.target_rate);
    visit(optional("signal", "", "factor over time; 1 if not given"), self.signal);
    visit(optional("tracks_rate", "", "whether the rate of the target is added to the wanted rates"), self.tracks_rate);
    visit(optional("limit", "N or N m", "largest effort; 0: none").at_least(0), self.limit);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  void bind(const Model& model) override;
  Effort effort(int i, double c, double rate, const Moment& moment) const override;
  std::unique_ptr<Force> clone() const override { return std::make_unique<Servo>(*this); }
};

}  // namespace sinew
