#include "sinew/dynamics/redundancy.h"

#include <Eigen/Dense>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseQR>
#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "sinew/core/disjoint_sets.h"
#include "sinew/dynamics/constraint_rows.h"
#include "sinew/dynamics/joint_constraint.h"

namespace sinew {
namespace {

constexpr double kRankTolerance =
    1e-7;  // of rows of length 1: what is smaller comes from poses closed only to some digits
constexpr double kMemberTolerance = 1e-6;  // share of a row in a dependent one that counts
constexpr int kMostDenseRows = 1000;
constexpr std::size_t kMostNames = 8;

using SparseMatrix = Eigen::SparseMatrix<double>;

/// Ĝᵀ of one mechanism: a column per row of its members: joints, and after all joints of the model the other constraints.
struct Component {
  std::vector<int> members;
  std::vector<int> member_of_column;
  std::vector<Eigen::Triplet<double>> entries;
  int bodies = 0;
  bool is_grounded = false, has_joints_only = true;
  int columns() const { return static_cast<int>(member_of_column.size()); }
  /// Joints of a tree never repeat a constraint.
  bool is_tree() const { return has_joints_only && static_cast<int>(members.size()) <= bodies - (is_grounded ? 0 : 1); }
};

/// Rank, and each dependent column as a combination of the independent ones: Ĝᵀ P (−X; 1) = 0.
struct Dependence {
  int rank = 0;
  Eigen::MatrixXd X;         // rank × dependent
  Eigen::VectorXi position;  // P: columns in the order of the factorisation
};

Dependence find_dependence(const Component& component) {
  SparseMatrix matrix(6 * component.bodies, component.columns());
  matrix.setFromTriplets(component.entries.begin(), component.entries.end());
  Dependence out;
  const int columns = component.columns();
  if (columns <= kMostDenseRows) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr{Eigen::MatrixXd(matrix)};
    qr.setThreshold(kRankTolerance);
    out.rank = static_cast<int>(qr.rank());
    out.position = qr.colsPermutation().indices();
    if (out.rank == columns) return out;
    out.X = qr.matrixR().topRightCorner(out.rank, columns - out.rank);
    qr.matrixR().topLeftCorner(out.rank, out.rank).triangularView<Eigen::Upper>().solveInPlace(out.X);
    return out;
  }
  matrix.makeCompressed();
  Eigen::SparseQR<SparseMatrix, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(kRankTolerance);
  qr.compute(matrix);
  out.rank = static_cast<int>(qr.rank());
  out.position = qr.colsPermutation().indices();
  if (out.rank == columns) return out;
  const SparseMatrix R = qr.matrixR();
  out.X = Eigen::MatrixXd(R.topRightCorner(out.rank, columns - out.rank));
  const SparseMatrix independent = R.topLeftCorner(out.rank, out.rank);
  independent.triangularView<Eigen::Upper>().solveInPlace(out.X);
  return out;
}

class Redundancy {
 public:
  Redundancy(const Model& model, const State& state) : model_(model), state_(state) {
    for (const Body& body : model.bodies())
      root_inertias_.push_back(Eigen::SelfAdjointEigenSolver<Mat3>(body.inertia()).operatorInverseSqrt());
  }

  RedundancyReport run() {
    for (const Component& component : make_components()) add(component);
    report_.rows = model_.rows();
    report_.degrees_of_freedom = 6 * model_.body_count() - report_.rank;
    std::sort(report_.groups.begin(), report_.groups.end(), [](const auto& a, const auto& b) {
      return std::tie(a.joints, a.constraints) < std::tie(b.joints, b.constraints);
    });
    return std::move(report_);
  }

 private:
  std::vector<Component> make_components() {
    DisjointSets sets(model_.body_count());
    for (const ModelJoint& joint : model_.joints()) {
      if (joint.parent != kWorld && joint.rows > 0) sets.unite(joint.parent, joint.child);
    }
    for (const ModelConstraint& constraint : model_.constraints()) {
      for (int b = 1; b < constraint.body_count; ++b)
        sets.unite(constraint.bodies[0], constraint.bodies[static_cast<std::size_t>(b)]);
    }
    std::vector<Component> components(static_cast<std::size_t>(model_.body_count()));
    std::vector<int> place(components.size());
    for (int i = 0; i < model_.body_count(); ++i)
      place[static_cast<std::size_t>(i)] = components[static_cast<std::size_t>(sets.find(i))].bodies++;
    for (int j = 0; j < model_.joint_count(); ++j) {
      if (model_.joint(j).rows > 0)
        add_joint(j, place, components[static_cast<std::size_t>(sets.find(model_.joint(j).child))]);
    }
    for (std::size_t c = 0; c < model_.constraints().size(); ++c)
      add_constraint(static_cast<int>(c), place,
                     components[static_cast<std::size_t>(sets.find(model_.constraints()[c].bodies[0]))]);
    std::erase_if(components, [](const Component& component) { return component.columns() == 0; });
    return components;
  }

