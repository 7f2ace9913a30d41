#include "sinew/steppers/contact_pivots.h"

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/solvers/linear_complementarity.h"
#include "sinew/steppers/contact_polish.h"

namespace sinew {
namespace {

constexpr int kSides = 12;                    // of discs on two rows
constexpr Eigen::Index kMostVariables = 600;  // of the linear complementarity problem: O(n³)
constexpr int kPivotsPerVariable = 10;
constexpr int kMaxSweeps = 3000;

/// Calls work(cone, its first row).
template <class Work>
void for_cones(Cones cones, const Work& work) {
  int row = 0;
  for (ConeConstraint* cone : cones) {
    work(*cone, row);
    row += cone->rows;
  }
}
/// Calls work(disc, its first row).
template <class Work>
void for_discs(const ConeConstraint& cone, int row, const Work& work) {
  for (int i = 0; i < cone.cone_count; ++i) {
    const FrictionCone& disc = cone.cones[static_cast<std::size_t>(i)];
    work(disc, row + disc.first_row);
  }
}

VecX gather_impulses(Cones cones, Eigen::Index rows) {
  VecX r(rows);
  for_cones(cones,
            [&](const ConeConstraint& cone, int row) { r.segment(row, cone.rows) = cone.impulse.head(cone.rows); });
  return r;
}
void put_impulses(const VecX& r, Cones cones) {
  for_cones(cones, [&](ConeConstraint& cone, int row) { cone.impulse.head(cone.rows) = r.segment(row, cone.rows); });
}

/// Directions whose hull lies in the unit disc on 1, 2 or 3 rows, by columns.
Eigen::MatrixXd make_directions(int rows) {
  if (rows == 1) return Eigen::RowVector2d(1, -1);
  if (rows == 2) {
    Eigen::MatrixXd D(2, kSides);
    for (int k = 0; k < kSides; ++k) {
      const double angle = 2 * std::numbers::pi * k / kSides;
      D.col(k) << std::cos(angle), std::sin(angle);
    }
    return D;
  }
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3, 14);  // faces and corners of a cube
  for (int axis = 0; axis < 3; ++axis) {
    D(axis, 2 * axis) = 1;
    D(axis, 2 * axis + 1) = -1;
    for (int corner = 0; corner < 8; ++corner)
      D(axis, 6 + corner) = ((corner >> axis) % 2 == 0 ? 1 : -1) * std::numbers::inv_sqrt3;
  }
  return D;
}

/// With r_t = D β, all in units in which W of every cone has the largest diagonal 1:
///   0 ≤ u_n ⊥ r_n ≥ 0,   0 ≤ Dᵀ u_t + λ ⊥ β ≥ 0,   0 ≤ μ r_n + R₀ − Σβ ⊥ λ ≥ 0
struct PolygonProblem {
  Eigen::MatrixXd H;  // r = H z
  Eigen::MatrixXd M;
  VecX q;
};
PolygonProblem make_polygon_problem(const Eigen::MatrixXd& W, const VecX& free_velocity, Cones cones) {
  struct Disc {
    int beta, lambda, count, normal;  // first β, λ, number of directions, r_n or −1
    double coefficient, radius;
  };
  std::vector<Disc> discs;
  std::vector<Eigen::Triplet<double>> entries;
  int variables = 0;
  for_cones(cones, [&](const ConeConstraint& cone, int row) {
    const double scale = 1 / std::sqrt(W.diagonal().segment(row, cone.rows).maxCoeff());
    const int normal = cone.has_normal ? variables++ : -1;
    if (cone.has_normal) entries.emplace_back(row, normal, scale);
    for_discs(cone, row, [&](const FrictionCone& disc, int t) {
      const Eigen::MatrixXd D = make_directions(disc.rows);
      const int count = static_cast<int>(D.cols());
      for (int k = 0; k < count; ++k)
        for (int i = 0; i < disc.rows; ++i) entries.emplace_back(t + i, variables + k, scale * D(i, k));
      discs.push_back({variables, variables + count, count, normal, disc.coefficient, disc.radius / scale});
      variables += count + 1;
    });
  });
  PolygonProblem problem;
  problem.H.setZero(W.rows(), variables);
  for (const Eigen::Triplet<double>& entry : entries) problem.H(entry.row(), entry.col()) = entry.value();
  problem.M = problem.H.transpose() * W * problem.H;
  problem.q = problem.H.transpose() * free_velocity;
  for (const Disc& disc : discs) {
    problem.M.block(disc.beta, disc.lambda, disc.count, 1).setOnes();
    problem.M.block(disc.lambda, disc.beta, 1, disc.count).setConstant(-1);
    if (disc.normal >= 0) problem.M(disc.lambda, disc.normal) = disc.coefficient;
    problem.q[disc.lambda] = disc.radius;
  }
  return problem;
}

Eigen::Index count_variables(Cones cones) {
  Eigen::Index count = 0;
  for_cones(cones, [&](const ConeConstraint& cone, int row) {
    count += cone.has_normal ? 1 : 0;
    for_discs(cone, row, [&](const FrictionCone& disc, int) { count += make_directions(disc.rows).cols() + 1; });
  });
  return count;
}

}  // namespace

bool pivot_contacts(const Eigen::MatrixXd& W, const VecX& free_velocity, double tolerance, Cones cones,
                    VecX& velocity) {
  const Eigen::Index count = count_variables(cones);
  if (count > kMostVariables) return false;
  const PolygonProblem problem = make_polygon_problem(W, free_velocity, cones);
  VecX z;
  if (!solve_linear_complementarity(problem.M, problem.q, kPivotsPerVariable * static_cast<int>(count), z).solved)
    return false;
  const VecX r = problem.H * z;
  put_impulses(r, cones);
  ContactPolish().polish(W, free_velocity, tolerance, cones);
  velocity = free_velocity + W * gather_impulses(cones, W.rows());
  return true;
}

bool solve_contacts_without_path(const Eigen::MatrixXd& W, const VecX& free_velocity, double tolerance, Cones cones,
                                 VecX& velocity) {
  const VecX guess = gather_impulses(cones, W.rows());
  if (sweep_contacts(W, free_velocity, tolerance, kMaxSweeps, cones, velocity).converged) return true;
  put_impulses(guess, cones);
  return pivot_contacts(W, free_velocity, tolerance, cones, velocity);
}

}  // namespace sinew
