// Random problems of contacts in contact space, shared by tests of their solvers.
#pragma once

#include <random>
#include <vector>

#include "sinew/solvers/contact_space.h"
#include "sinew/steppers/cone_constraint.h"

namespace sinew::test {

/// Contacts of `bodies` unknowns: W = J M⁻¹ Jᵀ has rank at most `unknowns`.
inline ContactSpace make_space(std::mt19937& random, int contacts, int unknowns, double friction) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd J(3 * contacts, unknowns);
  for (int i = 0; i < J.size(); ++i) J.data()[i] = normal(random);
  VecX v(unknowns);
  for (int i = 0; i < unknowns; ++i) v[i] = normal(random);
  ContactSpace space;
  space.W = J * J.transpose();
  space.free_velocity = J * v;  // a motion of the bodies: impulses can always stop it
  space.friction = VecX::Constant(contacts, friction);
  return space;
}

inline std::vector<ConeConstraint> make_cones(const ContactSpace& space) {
  std::vector<ConeConstraint> cones(static_cast<std::size_t>(space.contacts()));
  for (int c = 0; c < space.contacts(); ++c) {
    ConeConstraint& cone = cones[static_cast<std::size_t>(c)];
    cone.rows = 3;
    cone.has_normal = true;
    cone.cone_count = space.friction[c] > 0 ? 1 : 0;
    cone.cones[0].coefficient = space.friction[c];
    cone.inverse_mass = space.W.diagonal().segment<3>(3 * c).maxCoeff();
  }
  return cones;
}

inline VecX impulses_of(const std::vector<ConeConstraint>& cones) {
  VecX r(3 * static_cast<Eigen::Index>(cones.size()));
  for (std::size_t c = 0; c < cones.size(); ++c)
    r.segment<3>(3 * static_cast<Eigen::Index>(c)) = cones[c].impulse.head<3>();
  return r;
}

}  // namespace sinew::test
