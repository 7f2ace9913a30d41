// The byte layout of the viewer stream (docs/viewer_stream.md): little-endian numbers, quantised integers predicted from the two frames
// before them, bytes of equal weight stored together, zstd.
//
//   r₀ = x₀,  r₁ = x₁ − x₀,  rₖ = xₖ − 2 xₖ₋₁ + xₖ₋₂  (mod 2³²),  then zigzag: 0, −1, 1, −2 … → 0, 1, 2, 3 …
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

enum class ViewerRecord : std::uint8_t { Header = 1, Mesh = 2, Frames = 3, Event = 4 };

void append_u32(std::uint32_t value, std::string& bytes);
void append_f32(double value, std::string& bytes);
void append_f64(double value, std::string& bytes);

/// round(value / quantum), held at the ends of the 32-bit range.
std::int32_t quantise(double value, double quantum);

/// Replaces the integers of one quantity over consecutive frames by their residuals.
void predict(std::span<std::int32_t> over_frames);

/// First all lowest bytes, then all second bytes, and so on.
void append_planes(std::span<const std::int32_t> values, std::string& bytes);
void append_planes(std::span<const float> values, std::string& bytes);

/// A record: type, flags, length, checksum, payload; the payload compressed if that makes it smaller and it is asked for.
void append_record(ViewerRecord type, std::string_view payload, bool may_compress, std::string& bytes);

/// For pages that carry the stream in their text.
std::string to_base64(std::string_view bytes);
/// Stops at the first character that is no digit of base64.
std::string from_base64(std::string_view text);

}  // namespace sinew
