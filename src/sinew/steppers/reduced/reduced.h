// Options of the reduced stepper; the equations are in reduced_dynamics.h.
#pragma once

#include <array>

#include "sinew/core/fields.h"
#include "sinew/steppers/contact_program.h"
#include "sinew/steppers/stepper.h"

namespace sinew {

enum class Integrator { DormandPrince, RungeKutta4, SymplecticEuler, ImplicitEuler, Sdirk2 };
constexpr std::array<std::string_view, 5> enum_names(Integrator) {
  return {"dormand_prince", "runge_kutta_4", "symplectic_euler", "implicit_euler", "sdirk2"};
}

struct Reduced {
  static constexpr std::string_view kName = "reduced";
  static constexpr std::string_view kDoc =
      "joint coordinates on a spanning tree, O(n) recursive dynamics; loops closed by constraints";

  Integrator integrator = Integrator::DormandPrince;
  double tolerance = 1e-8;
  double substep = 0;
  int max_substeps = 10000;
  int max_events = 100;
  double closure_tolerance = 1e-12;
  ContactProgram contact = ContactProgram::Exact;
  double contact_tolerance = 1e-10;
  int max_contact_iterations = 200;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("integrator", "",
                   "dormand_prince: order 5, adaptive within dt; runge_kutta_4: order 4, steps of fixed length; "
                   "symplectic_euler: order 1, forces explicit; "
                   "implicit_euler: order 1, linearly implicit in forces along coordinates; sdirk2: order 2, implicit "
                   "in them, damps stiff motion"),
          self.integrator);
    visit(optional("tolerance", "m, rad, m/s, rad/s",
                   "of dormand_prince: error of coordinates and rates allowed per substep, absolute and relative; of "
                   "sdirk2: of its stages")
              .above(0),
          self.tolerance);
    visit(optional("substep", "s",
                   "of runge_kutta_4: dt is cut into equal parts that are no longer than this; 0: dt is one part")
              .at_least(0),
          self.substep);
    visit(optional("max_substeps", "", "substeps of dormand_prince after which a step has failed").at_least(1),
          self.max_substeps);
    visit(optional("max_events", "",
                   "of dormand_prince: impacts on contacts and joint stops located within a step, after which the rest "
                   "of it has impulses at its ends only; 0: never located, as with the other integrators")
              .at_least(0),
          self.max_events);
    visit(optional("closure_tolerance", "m, rad", "how far loops may stay open after a step").above(0),
          self.closure_tolerance);
    visit_contact_fields(self, visit);
  }

  /// Errors fall with this power of dt; 0: the tolerance decides on them, not dt.
  int convergence_order() const {
    switch (integrator) {
      case Integrator::DormandPrince:
        return 0;
      case Integrator::RungeKutta4:
        return substep > 0 ? 0 : 4;
      case Integrator::Sdirk2:
        return 2;
      default:
        return 1;
    }
  }

  /// The system and the pool must outlive the stepper.
  std::unique_ptr<Stepper> make_stepper(const System& system, ThreadPool& pool) const;
};

}  // namespace sinew
