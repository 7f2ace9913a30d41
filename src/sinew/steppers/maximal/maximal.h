// Options of the maximal stepper; the equations are in maximal_stepper.h.
#pragma once

#include <array>

#include "sinew/core/fields.h"
#include "sinew/steppers/contact_program.h"
#include "sinew/steppers/stepper.h"

namespace sinew {

/// What keeps joints closed.
enum class JointStabilisation { None, Baumgarte, BaumgarteVelocity, Post };
constexpr std::array<std::string_view, 4> enum_names(JointStabilisation) {
  return {"none", "baumgarte", "baumgarte_velocity", "post"};
}

struct Maximal {
  static constexpr std::string_view kName = "maximal";
  static constexpr std::string_view kDoc =
      "linearly implicit Euler in maximal coordinates: first order, stable for stiff springs and dampers, momentum "
      "kept exactly";

  JointStabilisation stabilisation = JointStabilisation::Post;
  double position_rate = 20;
  double velocity_rate = 20;
  double tolerance = 1e-12;
  int max_iterations = 40;
  ContactProgram contact = ContactProgram::Exact;
  double contact_tolerance = 1e-10;
  int max_contact_iterations = 200;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("stabilisation", "",
                   "what keeps joints closed: `post` closes them at every step, in position and velocity, `baumgarte` "
                   "pulls them together at the two rates, `baumgarte_velocity` at the rate of position alone, `none` "
                   "lets them drift"),
          self.stabilisation);
    visit(
        optional("position_rate", "1/s", "baumgarte: rate β (baumgarte_velocity: γ) at which errors of position decay")
            .at_least(0),
        self.position_rate);
    visit(optional("velocity_rate", "1/s", "baumgarte: rate α at which errors of velocity decay; β for no overshoot")
              .at_least(0),
          self.velocity_rate);
    visit(optional("tolerance", "m, rad", "largest joint error that a step adds").above(0), self.tolerance);
    visit(optional("max_iterations", "", "corrections of the joints after which a step has failed").at_least(1),
          self.max_iterations);
    visit_contact_fields(self, visit);
  }

  /// Errors fall with this power of dt.
  int convergence_order() const { return 1; }

  /// The system must outlive the stepper.
  std::unique_ptr<Stepper> make_stepper(const System& system, ThreadPool& pool) const;
};

}  // namespace sinew
