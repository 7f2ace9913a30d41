// The matrix of an island: blocks of bodies, joints and implicit forces, and what contacts add to them.
#include "sinew/steppers/variational/island_loops.h"

namespace sinew {

namespace {

/// Rows of one joint by the motion of one body: G, turned to velocities by T at the end of a step; and the wrench of its multipliers.
template <int R, class Rows, class Columns>
[[gnu::flatten]] void write_blocks(const Mat6& Gt, const Mat6& Gt_wrench, const Mat3* turn_slope, Rows rows,
                                   Columns columns) {
  rows.template leftCols<3>() = Gt.topLeftCorner<3, R>().transpose();
  if (turn_slope != nullptr) {
    rows.template rightCols<3>().noalias() = Gt.bottomLeftCorner<3, R>().transpose() * *turn_slope;
  } else {
    rows.template rightCols<3>() = Gt.bottomLeftCorner<3, R>().transpose();
  }
  columns = -Gt_wrench.leftCols<R>();
}

}  // namespace

// The matrix at the iterate last evaluated, without contacts.
void Island::assemble(Stage stage) {
  const bool moves = stage == Stage::Positions;
  if (moves && working_.empty()) compute_slopes();  // else they are known
  ldu_.set_fill_zero();
  for (const PairSlots& slots : pair_slots_) {
    ldu_.block<6, 6>(slots.ab).setZero();
    ldu_.block<6, 6>(slots.ba).setZero();
  }
  for_bodies([&](BodyMotion& data, const Body& body, int) {
    auto block = ldu_.block<6, 6>(data.diagonal);
    block.setZero();
    block.diagonal().head<3>().setConstant(body.mass());
    block.bottomRightCorner<3, 3>() = moves ? data.momentum_slope : body.inertia();
  });
  for_joints([&]<int R>(JointMotion& data, const ModelJoint& joint) {
    const JointConstraint& rates = stage == Stage::Response ? data.here : data.next;
    const JointConstraint& wrenches = pushing_rows(data);
    const auto write = [&](int body, Slot slot, Slot slot_transposed, Mat6 JointConstraint::* Gt) {
      write_blocks<R>(rates.*Gt, wrenches.*Gt, moves ? &motion_.body(body).turn_slope : nullptr, ldu_.block<R, 6>(slot),
                      ldu_.block<6, R>(slot_transposed));
    };
    write(joint.child, data.slot_child, data.slot_child_transposed, &JointConstraint::Gt_child);
    if (joint.parent != kWorld)
      write(joint.parent, data.slot_parent, data.slot_parent_transposed, &JointConstraint::Gt_parent);
    auto diagonal = ldu_.block<R, R>(data.diagonal);
    diagonal.setZero();
    diagonal.diagonal().setConstant(data.regularisation);
  });
  assemble_couplings(stage);
  if (moves) assemble_elements();
}

namespace {

/// K V and Cᵀ (K V), of the first R rows
template <int R>
[[gnu::flatten]] Mat<R, 6> weighed(const ConeConstraint& cone, const ConeConstraint::Rows6& V) {
  return cone.K.topLeftCorner<R, R>() * V.topRows<R>();
}
template <int R, class Block>
[[gnu::flatten]] void add_product(const ConeConstraint::Rows6& C, const Mat<R, 6>& KV, Block block) {
  block.noalias() += C.topRows<R>().transpose() * KV;
}

}  // namespace

void Island::add_cones_to_matrix() {
  for (std::size_t n = 0; n < working_.size(); ++n) {
    const ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(working_[n])];
    for_rows(cone, [&]<int R>() {
      const auto add = [&](Slot slot, const ConeConstraint::Rows6& C, const Mat<R, 6>& KV) {
        add_product<R>(C, KV, ldu_.block<6, 6>(slot));
      };
      const Mat<R, 6> KV_a = weighed<R>(cone, cone.V_a);
      add(motion_.body(cone.body_a).diagonal, cone.C_a, KV_a);
      if (cone.body_b == kWorld) return;
      const Mat<R, 6> KV_b = weighed<R>(cone, cone.V_b);
      add(motion_.body(cone.body_b).diagonal, cone.C_b, KV_b);
      const PairSlots& slots = pair_slots_[static_cast<std::size_t>(cone_pairs_[n])];
      const bool in_order = cone.body_a < cone.body_b;
      add(in_order ? slots.ab : slots.ba, cone.C_a, KV_b);
      add(in_order ? slots.ba : slots.ab, cone.C_b, KV_a);
    });
  }
}

void Island::multiply(const VecX& direction, VecX& out) {
  const bool moves = stage_in_work_ == Stage::Positions;
  compute_joint_wrenches(direction);
  for_bodies([&](BodyMotion& data, const Body& body, int i) {
    const Vec3 delta_v = direction.segment<3>(data.offset), delta_omega = direction.segment<3>(data.offset + 3);
    data.end_motion = stacked(delta_v, moves ? Vec3(data.turn_slope * delta_omega) : delta_omega);
    out.segment<6>(data.offset) = -joint_wrench(i);
    out.segment<3>(data.offset) += body.mass() * delta_v;
    out.segment<3>(data.offset + 3) += (moves ? data.momentum_slope : body.inertia()) * delta_omega;
  });
  for_joints([&]<int R>(JointMotion& data, const ModelJoint& joint) {
    Vec<R> rows = data.regularisation * direction.segment<R>(data.offset);
    rows.noalias() += data.next.Gt_child.leftCols<R>().transpose() * motion_.body(joint.child).end_motion;
    if (joint.parent != kWorld)
      rows.noalias() += data.next.Gt_parent.leftCols<R>().transpose() * motion_.body(joint.parent).end_motion;
    out.segment<R>(data.offset) = rows;
  });
  multiply_couplings(direction, out);
  if (moves) multiply_elements(direction, out);
}

}  // namespace sinew
