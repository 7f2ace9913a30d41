// Loops over the bodies and joints of an island, shared by the files that implement it.
#pragma once

#include "sinew/steppers/variational/island.h"

namespace sinew {

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

/// Calls work.operator()<rows>(data, joint) for every joint that has rows.
template <class Work>
void Island::for_joints(const Work& work) {
  motion_.pool.for_ranges(parts_.joints.size(), kIslandGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const int j = parts_.joints[n];
      const ModelJoint& joint = motion_.model().joint(j);
      JointMotion& data = motion_.joint(j);
      switch (joint.rows) {
        case 1:
          work.template operator()<1>(data, joint);
          break;
        case 2:
          work.template operator()<2>(data, joint);
          break;
        case 3:
          work.template operator()<3>(data, joint);
          break;
        case 4:
          work.template operator()<4>(data, joint);
          break;
        case 5:
          work.template operator()<5>(data, joint);
          break;
        case 6:
          work.template operator()<6>(data, joint);
          break;
        default:
          break;
      }
    }
  });
}

}  // namespace sinew
