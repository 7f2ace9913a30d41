#include "sinew/steppers/reduced/reduced_dynamics.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "sinew/dynamics/joint_constraint.h"

namespace sinew {
namespace {

/// λ of a joint whose child feels a wrench of constraint: the λ whose G_childᵀ λ is nearest to it.
void write_multipliers(const ModelJoint& joint, const State& bodies, const Vec6& wrench, VecX& out) {
  if (joint.rows == 0) return;
  Mat6 Gt = compute_joint_constraint(joint, body_place(bodies, joint.parent), body_place(bodies, joint.child)).Gt_child;
  Gt.rightCols(6 - joint.rows).setZero();
  Mat6 GG = Gt.transpose() * Gt;
  GG.diagonal().tail(6 - joint.rows).setOnes();
  const Vec6 lambda = GG.llt().solve(Gt.transpose() * wrench);
  out.segment(joint.first_row, joint.rows) = lambda.head(joint.rows);
}

/// From a wrench at a node's origin, in world axes, to the force (world axes) and torque (body axes) at the centre of mass.
Vec6 body_wrench(const TreeNode& node, const NodeMotion& motion, const Vec6& w) {
  const Vec3 r = motion.R_WN * node.X_NC.p, force = w.tail<3>();
  return stacked(force, (motion.R_WN * node.R_NC).transpose() * (w.head<3>() - r.cross(force)));
}

/// Efforts along a joint as a wrench on its child, likewise.
Vec6 effort_wrench(const ModelJoint& joint, const State& bodies, const double* efforts) {
  const Wrench wrench_B = joint_effort_wrench(joint, bodies, efforts);
  const Pose& X_CB = joint.X_CB;
  const Vec3 force_C = X_CB.q * wrench_B.force;
  return stacked(com_pose(bodies, joint.child).q * force_C, X_CB.q * wrench_B.torque + X_CB.p.cross(force_C));
}

}  // namespace

ReducedDynamics::ReducedDynamics(const System& system)
    : system_(system),
      tree_(system.model()),
      bodies_(make_state(system.model())),
      couplings_(tree_),
      articulated_(tree_, couplings_),
      held_stops_(tree_),
      least_reactions_(system.model()),
      has_bearings_(std::ranges::any_of(system.model().joints(),
                                        [](const ModelJoint& joint) { return joint.bearing.has_value(); })) {
  make_elements();
}

void ReducedDynamics::make_elements() {
  for (int f = 0; f < system_.force_count(); ++f) {
    const CoordinateForce* force = system_.force(f).as_coordinate_force();
    if (force == nullptr) continue;
    const ModelJoint* joint = force->along_joint();
    for (int i = 0; i < force->coordinate_count(); ++i) {
      int dof = -1;
      if (joint != nullptr) {
        const int node = tree_.node_of_joint(static_cast<int>(joint - system_.model().joints().data()));
        if (node >= 0 && i < joint->scalars()) dof = tree_.node(node).first_dof + i;
      }
      elements_.push_back({force, i, dof});
    }
  }
}

void ReducedDynamics::start_step(const Control& control, const State& state) {
  control_ = &control;
  hold({});
  bodies_ = state;
  // Nothing is kept from the last step: by rounding it may not be what this state gives, and runs go on from a state alone.
  is_written_ = is_evaluated_ = is_placed_ = are_factors_here_ = are_least_here_ = false;
  steady_force_W_.assign(static_cast<std::size_t>(tree_.node_count()), Vec3::Zero());
  has_changing_forces_ = !control.is_zero();
  const ForceContext context{system_.model(), bodies_, kinematics_, state.time, control_};
  for (int f = 0; f < system_.force_count(); ++f) {
    if (!system_.force(f).is_steady()) {
      has_changing_forces_ = true;
      continue;
    }
    applied_.entries.clear();
    system_.force(f).add_wrenches(context, applied_.entries);
    for (const AppliedWrench& wrench : applied_.entries)
      steady_force_W_[static_cast<std::size_t>(tree_.node_of(wrench.body))] += wrench.force_W;
  }
  steady_per_mass_W_ = steady_force_W_;
  for (std::size_t i = 0; i < steady_per_mass_W_.size(); ++i) steady_per_mass_W_[i] /= tree_.nodes()[i].mass;
}

void ReducedDynamics::hold(std::span<const Touch> stops) {
  if (stops.empty() && held_stops_.count() == 0) return;
  held_stops_.take(stops);
  is_evaluated_ = are_factors_here_ = false;
}

void ReducedDynamics::place(const VecX& q, const VecX& v) {
  const bool is_here = is_placed_ && q == q_;
  if (is_here && v == v_) return;
  is_written_ = is_evaluated_ = false;
  are_factors_here_ = are_factors_here_ && is_here;
  are_least_here_ = are_least_here_ && is_here;
  is_placed_ = true;
  q_ = q;
  v_ = v;
  compute_tree_motion(tree_, q, v, motion_);
}

const State& ReducedDynamics::bodies() const {
  if (!is_written_) {
    write_state(tree_, q_, motion_, bodies_);
    kinematics_.R_WB.resize(motion_.nodes.size());
    for (std::size_t i = 0; i < motion_.nodes.size(); ++i)
      kinematics_.R_WB[static_cast<std::size_t>(tree_.nodes()[i].body)] = motion_.nodes[i].R_WN * tree_.nodes()[i].R_NC;
    is_written_ = true;
  }
  return bodies_;
}

void ReducedDynamics::gather_wrenches(double time) {
  wrenches_.resize(static_cast<std::size_t>(tree_.node_count()));
  for (std::size_t i = 0; i < wrenches_.size(); ++i) {
    const Vec3& force = steady_force_W_[i];  // at the centre of mass
    wrenches_[i] = stacked(motion_.nodes[i].first_moment.cross(steady_per_mass_W_[i]), force);
  }
  applied_.entries.clear();
  applied_.ends.assign(static_cast<std::size_t>(system_.force_count()) + 1, 0);
  if (!has_changing_forces_) return;
  compute_changing_wrenches(system_, bodies(), kinematics_, *control_, time, applied_);
  for (const AppliedWrench& applied : applied_.entries) {
    const int i = tree_.node_of(applied.body);
    wrenches_[static_cast<std::size_t>(i)] +=
        node_wrench(tree_.node(i), motion_.node(i), applied.force_W, applied.torque_B);
  }
}

void ReducedDynamics::find_rows() {
  rows_.clear();
  add_closing_rows(tree_, motion_, bodies_.joint_q, rows_);
  if (!tree_.model().constraints().empty()) add_constraint_rows(tree_, couplings_, motion_, bodies(), rows_);
  if (held_stops_.count() > 0) held_stops_.add_rows(motion_, bodies(), rows_);
}

bool ReducedDynamics::evaluate(double time, const VecX& q, const VecX& v) {
  if (is_evaluated_ && time == time_ && q == q_ && v == v_) return true;
  is_evaluated_ = false;
  time_ = time;
  place(q, v);
  find_rows();
  gather_wrenches(time);
  factorize();
  tau_.setZero(tree_.dof());
  v_dot_.setZero(tree_.dof());
  couplings_.write_given_accelerations(time, v_dot_);
  accelerations_.resize(motion_.nodes.size());
  for (std::size_t i = 0; i < accelerations_.size(); ++i) accelerations_[i] = motion_.nodes[i].bias;
  b_.resize(rows_.count());
  for (int r = 0; r < rows_.count(); ++r) b_[r] = rows_.row(r).acceleration - rows_.rate(r, accelerations_, v_dot_);
  articulated_.compute_accelerations(wrenches_, tau_, v_dot_, b_);
  for (std::size_t i = 0; i < accelerations_.size(); ++i) accelerations_[i] += articulated_.accelerations()[i];
  lambda_.setZero(rows_.count());
  if (rows_.count() > 0) hold_rows();
  is_evaluated_ = v_dot_.allFinite();
  return is_evaluated_;
}

// Factors depend on q alone.
void ReducedDynamics::factorize() {
  if (are_factors_here_) return;
  articulated_.factorize(motion_, {}, rows_);
  if (rows_.count() > 0) row_solver_.factorize(tree_, articulated_, rows_);
  are_factors_here_ = true;
}

// Rows that the tree does not hold itself, on top of the accelerations without them.
void ReducedDynamics::hold_rows() {
  const VecX& local = articulated_.row_multipliers();
  lambda_.head(local.size()) = local;
  if (row_solver_.rows().empty()) return;
  for (const int r : row_solver_.rows()) b_[r] = rows_.row(r).acceleration - rows_.rate(r, accelerations_, v_dot_);
  row_solver_.solve(b_, row_multipliers_, delta_);
  lambda_ += row_multipliers_;
  v_dot_ += delta_;
  multiply_jacobian(tree_, motion_, delta_, joint_wrenches_);
  for (std::size_t i = 0; i < accelerations_.size(); ++i) accelerations_[i] += joint_wrenches_[i];
}

void ReducedDynamics::compute_powers(double* powers, Vec3& force, Vec3& torque) {
  std::size_t source = 0;
  std::fill(powers, powers + applied_.ends.size(), 0.0);
  for (std::size_t e = 0; e < applied_.entries.size(); ++e) {
    while (e >= applied_.ends[source]) ++source;
    const AppliedWrench& wrench = applied_.entries[e];
    const auto b = static_cast<std::size_t>(wrench.body);
    powers[source] += wrench.force_W.dot(bodies().v_W[b]) + wrench.torque_B.dot(bodies().omega_B[b]);
  }
  if (couplings_.has_motions()) {
    compute_held_efforts();
    powers[applied_.ends.size() - 1] += motion_work(held_tau_, v_);
  }
  const Vec6 rate = momentum_rate(tree_, motion_, accelerations_);
  torque = rate.head<3>();
  force = rate.tail<3>();
}

/// What the joints transmit, and along their degrees of freedom what motions and reduced gears do: elsewhere nothing.
void ReducedDynamics::compute_held_efforts() {
  forces_with_rows_ = wrenches_;
  row_tau_.setZero(tree_.dof());
  for (int r = 0; r < rows_.count(); ++r) rows_.add_force(r, lambda_[r], forces_with_rows_, row_tau_);
  compute_inverse_dynamics(tree_, motion_, forces_with_rows_, v_dot_, joint_wrenches_, tau_);
  held_tau_ = tau_ - row_tau_;
}

void ReducedDynamics::compute_motion_efforts(VecX& out) {
  compute_held_efforts();
  couplings_.distribute(held_tau_, &out, nullptr);
}

double ReducedDynamics::motion_work(const VecX& held, const VecX& v) const {
  double work = 0;
  for (const CouplingGroup& group : couplings_.groups()) {
    if (group.motion != nullptr) work += couplings_.along(group, held) * v[group.dof];
  }
  return work;
}

void ReducedDynamics::compute_multipliers(VecX& out) {
  compute_held_efforts();
  write_joint_multipliers(lambda_, out);
}

// From the wrenches that joints of the tree transmit, the multipliers of the rows that close it, and efforts of what holds coordinates.
void ReducedDynamics::write_joint_multipliers(const VecX& row_multipliers, VecX& out) {
  const Model& model = system_.model();
  out.setZero(model.rows());
  couplings_.distribute(held_tau_, nullptr, &out);
  for (std::size_t i = 0; i < joint_wrenches_.size(); ++i) {
    const TreeNode& node = tree_.nodes()[i];
    if (node.joint < 0) continue;
    const ModelJoint& joint = model.joint(node.joint);
    const NodeMotion& motion = motion_.nodes[i];
    // if reversed, the child of the model is the inner node and feels the opposite
    Vec6 wrench = node.is_reversed ? body_wrench(tree_.node(node.parent), motion_.node(node.parent),
                                                 -shifted_back(joint_wrenches_[i], motion.r))
                                   : body_wrench(node, motion, joint_wrenches_[i]);
    if (is_held(i)) wrench -= effort_wrench(joint, bodies(), tau_.data() + node.first_dof);
    write_multipliers(joint, bodies(), wrench, out);
  }
  int r = 0;
  for (const int j : tree_.closing_joints()) {
    const ModelJoint& joint = model.joint(j);
    Vec6 wrench = Vec6::Zero();  // on the child, whose entry is the first
    for (int k = 0; k < joint.rows; ++k, ++r) wrench += row_multipliers[r] * rows_.entries(r)[0].w;
    const int i = tree_.node_of(joint.child);
    write_multipliers(joint, bodies(), body_wrench(tree_.node(i), motion_.node(i), wrench), out);
  }
  for (std::size_t c = 0; c < model.constraints().size(); ++c) {
    const ModelConstraint& constraint = model.constraints()[c];
    if (couplings_.is_reduced(c)) continue;
    for (int k = 0; k < constraint.rows; ++k, ++r) out[constraint.first_row + k] = row_multipliers[r];
  }
  take_least(out);
}

// Rows left out, as they repeat others, carry nothing until here, whichever they are. Only bearings ask: their loads rub.
void ReducedDynamics::take_least(VecX& multipliers) {
  if (!has_bearings_) return;
  if (!articulated_.loops().has_repeated() && !row_solver_.has_repeated()) return;
  if (!are_least_here_) least_reactions_.factorize(bodies());
  are_least_here_ = true;
  least_reactions_.apply(multipliers);
}

void ReducedDynamics::prepare_impulses() {
  still_ = motion_;
  for (NodeMotion& node : still_.nodes) node.V = node.bias = Vec6::Zero();
}

void ReducedDynamics::compute_impulse_response(const TreeRows& rows, int row, VecX& delta_v, VecX& multipliers,
                                               VecX& held, std::vector<Vec6>& delta_twists) {
  forces_with_rows_.assign(wrenches_.size(), Vec6::Zero());
  row_tau_.setZero(tree_.dof());
  rows.add_force(row, 1, forces_with_rows_, row_tau_);
  articulated_.compute_response(forces_with_rows_, row_tau_, delta_v);
  row_multipliers_.setZero(rows_.count());
  if (rows_.count() > 0) {
    hold_response(delta_v);
    for (int r = 0; r < rows_.count(); ++r) rows_.add_force(r, row_multipliers_[r], forces_with_rows_, row_tau_);
  }
  multiply_jacobian(tree_, motion_, delta_v, delta_twists);
  compute_inverse_dynamics(tree_, still_, forces_with_rows_, delta_v, joint_wrenches_, tau_);
  held_tau_ = tau_ - row_tau_;
  held = held_tau_;
  write_joint_multipliers(row_multipliers_, multipliers);
}

// After a response of the tree with its loops: what the other rows add to it. row_multipliers_ become those of all.
void ReducedDynamics::hold_response(VecX& delta_v) {
  const VecX local = articulated_.row_multipliers();
  row_multipliers_.setZero(rows_.count());
  if (!row_solver_.rows().empty()) {
    b_.resize(rows_.count());
    for (const int r : row_solver_.rows()) b_[r] = -rows_.rate(r, articulated_.accelerations(), delta_v);
    row_solver_.solve(b_, row_multipliers_, delta_);
    delta_v += delta_;
  }
  row_multipliers_.head(local.size()) += local;
}

void ReducedDynamics::add_motion_efforts(const VecX& held, VecX& out) {
  couplings_.distribute(held, &moved_, nullptr);
  out += moved_;
}

void ReducedDynamics::add_momentum(const VecX& delta_v, Vec3& linear, Vec3& angular) {
  multiply_jacobian(tree_, motion_, delta_v, joint_wrenches_);
  for (std::size_t i = 0; i < joint_wrenches_.size(); ++i) {
    const Vec6 momentum = multiply_inertia(tree_.nodes()[i], motion_.nodes[i], joint_wrenches_[i]);
    linear += momentum.tail<3>();
    angular += momentum.head<3>() + motion_.nodes[i].x_W.cross(momentum.tail<3>());
  }
}

void ReducedDynamics::add_energies(double sign, std::vector<double>& out) const {
  const ForceContext context{system_.model(), bodies(), kinematics_, bodies_.time};
  for (int f = 0; f < system_.force_count(); ++f) {
    const Force& force = system_.force(f);
    if (force.as_coordinate_force() == nullptr && !force.is_steady()) continue;
    out[static_cast<std::size_t>(f)] += (force.is_steady() ? -sign : sign) * force.potential_energy(context);
  }
}

}  // namespace sinew
