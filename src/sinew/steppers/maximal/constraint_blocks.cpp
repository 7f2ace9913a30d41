#include "sinew/steppers/maximal/constraint_blocks.h"

#include <fmt/format.h>

#include "sinew/dynamics/constraint_rows.h"
#include "sinew/dynamics/row_basis.h"

namespace sinew {
namespace {

void update(const ModelJoint& joint, std::span<const BodyPlace> places, ConstraintBlock& block) {
  const BodyPlace& child = places[static_cast<std::size_t>(joint.child)];
  const BodyPlace parent = joint.parent == kWorld ? world_place() : places[static_cast<std::size_t>(joint.parent)];
  const JointConstraint c = compute_joint_constraint(joint, parent, child);
  block.g.head(joint.rows) = c.g.head(joint.rows);
  block.G[0].topRows(joint.rows) = c.Gt_child.leftCols(joint.rows).transpose();
  block.G[1].topRows(joint.rows) = c.Gt_parent.leftCols(joint.rows).transpose();
}

void update(const Model& model, const ModelConstraint& constraint, std::span<const BodyPlace> places,
            const VecX& joint_q, ConstraintBlock& block) {
  std::array<BodyPlace, ModelConstraint::kMaxBodies> at = world_places();
  for (std::size_t b = 0; b < block.body_count; ++b) at[b] = places[static_cast<std::size_t>(block.bodies[b])];
  const ConstraintRows rows = compute_constraint_rows(model, constraint, at, joint_q);
  block.g.head<3>() = rows.g;
  for (std::size_t b = 0; b < block.body_count; ++b) block.G[b].topRows<ModelConstraint::kMaxRows>() = rows.A[b];
}

}  // namespace

std::vector<ConstraintBlock> make_constraint_blocks(const Model& model) {
  std::vector<ConstraintBlock> blocks;
  for (const ModelJoint& joint : model.joints()) {
    if (joint.rows == 0) continue;
    ConstraintBlock& block = blocks.emplace_back();
    block.bodies[block.body_count++] = joint.child;
    if (joint.parent != kWorld) block.bodies[block.body_count++] = joint.parent;
    block.rows = block.holonomic_rows = joint.rows;
    block.first_row = joint.first_row;
    block.holds_on_to_world = joint.parent == kWorld;
    block.changes_basis = changes_basis(joint);
  }
  for (const ModelConstraint& constraint : model.constraints()) {
    ConstraintBlock& block = blocks.emplace_back();
    for (std::size_t b = 0; b < static_cast<std::size_t>(constraint.body_count); ++b)
      block.bodies[block.body_count++] = constraint.bodies[b];
    block.rows = constraint.rows;
    block.holonomic_rows = constraint.holonomic_rows;
    block.first_row = constraint.first_row;
    block.holds_on_to_world = true;
  }
  for (ConstraintBlock& block : blocks) block.G.fill(Mat6::Zero());
  return blocks;
}

void update_constraint_blocks(const Model& model, std::span<const BodyPlace> places, const VecX& joint_q,
                              std::vector<ConstraintBlock>& blocks) {
  std::size_t next = 0;
  for (const ModelJoint& joint : model.joints()) {
    if (joint.rows > 0) update(joint, places, blocks[next++]);
  }
  for (const ModelConstraint& constraint : model.constraints())
    update(model, constraint, places, joint_q, blocks[next++]);
}

void align_rows(std::span<const ConstraintBlock> base, std::span<ConstraintBlock> blocks) {
  for (std::size_t c = 0; c < blocks.size(); ++c) {
    ConstraintBlock& block = blocks[c];
    if (!block.changes_basis) continue;
    block.basis = compute_basis_change(base[c].G[0].transpose(), block.G[0].transpose(), block.rows);
    block.g = block.basis * block.g;
    for (std::size_t b = 0; b < block.body_count; ++b) block.G[b] = block.basis * block.G[b];
  }
}

std::string name_of_block(const Model& model, std::size_t index) {
  std::size_t next = 0;
  for (const ModelJoint& joint : model.joints()) {
    if (joint.rows > 0 && next++ == index) return fmt::format("joint '{}'", joint.name);
  }
  return fmt::format("constraint '{}'", model.constraints()[index - next].name);
}

}  // namespace sinew
