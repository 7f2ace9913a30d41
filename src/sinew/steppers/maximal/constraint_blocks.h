// Joints and other constraints in one form: rows g and G = ∂g/∂z on up to eight bodies, by (δx_W, δφ_B) and so by (v_W, ω_B).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/dynamics/joint_constraint.h"
#include "sinew/model/model.h"

namespace sinew {

/// Rows beyond `rows` are zero.
struct ConstraintBlock {
  static constexpr std::size_t kMaxBodies = ModelConstraint::kMaxBodies;

  std::array<int, kMaxBodies> bodies = {};  // never the world; the first body_count entries
  std::size_t body_count = 0;
  int rows = 0;
  int holonomic_rows = 0;  // the first ones; the others are on velocities
  int first_row = 0;       // in State::lambda
  bool holds_on_to_world = false;
  Vec6 g = Vec6::Zero();                // m, rad, of the holonomic rows
  std::array<Mat6, kMaxBodies> G = {};  // per body
  bool changes_basis = false;           // rows found by a search, whose basis is another one from pose to pose
  Mat6 basis = Mat6::Identity();        // T of align_rows()

  /// G u, u having six numbers per body of the model.
  Vec6 rate(const VecX& u) const {
    Vec6 sum = Vec6::Zero();
    for (std::size_t b = 0; b < body_count; ++b) sum += G[b] * u.segment<6>(6 * bodies[b]);
    return sum;
  }
};

/// Those with rows: joints in their order, then other constraints in theirs.
std::vector<ConstraintBlock> make_constraint_blocks(const Model& model);

/// g and G at these places of the bodies; joint angles continue `joint_q`.
void update_constraint_blocks(const Model& model, std::span<const BodyPlace> places, const VecX& joint_q,
                              std::vector<ConstraintBlock>& blocks);

/// Writes the rows of joints that are found by a search (joints/nearest_pose.h) in the basis they have in `base`, at a pose nearby:
///   g ← T g,  G ← T G,  T of dynamics/row_basis.h.
/// Impulses Λ along these rows are Tᵀ Λ along the rows as they were.
void align_rows(std::span<const ConstraintBlock> base, std::span<ConstraintBlock> blocks);

/// For people: "joint 'knee'".
std::string name_of_block(const Model& model, std::size_t index);

}  // namespace sinew
