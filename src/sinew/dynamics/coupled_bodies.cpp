#include "sinew/dynamics/coupled_bodies.h"

namespace sinew {

CoupledBodies::CoupledBodies(const KinematicTree& tree, const TreeCouplings& couplings)
    : tree_(tree),
      couplings_(couplings),
      articulated_(tree, couplings.is_held(), LoopElimination(tree, couplings.is_held())) {
  for (const CouplingGroup& group : couplings.groups())
    if (group.motion == nullptr) free_groups_.push_back(group);
  rates_.resize(free_groups_.size());
  twists_.resize(free_groups_.size());
  answers_.resize(free_groups_.size());
}

void CoupledBodies::factorize(const TreeMotion& motion, const ImplicitInertia& extra, const TreeRows& rows) {
  articulated_.factorize(motion, extra, rows);
  const auto k = static_cast<Eigen::Index>(free_groups_.size());
  if (k == 0) return;
  A_.resize(k, k);
  for (Eigen::Index g = 0; g < k; ++g) {
    const auto n = static_cast<std::size_t>(g);
    VecX& rates = rates_[n];
    rates.setZero(tree_.dof());
    for (const CoupledDof& member : couplings_.members(free_groups_[n])) rates[member.dof] = member.ratio;
    articulated_.compute_driven_response(tau_, rates);
    twists_[n].assign(articulated_.accelerations().begin(), articulated_.accelerations().end());
    answers_[n] = articulated_.row_multipliers();
    if (extra.on_dof.size() > 0) tau_ += extra.on_dof.cwiseProduct(rates);
    for (Eigen::Index h = 0; h < k; ++h) A_(h, g) = couplings_.along(free_groups_[static_cast<std::size_t>(h)], tau_);
  }
  size_ = A_.diagonal();
  cholesky_.factorize(A_, size_);
}

/// Lets the groups go that were held by efforts `held` while τ acted on them.
void CoupledBodies::release(const VecX& held, const VecX& tau, VecX& rates) {
  const auto k = static_cast<Eigen::Index>(free_groups_.size());
  right_.resize(k);
  for (Eigen::Index g = 0; g < k; ++g) {
    const CouplingGroup& group = free_groups_[static_cast<std::size_t>(g)];
    right_[g] = (tau.size() > 0 ? couplings_.along(group, tau) : 0.0) - couplings_.along(group, held);
  }
  cholesky_.solve(right_, s_);
  accelerations_.assign(articulated_.accelerations().begin(), articulated_.accelerations().end());
  row_multipliers_ = articulated_.row_multipliers();
  for (Eigen::Index g = 0; g < k; ++g) {
    const auto n = static_cast<std::size_t>(g);
    rates += s_[g] * rates_[n];
    row_multipliers_ += s_[g] * answers_[n];
    for (std::size_t i = 0; i < accelerations_.size(); ++i) accelerations_[i] += s_[g] * twists_[n][i];
  }
}

void CoupledBodies::compute_accelerations(std::span<const Vec6> wrenches, const VecX& tau, VecX& v_dot,
                                          const VecX& row_targets) {
  tau_ = tau;
  articulated_.compute_accelerations(wrenches, tau_, v_dot, row_targets);
  if (!free_groups_.empty()) release(tau_, tau, v_dot);
}

void CoupledBodies::compute_response(std::span<const Vec6> wrenches, const VecX& tau, VecX& delta_v,
                                     const VecX& row_targets) {
  articulated_.compute_response(wrenches, tau, delta_v, row_targets);
  if (!free_groups_.empty()) release(articulated_.response_efforts(), tau, delta_v);
}

}  // namespace sinew
