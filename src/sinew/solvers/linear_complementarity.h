// Linear complementarity by Lemke's method of pivots:
//   w = M z + q,   0 ≤ w ⊥ z ≥ 0                                                                        [Cottle1992, sec. 4.4]
// For matrices such as those of contacts with friction that has sides it ends at a solution [Anitescu1997], wherever that is. Dense, O(n²) a pivot, about n pivots: for small problems, and for others the last resort.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

struct ComplementarityResult {
  bool solved = false;
  int pivots = 0;
};

/// `z` is the solution, the basic part solved once more from M itself. Ties are broken in lexicographic order: the method does not go in circles.
ComplementarityResult solve_linear_complementarity(const Eigen::MatrixXd& M, const VecX& q, int max_pivots, VecX& z);

}  // namespace sinew
