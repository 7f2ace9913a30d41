#include "sinew/io/viewer_codec.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <zstd.h>

#include "sinew/io/mcap_format.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied to the stream as they are in memory");

constexpr std::uint8_t kIsCompressed = 1;
constexpr int kLevel = 9;  // of zstd: pages are written once and read often

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

template <class T>
void append_raw(T value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
void append_byte_planes(std::span<const T> values, std::string& bytes) {
  static_assert(sizeof(T) == 4);
  const std::size_t start = bytes.size();
  const std::size_t n = values.size();
  bytes.resize(start + 4 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto word = std::bit_cast<std::uint32_t>(values[i]);
    for (std::size_t plane = 0; plane < 4; ++plane)
      bytes[start + plane * n + i] = static_cast<char>(word >> (8 * plane) & 0xffU);
  }
}

}  // namespace

void append_u32(std::uint32_t value, std::string& bytes) { append_raw(value, bytes); }
void append_f32(double value, std::string& bytes) { append_raw(static_cast<float>(value), bytes); }
void append_f64(double value, std::string& bytes) { append_raw(value, bytes); }

std::int32_t quantise(double value, double quantum) {
  const double steps = std::round(value / quantum);
  if (!(steps > std::numeric_limits<std::int32_t>::min())) return std::numeric_limits<std::int32_t>::min();
  if (steps >= std::numeric_limits<std::int32_t>::max()) return std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(steps);
}

void predict(std::span<std::int32_t> over_frames) {
  std::uint32_t before = 0, before_that = 0;
  for (std::size_t k = 0; k < over_frames.size(); ++k) {
    const auto now = static_cast<std::uint32_t>(over_frames[k]);
    const std::uint32_t expected = k == 0 ? 0U : k == 1 ? before : 2U * before - before_that;
    const std::uint32_t residual = now - expected;
    const std::uint32_t sign = (residual & 0x80000000U) != 0 ? 0xffffffffU : 0U;
    over_frames[k] = static_cast<std::int32_t>(residual << 1 ^ sign);
    before_that = before;
    before = now;
  }
}

void append_planes(std::span<const std::int32_t> values, std::string& bytes) { append_byte_planes(values, bytes); }
void append_planes(std::span<const float> values, std::string& bytes) { append_byte_planes(values, bytes); }

void append_record(ViewerRecord type, std::string_view payload, bool may_compress, std::string& bytes) {
  std::string small;
  if (may_compress) {
    small.resize(4 + ZSTD_compressBound(payload.size()));
    const std::size_t size = ZSTD_compress(small.data() + 4, small.size() - 4, payload.data(), payload.size(), kLevel);
    const auto whole = static_cast<std::uint32_t>(payload.size());
    std::memcpy(small.data(), &whole, 4);
    small.resize(ZSTD_isError(size) != 0 ? 0 : 4 + size);
  }
  const bool is_compressed = !small.empty() && small.size() < payload.size();
  const std::string_view body = is_compressed ? std::string_view(small) : payload;
  append_raw(static_cast<std::uint8_t>(type), bytes);
  append_raw(is_compressed ? kIsCompressed : std::uint8_t{0}, bytes);
  append_raw(std::uint16_t{0}, bytes);
  append_u32(static_cast<std::uint32_t>(body.size()), bytes);
  append_u32(compute_crc32(body), bytes);
  bytes += body;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < n; ++k)
      group |= std::uint32_t{static_cast<unsigned char>(bytes[i + k])} << (16 - 8 * k);
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xffU);
  }
  return bytes;
}

}  // namespace sinew
