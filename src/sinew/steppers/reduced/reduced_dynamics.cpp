#include "sinew/steppers/reduced/reduced_dynamics.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "sinew/dynamics/joint_constraint.h"
#include "sinew/forces/joint_actuator.h"

namespace sinew {
namespace {

constexpr int kMaxClosingIterations = 20;

/// λ of a joint whose child feels a wrench of constraint: the λ whose G_childᵀ λ is nearest to it.
void write_multipliers(const ModelJoint& joint, const State& bodies, const Vec6& wrench, VecX& out) {
  std::visit(
      [&]<class J>(const J&) {
        if constexpr (J::kRows > 0) {
          const Mat<J::kRows, 6> G =
              compute_joint_constraint<J>(joint, body_place(bodies, joint.parent), body_place(bodies, joint.child))
                  .G_child;
          const Mat<J::kRows, J::kRows> GG = G * G.transpose();
          out.segment<J::kRows>(joint.first_row) = GG.llt().solve(G * wrench);
        }
      },
      joint.type);
}

/// From a wrench at a node's origin, in world axes, to the force (world axes) and torque (body axes) at the centre of mass.
Vec6 body_wrench(const TreeNode& node, const NodeMotion& motion, const Vec6& w) {
  const Vec3 r = motion.R_WN * node.X_NC.p, force = w.tail<3>();
  return stacked(force, (motion.R_WN * node.R_NC).transpose() * (w.head<3>() - r.cross(force)));
}

}  // namespace

ReducedDynamics::ReducedDynamics(const System& system)
    : system_(system), tree_(system.model()), bodies_(make_state(system.model())), articulated_(tree_) {}

void ReducedDynamics::place(const VecX& q, const VecX& v) {
  compute_tree_motion(tree_, q, v, motion_);
  write_state(tree_, q, motion_, bodies_);
}

void ReducedDynamics::gather_wrenches(double time) {
  const Model& model = system_.model();
  compute_kinematics(model, bodies_, kinematics_);
  const ForceContext context{model, bodies_, kinematics_, time};
  applied_.entries.clear();
  applied_.ends.clear();
  for (int f = 0; f < system_.force_count(); ++f) {
    system_.force(f).add_wrenches(context, applied_.entries);
    applied_.ends.push_back(applied_.entries.size());
  }
  if (control_ != nullptr && !control_->is_zero()) {
    for (const ModelJoint& joint : model.joints())
      if (joint.dof > 0)
        add_joint_effort(context, joint, control_->joint_efforts.data() + joint.first_dof, applied_.entries);
  }
  applied_.ends.push_back(applied_.entries.size());
  wrenches_.assign(static_cast<std::size_t>(tree_.node_count()), Vec6::Zero());
  for (const AppliedWrench& applied : applied_.entries) {
    const int i = tree_.node_of(applied.body);
    wrenches_[static_cast<std::size_t>(i)] +=
        node_wrench(tree_.node(i), motion_.node(i), applied.force_W, applied.torque_B);
  }
}

bool ReducedDynamics::evaluate(double time, const VecX& q, const VecX& v) {
  place(q, v);
  gather_wrenches(time);
  articulated_.factorize(motion_, {});
  tau_.setZero(tree_.dof());
  articulated_.compute_accelerations(wrenches_, tau_, v_dot_);
  accelerations_.assign(articulated_.accelerations().begin(), articulated_.accelerations().end());
  for (std::size_t i = 0; i < accelerations_.size(); ++i) accelerations_[i] += motion_.nodes[i].bias;
  rows_.clear();
  add_closing_rows(tree_, motion_, bodies_, rows_);
  lambda_.setZero(rows_.count());
  if (rows_.count() > 0) {
    row_solver_.factorize(tree_, articulated_, rows_);
    b_.resize(rows_.count());
    for (int r = 0; r < rows_.count(); ++r) b_[r] = rows_.row(r).acceleration - rows_.rate(r, accelerations_, v_dot_);
    row_solver_.solve(b_, lambda_, delta_);
    v_dot_ += delta_;
    multiply_jacobian(tree_, motion_, delta_, joint_wrenches_);
    for (std::size_t i = 0; i < accelerations_.size(); ++i) accelerations_[i] += joint_wrenches_[i];
  }
  return v_dot_.allFinite();
}

void ReducedDynamics::compute_powers(double* powers, Vec3& force, Vec3& torque) {
  std::size_t source = 0;
  std::fill(powers, powers + applied_.ends.size(), 0.0);
  for (std::size_t e = 0; e < applied_.entries.size(); ++e) {
    while (e >= applied_.ends[source]) ++source;
    const AppliedWrench& wrench = applied_.entries[e];
    const auto b = static_cast<std::size_t>(wrench.body);
    powers[source] += wrench.force_W.dot(bodies_.v_W[b]) + wrench.torque_B.dot(bodies_.omega_B[b]);
  }
  force.setZero();
  torque.setZero();
  for (std::size_t i = 0; i < accelerations_.size(); ++i) {  // Newton and Euler, body by body
    const NodeMotion& motion = motion_.nodes[i];
    const Vec6 rate = multiply_inertia(tree_.nodes()[i], motion, accelerations_[i] - motion.bias) +
                      bias_wrench(tree_.nodes()[i], motion);
    force += rate.tail<3>();
    torque += rate.head<3>() + motion.x_W.cross(rate.tail<3>());
  }
}

void ReducedDynamics::compute_multipliers(VecX& out) {
  const Model& model = system_.model();
  out.setZero(model.rows());
  forces_with_rows_ = wrenches_;
  tau_.setZero(tree_.dof());
  for (int r = 0; r < rows_.count(); ++r) rows_.add_force(r, lambda_[r], forces_with_rows_, tau_);
  compute_inverse_dynamics(tree_, motion_, forces_with_rows_, v_dot_, joint_wrenches_, tau_);
  for (std::size_t i = 0; i < joint_wrenches_.size(); ++i) {
    const TreeNode& node = tree_.nodes()[i];
    if (node.joint < 0) continue;
    const ModelJoint& joint = model.joint(node.joint);
    const NodeMotion& motion = motion_.nodes[i];
    if (!node.is_reversed) {
      write_multipliers(joint, bodies_, body_wrench(node, motion, joint_wrenches_[i]), out);
    } else {  // the child of the model is the inner node and feels the opposite
      const Vec6 inner = -shifted_back(joint_wrenches_[i], motion.r);
      write_multipliers(joint, bodies_, body_wrench(tree_.node(node.parent), motion_.node(node.parent), inner), out);
    }
  }
  int r = 0;
  for (const int j : tree_.closing_joints()) {
    const ModelJoint& joint = model.joint(j);
    Vec6 wrench = Vec6::Zero();  // on the child, whose entry is the first
    for (int k = 0; k < joint.rows; ++k, ++r) wrench += lambda_[r] * rows_.entries(r)[0].w;
    const int i = tree_.node_of(joint.child);
    write_multipliers(joint, bodies_, body_wrench(tree_.node(i), motion_.node(i), wrench), out);
  }
  for (const ModelConstraint& constraint : model.constraints())
    for (int k = 0; k < constraint.rows; ++k, ++r) out[constraint.first_row + k] = lambda_[r];
}

void ReducedDynamics::add_coordinate_energies(double sign, std::vector<double>& out) const {
  const ForceContext context{system_.model(), bodies_, kinematics_, bodies_.time};
  for (int f = 0; f < system_.force_count(); ++f)
    if (system_.force(f).as_coordinate_force() != nullptr)
      out[static_cast<std::size_t>(f)] += sign * system_.force(f).potential_energy(context);
}

double ReducedDynamics::closure_error() const {
  double error = 0;
  for (const TreeRow& row : rows_.all())
    if (row.is_holonomic) error = std::max(error, std::abs(row.error));
  return error;
}

// Newton's method with the mass matrix as the metric: q ← q ⊕ −M⁻¹ Wᵀ (W M⁻¹ Wᵀ)⁻¹ g, then v ← v − M⁻¹ Wᵀ (W M⁻¹ Wᵀ)⁻¹ W v.
bool ReducedDynamics::close_loops(double tolerance, VecX& q, VecX& v) {
  for (int iteration = 0;; ++iteration) {
    place(q, v);
    rows_.clear();
    add_closing_rows(tree_, motion_, bodies_, rows_);
    if (rows_.count() == 0) return true;
    const bool is_closed = closure_error() <= tolerance;
    if (!is_closed && iteration == kMaxClosingIterations) return false;
    articulated_.factorize(motion_, {});
    row_solver_.factorize(tree_, articulated_, rows_);
    b_.resize(rows_.count());
    if (is_closed) break;
    for (int r = 0; r < rows_.count(); ++r) b_[r] = -rows_.row(r).error;
    row_solver_.solve(b_, lambda_, delta_);
    displace(tree_, q, delta_, moved_);
    q = moved_;
  }
  multiply_jacobian(tree_, motion_, v, accelerations_);
  for (int r = 0; r < rows_.count(); ++r) b_[r] = -rows_.rate(r, accelerations_, v);
  row_solver_.solve(b_, lambda_, delta_);
  v += delta_;
  return true;
}

}  // namespace sinew
