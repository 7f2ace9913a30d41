#include "sinew/dynamics/tree_motion.h"

#include <cmath>

#include "sinew/spatial/lanes.h"
#include "sinew/spatial/se3.h"

namespace sinew {
namespace {

/// The joint of one node: pose of N in its inner frame, S and Ṡ v, in N.
template <class J>
struct JointPart {
  Pose X_AN;
  Mat<6, J::kDof> S;
  Vec6 bias;
};

template <class J>
JointPart<J> compute_joint_part(const J& type, bool is_reversed, const Vec<J::kCoordinates>& q, const Vec<J::kDof>& v) {
  JointPart<J> out{type.pose(q), type.motion_subspace(q), Vec6::Zero()};
  if constexpr (J::kDof > 0) out.bias = type.motion_subspace_rate(q, v) * v;
  if (!is_reversed) return out;
  const Mat6 Ad = adjoint(out.X_AN);
  out.X_AN = out.X_AN.inverse();
  if constexpr (J::kDof > 0) out.S = -Ad * out.S;
  out.bias = -Ad * out.bias;
  return out;
}

Vec6 rotated(const Mat3& R, const Vec6& x) { return stacked(R * x.head<3>(), R * x.tail<3>()); }

// The functions below are flattened: all they call becomes part of them, whatever the compiler thinks of the size.

/// What follows from R = R_WN and r, `relative` = S v and `bias`, Ṡ v: everything but S.
[[gnu::always_inline]] inline void follow_parent(const TreeNode& node, const NodeMotion* parent, const Lanes33& R,
                                                 const Lanes& r, const Lanes6& relative, Lanes6 bias,
                                                 NodeMotion& motion) {
  Lanes x = r;
  Lanes6 V = relative;
  if (parent != nullptr) {
    const Lanes6 V_parent = load_lanes(parent->V), bias_parent = load_lanes(parent->bias);
    x += load_lanes(parent->x_W);
    V = V + Lanes6{V_parent.top, V_parent.bottom + cross(V_parent.top, r)};
    bias = bias + Lanes6{bias_parent.top, bias_parent.bottom + cross(bias_parent.top, r)};
  }
  bias.top += cross(V.top, relative.top);  // ad(V) S v
  bias.bottom += cross(V.bottom, relative.top) + cross(V.top, relative.bottom);
  store_lanes(R, motion.R_WN);
  store_lanes(x, motion.x_W);
  store_lanes(r, motion.r);
  store_lanes(V, motion.V);
  store_lanes(bias, motion.bias);
  const double* J = node.inertia.data();
  const Lanes33 turned = {R * J, R * (J + 3), R * (J + 6)}, Rt = transposed(R);
  store_lanes(Lanes33{turned * Rt.x, turned * Rt.y, turned * Rt.z}, motion.inertia);
  store_lanes(R * node.first_moment.data(), motion.first_moment);
}

[[gnu::flatten]] void move_hinge(const TreeNode& node, const NodeMotion* parent, double s, double c, double rate,
                                 NodeMotion& motion, Vec6& S) {
  Lanes33 R_WA = load_lanes(node.R_PA);
  Lanes r = load_lanes(node.X_PA.p);
  if (parent != nullptr) {
    const Lanes33 R_WP = load_lanes(parent->R_WN);
    const double* R_PA = node.R_PA.data();
    R_WA = {R_WP * R_PA, R_WP * (R_PA + 3), R_WP * (R_PA + 6)};
    r = R_WP * node.X_PA.p.data();
  }
  store_lanes(Lanes6{R_WA.z, Lanes{}}, S);
  follow_parent(node, parent, {c * R_WA.x + s * R_WA.y, c * R_WA.y - s * R_WA.x, R_WA.z}, r, {rate * R_WA.z, Lanes{}},
                {}, motion);
}

[[gnu::flatten]] void move_other(const TreeNode& node, const NodeMotion* parent, const Vec6& relative,
                                 NodeMotion& motion) {
  follow_parent(node, parent, load_lanes(motion.R_WN), load_lanes(motion.r), load_lanes(relative),
                load_lanes(motion.bias), motion);
}

}  // namespace

void compute_tree_motion(const KinematicTree& tree, const VecX& q, const VecX& v, TreeMotion& out) {
  out.nodes.resize(static_cast<std::size_t>(tree.node_count()));
  out.S.resize(static_cast<std::size_t>(tree.dof()));
  const Mat3 R_world = Mat3::Identity();
  for (std::size_t i = 0; i < out.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes()[i];
    NodeMotion& motion = out.nodes[i];
    const NodeMotion* parent = node.parent < 0 ? nullptr : &out.node(node.parent);
    if (node.is_hinge) {
      const double angle = q[node.first_coordinate];
      move_hinge(node, parent, std::sin(angle), std::cos(angle), v[node.first_dof], motion,
                 out.S[static_cast<std::size_t>(node.first_dof)]);
      continue;
    }
    const Mat3& R_WP = parent != nullptr ? parent->R_WN : R_world;
    Vec6 relative = Vec6::Zero();  // S v
    std::visit(
        [&]<class J>(const J& type) {
          const JointPart<J> part =
              compute_joint_part<J>(type, node.is_reversed, q.segment<J::kCoordinates>(node.first_coordinate),
                                    v.segment<J::kDof>(node.first_dof));
          motion.R_WN = R_WP * (node.R_PA * part.X_AN.rotation());
          motion.r = R_WP * (node.X_PA.p + node.R_PA * part.X_AN.p);
          motion.bias = rotated(motion.R_WN, part.bias);
          if constexpr (J::kDof > 0) {
            for (int k = 0; k < J::kDof; ++k) {
              Vec6& column = out.S[static_cast<std::size_t>(node.first_dof + k)];
              column = rotated(motion.R_WN, part.S.col(k));
              relative += v[node.first_dof + k] * column;
            }
          }
        },
        node.type);
    move_other(node, parent, relative, motion);
  }
}

void write_state(const KinematicTree& tree, const VecX& q, const TreeMotion& motion, State& state) {
  for (std::size_t i = 0; i < motion.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes()[i];
    const NodeMotion& m = motion.nodes[i];
    const auto k = static_cast<std::size_t>(node.body);
    const Mat3 R_WC = m.R_WN * node.R_NC;
    const Vec3 r = m.R_WN * node.X_NC.p, omega_W = m.V.head<3>();
    state.x_W[k] = m.x_W + r;
    const Quat turned = Quat(R_WC).normalized();  // of the two equal quaternions, the one nearer to the last
    state.q_WB[k] = turned.dot(state.q_WB[k]) < 0 ? Quat(Vec<4>(-turned.coeffs())) : turned;
    state.v_W[k] = m.V.tail<3>() + omega_W.cross(r);
    state.omega_B[k] = R_WC.transpose() * omega_W;
    if (node.joint >= 0)
      state.joint_q.segment(tree.model().joint(node.joint).first_coordinate, node.coordinates) =
          q.segment(node.first_coordinate, node.coordinates);
  }
}

Vec6 node_wrench(const TreeNode& node, const NodeMotion& motion, const Vec3& force_W, const Vec3& torque_B) {
  const Vec3 r = motion.R_WN * node.X_NC.p;
  return stacked(motion.R_WN * (node.R_NC * torque_B) + r.cross(force_W), force_W);
}

void multiply_jacobian(const KinematicTree& tree, const TreeMotion& motion, const VecX& x, std::vector<Vec6>& out) {
  out.resize(motion.nodes.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const TreeNode& node = tree.nodes()[i];
    out[i] =
        node.parent < 0 ? Vec6(Vec6::Zero()) : shifted(out[static_cast<std::size_t>(node.parent)], motion.nodes[i].r);
    for (int k = node.first_dof; k < node.first_dof + node.dof; ++k)
      out[i] += x[k] * motion.S[static_cast<std::size_t>(k)];
  }
}

void multiply_jacobian_transposed(const KinematicTree& tree, const TreeMotion& motion, std::vector<Vec6>& y,
                                  VecX& out) {
  out.resize(tree.dof());
  for (std::size_t i = y.size(); i-- > 0;) {
    const TreeNode& node = tree.nodes()[i];
    for (int k = node.first_dof; k < node.first_dof + node.dof; ++k)
      out[k] = motion.S[static_cast<std::size_t>(k)].dot(y[i]);
    if (node.parent >= 0) y[static_cast<std::size_t>(node.parent)] += shifted_back(y[i], motion.nodes[i].r);
  }
}

}  // namespace sinew
