// The order in which the nodes of a block graph are eliminated: depth-first search from a root, leaves first and root
// last, so that a tree is eliminated without fill-in [Bruedigam2024, sec. 4.1; Bruedigam2020, sec. 4.2].
//
// A joint has a zero diagonal block, D = 0, and its pivot −G_c D_c⁻¹ G_cᵀ exists only once enough of the bodies it
// holds are eliminated. So a joint is never eliminated as a leaf: a loop-closing joint waits until just before the
// topmost body it touches, when all other bodies of its loop are gone; a ground joint that is not the root waits until
// all of its component is gone.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/block_graph.h"

namespace sinew {

/// Node indices in elimination order. `has_zero_diagonal` has one entry per node, or is empty if no diagonal block is
/// zero. Each connected component is rooted at the first of `preferred_roots` in it, else at its first node with
/// non-zero diagonal.
std::vector<int> make_depth_first_order(const BlockGraph& graph, const std::vector<bool>& has_zero_diagonal = {},
                                        std::span<const int> preferred_roots = {});

/// Minimum degree: next is always the node whose elimination couples fewest others [George1989]. Nodes with zero diagonal wait until one
/// of the others around them is gone that no other of their kind needs.
std::vector<int> make_minimum_degree_order(const BlockGraph& graph, const std::vector<bool>& has_zero_diagonal = {});

/// The one of the two that needs fewer operations, the first if equal; of trees the first unless that halves them.
struct EliminationOrder {
  std::vector<int> nodes;
  bool is_minimum_degree = false;
};
EliminationOrder make_elimination_order(const BlockGraph& graph, const std::vector<bool>& has_zero_diagonal = {},
                                        std::span<const int> preferred_roots = {});

/// Multiplications and additions of a factorisation in this order, about.
double predict_flops(const BlockGraph& graph, const std::vector<int>& order);

}  // namespace sinew
