// Loops and other rows of the reduced stepper: closing them, and how far they are from singular poses.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/linalg/pivoted_cholesky.h"
#include "sinew/steppers/reduced/reduced_dynamics.h"

namespace sinew {
namespace {

constexpr int kMaxClosingIterations = 20;
constexpr double kClosingRate = 0.25;  // of errors from one iteration to the next: slower, only rounding is left
constexpr double kFastRate = 1e-3;   // likewise: where they fall so fast, so they will with factors of the pose before
constexpr double kRounding = 1e-15;  // m or rad

}  // namespace

double ReducedDynamics::closure_error() const {
  double error = 0;
  for (const TreeRow& row : rows_.all())
    if (row.is_holonomic) error = std::max(error, std::abs(row.error));
  return error;
}

double ReducedDynamics::loop_margin(std::size_t closing) {
  find_rows();
  is_evaluated_ = are_factors_here_ = false;
  articulated_.factorize(motion_, {}, rows_);
  int first = 0;
  for (std::size_t k = 0; k < closing; ++k) first += tree_.model().joint(tree_.closing_joints()[k]).rows;
  const int count = tree_.model().joint(tree_.closing_joints()[closing]).rows;
  Eigen::MatrixXd K(count, count);
  VecX size(count);
  for (int r = 0; r < count; ++r) {
    forces_with_rows_.assign(motion_.nodes.size(), Vec6::Zero());
    row_tau_.setZero(tree_.dof());
    rows_.add_force(first + r, 1, forces_with_rows_, row_tau_);
    articulated_.compute_response(forces_with_rows_, row_tau_, delta_);
    for (int s = 0; s < count; ++s) K(s, r) = rows_.rate(first + s, articulated_.accelerations(), delta_);
    size[r] = std::max(K(r, r), free_mobility(tree_, motion_, rows_, first + r));
  }
  PivotedCholesky cholesky;
  cholesky.factorize(K, size);
  return cholesky.margin();
}

std::vector<int> ReducedDynamics::find_loop(std::size_t closing) const {
  const ModelJoint& joint = tree_.model().joint(tree_.closing_joints()[closing]);
  std::vector<char> is_in_loop(static_cast<std::size_t>(tree_.node_count()), 0);
  for (const int body : {joint.child, joint.parent}) {
    for (int i = body == kWorld ? -1 : tree_.node_of(body); i >= 0; i = tree_.node(i).parent)
      is_in_loop[static_cast<std::size_t>(i)] ^= 1;  // what both sides hang on is not part of it
  }
  std::vector<int> nodes;
  for (int i = 0; i < tree_.node_count(); ++i)
    if (is_in_loop[static_cast<std::size_t>(i)] != 0) nodes.push_back(i);
  return nodes;
}

std::vector<int> ReducedDynamics::find_constrained_dofs() const {
  std::vector<int> nodes;
  for (std::size_t k = 0; k < tree_.closing_joints().size(); ++k) {
    const std::vector<int> loop = find_loop(k);
    nodes.insert(nodes.end(), loop.begin(), loop.end());
  }
  const std::span<const ModelConstraint> constraints = system_.model().constraints();
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    if (couplings_.is_reduced(c)) continue;
    for (int b = 0; b < constraints[c].body_count; ++b)
      for (int i = tree_.node_of(constraints[c].bodies[static_cast<std::size_t>(b)]); i >= 0; i = tree_.node(i).parent)
        nodes.push_back(i);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<int> dofs;
  for (const int i : nodes)
    for (int k = 0; k < tree_.node(i).dof; ++k) dofs.push_back(tree_.node(i).first_dof + k);
  return dofs;
}

// Newton's method with the mass matrix as the metric: q ← q ⊕ −M⁻¹ Wᵀ (W M⁻¹ Wᵀ)⁻¹ g, then v ← v − M⁻¹ Wᵀ (W M⁻¹ Wᵀ)⁻¹ W v. Where it converges fast,
// factors of the pose before do for the next step.
bool ReducedDynamics::close_loops(double tolerance, VecX& q, VecX& v, bool to_rounding) {
  double last = std::numeric_limits<double>::infinity();
  q_moved_.resize(q.size());
  for (int iteration = 0;; ++iteration) {
    place(q, v);
    find_rows();
    if (rows_.count() == 0) return true;
    const double error = closure_error();
    const bool is_closed = error <= tolerance && (!to_rounding || error <= kRounding || error > kClosingRate * last);
    if (!is_closed && iteration == kMaxClosingIterations) return false;
    is_evaluated_ = false;
    if (is_closed || iteration == 0 || error > kFastRate * last) factorize();
    last = error;
    b_.resize(rows_.count());
    if (is_closed) break;
    for (int r = 0; r < rows_.count(); ++r) b_[r] = -rows_.row(r).error;
    move_rows(moved_);
    displace(tree_, q, moved_, q_moved_);
    q = q_moved_;
  }
  multiply_jacobian(tree_, motion_, v, accelerations_);
  for (int r = 0; r < rows_.count(); ++r) b_[r] = -rows_.rate(r, accelerations_, v);
  move_rows(moved_);
  v += moved_;
  place(q, v);
  return true;
}

// The least motion, in the metric of the mass matrix, that moves the rows by b_.
void ReducedDynamics::move_rows(VecX& out) {
  articulated_.compute_response({}, none_, out, b_);
  if (row_solver_.rows().empty()) return;
  for (const int r : row_solver_.rows()) b_[r] -= rows_.rate(r, articulated_.accelerations(), out);
  row_solver_.solve(b_, row_multipliers_, delta_);
  out += delta_;
}

}  // namespace sinew
