#include "sinew/steppers/maximal/repeated_rows.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "sinew/core/disjoint_sets.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

// How far a loop may be open, in rad, or length by the longest lever: pivots of rows that repeat others come to about its square.
constexpr double kClosed = 1e-8;
constexpr double kNothing = 1e-9;    // of pivots: 3e-5 rad from a singular pose
constexpr int kMostIterations = 20;  // a few from what drift opens in a run

/// How far from the body's centre of mass a row acts, m; 0 if it only turns.
double lever(const Mat6& G, int row) {
  const double along = G.row(row).head<3>().norm();
  return along > 0 ? G.row(row).tail<3>().norm() / along : 0;
}

}  // namespace

RepeatedRows::RepeatedRows(const Model& model) : model_(&model), closed_(make_constraint_blocks(model)) {
  for (const Body& body : model.bodies()) {
    Mat6& root = roots_.emplace_back(Mat6::Zero());
    root.diagonal().head<3>().setConstant(1 / std::sqrt(body.mass()));
    root.bottomRightCorner<3, 3>() = Eigen::SelfAdjointEigenSolver<Mat3>(body.inertia()).operatorInverseSqrt();
  }
  for (const std::vector<std::size_t>& members : find_looped_parts(model, closed_)) {
    Part& part = parts_.emplace_back();
    for (const std::size_t c : members) {
      const ConstraintBlock& block = closed_[c];
      for (int r = 0; r < block.rows; ++r) part.rows.push_back({c, r, block.first_row + r});
      part.bodies.insert(part.bodies.end(), block.bodies.begin(), block.bodies.begin() + block.body_count);
    }
    std::sort(part.bodies.begin(), part.bodies.end());
    part.bodies.erase(std::unique(part.bodies.begin(), part.bodies.end()), part.bodies.end());
    part.G.setZero(static_cast<Eigen::Index>(part.rows.size()), 6 * static_cast<Eigen::Index>(part.bodies.size()));
  }
}

std::optional<std::size_t> RepeatedRows::find(std::span<const BodyPlace> places, const VecX& joint_q,
                                              std::span<const ConstraintBlock> blocks) {
  if (parts_.empty()) return std::nullopt;
  places_.assign(places.begin(), places.end());
  closed_.assign(blocks.begin(), blocks.end());
  for (int iterations = 0;; ++iterations) {
    const Part* open = nullptr;
    for (Part& part : parts_) {
      fill(part);
      find_opening(part);
      if (!(part.open <= kClosed)) open = &part;
    }
    if (open == nullptr) break;
    if (iterations == kMostIterations || !std::isfinite(open->open)) return open->widest_open;
    for (const Part& part : parts_)
      if (part.open > kClosed) close(part);
    update_constraint_blocks(*model_, places_, joint_q, closed_);
    align_rows(blocks, closed_);
  }
  Eigen::Index columns = 0;
  for (Part& part : parts_) {
    find_repeats(part);
    columns += part.N.cols();
  }
  N_.setZero(model_->rows(), columns);
  C_.setZero(model_->rows(), columns);
  columns = 0;
  for (const Part& part : parts_) {
    for (Eigen::Index i = 0; i < part.N.rows(); ++i) {
      const int row = part.rows[static_cast<std::size_t>(i)].lambda;
      N_.row(row).segment(columns, part.N.cols()) = part.N.row(i);
      C_.row(row).segment(columns, part.N.cols()) = part.E[i] * part.N.row(i);
    }
    columns += part.N.cols();
  }
  NtC_.compute(N_.transpose() * C_);
  return std::nullopt;
}

void RepeatedRows::fill(Part& part) const {
  const auto n = static_cast<Eigen::Index>(part.rows.size());
  part.E.resize(n), part.S.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Row& row = part.rows[static_cast<std::size_t>(i)];
    const ConstraintBlock& block = closed_[row.block];
    for (std::size_t b = 0; b < block.body_count; ++b) {
      const auto place = std::lower_bound(part.bodies.begin(), part.bodies.end(), block.bodies[b]);
      part.G.row(i).segment<6>(6 * (place - part.bodies.begin())) =
          block.G[b].row(row.row) * roots_[static_cast<std::size_t>(block.bodies[b])];
    }
    part.E[i] = part.G.row(i).squaredNorm();
    part.S[i] = part.E[i] > 0 ? 1 / std::sqrt(part.E[i]) : 1;
  }
  part.G = part.S.asDiagonal() * part.G;
  part.K.noalias() = part.G * part.G.transpose();
  for (Eigen::Index begin = 0; begin < n;) {
    const int count = closed_[part.rows[static_cast<std::size_t>(begin)].block].rows;
    part.E.segment(begin, count).setConstant(part.E.segment(begin, count).mean());
    begin += count;
  }
}

