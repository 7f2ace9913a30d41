// One column of a small block in vector registers: up to 6 doubles as 4 + 2 lanes. Written with the vector extension
// GCC and Clang share, so the same source becomes AVX2 with FMA or plain SSE2. Included only by kernels.
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "sinew/linalg/block_graph.h"

namespace sinew::kernels {

#ifndef __AVX__
#pragma GCC diagnostic ignored "-Wpsabi"  // about calls with wide vectors, of which none is left after inlining
#endif

#define SINEW_INLINE [[gnu::always_inline]] inline

using Quad [[gnu::vector_size(32)]] = double;
using Pair [[gnu::vector_size(16)]] = double;
using QuadBits [[gnu::vector_size(32)]] = long long;
using PairBits [[gnu::vector_size(16)]] = long long;

/// Calls body(integral_constant<int, 0>), ..., body(integral_constant<int, N − 1>).
template <int N, class Body>
SINEW_INLINE void unroll(Body&& body) {
  [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
    (body(std::integral_constant<int, k>{}), ...);
  }(std::make_integer_sequence<int, N>{});
}

/// One number in all lanes. With AVX one broadcast serves both widths; the empty statement keeps the compiler from making two.
SINEW_INLINE Quad broadcast(double factor) {
  Quad result{factor, factor, factor, factor};
#ifdef __AVX__
  asm("" : "+x"(result));
#endif
  return result;
}
SINEW_INLINE Pair low_half(const Quad& quad) { return __builtin_shufflevector(quad, quad, 0, 1); }

template <int Rows>
struct Column {
  static constexpr bool kHasQuad = Rows > 2;
  static constexpr bool kHasPair = Rows <= 2 || Rows > 4;
  static constexpr int kPairBegin = kHasQuad ? 4 : 0;
  Quad quad{};
  Pair pair{};

  /// Reads and writes leading_dimension(Rows) doubles.
  SINEW_INLINE static Column load(const double* from) {
    Column column;
    if constexpr (kHasQuad) std::memcpy(&column.quad, from, sizeof(Quad));
    if constexpr (kHasPair) std::memcpy(&column.pair, from + kPairBegin, sizeof(Pair));
    return column;
  }
  SINEW_INLINE void store(double* to) const {
    if constexpr (kHasQuad) std::memcpy(to, &quad, sizeof(Quad));
    if constexpr (kHasPair) std::memcpy(to + kPairBegin, &pair, sizeof(Pair));
  }

  /// Reads and writes exactly Rows doubles.
  SINEW_INLINE static Column load_exact(const double* from) {
    if constexpr (Rows % 2 == 0) return load(from);
    Column column;
    if constexpr (Rows == 3) {
      column.quad = Quad{from[0], from[1], from[2], 0.0};
    } else {
      if constexpr (kHasQuad) std::memcpy(&column.quad, from, sizeof(Quad));
      column.pair = Pair{from[kPairBegin], 0.0};
    }
    return column;
  }
  SINEW_INLINE void store_exact(double* to) const {
    if constexpr (Rows % 2 == 0) return store(to);
    if constexpr (Rows == 3) {
      unroll<3>([&](auto k) { to[k] = get<k>(); });
    } else {
      if constexpr (kHasQuad) std::memcpy(to, &quad, sizeof(Quad));
      to[kPairBegin] = pair[0];
    }
  }

  template <int Row>
  SINEW_INLINE double get() const {
    if constexpr (Row >= kPairBegin && kHasPair) {
      return pair[Row - kPairBegin];
    } else {
      return quad[Row];
    }
  }
  template <int Row>
  SINEW_INLINE void set(double value) {
    if constexpr (Row >= kPairBegin && kHasPair) {
      pair[Row - kPairBegin] = value;
    } else {
      quad[Row] = value;
    }
  }

