#include "sinew/io/yaml_text.h"

#include <fmt/format.h>

namespace sinew {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

bool is_continuation(unsigned byte) { return (byte & 0xc0U) == 0x80U; }

// Bytes of the UTF-8 character at i, or 0 if there is none (overlong forms, surrogates and values above U+10FFFF
// included).
std::size_t character_size(std::string_view text, std::size_t i) {
  const unsigned a = byte_at(text, i), b = byte_at(text, i + 1);
  if (a < 0x80) return 1;
  std::size_t size = 0;
  if (a >= 0xc2 && a <= 0xdf) size = 2;
  if (a >= 0xe0 && a <= 0xef && !(a == 0xe0 && b < 0xa0) && !(a == 0xed && b > 0x9f)) size = 3;
  if (a >= 0xf0 && a <= 0xf4 && !(a == 0xf0 && b < 0x90) && !(a == 0xf4 && b > 0x8f)) size = 4;
  for (std::size_t k = 1; k < size; ++k) {
    if (!is_continuation(byte_at(text, i + k))) return 0;
  }
  return size;
}

bool is_control(unsigned byte) { return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f; }

}  // namespace

std::optional<TextError> find_text_error(std::string_view text) {
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const unsigned byte = byte_at(text, i);
    const std::size_t size = character_size(text, i);
    if (size == 0 || is_control(byte)) {
      return TextError{line, static_cast<int>(i - line_start) + 1,
                       fmt::format("expected UTF-8 text, got byte 0x{:02x}; is this a text file?", byte)};
    }
    i += size;
    if (byte == '\n') {
      ++line;
      line_start = i;
    }
  }
  return std::nullopt;
}

}  // namespace sinew
