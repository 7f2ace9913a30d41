// Closing joints near singular poses of loops, where rows lose a direction: along it the rows a_k, a_{k+1} at both ends of the step are small
// and may differ in sign. Impulses act along a_k, errors are seen along a_{k+1}: only both together say what a correction does.
//
//   | A         −Gᵀ(z_k) | | δu |   |    0     |
//   | G(z_{k+1}) T   ε   | | δΛ | = | −g/h     |        T = diag(1, δφ/h by δω): how the step carries velocities to its end (free_spin.h)
//
// Newton's method, by halved steps; a larger ε where none of them helps leaves the lost direction to later iterations [Levenberg1944].
#include <cmath>
#include <fmt/format.h>

#include "sinew/steppers/maximal/maximal_stepper.h"

namespace sinew {
namespace {

constexpr double kSingularError = 1e-9;  // m, rad: accepted where corrections hardly act
constexpr double kShortestStep = 1. / 64;
constexpr double kRegularisationGrowth = 100, kLargestRegularisation = 1e-3;
constexpr double kGain = 0.1;  // what an iteration leaves while it is worth it

}  // namespace

bool MaximalStepper::close_singular_joints(const State& state, RowError error, double enough, StepReport& report) {
  double regularisation = KktSystem::kRegularisation;
  while (report.iterations < options_.max_iterations && std::isfinite(error.value)) {
    ++report.iterations;
    compute_newton_rows();
    const bool is_factorized = kkt_.factorize(dt_, derivatives_, blocks_here_, newton_rows_, regularisation).empty();
    start_u_ = u_, start_impulse_ = impulse_here_, start_contact_impulse_ = impulse_applied_;
    step_u_.setZero();
    step_impulse_ = row_work_;
    kkt_.solve(step_u_, step_impulse_);
    RowError next;
    double length = is_factorized ? 1 : 0;
    while (length >= kShortestStep) {
      u_ = start_u_ + length * step_u_;
      impulse_here_ = start_impulse_ + length * step_impulse_;
      impulse_applied_ = start_contact_impulse_;
      if (!solve_contacts(report)) return false;
      move(state);
      next = compute_row_residual(state);
      if (next.square < error.square) break;
      length /= 2;
    }
    if (length >= kShortestStep) {
      const bool is_settled = next.value <= enough && next.value > kGain * error.value;
      error = next;
      report.residual = error.value;
      if (is_settled || error.value == 0) return true;
      continue;
    }
    u_ = start_u_, impulse_here_ = start_impulse_, impulse_applied_ = start_contact_impulse_;
    move(state);
    error = compute_row_residual(state);
    if (error.value <= enough) return true;
    if (regularisation > kLargestRegularisation) break;
    regularisation *= kRegularisationGrowth;
  }
  return error.value <= kSingularError || refuse_to_close(error, report);
}

// ∂ of the rows of compute_row_residual() by u.
void MaximalStepper::compute_newton_rows() {
  newton_rows_ = blocks_here_;
  for (std::size_t c = 0; c < newton_rows_.size(); ++c) {
    ConstraintBlock& block = newton_rows_[c];
    const int at_end = is_post() ? block.holonomic_rows : 0, at_start = block.rows - at_end;
    for (std::size_t b = 0; b < block.body_count; ++b) {
      const auto body = static_cast<std::size_t>(block.bodies[b]);
      const SpinSlope slope = compute_spin_slope(system_.model().body(block.bodies[b]).inertia(), spins_[body], dt_);
      Mat6& G = block.G[b];
      G.topRows(at_end) = blocks_next_[c].G[b].topRows(at_end);
      G.rightCols<3>().topRows(at_end) *= slope.mean_turn;
      G.rightCols<3>().middleRows(at_end, at_start) *= slope.omega;
    }
  }
}

bool MaximalStepper::refuse_to_close(const RowError& error, StepReport& report) const {
  report.fail(
      fmt::format("{} is open by {:.2e} after {} corrections: reduce dt, or look for constraints that contradict each "
                  "other",
                  name_of_block(system_.model(), error.block), error.value, report.iterations));
  return false;
}

}  // namespace sinew
