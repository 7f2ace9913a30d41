#include "sinew/solvers/staggered_projections.h"

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLeastRelaxation = 1.0 / 16;
constexpr int kMaxSweeps = 200;  // the next projection goes on from there
constexpr double kSweepTolerance = 1e-13;
constexpr double kSingular = 1e-13;  // of a determinant, relative

double energy_norm(const Eigen::MatrixXd& W, const VecX& impulse, VecX& work) {
  work.noalias() = W * impulse;
  return std::sqrt(std::max(0.0, impulse.dot(work)));
}

// argmin ½bᵀAb + gᵀb, |b| ≤ radius: (A + ν)b = −g with ν ≥ 0 and |b| = radius unless ν = 0; Newton on 1/|b| = 1/radius [Nocedal2006, alg. 4.3].
Eigen::Vector2d minimize_in_disc(const Eigen::Matrix2d& A, const Eigen::Vector2d& g, double radius) {
  const double size = A.trace();
  if (radius <= 0 || (size == 0 && g.isZero(0))) return Eigen::Vector2d::Zero();
  // The least ν that can do: on the boundary |g| = |(A + ν)b| ≤ (tr A + ν) radius. Where A lets b move nothing, b is the shortest.
  double nu = std::max(A.determinant() > kSingular * size * size ? 0.0 : kSingular * size, g.norm() / radius - size);
  for (int step = 0; step < 100; ++step) {
    Eigen::Matrix2d shifted = A;
    shifted.diagonal().array() += nu;
    const Eigen::Matrix2d inverse = shifted.inverse();
    Eigen::Vector2d b = -inverse * g;
    const double length = b.norm(), excess = length / radius - 1;
    if (excess <= 1e-15) return b;  // the iteration comes from outside the disc
    nu += excess * length * length / b.dot(inverse * b);
    if (excess <= 1e-14) return b / (1 + excess);
  }
  return g * (-radius / g.norm());
}

// Face rows of the friction sets of all contacts: normal·β − offset·μα ≤ 0; `stride` columns per contact, β from `first`.
void write_faces(const FrictionSet& set, int contacts, int stride, int first, Eigen::MatrixXd& A) {
  const int faces = set.faces();
  A.setZero(faces * contacts, stride * contacts);
  for (int i = 0; i < contacts; ++i) {
    for (int face = 0; face < faces; ++face) {
      A.block<1, 2>(faces * i + face, stride * i + first) = set.normal(face).transpose();
    }
  }
}

void finish(const ContactSpace& space, const FrictionSet& set, ContactSolution& solution) {
  solution.velocity.noalias() = space.W * solution.impulse;
  solution.velocity += space.free_velocity;
  solution.residual = compute_contact_residual(space, set, solution.impulse, solution.velocity);
}

}  // namespace

void StaggeredProjections::solve(const ContactSpace& space, const StaggeredOptions& options,
                                 ContactSolution& solution) {
  check_contact_space(space);
  const int contacts = space.contacts();
  const bool is_warm = options.warm_start && solution.impulse.size() == 3 * contacts;
  if (!is_warm) solution.impulse.setZero(3 * contacts);
  assemble(space, options.set);
  start_programs(options.set, is_warm, solution);
  solution.converged = false;
  solution.program_iterations = 0;
  bounding_.resize(contacts);
  for (int i = 0; i < contacts; ++i) bounding_[i] = solution.impulse[3 * i];
  double relaxation = 1, last_change = kInfinity, size = 0;
  bool is_friction_settled = true;
  for (solution.iterations = 0; solution.iterations < options.max_iterations; ++solution.iterations) {
    if (!solve_normal(space, solution)) break;
    alpha_change_ = alpha_ - bounding_;
    const double change = energy_norm(normal_.H, alpha_change_, work_);
    size = std::max(size, energy_norm(normal_.H, alpha_, work_));
    const bool has_friction = solution.iterations > 0 || !is_warm;  // β belongs to the bounds
    if (has_friction && is_friction_settled && change <= options.tolerance * size) {
      solution.converged = true;
      break;
    }
    if (change > (1 - 0.1 * relaxation) * last_change) relaxation = std::max(kLeastRelaxation, relaxation / 2);
    if (change < (1 - 0.9 * relaxation) * last_change) relaxation = std::min(1.0, relaxation * 2);
    last_change = change;
    bounding_ += relaxation * alpha_change_;
    is_friction_settled = project_friction(space, options.set, solution);
    if (!is_friction_settled && !options.set.is_disc()) break;  // a program that was not solved
  }
  finish(space, options.set, solution);
}

