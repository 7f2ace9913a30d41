// How a stepper finds the impulses of contacts, joint stops and dry friction (contact_problem.h).
#pragma once

#include <array>
#include <string_view>

#include "sinew/core/fields.h"

namespace sinew {

enum class ContactProgram { Exact, Staggered, Convex, Frictionless };
constexpr std::array<std::string_view, 4> enum_names(ContactProgram) {
  return {"exact", "staggered", "convex", "frictionless"};
}

struct ContactOptions {
  ContactProgram program = ContactProgram::Exact;
  double tolerance = 1e-10;  // m/s
  int max_iterations = 200;
};

/// The fields of a stepper that has these options: contact, contact_tolerance, max_contact_iterations.
template <class Self, class Visitor>
void visit_contact_fields(Self& self, Visitor& visit) {
  visit(optional("contact", "",
                 "`exact`: Coulomb friction by an interior-point method; `staggered`: the same by two alternating "
                 "quadratic programs; `convex`: one quadratic program, sliding bodies hover a little; "
                 "`frictionless`"),
        self.contact);
  visit(optional("contact_tolerance", "m/s", "error allowed in the velocities of contacts").above(0),
        self.contact_tolerance);
  visit(optional("max_contact_iterations", "", "iterations of the contact solver after which a step has failed")
            .at_least(1),
        self.max_contact_iterations);
}
template <class Self>
ContactOptions contact_options(const Self& self) {
  return {self.contact, self.contact_tolerance, self.max_contact_iterations};
}

}  // namespace sinew
