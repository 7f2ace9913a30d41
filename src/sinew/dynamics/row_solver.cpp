#include "sinew/dynamics/row_solver.h"

#include <algorithm>

namespace sinew {

void RowSolver::factorize(const KinematicTree& tree, CoupledBodies& articulated, const TreeRows& rows,
                          std::span<const double> compliance) {
  row_count_ = rows.count();
  rows_.clear();
  for (int r = 0; r < row_count_; ++r)
    if (!articulated.loops().holds(r)) rows_.push_back(r);
  const auto m = static_cast<Eigen::Index>(rows_.size());
  if (m == 0) return;
  K_.resize(m, m);
  responses_.resize(tree.dof(), m);
  answers_.resize(articulated.row_multipliers().size(), m);
  size_.resize(m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const int r = rows_[static_cast<std::size_t>(k)];
    wrenches_.assign(static_cast<std::size_t>(tree.node_count()), Vec6::Zero());
    tau_.setZero(tree.dof());
    rows.add_force(r, 1, wrenches_, tau_);
    articulated.compute_response(wrenches_, tau_, response_);
    responses_.col(k) = response_;
    answers_.col(k) = articulated.row_multipliers();
    for (Eigen::Index s = 0; s < m; ++s)
      K_(s, k) = rows.rate(rows_[static_cast<std::size_t>(s)], articulated.accelerations(), response_);
    if (!compliance.empty()) K_(k, k) += compliance[static_cast<std::size_t>(r)];
    const bool is_mobile = rows.row(r).is_mobile || rows.row(r).dof_count > 0;
    size_[k] = is_mobile ? K_(k, k) : std::max(K_(k, k), free_mobility(tree, articulated.motion(), rows, r));
  }
  cholesky_.factorize(K_, size_);
}

void RowSolver::solve(const VecX& b, VecX& lambda, VecX& delta_v) {
  lambda.setZero(row_count_);
  if (rows_.empty()) {
    delta_v.setZero(delta_v.size());
    return;
  }
  b_.resize(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t k = 0; k < rows_.size(); ++k) b_[static_cast<Eigen::Index>(k)] = b[rows_[k]];
  cholesky_.solve(b_, lambda_);
  delta_v.noalias() = responses_ * lambda_;
  lambda.head(answers_.rows()).noalias() = answers_ * lambda_;
  for (std::size_t k = 0; k < rows_.size(); ++k) lambda[rows_[k]] = lambda_[static_cast<Eigen::Index>(k)];
}

}  // namespace sinew
