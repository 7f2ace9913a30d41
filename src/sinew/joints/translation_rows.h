// The translational part of joints: which components of p_AB, in A, are locked (rows of g) and which are free (coordinates). These are
// the selection matrices D_T and C_T of [Bruedigam2024, Table B.1] with V₃ = z.
#pragma once

#include "sinew/core/types.h"
#include "sinew/joints/coordinate_info.h"

namespace sinew {

struct LockedTranslation {
  static constexpr int kRows = 3, kFirstRow = 0, kDof = 0, kFirstDof = 0;
  static constexpr std::array<CoordinateInfo, 0> kInfo = {};
};

struct TranslationAlongAxis {  // p ∥ z
  static constexpr int kRows = 2, kFirstRow = 0, kDof = 1, kFirstDof = 2;
  static constexpr std::array<CoordinateInfo, 1> kInfo = {{{"travel", "m"}}};
};

struct TranslationInPlane {  // p ⊥ z
  static constexpr int kRows = 1, kFirstRow = 2, kDof = 2, kFirstDof = 0;
  static constexpr std::array<CoordinateInfo, 2> kInfo = {{{"x", "m"}, {"y", "m"}}};
};

struct FreeTranslation {
  static constexpr int kRows = 0, kFirstRow = 0, kDof = 3, kFirstDof = 0;
  static constexpr std::array<CoordinateInfo, 3> kInfo = {{{"x", "m"}, {"y", "m"}, {"z", "m"}}};
};

}  // namespace sinew