  void add_joint(int j, const std::vector<int>& place, Component& component) {
    const ModelJoint& joint = model_.joint(j);
    Mat<6, 6> parent = Mat<6, 6>::Zero(), child = Mat<6, 6>::Zero();  // as many rows as the joint has
    const JointConstraint c =
        compute_joint_constraint(joint, body_place(state_, joint.parent), body_place(state_, joint.child));
    child.topRows(joint.rows) = scaled<6>(joint.child, c.Gt_child.transpose()).topRows(joint.rows);
    if (joint.parent != kWorld)
      parent.topRows(joint.rows) = scaled<6>(joint.parent, c.Gt_parent.transpose()).topRows(joint.rows);
    component.members.push_back(j);
    component.is_grounded = component.is_grounded || joint.parent == kWorld;
    for (int row = 0; row < joint.rows; ++row) {
      const double length = std::hypot(parent.row(row).norm(), child.row(row).norm());
      const int column = component.columns();
      component.member_of_column.push_back(j);
      if (length == 0) continue;
      const auto write = [&](int body, const Mat<6, 6>& rows) {
        if (body == kWorld) return;
        for (int i = 0; i < 6; ++i)
          component.entries.emplace_back(6 * place[static_cast<std::size_t>(body)] + i, column, rows(row, i) / length);
      };
      write(joint.parent, parent);
      write(joint.child, child);
    }
  }

  void add_constraint(int c, const std::vector<int>& place, Component& component) {
    const ModelConstraint& constraint = model_.constraints()[static_cast<std::size_t>(c)];
    ConstraintRows rows =
        compute_constraint_rows(model_, constraint, constraint_places(constraint, state_), state_.joint_q);
    const auto bodies = static_cast<std::size_t>(constraint.body_count);
    for (std::size_t b = 0; b < bodies; ++b)
      rows.A[b] = scaled<ModelConstraint::kMaxRows>(constraint.bodies[b], rows.A[b]);
    component.members.push_back(model_.joint_count() + c);
    component.has_joints_only = false;
    for (int row = 0; row < constraint.rows; ++row) {
      double length = 0;
      for (std::size_t b = 0; b < bodies; ++b) length = std::hypot(length, rows.A[b].row(row).norm());
      const int column = component.columns();
      component.member_of_column.push_back(model_.joint_count() + c);
      if (length == 0) continue;
      for (std::size_t b = 0; b < bodies; ++b) {
        const int first = 6 * place[static_cast<std::size_t>(constraint.bodies[b])];
        for (int i = 0; i < 6; ++i) component.entries.emplace_back(first + i, column, rows.A[b](row, i) / length);
      }
    }
  }

  template <int Rows>
  Mat<Rows, 6> scaled(int body, const Mat<Rows, 6>& G) const {
    Mat<Rows, 6> out = G;
    out.template leftCols<3>() /= std::sqrt(model_.body(body).mass());
    out.template rightCols<3>() *= root_inertias_[static_cast<std::size_t>(body)];
    return out;
  }

  void add(const Component& component) {
    if (component.is_tree()) {
      report_.rank += component.columns();
      return;
    }
    const Dependence dependence = find_dependence(component);
    report_.rank += dependence.rank;
    const int dependent = component.columns() - dependence.rank;
    if (dependent == 0) return;
    const auto member_at = [&](int position) {
      return component.member_of_column[static_cast<std::size_t>(dependence.position[position])];
    };
    const int member_count = model_.joint_count() + static_cast<int>(model_.constraints().size());
    DisjointSets sets(member_count);
    std::vector<char> takes_part(static_cast<std::size_t>(member_count), 0);
    for (int d = 0; d < dependent; ++d) {
      const int member = member_at(dependence.rank + d);
      takes_part[static_cast<std::size_t>(member)] = 1;
      for (int i = 0; i < dependence.rank; ++i) {
        if (std::abs(dependence.X(i, d)) < kMemberTolerance) continue;
        takes_part[static_cast<std::size_t>(member_at(i))] = 1;
        sets.unite(member_at(i), member);
      }
    }
    std::vector<int> group_of(takes_part.size(), -1);
    for (const int member : component.members) {
      if (takes_part[static_cast<std::size_t>(member)] == 0) continue;
      int& index = group_of[static_cast<std::size_t>(sets.find(member))];
      if (index < 0) {
        index = static_cast<int>(report_.groups.size());
        report_.groups.emplace_back();
      }
      RedundantJoints& group = report_.groups[static_cast<std::size_t>(index)];
      const bool is_joint = member < model_.joint_count();
      (is_joint ? group.joints : group.constraints).push_back(is_joint ? member : member - model_.joint_count());
    }
    for (int d = 0; d < dependent; ++d) {
      const int group = group_of[static_cast<std::size_t>(sets.find(member_at(dependence.rank + d)))];
      ++report_.groups[static_cast<std::size_t>(group)].directions;
    }
  }

  const Model& model_;
  const State& state_;
  std::vector<Mat3> root_inertias_;  // J^{-1/2}
  RedundancyReport report_;
};

}  // namespace

RedundancyReport find_redundant_constraints(const Model& model, const State& state) {
  return Redundancy(model, state).run();
}

std::string describe(const RedundantJoints& group, const Model& model) {
  std::vector<std::string_view> all;
  for (const int j : group.joints) all.push_back(model.joint(j).name);
  for (const int c : group.constraints) all.push_back(model.constraints()[static_cast<std::size_t>(c)].name);
  const bool several = all.size() > 1;
  std::string names;
  for (std::size_t i = 0; i < std::min(all.size(), kMostNames); ++i) {
    names += i > 0 ? ", " : "";
    names += all[i];
  }
  if (all.size() > kMostNames) names += fmt::format(", ... ({} in all)", all.size());
  const std::string_view what = group.constraints.empty() ? "joint" : group.joints.empty() ? "constraint" : "";
  return fmt::format("{}{}{}{} overlap{} in {} direction{}: their reactions are not unique", what,
                     several && !what.empty() ? "s" : "", what.empty() ? "" : " ", names, several ? "" : "s",
                     group.directions, group.directions > 1 ? "s" : "");
}

}  // namespace sinew
