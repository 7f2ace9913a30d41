// Forces that implicit integrators of the reduced stepper treat implicitly: the matrix A = M + h D + h² K of reduced_dynamics.h and its solutions.
#include <algorithm>

#include "sinew/steppers/reduced/reduced_dynamics.h"

namespace sinew {

void ReducedDynamics::prepare_implicit(double h) {
  h_ = h;
  implicit_.on_dof.setZero(tree_.dof());
  implicit_.on_nodes.assign(static_cast<std::size_t>(tree_.node_count()), SpatialInertia());
  pull_on_dof_.setZero(tree_.dof());
  implicit_rows_ = rows_;
  compliance_.assign(static_cast<std::size_t>(implicit_rows_.count()), 0.0);
  pull_.assign(compliance_.size(), 0.0);
  for (Element& element : elements_) add_element_row(element);
  add_media(h);
  is_evaluated_ = are_factors_here_ = false;
  articulated_.factorize(motion_, implicit_, rows_);
  implicit_solver_.factorize(tree_, articulated_, implicit_rows_, compliance_);
}

void ReducedDynamics::add_element_row(Element& element) {
  const std::span<const int> on = element.force->bodies(element.index);
  places_.clear();
  const State& bodies = this->bodies();
  for (const int body : on) places_.push_back(body_place(bodies, body));
  gradient_.resize(on.size());
  const double c =
      element.force->coordinate(element.index, places_, element.force->near(bodies, element.index), gradient_);
  element.rate = 0;
  for (std::size_t a = 0; a < on.size(); ++a) {
    const auto body = static_cast<std::size_t>(on[a]);
    element.rate += gradient_[a].dot(stacked(bodies.v_W[body], bodies.omega_B[body]));
  }
  const Effort effort = element.force->effort(element.index, c, element.rate, {time_, control_});
  element.stiffness = std::max(0.0, -effort.by_coordinate);
  element.damping = std::max(0.0, -effort.by_rate);
  const double weight = h_ * element.damping + h_ * h_ * element.stiffness;
  const double pull = h_ * h_ * element.stiffness * element.rate;
  if (element.dof >= 0) {
    implicit_.on_dof[element.dof] += weight;
    pull_on_dof_[element.dof] += pull;
  } else if (weight > 0) {
    implicit_rows_.add_row();
    for (std::size_t a = 0; a < on.size(); ++a) {
      const int i = tree_.node_of(on[a]);
      implicit_rows_.add_entry(i, node_wrench(tree_.node(i), motion_.node(i), gradient_[a].head<3>().transpose(),
                                              gradient_[a].tail<3>().transpose()));
    }
    compliance_.push_back(1 / weight);
    pull_.push_back(pull);
  }
}

// D of a body, at its centre of mass with the torque in body axes, becomes T D Tᵀ at the origin of its node.
void ReducedDynamics::add_media(double h) {
  for (int f = 0; f < system_.force_count(); ++f) {
    const MediumForce* force = system_.force(f).as_medium_force();
    if (force == nullptr) continue;
    for (const int body : force->body_indices()) {
      const auto k = static_cast<std::size_t>(body);
      const Mat6 D = force->resistance(stacked(bodies().v_W[k], bodies().omega_B[k])).D;
      const int i = tree_.node_of(body);
      Mat6 T;
      for (int c = 0; c < 6; ++c) {
        const Vec6 unit = Vec6::Unit(c);
        T.col(c) = node_wrench(tree_.node(i), motion_.node(i), unit.head<3>(), unit.tail<3>());
      }
      const Mat6 X = h * T * (D + D.transpose()) / 2 * T.transpose();
      implicit_.on_nodes[static_cast<std::size_t>(i)] += SpatialInertia(X);
    }
  }
}

void ReducedDynamics::resist(const VecX& base, bool has_pull, VecX& delta) {
  multiply_jacobian(tree_, motion_, base, base_twists_);
  implicit_wrenches_.resize(base_twists_.size());
  for (std::size_t i = 0; i < base_twists_.size(); ++i)
    implicit_wrenches_[i] = -(implicit_.on_nodes[i] * base_twists_[i]);
  implicit_tau_ = -implicit_.on_dof.cwiseProduct(base);
  if (has_pull) implicit_tau_ -= pull_on_dof_;
  articulated_.compute_response(implicit_wrenches_, implicit_tau_, response_);
  delta = base + response_;
  if (implicit_solver_.rows().empty()) return;
  response_twists_.assign(articulated_.accelerations().begin(), articulated_.accelerations().end());
  b_.resize(implicit_rows_.count());
  for (const int r : implicit_solver_.rows()) {
    const auto k = static_cast<std::size_t>(r);
    b_[r] = -implicit_rows_.rate(r, response_twists_, response_);
    if (compliance_[k] == 0) continue;  // a row that holds: the base obeys it already
    b_[r] -= implicit_rows_.rate(r, base_twists_, base);
    if (has_pull) b_[r] -= compliance_[k] * pull_[k];
  }
  implicit_solver_.solve(b_, row_multipliers_, delta_);
  delta += delta_;
}

void ReducedDynamics::solve_implicit_euler(const Eigen::Ref<const VecX>& v_dot, VecX& delta_v) {
  moved_ = h_ * v_dot;
  resist(moved_, true, delta_v);
}

void ReducedDynamics::precondition(const VecX& rho, VecX& delta) { resist(rho, false, delta); }

}  // namespace sinew
