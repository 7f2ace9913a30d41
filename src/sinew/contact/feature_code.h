// Names of features within a shape, equal from step to step: the parts of a contact's id.
#pragma once

#include <cstdint>

namespace sinew {

enum class CodeKind : std::uint64_t { Corner = 1, Edge, Face, Cut, Rim, Side, Surface, End };

constexpr std::uint64_t make_code(CodeKind kind, std::uint64_t i = 0, std::uint64_t j = 0) {
  return static_cast<std::uint64_t>(kind) << 60 | (i & 0x3fffffff) << 30 | (j & 0x3fffffff);
}

/// Mixes a number into a hash so that every bit counts (the finaliser of SplitMix64 [Steele2014]).
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  std::uint64_t z = hash + 0x9e3779b97f4a7c15ULL + value * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace sinew
