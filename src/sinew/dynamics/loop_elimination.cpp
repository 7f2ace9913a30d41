#include "sinew/dynamics/loop_elimination.h"

#include <algorithm>

#include "sinew/core/disjoint_sets.h"

namespace sinew {
namespace {

using RowsByNode = std::vector<std::vector<int>>;

int place_of(const std::vector<int>& rows, int row) {
  return static_cast<int>(std::find(rows.begin(), rows.end(), row) - rows.begin());
}

int root_of(const KinematicTree& tree, int node) {
  while (tree.node(node).parent >= 0) node = tree.node(node).parent;
  return node;
}

}  // namespace

LoopElimination::LoopElimination(const KinematicTree& tree, const std::vector<char>& is_held) {
  const auto count = static_cast<std::size_t>(tree.node_count());
  RowsByNode meeting(count + 1), open(count);  // the last: at the world
  DisjointSets roots(tree.node_count());       // joined by loops that close at the world
  int first_row = 0;
  for (const int j : tree.closing_joints()) {
    const ModelJoint& joint = tree.model().joint(j);
    int a = tree.node_of(joint.child), b = joint.parent == kWorld ? -1 : tree.node_of(joint.parent);
    std::vector<int> passed;
    while (a != b) {  // parents come first, so the larger one is no ancestor of the other
      int& lower = a > b ? a : b;
      passed.push_back(lower);
      lower = tree.node(lower).parent;
    }
    const bool is_local = std::none_of(passed.begin(), passed.end(), [&](int node) {
      return !is_held.empty() && is_held[static_cast<std::size_t>(node)] != 0;
    });
    holds_.insert(holds_.end(), static_cast<std::size_t>(joint.rows), is_local ? 1 : 0);
    for (int row = first_row; is_local && row < first_row + joint.rows; ++row) {
      meeting[a < 0 ? count : static_cast<std::size_t>(a)].push_back(row);
      for (const int node : passed) open[static_cast<std::size_t>(node)].push_back(row);
    }
    if (is_local && a < 0) {
      for (const int node : passed) roots.unite(root_of(tree, passed.front()), root_of(tree, node));
    }
    first_row += joint.rows;
  }
  plan(tree, meeting, open, roots);
  lambda_.setZero(first_row);
  sizes_.setZero(first_row);
}

// A junction for every node that rows concern; at the world one for everything that loops tie together.
void LoopElimination::plan(const KinematicTree& tree, const RowsByNode& meeting, const RowsByNode& open,
                           DisjointSets& roots) {
  junction_of_.assign(open.size(), -1);
  const auto add_junction = [&](const std::vector<int>& met, const std::vector<int>& left, int dof) {
    Junction& at = junctions_.emplace_back();
    at.rows = met;
    at.rows.insert(at.rows.end(), left.begin(), left.end());
    at.meeting = static_cast<int>(met.size());
    const auto m = static_cast<Eigen::Index>(at.rows.size());
    at.E.resize(at.rows.size());
    at.K.resize(m, m);
    at.k.resize(m);
    at.G.resize(dof, at.open());
    return static_cast<int>(junctions_.size()) - 1;
  };
  std::vector<std::vector<int>> met_at_world(open.size());  // by the root that stands for a group
  std::vector<int> junction_at_world(open.size(), -1);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const int node = static_cast<int>(i);
    if (!meeting[i].empty() || !open[i].empty())
      junction_of_[i] = add_junction(meeting[i], open[i], tree.node(node).dof);
    if (tree.node(node).parent >= 0) continue;
    std::vector<int>& met = met_at_world[static_cast<std::size_t>(roots.find(node))];
    for (const int row : open[i])
      if (std::find(met.begin(), met.end(), row) == met.end()) met.push_back(row);
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (met_at_world[i].empty()) continue;
    junction_at_world[i] = add_junction(met_at_world[i], {}, 0);
    at_world_.push_back(junction_at_world[i]);
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i].empty()) continue;
    Junction& at = junction(i);
    const int parent = tree.node(static_cast<int>(i)).parent;
    at.above = parent >= 0 ? junction_of_[static_cast<std::size_t>(parent)]
                           : junction_at_world[static_cast<std::size_t>(roots.find(static_cast<int>(i)))];
    for (const int row : open[i])
      at.places.push_back(place_of(junctions_[static_cast<std::size_t>(at.above)].rows, row));
  }
  ends_.resize(holds_.size());
  int row = 0;
  for (const int j : tree.closing_joints()) {
    const ModelJoint& joint = tree.model().joint(j);
    for (int k = 0; k < joint.rows; ++k, ++row) {
      if (!holds(row)) continue;
      const auto find_end = [&](int body) {
        const int at = junction_of_[static_cast<std::size_t>(tree.node_of(body))];
        return End{at, place_of(junctions_[static_cast<std::size_t>(at)].rows, row)};
      };
      std::vector<End>& ends = ends_[static_cast<std::size_t>(row)];  // as add_closing_rows() has them
      ends.push_back(find_end(joint.child));
      if (joint.parent != kWorld) ends.push_back(find_end(joint.parent));
    }
  }
}

