// The contact problem of an island in contact space, contact by contact or by pivots (contact_pivots.h), within Newton's method on everything else:
//   F δu = −residual + Cᵀ δr,   rows of the contacts: u + V δu = u_free + W r,   W = V F⁻¹ Cᵀ
// The way out where the interior-point method finds none: it begins again from here.
#include <cmath>

#include "sinew/steppers/contact_pivots.h"
#include "sinew/steppers/variational/island.h"

namespace sinew {
namespace {

constexpr int kMaxNewtonSteps = 10;
constexpr int kMostRows = 1500;           // W is dense
constexpr double kSweepTolerance = 1e-9;  // of the largest velocity
constexpr double kSettled = 1e-8;         // likewise: motion left by a step of Newton's method

}  // namespace

int Island::count_cone_rows() const {
  int rows = 0;
  for (const ConeConstraint* cone : working_cones_) rows += cone->rows;
  return rows;
}

// V δ of all cones, one after the other.
void Island::gather_cone_rows(const VecX& direction, Eigen::Ref<VecX> out) const {
  int row = 0;
  for (const ConeConstraint* cone : working_cones_) {
    out.segment(row, cone->rows) = cone_rows(*cone, direction).head(cone->rows);
    row += cone->rows;
  }
}

// W for the matrix last factorised; one solution per row.
void Island::compute_cone_response(Eigen::MatrixXd& W) {
  W.resize(count_cone_rows(), count_cone_rows());
  int column = 0;
  for (ConeConstraint* cone : working_cones_) cone->delta_impulse.setZero();
  for (ConeConstraint* cone : working_cones_) {
    for (int k = 0; k < cone->rows; ++k, ++column) {
      cone->delta_impulse = Vec6::Unit(k);
      correction_.setZero();
      add_cone_impulses(1, &ConeConstraint::delta_impulse, correction_);
      ldu_.solve(correction_);
      gather_cone_rows(correction_, W.col(column));
    }
    cone->delta_impulse.setZero();
  }
}

bool Island::sweep_cones(Stage stage, double velocity_scale, StepReport& report) {
  const int rows = count_cone_rows();
  if (rows > kMostRows || motion_.polygon.is_used()) return false;
  set_regularisation(kRegularisation);
  centre_ = guess_;
  unknowns_ = first_unknowns_;
  take_guessed_impulses();
  Eigen::MatrixXd W;
  VecX moved(rows), velocity(rows), impulse(rows);
  for (int step = 0; step < kMaxNewtonSteps; ++step) {
    if (!evaluate(stage).is_admissible) return false;
    assemble(stage);
    if (!factorize(report)) return false;
    compute_cone_response(W);
    newton_step_ = -residual_;
    ldu_.solve(newton_step_);
    gather_cone_rows(newton_step_, moved);
    int row = 0;
    for (const ConeConstraint* cone : working_cones_) {
      impulse.segment(row, cone->rows) = cone->impulse.head(cone->rows);
      velocity.segment(row, cone->rows) = cone->velocity.head(cone->rows);
      if (cone->has_normal) velocity[row] = cone->target;
      row += cone->rows;
    }
    moved += velocity;
    moved.noalias() -= W * impulse;
    const bool is_solved =
        solve_contacts_without_path(W, moved, kSweepTolerance * velocity_scale, working_cones_, velocity);
    row = 0;
    for (ConeConstraint* cone : working_cones_) {
      cone->delta_impulse.setZero();
      cone->delta_impulse.head(cone->rows) = cone->impulse.head(cone->rows) - impulse.segment(row, cone->rows);
      row += cone->rows;
    }
    correction_.setZero();
    add_cone_impulses(1, &ConeConstraint::delta_impulse, correction_);
    ldu_.solve(correction_);
    newton_step_ += correction_;
    unknowns_ += newton_step_;
    if (!newton_step_.allFinite() || (stage == Stage::Positions && !turns_are_admissible())) return false;
    gather_cone_rows(newton_step_, moved);
    if (is_solved && moved.lpNorm<Eigen::Infinity>() <= kSettled * velocity_scale) return true;
  }
  return false;
}

}  // namespace sinew
