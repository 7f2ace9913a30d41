// Depth of two overlapping or barely touching convex solids by the expanding polytope algorithm [vandenBergen2001]: a polytope inside the
// Minkowski difference A − B grows where its face nearest to the origin is, until that face is one of the difference itself. Distances carry
// a sign, so bodies a hair apart are told right too. Radii of the views are left out.
#pragma once

#include "sinew/contact/gjk.h"

namespace sinew {

/// Not found if the Minkowski difference is flat (two segments, a point and a triangle).
Separation find_depth(const ConvexView& A, const ConvexView& B);

}  // namespace sinew
