#include "sinew/dynamics/tree_row.h"

#include <algorithm>

#include "sinew/dynamics/constraint_rows.h"
#include "sinew/dynamics/coordinate_row.h"
#include "sinew/dynamics/kinematics.h"
#include "sinew/joints/swing_twist.h"
#include "sinew/spatial/se3.h"

namespace sinew {
namespace {

Vec6 rotated(const Mat3& R, const Vec6& x) { return stacked(R * x.head<3>(), R * x.tail<3>()); }

/// What a closing joint says of a relative pose and twist, in B.
struct JointFace {
  int dof = 0, rows = 6;
  Mat6 S = Mat6::Zero();      // its first `dof` columns
  Vec6 bias = Vec6::Zero();   // Ṡ v
  Vec6 error = Vec6::Zero();  // log(X(q)⁻¹ X_AB)
};
JointFace compute_face(const ModelJoint& joint, const Pose& X_AB, const VecX& joint_q, const Vec6& twist_B) {
  JointFace face;
  std::visit(
      [&]<class J>(const J& type) {
        const Vec<J::kCoordinates> q =
            type.coordinates(X_AB, Vec<J::kCoordinates>(joint_q.segment<J::kCoordinates>(joint.first_coordinate)));
        face.dof = J::kDof;
        face.rows = J::kRows;
        face.error = log_se3(type.pose(q).inverse() * X_AB);
        if constexpr (J::kDof > 0) {
          face.S.leftCols<J::kDof>() = type.motion_subspace(q);
          const Vec<J::kDof> v = type.rate_map(q) * twist_B;
          face.bias = type.motion_subspace_rate(q, v) * v;
        }
      },
      joint.type);
  return face;
}

/// If every column of S is along one axis of its own: a basis of what S leaves out, made of the other axes.
bool select_complement(const JointFace& face, Mat6& P) {
  int taken = 0;  // bits
  for (int k = 0; k < face.dof; ++k) {
    Eigen::Index axis = 0;
    const double largest = face.S.col(k).cwiseAbs().maxCoeff(&axis);
    const int bit = 1 << axis;
    if (face.S.col(k).cwiseAbs().sum() != largest || (taken & bit) != 0) return false;
    taken |= bit;
  }
  P.setZero();
  int column = 0;
  for (int axis = 0; axis < 6; ++axis)
    if ((taken & (1 << axis)) == 0) P(axis, column++) = 1;
  return true;
}

/// An orthonormal basis of what S leaves out, `rows` columns: Gram and Schmidt over the columns of S, then over the unit vectors, the longest rest
/// first.
Mat6 complement(const JointFace& face) {
  Mat6 P = Mat6::Zero();
  if (select_complement(face, P)) return P;
  Mat6 rest = Mat6::Identity();  // projects out what was taken
  const auto take = [&](const Vec6& x) {
    const Vec6 unit = x.normalized();
    rest -= unit * (unit.transpose() * rest);
    return unit;
  };
  for (int k = 0; k < face.dof; ++k) take(rest * face.S.col(k));
  P.setZero();
  for (int k = 0; k < face.rows; ++k) {
    Eigen::Index longest = 0;
    rest.colwise().squaredNorm().maxCoeff(&longest);
    P.col(k) = take(rest.col(longest));
  }
  return P;
}

/// One side of a closing joint: its node, and the joint's frame there.
struct Side {
  int node = -1;
  Mat3 R_WF = Mat3::Identity();  // F: frame A or B of the joint
  Vec3 x_F = Vec3::Zero();
};
Side make_side(const KinematicTree& tree, const TreeMotion& motion, int body, const Pose& X_CF) {
  if (body == kWorld) return {-1, X_CF.rotation(), X_CF.p};
  Side side{.node = tree.node_of(body)};
  const TreeNode& node = tree.node(side.node);
  const NodeMotion& m = motion.node(side.node);
  const Mat3 R_WC = m.R_WN * node.R_NC;
  side.R_WF = R_WC * X_CF.rotation();
  side.x_F = m.x_W + m.R_WN * node.X_NC.p + R_WC * X_CF.p;
  return side;
}

/// A node's twist, or its acceleration when no rate changes, at a point.
Vec6 moved_to(const TreeMotion& motion, const Side& side, Vec6 NodeMotion::* what, const Vec3& x) {
  if (side.node < 0) return Vec6::Zero();
  const NodeMotion& node = motion.node(side.node);
  return shifted(node.*what, x - node.x_W);
}

/// The bodies of a joint: B relative to A.
struct RelativeMotion {
  RelativeMotion(const KinematicTree& tree, const TreeMotion& motion, const ModelJoint& joint)
      : child(make_side(tree, motion, joint.child, joint.X_CB)),
        parent(make_side(tree, motion, joint.parent, joint.X_PA)),
        R_BW(child.R_WF.transpose()),
        V_child(moved_to(motion, child, &NodeMotion::V, child.x_F)),
        V_parent(moved_to(motion, parent, &NodeMotion::V, child.x_F)) {
    const Mat3 R_AW = parent.R_WF.transpose();
    X_AB = Pose{R_AW * (child.x_F - parent.x_F), Quat(Mat3(R_AW * child.R_WF))};
  }
  Vec6 twist_B() const { return rotated(R_BW, V_child - V_parent); }
  /// ṫ in B beyond the difference of accelerations.
  Vec6 cross_B() const { return rotated(R_BW, cross_motion(V_child, V_parent)); }

