#include "sinew/dynamics/tree_row.h"

#include <algorithm>

#include "sinew/dynamics/constraint_rows.h"
#include "sinew/dynamics/kinematics.h"
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

/// An orthonormal basis of what S leaves out, `rows` columns: Gram and Schmidt over the columns of S, then over the unit vectors, the longest rest
/// first.
Mat6 complement(const JointFace& face) {
  Mat6 rest = Mat6::Identity();  // projects out what was taken
  const auto take = [&](const Vec6& x) {
    const Vec6 unit = x.normalized();
    rest -= unit * (unit.transpose() * rest);
    return unit;
  };
  for (int k = 0; k < face.dof; ++k) take(rest * face.S.col(k));
  Mat6 P = Mat6::Zero();
  for (int k = 0; k < face.rows; ++k) {
    Eigen::Index longest = 0;
    rest.colwise().squaredNorm().maxCoeff(&longest);
    P.col(k) = take(rest.col(longest));
  }
  return P;
}

/// One side of a closing joint: its node, and how to move between the node's origin and that of frame B.
struct Side {
  int node = -1;
  Vec3 r = Vec3::Zero();  // from the node's origin to that of B
  Vec6 V = Vec6::Zero();  // twist at the origin of B
};
Side make_side(const KinematicTree& tree, const TreeMotion& motion, int body, const Vec3& x_B) {
  if (body == kWorld) return {};
  Side side{.node = tree.node_of(body)};
  const NodeMotion& node = motion.node(side.node);
  side.r = x_B - node.x_W;
  side.V = shifted(node.V, side.r);
  return side;
}

void add_joint_rows(const KinematicTree& tree, const TreeMotion& motion, const ModelJoint& joint, const State& bodies,
                    TreeRows& out) {
  const Pose X_WB = com_pose(bodies, joint.child) * joint.X_CB;
  const Side child = make_side(tree, motion, joint.child, X_WB.p),
             parent = make_side(tree, motion, joint.parent, X_WB.p);
  const Mat3 R_WB = X_WB.rotation(), R_BW = R_WB.transpose();
  const JointFace face =
      compute_face(joint, joint_pose(joint, bodies), bodies.joint_q, rotated(R_BW, child.V - parent.V));
  const Mat6 P = complement(face);
  const Vec6 bias = face.bias - rotated(R_BW, cross_motion(child.V, parent.V));
  for (int k = 0; k < face.rows; ++k) {
    const Vec6 w = rotated(R_WB, P.col(k));
    TreeRow& row = out.add_row();
    out.add_entry(child.node, shifted_back(w, child.r));
    out.add_entry(parent.node, -shifted_back(w, parent.r));
    row.acceleration = P.col(k).dot(bias);
    row.error = P.col(k).dot(face.error);
  }
}

/// Gears act on the rates of joints in the tree; the others on one body whose orientation the rows follow.
void add_constraint_rows(const KinematicTree& tree, const TreeMotion& motion, const ModelConstraint& constraint,
                         const State& bodies, TreeRows& out) {
  const ConstraintError error = compute_constraint_error(tree.model(), constraint, bodies);
  if (const Gear* gear = std::get_if<Gear>(&constraint.type)) {
    TreeRow& row = out.add_row();
    row.coefficients = {gear->ratio_a, gear->ratio_b};
    const std::array<int, 2> coordinates{gear->coordinate_a, gear->coordinate_b};
    for (std::size_t side = 0; side < 2; ++side)
      row.dofs[side] = tree.node(tree.node_of_joint(constraint.joints[side])).first_dof + coordinates[side];
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
  for (std::size_t k = 0; k < row(r).dofs.size(); ++k)
    if (row(r).dofs[k] >= 0) sum += row(r).coefficients[k] * rates[row(r).dofs[k]];
  return sum;
}

void TreeRows::add_force(int r, double lambda, std::vector<Vec6>& wrenches, VecX& tau) const {
  for (const Entry& entry : entries(r)) wrenches[static_cast<std::size_t>(entry.node)] += lambda * entry.w;
  for (std::size_t k = 0; k < row(r).dofs.size(); ++k)
    if (row(r).dofs[k] >= 0) tau[row(r).dofs[k]] += lambda * row(r).coefficients[k];
}

void add_closing_rows(const KinematicTree& tree, const TreeCouplings& couplings, const TreeMotion& motion,
                      const State& bodies, TreeRows& out) {
  for (const int j : tree.closing_joints()) add_joint_rows(tree, motion, tree.model().joint(j), bodies, out);
  for (std::size_t c = 0; c < tree.model().constraints().size(); ++c)
    if (!couplings.is_reduced(c)) add_constraint_rows(tree, motion, tree.model().constraints()[c], bodies, out);
}

namespace {

/// How fast a row would go by its own wrenches if its bodies were free, roughly: what its diagonal is compared with to see that the tree
/// itself forbids it.
double free_mobility(const KinematicTree& tree, const CoupledBodies& articulated, const TreeRows& rows, int r) {
  double sum = 0;
  for (const TreeRows::Entry& entry : rows.entries(r)) {
    const TreeNode& node = tree.node(entry.node);
    const Vec3 com = articulated.motion().node(entry.node).R_WN * node.first_moment / node.mass;
    const Vec3 force = entry.w.tail<3>(), torque = entry.w.head<3>() - com.cross(force);
    const double moments = node.inertia.trace() - 2 * node.mass * com.squaredNorm();  // about the centre of mass
    sum += force.squaredNorm() / node.mass + 3 * torque.squaredNorm() / moments;
  }
  return sum;
}

}  // namespace

void RowSolver::factorize(const KinematicTree& tree, CoupledBodies& articulated, const TreeRows& rows,
                          std::span<const double> compliance) {
  const int m = rows.count();
  K_.resize(m, m);
  responses_.resize(tree.dof(), m);
  size_.resize(m);
  for (int r = 0; r < m; ++r) {
    wrenches_.assign(static_cast<std::size_t>(tree.node_count()), Vec6::Zero());
    tau_.setZero(tree.dof());
    rows.add_force(r, 1, wrenches_, tau_);
    articulated.compute_response(wrenches_, tau_, response_);
    responses_.col(r) = response_;
    for (int s = 0; s < m; ++s) K_(s, r) = rows.rate(s, articulated.accelerations(), response_);
    if (!compliance.empty()) K_(r, r) += compliance[static_cast<std::size_t>(r)];
    const bool is_geared = rows.row(r).dofs[0] >= 0;
    size_[r] = is_geared ? K_(r, r) : std::max(K_(r, r), free_mobility(tree, articulated, rows, r));
  }
  cholesky_.factorize(K_, size_);
}

void RowSolver::solve(const VecX& b, VecX& lambda, VecX& delta_v) {
  cholesky_.solve(b, lambda);
  delta_v.noalias() = responses_ * lambda;
}

}  // namespace sinew