void LoopElimination::begin_factors(const KinematicTree& tree, const TreeMotion& motion, const TreeRows& rows) {
  for (Junction& at : junctions_) {
    std::fill(at.E.begin(), at.E.end(), Vec6::Zero());
    at.K.setZero();
  }
  for (std::size_t row = 0; row < ends_.size(); ++row) {
    if (ends_[row].empty()) continue;
    const std::span<const TreeRows::Entry> entries = rows.entries(static_cast<int>(row));
    for (std::size_t n = 0; n < entries.size(); ++n) {
      const End& end = ends_[row][n];
      junctions_[static_cast<std::size_t>(end.junction)].E[static_cast<std::size_t>(end.place)] += entries[n].w;
    }
    sizes_[static_cast<Eigen::Index>(row)] = free_mobility(tree, motion, rows, static_cast<int>(row));
  }
}

// K_cc = L Lᵀ, W, Y, and what they leave to rows that stay open.
void LoopElimination::factorize(Junction& at) {
  const int c = at.meeting, open = at.open();
  K_meeting_ = at.K.topLeftCorner(c, c);
  column_.resize(c);
  for (int r = 0; r < c; ++r) column_[r] = std::max(at.K(r, r), sizes_[at.rows[static_cast<std::size_t>(r)]]);
  at.cholesky.factorize(K_meeting_, column_);
  const int rank = at.cholesky.rank();
  at.W.resize(static_cast<std::size_t>(rank));
  for (int axis = 0; axis < 6; ++axis) {
    for (int r = 0; r < c; ++r) column_[r] = at.E[static_cast<std::size_t>(r)][axis];
    at.cholesky.solve_lower(column_, half_);
    for (int k = 0; k < rank; ++k) at.W[static_cast<std::size_t>(k)][axis] = half_[k];
  }
  at.Y.resize(rank, open);
  for (int o = 0; o < open; ++o) {
    column_ = at.K.col(c + o).head(c);
    at.cholesky.solve_lower(column_, half_);
    at.Y.col(o) = half_;
    for (int k = 0; k < rank; ++k)
      at.E[static_cast<std::size_t>(c + o)] -= half_[k] * at.W[static_cast<std::size_t>(k)];
  }
  for (int o = 0; o < open; ++o)
    for (int s = 0; s < open; ++s) at.K(c + o, c + s) -= at.Y.col(o).dot(at.Y.col(s));
}

void LoopElimination::meet(std::size_t node, SpatialInertia& inertia) {
  Junction& at = junction(node);
  if (at.meeting == 0) return;
  factorize(at);
  for (const Vec6& w : at.W) inertia = plus_square(inertia, 1, load_lanes(w));
}

void LoopElimination::pass(std::size_t node, int dof, const Vec6* S, const Vec6* U, const double* D_inverse,
                           const Vec3& r) {
  Junction& at = junction(node);
  if (at.open() == 0) return;
  Junction& above = junctions_[static_cast<std::size_t>(at.above)];
  const int c = at.meeting, open = at.open();
  const auto place = [&](int o) { return at.places[static_cast<std::size_t>(o)]; };
  for (int o = 0; o < open; ++o) {
    Vec6 E = at.E[static_cast<std::size_t>(c + o)];
    for (int k = 0; k < dof; ++k) at.G(k, o) = S[k].dot(at.E[static_cast<std::size_t>(c + o)]);
    for (int k = 0; k < dof; ++k) {
      double rate = 0;  // D⁻¹ G
      for (int l = 0; l < dof; ++l) rate += D_inverse[k + dof * l] * at.G(l, o);
      E -= rate * U[k];
      for (int s = 0; s <= o; ++s) at.K(c + o, c + s) += rate * at.G(k, s);
    }
    above.E[static_cast<std::size_t>(place(o))] += shifted_back(E, r);
    for (int s = 0; s < o; ++s) {
      above.K(place(o), place(s)) += at.K(c + o, c + s);
      above.K(place(s), place(o)) += at.K(c + o, c + s);
    }
    above.K(place(o), place(o)) += at.K(c + o, c + o);
  }
}

