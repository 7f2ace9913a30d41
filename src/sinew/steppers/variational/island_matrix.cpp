// The matrix of an island: blocks of bodies, joints and implicit forces, and what contacts add to them.
#include "sinew/steppers/variational/island_loops.h"

namespace sinew {

// The matrix at the iterate last evaluated, without contacts.
void Island::assemble(Stage stage) {
  ldu_.set_zero();
  for_bodies([&](BodyMotion& data, const Body& body, int) {
    data.D.setZero();
    data.D.diagonal().head<3>().setConstant(body.mass());
    data.D.bottomRightCorner<3, 3>() = stage == Stage::Positions ? data.momentum_slope : body.inertia();
    ldu_.block<6, 6>(data.diagonal) = data.D;
  });
  for_joints([&]<class J>(JointMotion& data, const ModelJoint& joint) {
    const auto write = [&](int body, Slot slot, Slot slot_transposed, const double* G_here, const double* G_next,
                           double* V) {
      Rows6<J::kRows> rows(V);
      rows = ConstRows6<J::kRows>(G_next);
      if (stage == Stage::Positions) rows.template rightCols<3>() *= motion_.body(body).turn_slope;
      ldu_.block<J::kRows, 6>(slot) = rows;
      ldu_.block<6, J::kRows>(slot_transposed) =
          -ConstRows6<J::kRows>(stage == Stage::Positions ? G_here : G_next).transpose();
    };
    write(joint.child, data.slot_child, data.slot_child_transposed, data.G_child_here, data.G_child_next, data.V_child);
    if (joint.parent != kWorld)
      write(joint.parent, data.slot_parent, data.slot_parent_transposed, data.G_parent_here, data.G_parent_next,
            data.V_parent);
    if (!has_loops_) return;
    double scale = 0;
    const auto add_scale = [&](int body, const double* G) {
      if (body == kWorld) return;
      const ConstRows6<J::kRows> rows(G);
      scale += rows.template leftCols<3>().squaredNorm() * motion_.body(body).inverse_mass +
               rows.template rightCols<3>().squaredNorm() * motion_.body(body).inverse_inertia;
    };
    add_scale(joint.child, data.G_child_next);
    add_scale(joint.parent, data.G_parent_next);
    data.regularisation = regularisation_ * scale / J::kRows;
    ldu_.block<J::kRows, J::kRows>(data.diagonal).diagonal().setConstant(data.regularisation);
  });
  assemble_couplings(stage);
  if (stage == Stage::Positions) assemble_elements();
}

void Island::add_cones_to_matrix() {
  for (std::size_t n = 0; n < working_.size(); ++n) {
    const ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(working_[n])];
    for_rows(cone, [&]<int R>() {
      const auto add = [&](Slot slot, const ConeConstraint::Rows6& C, const Mat<R, 6>& KV) {
        ldu_.block<6, 6>(slot).noalias() += C.topRows<R>().transpose() * KV;
      };
      const Mat<R, 6> KV_a = cone.K.topLeftCorner<R, R>() * cone.V_a.topRows<R>();
      add(motion_.body(cone.body_a).diagonal, cone.C_a, KV_a);
      if (cone.body_b == kWorld) return;
      const Mat<R, 6> KV_b = cone.K.topLeftCorner<R, R>() * cone.V_b.topRows<R>();
      add(motion_.body(cone.body_b).diagonal, cone.C_b, KV_b);
      const PairSlots& slots = pair_slots_[static_cast<std::size_t>(cone_pairs_[n])];
      const bool in_order = cone.body_a < cone.body_b;
      add(in_order ? slots.ab : slots.ba, cone.C_a, KV_b);
      add(in_order ? slots.ba : slots.ab, cone.C_b, KV_a);
    });
  }
}

void Island::multiply(const VecX& direction, VecX& out) {
  compute_joint_wrenches(direction, stage_in_work_ == Stage::Velocities);
  for_joints([&]<class J>(JointMotion& data, const ModelJoint& joint) {
    Vec<J::kRows> rows = data.regularisation * direction.segment<J::kRows>(data.offset);
    rows.noalias() += ConstRows6<J::kRows>(data.V_child) * direction.segment<6>(body_index(joint.child));
    if (joint.parent != kWorld)
      rows.noalias() += ConstRows6<J::kRows>(data.V_parent) * direction.segment<6>(body_index(joint.parent));
    out.segment<J::kRows>(data.offset) = rows;
  });
  for_bodies([&](BodyMotion& data, const Body&, int i) {
    out.segment<6>(data.offset) = data.D * direction.segment<6>(data.offset) - joint_wrench(i);
  });
  multiply_couplings(direction, out);
  if (stage_in_work_ == Stage::Positions) multiply_elements(direction, out);
}

}  // namespace sinew
