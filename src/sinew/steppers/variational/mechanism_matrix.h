// The graph of a mechanism is the graph of its matrix [Bruedigam2020, sec. 4.2]: one node of 6 rows per body, one node per joint that has rows,
// with a zero diagonal, one edge per joint end that is not the world. Bodies come first in the numbering of nodes.
#pragma once

#include "sinew/linalg/graph_ldu.h"
#include "sinew/model/model.h"

namespace sinew {

inline int body_node(int body) { return body; }
/// Only for a joint that has rows.
inline int joint_node(const Model& model, int joint) { return model.body_count() + model.joint(joint).constraint; }

/// Eliminated leaves first, rooted at joints to the world.
GraphLdu make_mechanism_matrix(const Model& model);

}  // namespace sinew