bool StaggeredProjections::solve_friction(const ContactSpace& space, const FrictionSet& set,
                                          ContactSolution& solution) {
  check_contact_space(space);
  if (solution.impulse.size() != 3 * space.contacts()) {
    throw Error(ErrorKind::Input, "friction",
                "impulse: expected the normal impulses of all contacts, three entries per contact");
  }
  assemble(space, set);
  start_programs(set, true, solution);
  alpha_.resize(space.contacts());
  for (int i = 0; i < space.contacts(); ++i) alpha_[i] = solution.impulse[3 * i];
  bounding_ = alpha_;
  solution.program_iterations = 0;
  solution.iterations = 1;
  solution.converged = project_friction(space, set, solution);
  finish(space, set, solution);
  return solution.converged;
}

// The programs start from these impulses and from nothing older: whoever starts with the same impulses gets the same bits.
void StaggeredProjections::start_programs(const FrictionSet& set, bool is_warm, const ContactSolution& solution) {
  const int contacts = static_cast<int>(solution.impulse.size()) / 3;
  normal_solution_.x.resize(contacts);
  normal_solution_.y.resize(0);
  normal_solution_.z.setZero(contacts);
  friction_solution_.x.resize(2 * contacts);
  friction_solution_.y.setZero(set.faces() * contacts);
  friction_solution_.z.setZero(2 * contacts);
  for (int i = 0; i < contacts; ++i) {
    normal_solution_.x[i] = solution.impulse[3 * i];
    if (is_warm && solution.impulse[3 * i] == 0) normal_solution_.z[i] = 1;  // it was open
    friction_solution_.x.segment<2>(2 * i) = solution.impulse.segment<2>(3 * i + 1);
  }
}

// W in its parts, and the faces of the friction sets.
void StaggeredProjections::assemble(const ContactSpace& space, const FrictionSet& set) {
  const int c = space.contacts();
  normal_.H.resize(c, c);
  friction_.H.resize(2 * c, 2 * c);
  W_NT_.resize(c, 2 * c);
  for (int j = 0; j < c; ++j) {
    for (int i = 0; i < c; ++i) {
      normal_.H(i, j) = space.W(3 * i, 3 * j);
      W_NT_.block<1, 2>(i, 2 * j) = space.W.block<1, 2>(3 * i, 3 * j + 1);
      friction_.H.block<2, 2>(2 * i, 2 * j) = space.W.block<2, 2>(3 * i + 1, 3 * j + 1);
    }
  }
  normal_.x_lower.resize(c);
  for (int i = 0; i < c; ++i) normal_.x_lower[i] = space.bilateral(i) ? -kInfinity : 0.0;
  if (!set.is_disc()) write_faces(set, c, 2, 0, friction_.A);
  alpha_.setZero(c);
  beta_.setZero(2 * c);
}

bool StaggeredProjections::solve_normal(const ContactSpace& space, ContactSolution& solution) {
  const int c = space.contacts();
  normal_.c.resize(c);
  for (int i = 0; i < c; ++i) {
    normal_.c[i] = space.free_velocity[3 * i];
    beta_.segment<2>(2 * i) = solution.impulse.segment<2>(3 * i + 1);
  }
  normal_.c.noalias() += W_NT_ * beta_;
  QuadraticProgramOptions options;
  options.warm_start = true;
  solve_quadratic_program(normal_, options, workspace_, normal_solution_);
  solution.program_iterations += normal_solution_.iterations;
  alpha_ = normal_solution_.x;
  for (int i = 0; i < c; ++i) solution.impulse[3 * i] = alpha_[i];
  return normal_solution_.solved();
}

