// Loops over the bodies and joints of an island, shared by the files that implement it.
#pragma once

#include "sinew/steppers/variational/island.h"

namespace sinew {

template <int Rows>
using Rows6 = Eigen::Map<Mat<Rows, 6>>;
template <int Rows>
using ConstRows6 = Eigen::Map<const Mat<Rows, 6>>;

inline constexpr std::size_t kIslandGrain =
    128;  // bodies or joints per thread below which threads cost more than they give

template <class Work>
void Island::for_bodies(const Work& work) {
  motion_.pool.for_ranges(parts_.bodies.size(), kIslandGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const int body = parts_.bodies[i];
      work(motion_.body(body), motion_.model().body(body), body);
    }
  });
}

/// Calls work.operator()<J>(data, joint) with the joint's type J.
template <class Work>
void Island::for_joints(const Work& work) {
  motion_.pool.for_ranges(parts_.joints.size(), kIslandGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const int j = parts_.joints[n];
      const ModelJoint& joint = motion_.model().joint(j);
      std::visit(
          [&]<class J>(const J&) {
            if constexpr (J::kRows > 0) work.template operator()<J>(motion_.joint(j), joint);
          },
          joint.type);
    }
  });
}

}  // namespace sinew
