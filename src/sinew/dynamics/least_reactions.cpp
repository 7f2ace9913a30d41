#include "sinew/dynamics/least_reactions.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "sinew/core/disjoint_sets.h"
#include "sinew/dynamics/joint_constraint.h"
#include "sinew/linalg/elimination_order.h"

namespace sinew {
namespace {

constexpr double kRegularisation = 1e-10;  // ε, of the largest of K
constexpr double kRounding = 1e-14;        // of B d, relative to B μ
constexpr int kMaxPasses = 5;

/// ℓ, m
double lever_of(const ModelJoint& joint) {
  const double length = joint.bearing ? joint.bearing->length : 0;
  return length > 0 ? length / 2 : 1;
}

/// Wrenches (force_W, torque_B) at the centre of mass of the child, moved to the origin of its joint frame, torques divided by ℓ.
Mat6 in_joint(const ModelJoint& joint, const BodyPlace& child, const Mat6& Gt) {
  Mat6 out = Gt;
  const Vec3 p = joint.X_CB.p;  // from the centre of mass
  for (int k = 0; k < 6; ++k) {
    const Vec3 force_C = child.R_WB.transpose() * Gt.col(k).head<3>();
    out.col(k).tail<3>() = (Gt.col(k).tail<3>() - p.cross(force_C)) / lever_of(joint);
  }
  return out;
}

}  // namespace

LeastReactions::LeastReactions(const Model& model) : model_(model) {
  std::vector<int> node_of(static_cast<std::size_t>(model.body_count()), -1), bodies;
  const auto find_node = [&](int body) {
    if (body == kWorld) return -1;
    int& node = node_of[static_cast<std::size_t>(body)];
    if (node < 0) {
      node = static_cast<int>(bodies.size());
      bodies.push_back(body);
    }
    return node;
  };
  for (const int j : find_joints_on_loops()) {
    const ModelJoint& joint = model.joint(j);
    LoopJoint& on_loop = joints_.emplace_back();
    on_loop.joint = j;
    on_loop.parent = find_node(joint.parent);
    on_loop.child = find_node(joint.child);
  }
  if (!empty()) make_network(static_cast<int>(bodies.size()));
}

// Each joint beyond a spanning tree closes a loop with those that link its bodies in the tree.
std::vector<int> LeastReactions::find_joints_on_loops() const {
  const auto count = static_cast<std::size_t>(model_.body_count());
  const auto vertex = [&](int body) { return body == kWorld ? count : static_cast<std::size_t>(body); };
  std::vector<std::vector<int>> joints_at(count + 1);
  for (int j = 0; j < model_.joint_count(); ++j) {
    const ModelJoint& joint = model_.joint(j);
    if (joint.rows == 0) continue;
    joints_at[vertex(joint.parent)].push_back(j);
    joints_at[vertex(joint.child)].push_back(j);
  }
  std::vector<int> joint_above(count + 1, -1), depth(count + 1, -1);
  std::vector<std::size_t> above(count + 1, 0), queue;
  for (std::size_t n = 0; n <= count; ++n) {
    const std::size_t root = count - n;  // the world first
    if (depth[root] >= 0) continue;
    depth[root] = 0;
    queue = {root};
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::size_t at = queue[next];
      for (const int j : joints_at[at]) {
        const std::size_t a = vertex(model_.joint(j).parent), b = vertex(model_.joint(j).child),
                          other = a == at ? b : a;
        if (depth[other] >= 0) continue;
        depth[other] = depth[at] + 1;
        above[other] = at;
        joint_above[other] = j;
        queue.push_back(other);
      }
    }
  }
  std::vector<char> is_on_loop(static_cast<std::size_t>(model_.joint_count()), 0);
  for (int j = 0; j < model_.joint_count(); ++j) {
    const ModelJoint& joint = model_.joint(j);
    std::size_t a = vertex(joint.parent), b = vertex(joint.child);
    if (joint.rows == 0 || joint_above[a] == j || joint_above[b] == j) continue;
    is_on_loop[static_cast<std::size_t>(j)] = 1;
    while (a != b) {
      std::size_t& lower = depth[a] > depth[b] ? a : b;
      is_on_loop[static_cast<std::size_t>(joint_above[lower])] = 1;
      lower = above[lower];
    }
  }
  std::vector<int> out;
  for (int j = 0; j < model_.joint_count(); ++j)
    if (is_on_loop[static_cast<std::size_t>(j)] != 0) out.push_back(j);
  return out;
}