bool StaggeredProjections::project_friction(const ContactSpace& space, const FrictionSet& set,
                                            ContactSolution& solution) {
  const int c = space.contacts();
  friction_.c.resize(2 * c);
  for (int i = 0; i < c; ++i) friction_.c.segment<2>(2 * i) = space.free_velocity.segment<2>(3 * i + 1);
  friction_.c.noalias() += W_NT_.transpose() * alpha_;
  const bool is_solved = set.is_disc() ? minimize_in_discs(space) : minimize_in_polygons(space, set, solution);
  for (int i = 0; i < c; ++i) solution.impulse.segment<2>(3 * i + 1) = beta_.segment<2>(2 * i);
  return is_solved;
}

bool StaggeredProjections::minimize_in_polygons(const ContactSpace& space, const FrictionSet& set,
                                                ContactSolution& solution) {
  const int faces = set.faces();
  friction_.row_upper.resize(faces * space.contacts());
  for (int i = 0; i < space.contacts(); ++i) {
    friction_.row_upper.segment(faces * i, faces)
        .setConstant(set.offset() * space.friction[i] * std::abs(bounding_[i]));
  }
  QuadraticProgramOptions options;
  options.warm_start = true;
  solve_quadratic_program(friction_, options, workspace_, friction_solution_);
  solution.program_iterations += friction_solution_.iterations;
  beta_ = friction_solution_.x;
  return friction_solution_.solved();
}

// Block Gauss-Seidel: every contact in turn finds its best friction for that of the others; converges, the objective being convex.
bool StaggeredProjections::minimize_in_discs(const ContactSpace& space) {
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0, size = 0;
    for (int i = 0; i < space.contacts(); ++i) {
      const Eigen::Matrix2d A = friction_.H.block<2, 2>(2 * i, 2 * i);
      const Eigen::Vector2d old = beta_.segment<2>(2 * i);
      const Eigen::Vector2d g = friction_.c.segment<2>(2 * i) + friction_.H.middleRows<2>(2 * i) * beta_ - A * old;
      const Eigen::Vector2d best = minimize_in_disc(A, g, space.friction[i] * std::abs(bounding_[i]));
      beta_.segment<2>(2 * i) = best;
      change = std::max(change, (best - old).norm());
      size = std::max(size, best.norm());
    }
    if (change <= kSweepTolerance * size) return true;
  }
  return false;
}

void solve_convex_contact(const ContactSpace& space, const FrictionSet& set, QuadraticProgramWorkspace& workspace,
                          ContactSolution& solution) {
  check_contact_space(space);
  const int c = space.contacts(), faces = set.faces();
  for (int i = 0; i < c; ++i) {
    if (space.bilateral(i))
      throw Error(ErrorKind::Input, "convex contact", "bilateral contacts: use staggered projections");
  }
  if (set.is_disc()) throw Error(ErrorKind::Input, "convex contact", "disc: expected a polygon or a box");
  QuadraticProgram problem;
  problem.H = space.W;
  problem.c = space.free_velocity;
  write_faces(set, c, 3, 1, problem.A);
  problem.row_upper.setZero(faces * c);
  problem.x_lower.setConstant(3 * c, -kInfinity);
  for (int i = 0; i < c; ++i) {
    problem.A.block(faces * i, 3 * i, faces, 1).setConstant(-set.offset() * space.friction[i]);
    problem.x_lower[3 * i] = 0;
  }
  QuadraticProgramSolution program;
  solve_quadratic_program(problem, {}, workspace, program);
  solution.impulse = program.x;
  solution.converged = program.solved();
  solution.iterations = 1;
  solution.program_iterations = program.iterations;
  finish(space, set, solution);
}

}  // namespace sinew
