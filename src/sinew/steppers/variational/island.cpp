#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sinew/linalg/elimination_order.h"
#include "sinew/steppers/variational/discrete_rotation.h"
#include "sinew/steppers/variational/island_loops.h"

namespace sinew {
namespace {

constexpr int kFreeBodyIterations = 20;    // far more than it takes
constexpr int kMaxLineSearchHalvings = 6;  // a step that short is lost: halving dt is cheaper
constexpr double kRoundingFactor = 64 * std::numeric_limits<double>::epsilon();

/// The graph of a mechanism is the graph of its matrix [Bruedigam2020, sec. 4.2]: a node of 6 rows per body, a node per joint with its rows and a zero
/// diagonal, an edge per joint end that is not the world, an edge per pair of bodies coupled otherwise.
struct IslandGraph {
  BlockGraph graph;
  std::vector<bool> is_joint;
  std::vector<int> ground_joints;
  int edges_of_tree = 0;
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
  for (const auto& [a, b] : parts_.pairs) {
    const int i = node_of[static_cast<std::size_t>(a)], k = node_of[static_cast<std::size_t>(b)];
    pair_slots_.push_back({slots(i, k), slots(k, i)});
  }
  for (const int e : parts_.elements) {
    ElementMotion& element = motion.elements[static_cast<std::size_t>(e)];
    if (element.parent == kWorld) continue;
    const int parent = node_of[static_cast<std::size_t>(element.parent)];
    const int child = node_of[static_cast<std::size_t>(element.child)];
    element.slot_child_parent = slots(child, parent);
    element.slot_parent_child = slots(parent, child);
  }
  // joints beyond those of a tree close loops; the world is one more body if any joint holds on to it
  const auto is_grounded = [&](int j) { return model.joint(j).parent == kWorld && model.joint(j).rows > 0; };
  const int grounded = std::any_of(parts_.joints.begin(), parts_.joints.end(), is_grounded) ? 1 : 0;
  has_loops_ = count_joint_nodes(parts_, model) > static_cast<int>(parts_.bodies.size()) - 1 + grounded;
  for (VecX* vector : {&unknowns_, &trial_, &residual_, &newton_step_, &correction_})
    *vector = VecX::Zero(ldu_.dimension());
}

bool Island::can_hold(std::span<const std::pair<int, int>> pairs) const {
  return std::includes(parts_.pairs.begin(), parts_.pairs.end(), pairs.begin(), pairs.end());
}

// First iterate: joint impulses as at the end of the last step, velocities from (1), (2): for bodies without joints, the solution.
void Island::guess(const State& state) {
  const double dt = motion_.dt;
  for (const int j : parts_.joints) {
    const ModelJoint& joint = motion_.model().joint(j);
    unknowns_.segment(motion_.joint(j).offset, joint.rows) = dt / 2 * state.lambda.segment(joint.first_row, joint.rows);
  }
  compute_joint_wrenches(false);
  for_bodies([&](BodyMotion& data, const Body& body, int i) {
    Vec6 momentum = stacked(data.p, data.pi);
    for (const JointEnd& end : motion_.model().joint_ends(i)) {
      const JointMotion& joint = motion_.joints[static_cast<std::size_t>(end.joint)];
      momentum += end.is_child ? joint.wrench_child : joint.wrench_parent;
    }
    unknowns_.segment<3>(data.offset) = momentum.head<3>() * data.inverse_mass;
    const int iterations = motion_.model().joint_ends(i).empty() ? kFreeBodyIterations : 1;
    unknowns_.segment<3>(data.offset + 3) =
        solve_momentum_at_start(body.inertia(), momentum.tail<3>(), data.velocity_here.tail<3>(), dt, iterations);
  });
}

// Gᵀ Λ of every joint on its two bodies.
void Island::compute_joint_wrenches(bool at_next) {
  for_joints([&]<class J>(JointMotion& data, const ModelJoint&) {
    const auto impulse = unknowns_.segment<J::kRows>(data.offset);
    data.wrench_parent.noalias() =
        ConstRows6<J::kRows>(at_next ? data.G_parent_next : data.G_parent_here).transpose() * impulse;
    data.wrench_child.noalias() =
        ConstRows6<J::kRows>(at_next ? data.G_child_next : data.G_child_here).transpose() * impulse;
  });
}

Island::Residual Island::evaluate(Stage stage) {
  return stage == Stage::Positions ? evaluate_positions() : evaluate_velocities();
}

// Residual of (1)-(3) at an iterate, and g, G, gaps at its end poses.
Island::Residual Island::evaluate_positions() {
  const double dt = motion_.dt;
  Residual result;
  for (const int i : parts_.bodies) {
    result.is_admissible = result.is_admissible && is_admissible(unknowns_.segment<3>(motion_.body(i).offset + 3), dt);
  }
  if (!result.is_admissible) return result;

  for_bodies([&](BodyMotion& data, const Body&, int) {
    data.interval_velocity = unknowns_.segment<6>(data.offset);
    const DiscreteRotation rotation(data.interval_velocity.tail<3>(), dt);
    data.next.x_W = data.here.x_W + dt * data.interval_velocity.head<3>();
    data.next.q_WB = (data.here.q_WB * rotation.increment()).normalized();
    data.next.R_WB = data.next.q_WB.toRotationMatrix();
  });
  for_joints([&]<class J>(JointMotion& data, const ModelJoint& joint) {
    const JointConstraint<J> c =
        compute_joint_constraint<J>(joint, motion_.place_next(joint.parent), motion_.place_next(joint.child));
    data.g.head<J::kRows>() = c.g;
    residual_.segment<J::kRows>(data.offset) = c.g / dt;
    Rows6<J::kRows>{data.G_parent_next} = c.G_parent;
    Rows6<J::kRows>{data.G_child_next} = c.G_child;
  });
  compute_joint_wrenches(false);
  for_bodies([&](BodyMotion& data, const Body& body, int i) {
    const DiscreteRotation rotation(data.interval_velocity.tail<3>(), dt);
    Vec6 imbalance = stacked(Vec3(body.mass() * data.interval_velocity.head<3>() - data.p),
                             Vec3(rotation.momentum_at_start(body.inertia()) - data.pi));
    for (const JointEnd& end : motion_.model().joint_ends(i)) {
      const JointMotion& joint = motion_.joints[static_cast<std::size_t>(end.joint)];
      imbalance -= end.is_child ? joint.wrench_child : joint.wrench_parent;
    }
    residual_.segment<6>(data.offset) = imbalance;
  });
  for (const int e : parts_.elements) {
    ElementMotion& element = motion_.elements[static_cast<std::size_t>(e)];
    const CoordinateRow row = element.force->coordinate(element.index, motion_.place_next(element.parent),
                                                        motion_.place_next(element.child), element.c_here);
    element.c_next = row.value;
    element.next_child = row.child;
    element.next_parent = row.parent;
    const Effort effort = element.force->effort(element.index, (element.c_here + element.c_next) / 2,
                                                (element.c_next - element.c_here) / dt, motion_.time + dt / 2);
    element.effort = effort.value;
    element.slope = effort.by_coordinate * dt / 2 + effort.by_rate;
    element.scale = std::abs(dt) / 2 *
                    (std::abs(effort.value) + std::abs(effort.by_coordinate * element.c_here) +
                     std::abs(effort.by_rate * element.c_here / dt));
    residual_.segment<6>(body_index(element.child)) -= dt / 2 * effort.value * element.here_child.transpose();
    if (element.parent != kWorld)
      residual_.segment<6>(body_index(element.parent)) -= dt / 2 * effort.value * element.here_parent.transpose();
  }
  if (!working_.empty()) {
    for_bodies([&](BodyMotion& data, const Body& body, int) {
      const DiscreteRotation rotation(data.interval_velocity.tail<3>(), dt);
      data.velocity_after.head<3>() = data.interval_velocity.head<3>();
      data.velocity_after.tail<3>() = data.inverse_inertia_matrix * rotation.momentum_at_start(body.inertia());
      data.after_derivative = data.inverse_inertia_matrix * rotation.momentum_derivative(body.inertia());
    });
  }
  for (const int c : working_) {
    ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
    update_cone_rows(motion_.cone_origins[static_cast<std::size_t>(c)], motion_, cone);
  }
  finish_residual(Stage::Positions, result);
  return result;
}

// Residual of (4)-(6): linear, but for the contacts.
Island::Residual Island::evaluate_velocities() {
  Residual result;
  for_joints([&]<class J>(JointMotion& data, const ModelJoint& joint) {
    Vec<J::kRows> rate = ConstRows6<J::kRows>(data.G_child_next) * unknowns_.segment<6>(body_index(joint.child));
    if (joint.parent != kWorld)
      rate += ConstRows6<J::kRows>(data.G_parent_next) * unknowns_.segment<6>(body_index(joint.parent));
    data.g.head<J::kRows>() = motion_.dt * rate;
    residual_.segment<J::kRows>(data.offset) = rate;
  });
  compute_joint_wrenches(true);
  for_bodies([&](BodyMotion& data, const Body& body, int i) {
    Vec6 imbalance = stacked(Vec3(body.mass() * unknowns_.segment<3>(data.offset) - data.p),
                             Vec3(body.inertia() * unknowns_.segment<3>(data.offset + 3) - data.pi));
    for (const JointEnd& end : motion_.model().joint_ends(i)) {
      const JointMotion& joint = motion_.joints[static_cast<std::size_t>(end.joint)];
      imbalance -= end.is_child ? joint.wrench_child : joint.wrench_parent;
    }
    residual_.segment<6>(data.offset) = imbalance;
  });
  for (const int c : working_) {
    ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
    cone.target =
        cone_rows(cone, unknowns_)[0] + motion_.cone_origins[static_cast<std::size_t>(c)].normal_velocity_here;
  }
  finish_residual(Stage::Velocities, result);
  return result;
}

/// V δ of a cone, its first `rows` entries.
Vec6 Island::cone_rows(const ConeConstraint& cone, const VecX& direction) const {
  Vec6 rows = Vec6::Zero();
  for_rows(cone, [&]<int R>() {
    auto head = rows.head<R>();
    head.noalias() = cone.V_a.topRows<R>() * direction.segment<6>(body_index(cone.body_a));
    if (cone.body_b != kWorld) head.noalias() += cone.V_b.topRows<R>() * direction.segment<6>(body_index(cone.body_b));
  });
  return rows;
}

// Contact impulses, and the sizes of everything.
void Island::finish_residual(Stage stage, Residual& result) {
  add_cone_impulses(-1, &ConeConstraint::impulse, residual_);
  double largest = 0;
  const auto add = [&](double value, double& kind, int node) {
    result.merit += value * value;
    kind = std::max(kind, value);
    if (value > largest) largest = value, result.worst_node = node;
  };
  double position_scale = 0, velocity_scale = 0;
  for (const int i : parts_.bodies) {
    const BodyMotion& data = motion_.body(i);
    add(residual_.segment<3>(data.offset).norm() * data.inverse_mass, result.motion, i);
    add(residual_.segment<3>(data.offset + 3).norm() * data.inverse_inertia, result.motion, i);
    position_scale = std::max(position_scale, data.next.x_W.lpNorm<Eigen::Infinity>());
    velocity_scale =
        std::max({velocity_scale, data.p.norm() * data.inverse_mass, data.pi.norm() * data.inverse_inertia});
  }
  for (const int j : parts_.joints) {
    const ModelJoint& joint = motion_.model().joint(j);
    if (joint.rows == 0) continue;
    const JointMotion& data = motion_.joint(j);
    const double error = data.g.head(joint.rows).lpNorm<Eigen::Infinity>();
    double as_velocity = 0;
    add(error / std::abs(motion_.dt), as_velocity, motion_.model().body_count() + j);
    result.joint = std::max(result.joint, error);
    const auto impulse_scale = [&](int body, const Vec6& wrench) {
      if (body == kWorld) return;
      const BodyMotion& b = motion_.body(body);
      velocity_scale = std::max(
          {velocity_scale, wrench.head<3>().norm() * b.inverse_mass, wrench.tail<3>().norm() * b.inverse_inertia});
    };
    impulse_scale(joint.parent, data.wrench_parent);
    impulse_scale(joint.child, data.wrench_child);
  }
  for (const int e : parts_.elements) {
    const ElementMotion& element = motion_.elements[static_cast<std::size_t>(e)];
    const auto impulse_scale = [&](int body, const Mat<1, 6>& row) {
      if (body == kWorld) return;
      const BodyMotion& b = motion_.body(body);
      velocity_scale = std::max({velocity_scale, element.scale * row.leftCols<3>().norm() * b.inverse_mass,
                                 element.scale * row.rightCols<3>().norm() * b.inverse_inertia});
    };
    impulse_scale(element.child, element.here_child);
    impulse_scale(element.parent, element.here_parent);
  }
  result.rounding = kRoundingFactor * std::max(position_scale, velocity_scale);
  // A slack follows its gap exactly once both agree to rounding: what is left is amplified by γ/s, and means nothing.
  const double noise = stage == Stage::Positions ? result.rounding / std::abs(motion_.dt) : result.rounding;
  for (std::size_t n = 0; n < working_.size(); ++n) {
    ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(working_[n])];
    double error = cone.has_normal ? cone.target - cone.velocity[0] : 0.0;
    if (std::abs(error) <= noise) error = 0;
    slack_errors_[n] = error;
    result.slack = std::max(result.slack, std::abs(error));
    Vec6 rows;
    if (stage == Stage::Positions) {
      rows = cone.C_a * motion_.body(cone.body_a).velocity_after;
      if (cone.body_b != kWorld) rows += cone.C_b * motion_.body(cone.body_b).velocity_after;
    } else {
      rows = cone_rows(cone, unknowns_);
    }
    for (int row = cone.has_normal ? 1 : 0; row < cone.rows; ++row) cone.velocity[row] = rows[row];
  }
}

void Island::add_cone_impulses(double sign, const Vec6 ConeConstraint::* impulse, VecX& out) {
  for (const int c : working_) {
    const ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
    for_rows(cone, [&]<int R>() {
      const Vec<R> r = sign * (cone.*impulse).head<R>();
      out.segment<6>(body_index(cone.body_a)).noalias() += cone.C_a.topRows<R>().transpose() * r;
      if (cone.body_b != kWorld)
        out.segment<6>(body_index(cone.body_b)).noalias() += cone.C_b.topRows<R>().transpose() * r;
    });
  }
}

std::string Island::node_name(int node) const {
  const Model& model = motion_.model();
  if (node < 0) return "no body";
  if (node < model.body_count()) return fmt::format("body '{}'", model.body(node).name);
  return fmt::format("joint '{}'", model.joint(node - model.body_count()).name);
}

void Island::fail(StepReport& report, std::string reason) const {
  report.status = StepStatus::Failed;
  report.reason = std::move(reason);
}

bool Island::factorize(StepReport& report) {
  const Factorization factorization = ldu_.factorize();
  if (factorization.ok) return true;
  int node = factorization.failed_node;
  const int bodies = static_cast<int>(parts_.bodies.size());
  if (node < bodies) {
    node = parts_.bodies[static_cast<std::size_t>(node)];
  } else {
    int skip = node - bodies;
    for (const int j : parts_.joints) {
      if (motion_.model().joint(j).rows == 0 || skip-- > 0) continue;
      node = motion_.model().body_count() + j;
      break;
    }
  }
  fail(report, fmt::format("the equations are singular at {}: a mass or inertia there may be far too small, or a joint "
                           "holds what nothing else holds",
                           node_name(node)));
  return false;
}

bool Island::solve_positions(std::span<const int> cones, const State& state, const Variational& options,
                             StepReport& report) {
  cones_.assign(cones.begin(), cones.end());
  stage_in_work_ = Stage::Positions;
  guess(state);
  const bool ok =
      cones_.empty() ? solve_newton(options, report) : solve_interior_point(Stage::Positions, options, report);
  if (!ok) return false;
  for (const int j : parts_.joints) {
    const int rows = motion_.model().joint(j).rows;
    motion_.joint(j).impulse_here.head(rows) = unknowns_.segment(motion_.joint(j).offset, rows);
  }
  return true;
}

// Newton's method with backtracking on (1)-(3).
bool Island::solve_newton(const Variational& options, StepReport& report) {
  working_ = {};
  Residual current = evaluate(Stage::Positions);
  int iterations = 0;
  while (true) {
    report.residual = std::max({report.residual, current.joint, current.motion});
    const double error = std::max(current.joint, current.motion);
    if (error <= std::max(options.tolerance, current.rounding)) break;
    if (iterations == options.max_iterations || !std::isfinite(current.merit)) {
      fail(report, fmt::format("Newton's method stopped after {} iterations with residual {:.2e} at {}: reduce dt, or "
                               "look for a blow-up",
                               iterations, error, node_name(current.worst_node)));
      return false;
    }
    assemble(Stage::Positions);
    if (!factorize(report)) return false;
    newton_step_ = residual_;
    ldu_.solve(newton_step_);
    ++iterations;
    report.iterations = std::max(report.iterations, iterations);

    double length = 1;
    Residual next;
    trial_ = unknowns_;
    for (int halvings = 0;; ++halvings, length /= 2) {
      unknowns_ = trial_ - length * newton_step_;
      next = evaluate(Stage::Positions);
      if (next.is_admissible && (next.merit < current.merit || std::max(next.joint, next.motion) <= next.rounding))
        break;
      if (halvings == kMaxLineSearchHalvings) {
        fail(report, fmt::format("no Newton step reduces the residual {:.2e} at {}: reduce dt", error,
                                 node_name(current.worst_node)));
        return false;
      }
    }
    current = next;
  }
  report.residual = std::max(current.joint, current.motion);
  return true;
}

// (4)-(6): the same graph with G at z_{k+1} on both sides and the constant mass matrix.
bool Island::solve_velocities(const Variational& options, StepReport& report) {
  stage_in_work_ = Stage::Velocities;
  active_cones_.clear();
  for (const int c : cones_) {
    if (motion_.cone_origins[static_cast<std::size_t>(c)].is_active) active_cones_.push_back(c);
  }
  for_bodies([&](BodyMotion& data, const Body&, int) { unknowns_.segment<6>(data.offset) = data.interval_velocity; });
  for (const int j : parts_.joints) unknowns_.segment(motion_.joint(j).offset, motion_.model().joint(j).rows).setZero();

  if (!active_cones_.empty()) {
    if (!solve_interior_point(Stage::Velocities, options, report)) return false;
  } else {
    working_ = {};
    assemble(Stage::Velocities);
    if (!factorize(report)) return false;
    const int refinements = has_loops_ ? 3 : 0;  // ε is taken out
    for (const int i : parts_.bodies) unknowns_.segment<6>(motion_.body(i).offset).setZero();
    for (int n = 0; n <= refinements; ++n) {
      evaluate(Stage::Velocities);
      newton_step_ = residual_;
      ldu_.solve(newton_step_);
      unknowns_ -= newton_step_;
    }
    compute_joint_wrenches(true);
  }
  for (const int i : parts_.bodies) motion_.body(i).velocity_next = unknowns_.segment<6>(motion_.body(i).offset);
  for (const int j : parts_.joints) {
    const int rows = motion_.model().joint(j).rows;
    motion_.joint(j).impulse_next.head(rows) = unknowns_.segment(motion_.joint(j).offset, rows);
  }
  return true;
}

}  // namespace sinew