  /// Rows Begin ... End − 1 of this, zero elsewhere.
  template <int Begin, int End>
  SINEW_INLINE Column keep() const {
    constexpr auto kept = [](int row) { return Begin <= row && row < End; };
    constexpr int p = kPairBegin;
    Column result;
    if constexpr (kHasQuad) {
      result.quad =
          __builtin_shufflevector(quad, Quad{}, kept(0) ? 0 : 4, kept(1) ? 1 : 5, kept(2) ? 2 : 6, kept(3) ? 3 : 7);
    }
    if constexpr (kHasPair) result.pair = __builtin_shufflevector(pair, Pair{}, kept(p) ? 0 : 2, kept(p + 1) ? 1 : 3);
    return result;
  }

  /// this += column · factor, and the same where column is known to be zero outside rows Begin ... End − 1
  template <int Begin = 0, int End = Rows>
  SINEW_INLINE void add(const Column& column, double factor) {
    const Quad factors = broadcast(factor);
    if constexpr (kHasQuad && Begin < 4) quad += column.quad * factors;
    if constexpr (kHasPair && End > kPairBegin) pair += column.pair * low_half(factors);
  }
  /// this −= column · factor, likewise
  template <int Begin = 0, int End = Rows>
  SINEW_INLINE void subtract(const Column& column, double factor) {
    const Quad factors = broadcast(factor);
    if constexpr (kHasQuad && Begin < 4) quad -= column.quad * factors;
    if constexpr (kHasPair && End > kPairBegin) pair -= column.pair * low_half(factors);
  }
  SINEW_INLINE Column scaled(double factor) const {
    const Quad factors = broadcast(factor);
    Column result;
    if constexpr (kHasQuad) result.quad = quad * factors;
    if constexpr (kHasPair) result.pair = pair * low_half(factors);
    return result;
  }
  SINEW_INLINE Column negated() const {
    Column result;
    if constexpr (kHasQuad) result.quad = -quad;
    if constexpr (kHasPair) result.pair = -pair;
    return result;
  }
  SINEW_INLINE Column divided_by(const Column& other) const {
    Column result;
    if constexpr (kHasQuad) result.quad = quad / other.quad;
    if constexpr (kHasPair) result.pair = pair / other.pair;
    return result;
  }
  SINEW_INLINE Column times(const Column& other) const {
    Column result;
    if constexpr (kHasQuad) result.quad = quad * other.quad;
    if constexpr (kHasPair) result.pair = pair * other.pair;
    return result;
  }
  SINEW_INLINE Column plus(const Column& other) const {
    Column result;
    if constexpr (kHasQuad) result.quad = quad + other.quad;
    if constexpr (kHasPair) result.pair = pair + other.pair;
    return result;
  }
  /// |this|, row by row
  SINEW_INLINE Column magnitude() const {
    constexpr long long kNoSign = 0x7fffffffffffffff;
    Column result;
    if constexpr (kHasQuad) result.quad = std::bit_cast<Quad>(std::bit_cast<QuadBits>(quad) & kNoSign);
    if constexpr (kHasPair) result.pair = std::bit_cast<Pair>(std::bit_cast<PairBits>(pair) & kNoSign);
    return result;
  }
  /// this = max(this, other), row by row
  SINEW_INLINE void raise_to(const Column& other) {
    if constexpr (kHasQuad) quad = other.quad > quad ? other.quad : quad;
    if constexpr (kHasPair) pair = other.pair > pair ? other.pair : pair;
  }
  /// Sum of all rows; not a number if one of them is not.
  SINEW_INLINE double sum() const {
    double result = get<0>();
    unroll<Rows - 1>([&](auto k) { result += get<k + 1>(); });
    return result;
  }
  SINEW_INLINE double largest() const {
    double result = get<0>();
    unroll<Rows - 1>([&](auto k) { result = get<k + 1>() > result ? get<k + 1>() : result; });
    return result;
  }
};

}  // namespace sinew::kernels
