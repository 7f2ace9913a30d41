#include "sinew/dynamics/row_basis.h"

#include <Eigen/Cholesky>
#include <array>

#include "sinew/dynamics/joint_constraint.h"
#include "sinew/joints/parametric_joint.h"

namespace sinew {
namespace {

constexpr auto kChangesBasis = []<class... J>(TypeList<J...>) {
  return std::array<bool, sizeof...(J)>{Parametric<J>...};
}(AllJoints{});

Mat6 rows_of(const ModelJoint& joint, const State& bodies) {
  return compute_joint_constraint(joint, body_place(bodies, joint.parent), body_place(bodies, joint.child)).Gt_child;
}

}  // namespace

bool changes_basis(const ModelJoint& joint) { return kChangesBasis[joint.type.index()]; }

Mat6 compute_basis_change(const Mat6& Gt_from, const Mat6& Gt, int rows) {
  Mat6 from = Gt_from, to = Gt;
  from.rightCols(6 - rows).setZero();
  to.rightCols(6 - rows).setZero();
  Mat6 square = to.transpose() * to;
  square.diagonal().tail(6 - rows).setOnes();  // rows that are not there
  return square.llt().solve(to.transpose() * from).transpose();
}

MovingRows::MovingRows(const Model& model) : model_(model) {
  for (int j = 0; j < model.joint_count(); ++j)
    if (changes_basis(model.joint(j))) rows_.push_back({j, Mat6::Zero()});
}

void MovingRows::start(const State& bodies) {
  for (Rows& rows : rows_) rows.Gt = rows_of(model_.joint(rows.joint), bodies);
}

void MovingRows::carry(const State& bodies, VecX& multipliers) {
  for (Rows& rows : rows_) {
    const ModelJoint& joint = model_.joint(rows.joint);
    const Mat6 Gt = rows_of(joint, bodies);
    const Mat6 T = compute_basis_change(rows.Gt, Gt, joint.rows);
    auto own = multipliers.segment(joint.first_row, joint.rows);
    own = (T.topLeftCorner(joint.rows, joint.rows).transpose() * own).eval();
    rows.Gt = Gt;
  }
}

}  // namespace sinew
