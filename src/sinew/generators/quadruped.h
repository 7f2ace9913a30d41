// A four-legged robot with the masses, lengths and joint ranges that Unitree publishes for its A1, held by position servos, and the gait of
//   θ_thigh = a₁ cos(20π b t + φ) + d₁,   θ_calf = a₂ cos(20π b t + φ − π/2) + d₂,   φ = 0, π for the two diagonal pairs of legs
// with servos of 100/5, 80/4 and 60/3 N m/rad and N m s/rad at hip, thigh and calf                                [Bruedigam2024, alg. 6]
// Forward is +x. A thigh angle > 0 turns the leg backward, a calf angle < 0 brings the foot forward.
#pragma once

#include <array>

#include "sinew/generators/generator.h"

namespace sinew {

struct Quadruped {
  static constexpr std::string_view kName = "quadruped";
  static constexpr std::string_view kDoc = "walking robot with four legs of three motors each, on a floor";

  /// Order of the legs in the names of bodies, joints and servos; the first and the last, and the two others, move together.
  static constexpr std::array<std::string_view, 4> kLegs = {"front_right", "front_left", "rear_right", "rear_left"};
  static constexpr double kFootRadius = 0.02;  // m

  double pace = 0;             // b; the frequency is 10 b
  double thigh_amplitude = 0;  // a₁, rad
  double calf_amplitude = 0;   // a₂, rad
  double thigh_offset = 0.75;  // d₁, rad
  double calf_offset = -1.5;   // d₂, rad
  double start_thigh = 0.75;   // rad
  double start_calf = -1.5;    // rad
  bool stops = false;          // joints end at the robot's ranges
  bool body_collides = false;
  double friction = 0.8;
  double dt = 0.001;
  double duration = 10;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("pace", "", "a tenth of the frequency of the gait in Hz; 0 stands still"), self.pace);
    visit(optional("thigh_amplitude", "rad", "swing of the thighs"), self.thigh_amplitude);
    visit(optional("calf_amplitude", "rad", "swing of the calves"), self.calf_amplitude);
    visit(optional("thigh_offset", "rad", "angle the thighs swing about"), self.thigh_offset);
    visit(optional("calf_offset", "rad", "angle the calves swing about"), self.calf_offset);
    visit(optional("start_thigh", "rad", "angle of the thighs at t = 0"), self.start_thigh);
    visit(optional("start_calf", "rad", "angle of the calves at t = 0"), self.start_calf);
    visit(optional("stops", "", "whether joints stop at the ranges published for the robot; the source has none"),
          self.stops);
    visit(optional("body_collides", "", "whether trunk, hips and knees collide with the floor, too, not only the feet"),
          self.body_collides);
    visit(optional("friction", "", "coefficient between robot and floor").at_least(0), self.friction);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<Quadruped>);

}  // namespace sinew