void RepeatedRows::find_opening(Part& part) const {
  double longest = 0;
  for (const Row& row : part.rows)
    for (std::size_t b = 0; b < closed_[row.block].body_count; ++b)
      longest = std::max(longest, lever(closed_[row.block].G[b], row.row));
  part.open = 0;
  for (const Row& row : part.rows) {
    const ConstraintBlock& block = closed_[row.block];
    if (row.row >= block.holonomic_rows) continue;
    const double along = block.G[0].row(row.row).head<3>().norm(), around = block.G[0].row(row.row).tail<3>().norm();
    const double size = along > 0 ? along * longest : around;
    const double open = size > 0 ? std::abs(block.g[row.row]) / size : 0;
    if (!(open <= part.open)) part.open = open, part.widest_open = row.block;
  }
}

void RepeatedRows::close(const Part& part) {
  VecX g(part.S.size());
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    const Row& row = part.rows[static_cast<std::size_t>(i)];
    const ConstraintBlock& block = closed_[row.block];
    g[i] = row.row < block.holonomic_rows ? part.S[i] * block.g[row.row] : 0.0;
  }
  const auto n = g.size();
  damped_.compute(part.K + std::min(part.open, 1.0) * Eigen::MatrixXd::Identity(n, n));
  const VecX step = part.G.transpose() * damped_.solve(g);
  for (std::size_t i = 0; i < part.bodies.size(); ++i) {
    const auto body = static_cast<std::size_t>(part.bodies[i]);
    const Vec6 moved = roots_[body] * step.segment<6>(6 * static_cast<Eigen::Index>(i));
    BodyPlace& place = places_[body];
    place.x_W -= moved.head<3>();
    place.q_WB = (place.q_WB * exp_quat(Vec3(-moved.tail<3>()))).normalized();
    place.R_WB = place.q_WB.toRotationMatrix();
  }
}

void RepeatedRows::find_repeats(Part& part) {
  const Eigen::Index n = part.K.rows();
  cholesky_.factorize(part.K, VecX::Ones(n), kNothing);
  const std::vector<int>& order = cholesky_.order();
  const Eigen::Index rank = cholesky_.rank();
  part.N.resize(n, n - rank);
  VecX parts;  // of the independent rows in one that depends on them
  for (Eigen::Index i = rank; i < n; ++i) {
    const int row = order[static_cast<std::size_t>(i)];
    cholesky_.solve(part.K.col(row), parts);
    parts[row] = -1;
    part.N.col(i - rank) = -part.S.cwiseProduct(parts);
  }
}

void RepeatedRows::take_out(VecX& residual) const {
  if (C_.cols() > 0) residual -= C_ * NtC_.solve(N_.transpose() * residual);
}

std::vector<std::vector<std::size_t>> find_looped_parts(const Model& model, std::span<const ConstraintBlock> blocks) {
  DisjointSets sets(model.body_count());
  for (const ConstraintBlock& block : blocks)
    for (std::size_t b = 1; b < block.body_count; ++b) sets.unite(block.bodies[0], block.bodies[b]);
  struct Count {
    std::vector<std::size_t> blocks;
    std::size_t bodies = 0;
    bool is_grounded = false, has_joints_only = true;
  };
  std::vector<Count> counts(static_cast<std::size_t>(model.body_count()));
  for (int i = 0; i < model.body_count(); ++i) ++counts[static_cast<std::size_t>(sets.find(i))].bodies;
  const auto joints = static_cast<std::size_t>(std::count_if(
      model.joints().begin(), model.joints().end(), [](const ModelJoint& joint) { return joint.rows > 0; }));
  for (std::size_t c = 0; c < blocks.size(); ++c) {
    Count& count = counts[static_cast<std::size_t>(sets.find(blocks[c].bodies[0]))];
    count.blocks.push_back(c);
    count.is_grounded = count.is_grounded || blocks[c].holds_on_to_world;
    count.has_joints_only = count.has_joints_only && c < joints;
  }
  std::vector<std::vector<std::size_t>> parts;
  for (Count& count : counts) {
    if (count.blocks.empty()) continue;
    if (count.has_joints_only && count.blocks.size() + (count.is_grounded ? 0 : 1) <= count.bodies) continue;
    parts.push_back(std::move(count.blocks));
  }
  return parts;
}

}  // namespace sinew
