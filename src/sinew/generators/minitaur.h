// A robot with four legs, each a closed loop of two cranks on one axis and two rods that meet in the foot. With a hinge there, the planar
// loop has 25 constraint rows of which 3 say again what the others say; with a pin that leaves the direction across the plane to the other
// joints it has 22, none of them twice. Its measures are near those published for the Minitaur of Ghost Robotics (cranks of 0.1 m, rods of
// 0.2 m, about 6 kg).
// Position servos of limited torque lead the cranks, which are level at t = 0. With the phase φ = 2π f t, for a trot φ + π in one diagonal
// pair of legs, they turn forward (+) and backward (−) cranks by
//   θ = ± swing · sin φ − stride · cos φ
// so that legs stretch while their feet go backward. Forward is +x.
#pragma once

#include <array>

#include "sinew/generators/generator.h"

namespace sinew {

/// How the two rods of a leg meet in the foot: by a pin that fits loosely along its axis (2 rows), or by a fifth hinge (5 rows).
enum class FootJoint { Pin, Hinge };
constexpr std::array<std::string_view, 2> enum_names(FootJoint) { return {"pin", "hinge"}; }

enum class MinitaurGait { Hop, Trot };
constexpr std::array<std::string_view, 2> enum_names(MinitaurGait) { return {"hop", "trot"}; }

struct Minitaur {
  static constexpr std::string_view kName = "minitaur";
  static constexpr std::string_view kDoc = "hopping or trotting robot whose four legs are closed loops, on a floor";

  static constexpr std::array<std::string_view, 4> kLegs = {"front_right", "front_left", "rear_right", "rear_left"};
  static constexpr double kFootRadius = 0.02;                                  // m
  static constexpr double kCrank = 0.1, kRod = 0.2;                            // m
  static constexpr double kTrunkMass = 4, kCrankMass = 0.15, kRodMass = 0.08;  // kg
  static constexpr double kFootMass = 0.02;                                    // kg, at the end of the forward rod
  static constexpr double kStiffness = 40, kDamping = 1;                       // N m/rad, N m s/rad
  static constexpr double kLargestTorque = 3.5;                                // N m

  FootJoint foot = FootJoint::Pin;
  MinitaurGait gait = MinitaurGait::Hop;
  double swing = 0;      // rad
  double stride = 0;     // rad
  double frequency = 3;  // Hz
  double friction = 0.8;
  double dt = 0.001;
  double duration = 5;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("foot", "", "joint of the rods in the foot: pin, or hinge, which repeats constraints"), self.foot);
    visit(optional("gait", "", "hop: all legs together; trot: diagonal pairs in turn"), self.gait);
    visit(optional("swing", "rad", "swing of the cranks that stretches the legs; 0 stands still, 0.5 hops"),
          self.swing);
    visit(optional("stride", "rad", "swing of the cranks that moves the feet along; 0.3 with a swing of 0.3 trots"),
          self.stride);
    visit(optional("frequency", "Hz", "frequency of the gait").at_least(0), self.frequency);
    visit(optional("friction", "", "coefficient between feet and floor").at_least(0), self.friction);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<Minitaur>);

}  // namespace sinew
