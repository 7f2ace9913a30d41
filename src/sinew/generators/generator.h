// A scene generator: parameters with fields, as everything described, and make(). Tests, benchmarks, docs and `sinew make` share them.
#pragma once

#include <concepts>

#include "sinew/simulation/scene_description.h"

namespace sinew {

template <class G>
concept Generator = Described<G> && requires(const G& generator) {
  { generator.make() } -> std::same_as<SceneDescription>;
};

}  // namespace sinew