  Side child, parent;
  Mat3 R_BW;
  Vec6 V_child, V_parent;
  Pose X_AB;
};

void add_joint_rows(const KinematicTree& tree, const TreeMotion& motion, const ModelJoint& joint, const VecX& joint_q,
                    TreeRows& out) {
  const RelativeMotion relative(tree, motion, joint);
  const Side &child = relative.child, &parent = relative.parent;
  const Vec3& x_B = child.x_F;
  const JointFace face = compute_face(joint, relative.X_AB, joint_q, relative.twist_B());
  const Mat6 P = complement(face);
  const Vec6 bias = face.bias - relative.cross_B();
  for (int k = 0; k < face.rows; ++k) {
    const Vec6 w = rotated(child.R_WF, P.col(k));
    TreeRow& row = out.add_row();
    out.add_entry(child.node, shifted_back(w, x_B - motion.node(child.node).x_W));
    if (parent.node >= 0) out.add_entry(parent.node, -shifted_back(w, x_B - motion.node(parent.node).x_W));
    row.acceleration = P.col(k).dot(bias);
    row.error = P.col(k).dot(face.error);
  }
}

/// Gears act on the rates of joints in the tree; the others on one body whose orientation the rows follow.
void add_rows_of(const KinematicTree& tree, const TreeMotion& motion, const ModelConstraint& constraint,
                 const State& bodies, TreeRows& out) {
  const ConstraintError error = compute_constraint_error(tree.model(), constraint, bodies);
  if (!constraint.terms.empty()) {
    TreeRow& row = out.add_row();
    for (const CouplingTerm& term : constraint.terms) {
      const auto k = static_cast<std::size_t>(row.dof_count++);
      row.dofs[k] = tree.node(tree.node_of_joint(term.joint)).first_dof + term.coordinate;
      row.coefficients[k] = term.ratio;
    }
    row.error = error.g[0];
    return;
  }
  const int body = constraint.bodies[0];
  const int i = tree.node_of(body);
  Vec6 u;
  u << bodies.v_W[static_cast<std::size_t>(body)], bodies.omega_B[static_cast<std::size_t>(body)];
  const ConstraintRows rows =
      compute_constraint_rows(tree.model(), constraint, constraint_places(constraint, bodies), bodies.joint_q, u);
  // A u̇ = −Ȧ u for the velocities (v_W, ω_B) of the body; in the acceleration that it sees itself, v̇_W = a + ω × v
  const Vec3 omega_W = motion.node(i).V.head<3>();
  const Vec3 bias = -rows.rate_by_phi * u.tail<3>() - rows.A[0].leftCols<3>() * omega_W.cross(u.head<3>());
  for (int k = 0; k < constraint.rows; ++k) {
    const Mat<1, 6> A = rows.A[0].row(k);
    TreeRow& row = out.add_row();
    out.add_entry(i,
                  node_wrench(tree.node(i), motion.node(i), A.leftCols<3>().transpose(), A.rightCols<3>().transpose()));
    row.acceleration = bias[k];
    row.is_holonomic = k < constraint.holonomic_rows;
    if (row.is_holonomic) row.error = error.g[k];
  }
}

}  // namespace

void TreeRows::clear() {
  rows_.clear();
  entries_.clear();
}

TreeRow& TreeRows::add_row() {
  TreeRow& row = rows_.emplace_back();
  row.first_entry = static_cast<int>(entries_.size());
  return row;
}

void TreeRows::add_entry(int node, const Vec6& w) {
  if (node < 0) return;
  entries_.push_back({node, w});
  ++rows_.back().entry_count;
}

double TreeRows::rate(int r, std::span<const Vec6> twists, const VecX& rates) const {
  double sum = 0;
  for (const Entry& entry : entries(r)) sum += entry.w.dot(twists[static_cast<std::size_t>(entry.node)]);
  for (std::size_t k = 0; k < static_cast<std::size_t>(row(r).dof_count); ++k)
    sum += row(r).coefficients[k] * rates[row(r).dofs[k]];
  return sum;
}

void TreeRows::add_force(int r, double lambda, std::vector<Vec6>& wrenches, VecX& tau) const {
  for (const Entry& entry : entries(r)) wrenches[static_cast<std::size_t>(entry.node)] += lambda * entry.w;
  for (std::size_t k = 0; k < static_cast<std::size_t>(row(r).dof_count); ++k)
    tau[row(r).dofs[k]] += lambda * row(r).coefficients[k];
}

void add_closing_rows(const KinematicTree& tree, const TreeMotion& motion, const VecX& joint_q, TreeRows& out) {
  for (const int j : tree.closing_joints()) add_joint_rows(tree, motion, tree.model().joint(j), joint_q, out);
}

void add_constraint_rows(const KinematicTree& tree, const TreeCouplings& couplings, const TreeMotion& motion,
                         const State& bodies, TreeRows& out) {
  for (std::size_t c = 0; c < tree.model().constraints().size(); ++c)
    if (!couplings.is_reduced(c)) add_rows_of(tree, motion, tree.model().constraints()[c], bodies, out);
}

// With the twist t of B relative to A, in B:   q̈ = D (ṫ − Ṡ v);   of swing and twist, with gradients γ by rotations:   γ·ω̇ + γ̇·ω
double compute_coordinate_bias(const KinematicTree& tree, const TreeMotion& motion, const ModelJoint& joint, int index,
                               double near) {
  const RelativeMotion relative(tree, motion, joint);
  const Vec3& x_B = relative.child.x_F;
  const Vec6 twist = relative.twist_B();
  const Vec6 accelerations = moved_to(motion, relative.child, &NodeMotion::bias, x_B) -
                             moved_to(motion, relative.parent, &NodeMotion::bias, x_B);
  const Vec6 t_dot = rotated(relative.R_BW, accelerations) + relative.cross_B();
  if (joint.socket && index >= joint.scalars()) {
    const Quat align = z_onto(joint.socket->axis), to_B = relative.X_AB.q.conjugate() * align;
    const Quat q = align.conjugate() * relative.X_AB.q * align;
    const Vec3 omega = to_B.conjugate() * twist.head<3>(), change = to_B.conjugate() * t_dot.head<3>();
    return index == twist_index(joint) ? twist_gradient(q).dot(change) + twist_bias(q, omega)
                                       : swing_gradient(q).dot(change) + swing_bias(q, omega);
  }
  double bias = 0;
  std::visit(
      [&]<class J>(const J& type) {
        if constexpr (J::kDof > 0) {
          Vec<J::kCoordinates> q = type.neutral();
          q[index] = near;
          q = type.coordinates(relative.X_AB, q);
          const Mat<J::kDof, 6> D = type.rate_map(q);
          const Vec<J::kDof> v = D * twist;
          bias = D.row(index).dot(t_dot - type.motion_subspace_rate(q, v) * v);
        }
      },
      joint.type);
  return bias;
}

double free_mobility(const KinematicTree& tree, const TreeMotion& motion, const TreeRows& rows, int r) {
  double sum = 0;
  for (const TreeRows::Entry& entry : rows.entries(r)) {
    const TreeNode& node = tree.node(entry.node);
    const Vec3 com = motion.node(entry.node).first_moment / node.mass;
    const Vec3 force = entry.w.tail<3>(), torque = entry.w.head<3>() - com.cross(force);
    const double moments = node.inertia.trace() - 2 * node.mass * com.squaredNorm();  // about the centre of mass
    sum += force.squaredNorm() / node.mass + 3 * torque.squaredNorm() / moments;
  }
  return sum;
}

}  // namespace sinew
