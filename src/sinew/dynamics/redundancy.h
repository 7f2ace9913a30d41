// Constraints that repeat each other, joints and others, those on velocities included. With the rows of G scaled by the masses and to length 1, Ĝ = S G M^{-1/2},
//   rank Ĝ                      how many directions of motion the joints really take away
//   N = {λ : Ĝᵀ λ = 0}          loads that the joints can hold against each other without any force from outside: where N is not empty
//                               reactions are not unique, and joints whose rows appear in N take part
// N comes from a QR factorisation with column pivoting of Ĝᵀ: each dependent row with the independent rows that make it up. Joints linked by
// such rows form a group; the groups do not depend on which rows were taken as independent.
#pragma once

#include <string>
#include <vector>

#include "sinew/model/model.h"
#include "sinew/model/state.h"

namespace sinew {

/// Joints and other constraints that repeat each other.
struct RedundantJoints {
  std::vector<int> joints;       // ascending
  std::vector<int> constraints;  // of Model::constraints(), ascending
  int directions = 0;            // dimension of their part of N
};

struct RedundancyReport {
  int rows = 0;
  int rank = 0;
  int degrees_of_freedom = 0;  // 6·bodies − rank, in this pose
  std::vector<RedundantJoints> groups;
};

/// Depends on the poses of the state: in a singular pose more directions repeat than elsewhere.
RedundancyReport find_redundant_constraints(const Model& model, const State& state);

/// One sentence for people.
std::string describe(const RedundantJoints& group, const Model& model);

}  // namespace sinew
