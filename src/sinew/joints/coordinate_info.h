// Names and units of joint coordinates, for probes, limits in scene files and tables.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace sinew {

struct CoordinateInfo {
  std::string_view name;
  std::string_view
      unit;  // "m", "rad", "rad or m" if that is up to the scene, "" for pure numbers; of rates the same per second
};

template <std::size_t N, std::size_t M>
constexpr std::array<CoordinateInfo, N + M> joined(const std::array<CoordinateInfo, N>& a,
                                                   const std::array<CoordinateInfo, M>& b) {
  std::array<CoordinateInfo, N + M> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = a[i];
  for (std::size_t i = 0; i < M; ++i) out[N + i] = b[i];
  return out;
}

constexpr std::string_view rate_unit(std::string_view unit) {
  if (unit == "m") return "m/s";
  if (unit == "rad") return "rad/s";
  return unit.empty() ? "1/s" : "rad/s or m/s";
}

/// The rates of scalar coordinates have their names.
template <std::size_t N>
constexpr std::array<CoordinateInfo, N> rates_of(std::array<CoordinateInfo, N> scalars) {
  for (CoordinateInfo& scalar : scalars) scalar.unit = rate_unit(scalar.unit);
  return scalars;
}

}  // namespace sinew
