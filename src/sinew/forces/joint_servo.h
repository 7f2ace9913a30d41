// What a joint is driven by along its coordinates q: spring, damper, position and velocity servo are one law,
//   τ_i = k_i (q*_i a(t) + o_i − q_i) + d_i (v*_i a(t) − q̇_i),   |τ_i| ≤ limit                                    [Bruedigam2024, alg. 6]
// With `tracks_rate` the wanted rate is also that of the target, q*_i ȧ(t)                                          [Bruedigam2024, alg. 8]
// A spring is a servo with a constant target; V = k/2 (q − q*)² counts as its energy if nothing else acts.
// Of a joint that turns freely q is, besides, a rotation vector r (joint_coordinates.h). A servo measures R_AB = exp([r]). A spring measures from where it
// rests, R*ᵀ R_AB = exp([r]), and its damping there is of the relative angular velocity, in three more coordinates that are rates alone:
//   V = Σ k_i/2 r_i²,   τ_B = −J_r⁻ᵀ(r) k r − d ω,   which is −k r − d ω if it is alike in all directions
#pragma once

#include "sinew/core/signal.h"
#include "sinew/forces/joint_coordinates.h"

namespace sinew {

/// Shared by `joint_spring` and `servo`: the coordinates of a joint.
class JointLaw : public CoordinateForce {
 public:
  std::string label;
  JointName joint;
  std::vector<double> stiffness, damping, target;

  int coordinate_count() const override { return coordinates_.count(); }
  std::span<const int> bodies(int) const final { return coordinates_.bodies(); }
  const ModelJoint* along_joint() const final { return &coordinates_.joint(); }
  double near(const State& state, int i) const override { return coordinates_.near(state, i); }
  double coordinate(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const override {
    return coordinates_.value(i, places, near, gradient);
  }

 protected:
  /// `target_field`: what the scene calls the target, for errors.
  void bind_joint(const Model& model, std::string_view target_field);
  /// One number per coordinate; what is left out is zero.
  void complete(std::vector<double>& values, std::string_view field) const {
    coordinates_.complete(values, "number", field);
  }

  JointCoordinates coordinates_;
};

class JointSpring final : public JointLaw {
 public:
  static constexpr std::string_view kName = "joint_spring";
  static constexpr std::string_view kDoc = "spring and damper along the angles, travels and rotation of a joint";

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `joint_spring` if not given"), self.label);
    visit(required("joint", "", "joint it acts on"), self.joint);
    visit(optional(
              "stiffness", "N/m or N m/rad",
              "one number per angle or length, then three about x, y and z if the joint turns freely; 0 if not given"),
          self.stiffness);
    visit(optional("damping", "N s/m or N m s/rad", "likewise; 0 if not given"), self.damping);
    visit(optional("rest", "m or rad", "coordinates without force, of a rotation its rotation vector; 0 if not given"),
          self.target);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  void bind(const Model& model) override;
  int coordinate_count() const override { return coordinates_.count() + (damps_rotation_ ? 3 : 0); }
  double near(const State& state, int i) const override { return is_rate_only(i) ? 0 : JointLaw::near(state, i); }
  double coordinate(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const override;
  bool is_rate_only(int i) const override { return i >= coordinates_.count(); }
  Effort effort(int i, double c, double rate, const Moment&) const override;
  double energy(int i, double c) const override;
  bool is_conservative() const override;
  std::unique_ptr<Force> clone() const override { return std::make_unique<JointSpring>(*this); }

 private:
  bool damps_rotation_ = false;
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
    visit(optional(
              "stiffness", "N/m or N m/rad",
              "position gain, one number per angle or length, then three about x, y and z if the joint turns freely"),
          self.stiffness);
    visit(optional("damping", "N s/m or N m s/rad", "velocity gain, likewise"), self.damping);
    visit(
        optional(
            "target", "m or rad",
            "wanted coordinates, of a rotation its rotation vector, times the signal, plus the offset; 0 if not given"),
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
