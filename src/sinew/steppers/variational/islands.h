// The islands of a step. They are a function of what couples bodies in this step and nothing else: a run resumed from here makes the same ones.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/steppers/variational/island.h"

namespace sinew {

class Islands {
 public:
  explicit Islands(Motion& motion);

  /// Islands for the cones the motion has now. Those whose parts are as before are kept.
  void update();

  std::span<const std::unique_ptr<Island>> all() const { return islands_; }
  /// Cones of an island, by their index in the motion.
  std::span<const int> cones(std::size_t island) const { return cones_[island]; }
  bool has_cones(std::size_t body) const { return !cones_[static_cast<std::size_t>(island_of_[body])].empty(); }

 private:
  void rebuild();

  Motion& motion_;
  std::vector<std::pair<int, int>> element_pairs_;  // bodies coupled by forces
  std::vector<std::pair<int, int>> pairs_;          // and those coupled by contacts
  std::vector<std::pair<int, int>> known_pairs_;    // of the islands as they are
  std::vector<std::unique_ptr<Island>> islands_;
  std::vector<std::vector<int>> cones_;
  std::vector<int> island_of_;  // body → island
};

}  // namespace sinew
