#include "sinew/steppers/maximal/kkt_system.h"

#include <Eigen/LU>
#include <algorithm>
#include <fmt/format.h>

#include "sinew/linalg/elimination_order.h"

namespace sinew {

KktSystem::KktSystem(const Model& model, std::span<const ConstraintBlock> blocks) : model_(model) {
  for (const Body& body : model.bodies()) {
    Mat6 M = Mat6::Zero();
    M.diagonal().head<3>().setConstant(body.mass());
    M.bottomRightCorner<3, 3>() = body.inertia();
    M_.push_back(M);
    Mat6 inverse = Mat6::Zero();
    inverse.diagonal().head<3>().setConstant(1 / body.mass());
    inverse.bottomRightCorner<3, 3>() = body.inertia().inverse();
    M_inverse_.push_back(inverse);
  }
  order(blocks);
}

std::string KktSystem::factorize(double dt, std::span<const ForceDerivative> derivatives,
                                 std::span<const ConstraintBlock> blocks, std::span<const ConstraintBlock> rows,
                                 double regularisation) {
  find_pairs(derivatives);
  if (pairs_ != pairs_ordered_) order(blocks);
  matrix_->set_zero();
  for (int i = 0; i < model_.body_count(); ++i) add_block(i, i, M_[static_cast<std::size_t>(i)]);
  for (const ForceDerivative& derivative : derivatives) {
    const Mat6 half = dt / 2 * (derivative.D - dt * derivative.K);
    add_block(derivative.row, derivative.column, half);
    add_block(derivative.column, derivative.row, half.transpose());
  }
  for (std::size_t c = 0; c < blocks.size(); ++c)
    add_constraint(model_.body_count() + static_cast<int>(c), blocks[c], rows[c], regularisation);
  const Factorization factorization = matrix_->factorize();
  return factorization.ok ? std::string() : name_of_node(factorization.failed_node);
}

void KktSystem::find_pairs(std::span<const ForceDerivative> derivatives) {
  pairs_.clear();
  for (const ForceDerivative& derivative : derivatives) {
    if (derivative.row != derivative.column) pairs_.emplace_back(std::minmax(derivative.row, derivative.column));
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

// Nodes: bodies, then constraints.
void KktSystem::order(std::span<const ConstraintBlock> blocks) {
  BlockGraph graph;
  graph.sizes.assign(static_cast<std::size_t>(model_.body_count()), 6);
  graph.edges = pairs_;
  std::vector<bool> is_constraint(graph.sizes.size(), false);
  std::vector<int> ground_joints;
  row_ranges_.clear();
  for (const ConstraintBlock& block : blocks) {
    const int node = graph.node_count();
    graph.sizes.push_back(block.rows);
    is_constraint.push_back(true);
    for (std::size_t b = 0; b < block.body_count; ++b) graph.edges.emplace_back(node, block.bodies[b]);
    if (block.holds_on_to_world && block.body_count == 1) ground_joints.push_back(node);
    row_ranges_.emplace_back(block.first_row, block.rows);
  }
  const EliminationOrder found = make_elimination_order(graph, is_constraint, ground_joints);
  is_minimum_degree_ = found.is_minimum_degree;
  matrix_ = std::make_unique<GraphLdu>(graph, found.nodes);
  pairs_ordered_ = pairs_;
  work_.resize(matrix_->dimension());
}

void KktSystem::add_block(int row, int column, const Mat6& block) {
  matrix_->block<6, 6>(matrix_->slot(row, column)) += block;
}

void KktSystem::add_constraint(int node, const ConstraintBlock& block, const ConstraintBlock& rows,
                               double regularisation) {
  double inverse_mass = 0;
  for (std::size_t b = 0; b < block.body_count; ++b) {
    const int body = block.bodies[b];
    matrix_->block(matrix_->slot(node, body)) += rows.G[b].topRows(block.rows);
    matrix_->block(matrix_->slot(body, node)) -= block.G[b].topRows(block.rows).transpose();
    inverse_mass += (block.G[b] * M_inverse_[static_cast<std::size_t>(body)]).cwiseProduct(block.G[b]).sum();
  }
  matrix_->block(matrix_->diagonal_slot(node)).diagonal().array() += regularisation * inverse_mass / block.rows;
}

void KktSystem::solve(Eigen::Ref<VecX> bodies, Eigen::Ref<VecX> rows) const {
  for (int i = 0; i < model_.body_count(); ++i) work_.segment<6>(matrix_->offset(i)) = bodies.segment<6>(6 * i);
  const auto for_rows = [&](const auto& work) {
    for (std::size_t c = 0; c < row_ranges_.size(); ++c) {
      const auto [first, count] = row_ranges_[c];
      const int offset = matrix_->offset(model_.body_count() + static_cast<int>(c));
      for (int r = 0; r < count; ++r) work(work_[offset + r], rows[first + r]);
    }
  };
  for_rows([](double& inner, const double& outer) { inner = outer; });
  matrix_->solve(work_);
  for (int i = 0; i < model_.body_count(); ++i) bodies.segment<6>(6 * i) = work_.segment<6>(matrix_->offset(i));
  for_rows([](const double& inner, double& outer) { outer = inner; });
}

std::string KktSystem::name_of_node(int node) const {
  if (node < model_.body_count()) return fmt::format("body '{}'", model_.body(node).name);
  return name_of_block(model_, static_cast<std::size_t>(node - model_.body_count()));
}

}  // namespace sinew