void LeastReactions::make_network(int bodies) {
  BlockGraph graph;
  graph.sizes.assign(static_cast<std::size_t>(bodies), 6);
  for (const LoopJoint& on_loop : joints_)
    if (on_loop.parent >= 0) graph.edges.emplace_back(std::minmax(on_loop.parent, on_loop.child));
  std::sort(graph.edges.begin(), graph.edges.end());
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
  network_ = std::make_unique<GraphLdu>(graph, make_elimination_order(graph).nodes);
  work_.resize(network_->dimension());
  for (LoopJoint& on_loop : joints_) {
    on_loop.here_child = network_->diagonal_slot(on_loop.child);
    if (on_loop.parent < 0) continue;
    on_loop.here_parent = network_->diagonal_slot(on_loop.parent);
    on_loop.upper = network_->slot(on_loop.parent, on_loop.child);
    on_loop.lower = network_->slot(on_loop.child, on_loop.parent);
  }
}

void LeastReactions::factorize(const State& bodies) {
  if (empty()) return;
  network_->set_zero();
  double largest = 0;
  for (LoopJoint& on_loop : joints_) {
    const ModelJoint& joint = model_.joint(on_loop.joint);
    const BodyPlace parent = body_place(bodies, joint.parent), child = body_place(bodies, joint.child);
    JointConstraint rows = compute_joint_constraint(joint, parent, child);
    rows.Gt_child.rightCols(6 - joint.rows).setZero();
    rows.Gt_parent.rightCols(6 - joint.rows).setZero();
    const Mat6 H = in_joint(joint, child, rows.Gt_child);
    Mat6 gram = H.transpose() * H;
    gram.diagonal().tail(6 - joint.rows).setOnes();
    on_loop.L = gram.llt().matrixL();
    const auto scaled = [&](const Mat6& Gt) -> Mat6 {
      return on_loop.L.triangularView<Eigen::Lower>().solve(Gt.transpose()).transpose();
    };
    on_loop.B_child = scaled(rows.Gt_child);
    network_->block<6, 6>(on_loop.here_child).noalias() += on_loop.B_child * on_loop.B_child.transpose();
    if (on_loop.parent < 0) continue;
    on_loop.B_parent = scaled(rows.Gt_parent);
    network_->block<6, 6>(on_loop.here_parent).noalias() += on_loop.B_parent * on_loop.B_parent.transpose();
    network_->block<6, 6>(on_loop.upper).noalias() += on_loop.B_parent * on_loop.B_child.transpose();
    network_->block<6, 6>(on_loop.lower).noalias() += on_loop.B_child * on_loop.B_parent.transpose();
  }
  const auto for_diagonals = [&](const auto& work) {
    for (const LoopJoint& on_loop : joints_) {
      work(on_loop.here_child);
      if (on_loop.parent >= 0) work(on_loop.here_parent);
    }
  };
  for_diagonals([&](Slot slot) { largest = std::max(largest, network_->block<6, 6>(slot).diagonal().maxCoeff()); });
  // added once for every joint of a body
  for_diagonals([&](Slot slot) { network_->block<6, 6>(slot).diagonal().array() += kRegularisation * largest; });
  is_ready_ = network_->factorize(0).ok;
}

// B d into work_; returns its largest entry.
double LeastReactions::push() {
  work_.setZero();
  for (const LoopJoint& on_loop : joints_) {
    work_.segment<6>(network_->offset(on_loop.child)).noalias() += on_loop.B_child * on_loop.load;
    if (on_loop.parent >= 0)
      work_.segment<6>(network_->offset(on_loop.parent)).noalias() += on_loop.B_parent * on_loop.load;
  }
  return work_.lpNorm<Eigen::Infinity>();
}

void LeastReactions::apply(VecX& multipliers) {
  if (empty() || !is_ready_) return;
  for (LoopJoint& on_loop : joints_) {
    const ModelJoint& joint = model_.joint(on_loop.joint);
    on_loop.load.setZero();
    on_loop.load.head(joint.rows) = multipliers.segment(joint.first_row, joint.rows);
    on_loop.load = (on_loop.L.transpose() * on_loop.load).eval();
  }
  const double all = push();
  double left = all;
  for (int pass = 0; pass < kMaxPasses && left > kRounding * all; ++pass) {
    network_->solve(work_);
    for (LoopJoint& on_loop : joints_) {
      on_loop.load.noalias() -= on_loop.B_child.transpose() * work_.segment<6>(network_->offset(on_loop.child));
      if (on_loop.parent >= 0)
        on_loop.load.noalias() -= on_loop.B_parent.transpose() * work_.segment<6>(network_->offset(on_loop.parent));
    }
    left = push();
  }
  for (LoopJoint& on_loop : joints_) {
    const ModelJoint& joint = model_.joint(on_loop.joint);
    on_loop.load = on_loop.L.transpose().triangularView<Eigen::Upper>().solve(on_loop.load).eval();
    multipliers.segment(joint.first_row, joint.rows) -= on_loop.load.head(joint.rows);
  }
}

}  // namespace sinew
