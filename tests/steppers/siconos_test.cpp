// The solvers of contact space against Siconos' solutions of Coulomb's law for bodies that touch: regular, hyperstatic, large friction, masses of
// 1 : 10⁴, rolling friction (tests/oracles/make_contact_problems.py).
#include <gtest/gtest.h>
#include <string>

#include "solvers/contact_problems.h"

#include "sinew/steppers/contact_interior_point.h"
#include "sinew/steppers/contact_sweeps.h"

namespace sinew {
namespace {

using test::read_contact_problems;
using test::SolvedContacts;

std::vector<FrictionDisc> make_discs(const SolvedContacts::Place& place, int rows) {
  std::vector<FrictionDisc> discs{{.coefficient = place.friction}};
  if (rows == 5)
    discs.push_back({.kind = FrictionDisc::Kind::Roll, .first_row = 3, .rows = 2, .coefficient = place.rolling});
  return discs;
}

std::vector<ConeConstraint> make_cones(const SolvedContacts& problem) {
  std::vector<ConeConstraint> cones;
  for (std::size_t i = 0; i < problem.places.size(); ++i) {
    ConeConstraint cone;
    cone.rows = problem.rows;
    cone.has_normal = true;
    for (const FrictionDisc& disc : make_discs(problem.places[i], problem.rows))
      static_cast<FrictionDisc&>(cone.cones[static_cast<std::size_t>(cone.cone_count++)]) = disc;
    const Eigen::Index at = problem.rows * static_cast<Eigen::Index>(i);
    cone.inverse_mass = problem.W.diagonal().segment(at, problem.rows).maxCoeff();
    cones.push_back(cone);
  }
  return cones;
}

VecX impulses_of(const std::vector<ConeConstraint>& cones, int rows) {
  VecX r(rows * static_cast<Eigen::Index>(cones.size()));
  for (std::size_t i = 0; i < cones.size(); ++i)
    r.segment(rows * static_cast<Eigen::Index>(i), rows) = cones[i].impulse.head(rows);
  return r;
}

std::string describe(const SolvedContacts& p) {
  return p.name + ", bodies " + std::to_string(p.bodies.size()) + ", contacts " + std::to_string(p.places.size()) +
         ", friction " + std::to_string(p.places[0].friction);
}

void expect_agreement(const SolvedContacts& p, const VecX& impulse, double tolerance) {
  const VecX velocity = p.W * impulse + p.free_velocity;
  if (p.velocities_are_unique) {
    EXPECT_LT((velocity - p.velocity).lpNorm<Eigen::Infinity>(), tolerance) << describe(p);
  }
  if (p.impulses_are_unique) {
    EXPECT_LT((impulse - p.impulse).norm(), tolerance * (1 + p.impulse.norm())) << describe(p);
  }
}

// All of them, also those with friction up to 10 and a body of 10 t on one of 1 kg; where the solution is not unique, the law itself.
TEST(Siconos, AgreesWithTheInteriorPoint) {
  ContactInteriorPoint solver;
  int unique = 0;
  for (const SolvedContacts& p : read_contact_problems()) {
    std::vector<ConeConstraint> cones = make_cones(p);
    const ContactInteriorPoint::Result result = solver.solve(p.W, p.free_velocity, 1e-10, 200, cones);
    EXPECT_TRUE(result.converged && !result.is_rough) << describe(p);
    const VecX r = impulses_of(cones, p.rows), u = p.W * r + p.free_velocity;
    expect_agreement(p, r, 1e-9);
    unique += p.velocities_are_unique ? 1 : 0;
    if (p.rows != 3) continue;
    const double rounding = 1e-15 * p.W.cwiseAbs().maxCoeff() * r.lpNorm<1>();
    EXPECT_LT(compute_contact_residual(p.space(), FrictionSet::disc(), r, u), 1e-9 + rounding) << describe(p);
  }
  EXPECT_GE(unique, 50);
}

TEST(Siconos, AgreesWithSweepsWhereTheyConverge) {
  int compared = 0, problems = 0;
  for (const SolvedContacts& p : read_contact_problems()) {
    std::vector<ConeConstraint> cones = make_cones(p);
    std::vector<ConeConstraint*> pointers;
    for (ConeConstraint& cone : cones) pointers.push_back(&cone);
    VecX velocity;
    ++problems;
    if (!sweep_contacts(p.W, p.free_velocity, 1e-11, 20000, pointers, velocity).converged) continue;
    ++compared;
    expect_agreement(p, impulses_of(cones, p.rows), 1e-8);
  }
  EXPECT_GE(compared,
            problems - 4);  // of a heavy body on a light one they are slow, of large friction they may go in circles
}

}  // namespace
}  // namespace sinew
