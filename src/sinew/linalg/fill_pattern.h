// Which blocks of the factors are non-zero. Eliminating node k couples all its later neighbours with each other; the
// couplings that are not edges of the graph are fill-in. Computed once per graph by merging along the elimination tree,
// [Davis2006, sec. 4.1].
#pragma once

#include <vector>

#include "sinew/linalg/block_graph.h"

namespace sinew {

/// later[p]: positions, ascending, of the nodes eliminated after position p and coupled to it when it is eliminated.
/// `order` is a permutation of the nodes; the total length of all lists is the number of off-diagonal block pairs.
std::vector<std::vector<int>> make_fill_pattern(const BlockGraph& graph, const std::vector<int>& order);

}  // namespace sinew
