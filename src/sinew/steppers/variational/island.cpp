#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sinew/core/disjoint_sets.h"
#include "sinew/linalg/elimination_order.h"
#include "sinew/steppers/variational/discrete_rotation.h"
#include "sinew/steppers/variational/island_loops.h"

namespace sinew {
namespace {

constexpr int kFreeBodyIterations = 20;  // far more than it takes
constexpr int kVelocityRefinements = 3;

/// The graph of a mechanism is the graph of its matrix [Bruedigam2020, sec. 4.2]: a node of 6 rows per body, a node per joint with its rows and a zero
/// diagonal, an edge per joint end that is not the world, an edge per pair of bodies coupled otherwise; a constraint that is not a joint is a joint with
/// up to four ends.
struct IslandGraph {
  BlockGraph graph;
  std::vector<bool> is_joint;
  std::vector<int> ground_joints;
};
IslandGraph make_graph(const Island::Parts& parts, const Model& model) {
  IslandGraph out;
  std::vector<int> node_of(static_cast<std::size_t>(model.body_count()), -1);
  for (const int body : parts.bodies) {
    node_of[static_cast<std::size_t>(body)] = out.graph.node_count();
    out.graph.sizes.push_back(6);
    out.is_joint.push_back(false);
  }
  for (const int j : parts.joints) {
    const ModelJoint& joint = model.joint(j);
    if (joint.rows == 0) continue;
    const int node = out.graph.node_count();
    out.graph.sizes.push_back(joint.rows);
    out.is_joint.push_back(true);
    out.graph.edges.emplace_back(node, node_of[static_cast<std::size_t>(joint.child)]);
    if (joint.parent == kWorld) {
      out.ground_joints.push_back(node);
    } else {
      out.graph.edges.emplace_back(node, node_of[static_cast<std::size_t>(joint.parent)]);
    }
  }
  for (const int c : parts.couplings) {
    const ModelConstraint& constraint = model.constraints()[static_cast<std::size_t>(c)];
    const int node = out.graph.node_count();
    out.graph.sizes.push_back(constraint.rows);
    out.is_joint.push_back(true);
    for (std::size_t b = 0; b < static_cast<std::size_t>(constraint.body_count); ++b)
      out.graph.edges.emplace_back(node, node_of[static_cast<std::size_t>(constraint.bodies[b])]);
  }
  for (const auto& [a, b] : parts.pairs)
    out.graph.edges.emplace_back(node_of[static_cast<std::size_t>(a)], node_of[static_cast<std::size_t>(b)]);
  return out;
}

GraphLdu make_matrix(const Island::Parts& parts, const Model& model, bool& is_minimum_degree) {
  const IslandGraph g = make_graph(parts, model);
  const EliminationOrder order = make_elimination_order(g.graph, g.is_joint, g.ground_joints);
  is_minimum_degree = order.is_minimum_degree;
  return GraphLdu(g.graph, order.nodes);
}

/// Whether joints close loops, the world being one more body: constraints that are not joints may repeat what joints hold, and count as loops.
bool find_loops(const Island::Parts& parts, const Model& model) {
  if (!parts.couplings.empty()) return true;
  const int world = static_cast<int>(parts.bodies.size());
  const auto node_of = [&](int body) {  // bodies are sorted
    if (body == kWorld) return world;
    return static_cast<int>(std::ranges::lower_bound(parts.bodies, body) - parts.bodies.begin());
  };
  DisjointSets sets(world + 1);
  return std::ranges::any_of(parts.joints, [&](int j) {
    const ModelJoint& joint = model.joint(j);
    if (joint.rows == 0) return false;
    const int parent = node_of(joint.parent), child = node_of(joint.child);
    if (sets.find(parent) == sets.find(child)) return true;
    sets.unite(parent, child);
    return false;
  });
}

int count_joint_nodes(const Island::Parts& parts, const Model& model) {
  return static_cast<int>(
      std::count_if(parts.joints.begin(), parts.joints.end(), [&](int j) { return model.joint(j).rows > 0; }));
}

}  // namespace

Island::Island(const Parts& parts, Motion& motion)
    : parts_(parts), motion_(motion), ldu_(make_matrix(parts, motion.model(), is_minimum_degree_)) {
  const Model& model = motion.model();
  int node = 0;
  std::vector<int> node_of(static_cast<std::size_t>(model.body_count()), -1);
  for (const int body : parts_.bodies) {
    node_of[static_cast<std::size_t>(body)] = node;
    motion.body(body).offset = ldu_.offset(node);
    motion.body(body).diagonal = ldu_.diagonal_slot(node++);
  }
  const auto slots = [&](int row, int column) { return ldu_.slot(row, column); };
  for (const int j : parts_.joints) {
    const ModelJoint& joint = model.joint(j);
    JointMotion& data = motion.joint(j);
    data.g.setZero();
    data.regularisation = 0;
    data.offset = 0;
    if (joint.rows == 0) continue;
    data.offset = ldu_.offset(node);
    data.diagonal = ldu_.diagonal_slot(node);
    const int child = node_of[static_cast<std::size_t>(joint.child)];
    data.slot_child = slots(node, child);
    data.slot_child_transposed = slots(child, node);
    if (joint.parent != kWorld) {
      const int parent = node_of[static_cast<std::size_t>(joint.parent)];
      data.slot_parent = slots(node, parent);
      data.slot_parent_transposed = slots(parent, node);
    }
    ++node;
  }
  find_coupling_slots(node_of, node);
  for (const auto& [a, b] : parts_.pairs) {
    const int i = node_of[static_cast<std::size_t>(a)], k = node_of[static_cast<std::size_t>(b)];
    pair_slots_.push_back({slots(i, k), slots(k, i)});
  }
  find_element_slots(node_of);
  has_loops_ = find_loops(parts_, model);
  smallest_inertia_ = std::numeric_limits<double>::infinity();
  for (const int i : parts_.bodies) {
    smallest_inertia_ =
        std::min({smallest_inertia_, 1 / motion.body(i).inverse_mass, 1 / motion.body(i).inverse_inertia});
  }
  for (VecX* vector : {&unknowns_, &guess_, &centre_, &trial_, &residual_, &newton_step_, &correction_})
    *vector = VecX::Zero(ldu_.dimension());
}

/// ω with π⁺(ω) = π: for bodies without joints the solution, else by one step with J for the slope.
Vec3 Island::guess_turning(const BodyMotion& data, const Body& body, const Vec3& pi, int i) const {
  const Vec3 omega = data.velocity_here.tail<3>();
  if (motion_.model().joint_ends(i).empty())
    return solve_momentum_at_start(body.inertia(), pi, omega, motion_.dt, kFreeBodyIterations);
  const Vec3 rest = pi - DiscreteRotation(omega, motion_.dt).momentum_at_start(body.inertia());
  const Vec3 guess = omega + data.inverse_inertia_matrix * rest;
  return is_admissible(guess, motion_.dt) ? guess : omega;
}

// First iterate: joint impulses as at the end of the last step, velocities from (1), (2): for bodies without joints, the solution.
void Island::guess(const State& state) {
  const double dt = motion_.dt;
  for (const int j : parts_.joints) {
    const ModelJoint& joint = motion_.model().joint(j);
    unknowns_.segment(motion_.joint(j).offset, joint.rows) = dt / 2 * state.lambda.segment(joint.first_row, joint.rows);
  }
  compute_joint_wrenches(unknowns_);
  for_bodies([&](BodyMotion& data, const Body& body, int i) {
    const Vec6 momentum = stacked(data.p, data.pi) + joint_wrench(i);
    unknowns_.segment<3>(data.offset) = momentum.head<3>() * data.inverse_mass;
    unknowns_.segment<3>(data.offset + 3) = guess_turning(data, body, momentum.tail<3>(), i);
  });
  guess_couplings(state);
}

std::string Island::node_name(int node) const {
  const Model& model = motion_.model();
  if (node < 0) return "no body";
  if (node < model.body_count()) return fmt::format("body '{}'", model.body(node).name);
  const int joint = node - model.body_count();
  if (joint < model.joint_count()) return fmt::format("joint '{}'", model.joint(joint).name);
  return fmt::format("constraint '{}'", motion_.constraint(joint - model.joint_count()).name);
}

bool Island::factorize(StepReport& report, double least_pivot) {
  const Factorization factorization = ldu_.factorize(least_pivot);
  if (factorization.ok) return true;
  int node = factorization.failed_node;
  const int bodies = static_cast<int>(parts_.bodies.size());
  if (node < bodies) {
    node = parts_.bodies[static_cast<std::size_t>(node)];
  } else {
    int skip = node - bodies;
    const int couplings = skip - count_joint_nodes(parts_, motion_.model());
    if (couplings >= 0)
      node = motion_.model().body_count() + motion_.model().joint_count() +
             parts_.couplings[static_cast<std::size_t>(couplings)];
    for (const int j : parts_.joints) {
      if (motion_.model().joint(j).rows == 0 || skip-- > 0) continue;
      node = motion_.model().body_count() + j;
      break;
    }
  }
  if (least_pivot < GraphLdu::kLeastPivot) {  // contacts are in the matrix
    report.fail(
        fmt::format("the equations of contacts that press on {} are singular to rounding: reduce dt, or look for "
                    "masses that are far "
                    "too small",
                    node_name(node)));
    return false;
  }
  report.fail(
      fmt::format("the equations are singular at {}: a mass or inertia there may be far too small, or a joint "
                  "holds what nothing else holds",
                  node_name(node)));
  return false;
}

bool Island::solve_positions(std::span<const int> cones, const State& state, const Variational& options,
                             StepReport& report) {
  cones_.assign(cones.begin(), cones.end());
  closes_ahead_ = false;
  start_stage(Stage::Positions);
  guess(state);
  guess_ = centre_ = unknowns_;
  const bool ok =
      cones_.empty() ? solve_newton(options, report) : solve_interior_point(Stage::Positions, options, report);
  if (!ok || !is_close_to_symplectic(report)) return false;
  for (const int j : parts_.joints) {
    const int rows = motion_.model().joint(j).rows;
    motion_.joint(j).impulse_here.head(rows) = unknowns_.segment(motion_.joint(j).offset, rows);
  }
  keep_coupling_impulses(&CouplingMotion::impulse_here);
  return true;
}

// M δu − Gᵀ δΛ = Cᵀ r,  G δu = 0,  all at z_k: the same graph with the constant mass matrix.
bool Island::find_response_here(StepReport& report) {
  if (cones_.empty()) return true;
  working_ = cones_;
  newton_step_.setZero();
  add_cone_impulses(1, &ConeConstraint::impulse, newton_step_);
  if (parts_.couplings.empty() && count_joint_nodes(parts_, motion_.model()) == 0) {
    for_bodies([&](BodyMotion& data, const Body&, int) {
      data.response.head<3>() = data.inverse_mass * newton_step_.segment<3>(data.offset);
      data.response.tail<3>() = data.inverse_inertia_matrix * newton_step_.segment<3>(data.offset + 3);
    });
    return true;
  }
  start_stage(Stage::Response);
  assemble(Stage::Response);
  if (!factorize(report)) return false;
  ldu_.solve(newton_step_);
  for_bodies([&](BodyMotion& data, const Body&, int) { data.response = newton_step_.segment<6>(data.offset); });
  return true;
}

// (4)-(6): the same graph with G at z_{k+1} on both sides.
bool Island::solve_velocities(const Variational& options, StepReport& report) {
  start_stage(Stage::Velocities);
  active_cones_.clear();
  for (const int c : cones_) {
    if (motion_.cone_origins[static_cast<std::size_t>(c)].is_active) active_cones_.push_back(c);
  }
  for_bodies([&](BodyMotion& data, const Body&, int) { unknowns_.segment<6>(data.offset) = data.interval_velocity; });
  for (const int j : parts_.joints) unknowns_.segment(motion_.joint(j).offset, motion_.model().joint(j).rows).setZero();
  for (const int c : parts_.couplings)
    unknowns_.segment(motion_.coupling(c).offset, motion_.constraint(c).rows).setZero();
  guess_ = centre_ = unknowns_;

  if (!active_cones_.empty()) {
    if (!solve_interior_point(Stage::Velocities, options, report)) return false;
  } else {
    working_ = {};
    assemble(Stage::Velocities);
    if (!factorize(report)) return false;
    unknowns_.setZero();
    for_bodies(
        [&](BodyMotion& data, const Body&, int) { unknowns_.segment<6>(data.offset) = stacked(data.p, data.pi); });
    ldu_.solve(unknowns_);
    for (int n = 0; has_loops_ && n < kVelocityRefinements; ++n) {  // ε is taken out
      centre_ = unknowns_;
      const Residual left = evaluate(Stage::Velocities);
      if (std::max(left.motion, left.joint / std::abs(motion_.dt)) <= left.rounding) break;
      newton_step_ = residual_;
      ldu_.solve(newton_step_);
      unknowns_ -= newton_step_;
    }
    compute_joint_wrenches(unknowns_);
  }
  for_bodies([&](BodyMotion& data, const Body&, int) {
    data.velocity_next = unknowns_.segment<6>(data.offset);
    if (!active_cones_.empty()) data.response = data.velocity_next - free_velocities_.segment<6>(data.offset);
  });
  for (const int j : parts_.joints) {
    const int rows = motion_.model().joint(j).rows;
    motion_.joint(j).impulse_next.head(rows) = unknowns_.segment(motion_.joint(j).offset, rows);
  }
  keep_coupling_impulses(&CouplingMotion::impulse_next);
  return true;
}

}  // namespace sinew