void LoopElimination::end_factors() {
  for (const int at : at_world_) factorize(junctions_[static_cast<std::size_t>(at)]);
}

bool LoopElimination::has_repeated() const {
  return std::any_of(junctions_.begin(), junctions_.end(),
                     [](const Junction& at) { return at.meeting > 0 && at.cholesky.rank() < at.meeting; });
}

double LoopElimination::margin() const {
  double margin = 1;
  for (const Junction& at : junctions_)
    if (at.meeting > 0) margin = std::min(margin, at.cholesky.margin());
  return margin;
}

void LoopElimination::begin_solve() {
  for (Junction& at : junctions_) at.k.setZero();
}

// z of the rows that meet, and what it leaves to those that stay open.
void LoopElimination::reduce(Junction& at, const VecX& targets) {
  column_ = -at.k.head(at.meeting);
  if (targets.size() > 0) {
    for (int r = 0; r < at.meeting; ++r) column_[r] += targets[at.rows[static_cast<std::size_t>(r)]];
  }
  at.cholesky.solve_lower(column_, at.z);
  for (int o = 0; o < at.open(); ++o) at.k[at.meeting + o] += at.Y.col(o).dot(at.z);
}

void LoopElimination::meet(std::size_t node, const VecX& targets, Vec6& p) {
  Junction& at = junction(node);
  if (at.meeting == 0) return;
  reduce(at, targets);
  for (std::size_t k = 0; k < at.W.size(); ++k) p -= at.z[static_cast<Eigen::Index>(k)] * at.W[k];
}

void LoopElimination::pass(std::size_t node, int dof, const double* u, const double* D_inverse) {
  const Junction& at = junction(node);
  if (at.open() == 0) return;
  VecX& k_above = junctions_[static_cast<std::size_t>(at.above)].k;
  for (int o = 0; o < at.open(); ++o) {
    double sum = at.k[at.meeting + o];
    for (int k = 0; k < dof; ++k)
      for (int l = 0; l < dof; ++l) sum += at.G(k, o) * D_inverse[k + dof * l] * u[l];
    k_above[at.places[static_cast<std::size_t>(o)]] += sum;
  }
}

void LoopElimination::end_solve(const VecX& targets) {
  for (const int n : at_world_) {
    Junction& at = junctions_[static_cast<std::size_t>(n)];
    reduce(at, targets);
    resolve(at, nullptr);
  }
}

void LoopElimination::add_efforts(std::size_t node, int dof, double* u) const {
  const Junction& at = junctions_[static_cast<std::size_t>(junction_of_[node])];
  for (int o = 0; o < at.open(); ++o) {
    const double lambda = lambda_[at.rows[static_cast<std::size_t>(at.meeting + o)]];
    for (int k = 0; k < dof; ++k) u[k] += lambda * at.G(k, o);
  }
}

void LoopElimination::resolve(std::size_t node, const Vec6& a) {
  Junction& at = junction(node);
  if (at.meeting > 0) resolve(at, &a);
}

void LoopElimination::resolve(Junction& at, const Vec6* a) {
  half_ = at.z;
  if (a != nullptr) {
    for (std::size_t k = 0; k < at.W.size(); ++k) half_[static_cast<Eigen::Index>(k)] -= at.W[k].dot(*a);
  }
  for (int o = 0; o < at.open(); ++o) half_ -= lambda_[at.rows[static_cast<std::size_t>(at.meeting + o)]] * at.Y.col(o);
  at.cholesky.solve_upper(half_, at.meeting, column_);
  for (int r = 0; r < at.meeting; ++r) lambda_[at.rows[static_cast<std::size_t>(r)]] = column_[r];
}

}  // namespace sinew
