#include "sinew/core/excerpt.h"

#include <fmt/format.h>

namespace sinew {

std::string excerpt(std::string_view text, std::size_t most_bytes) {
  const auto is_continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; };
  std::string_view shown = text.substr(0, text.find('\n'));
  if (shown.size() > most_bytes) {
    std::size_t end = most_bytes;
    while (end > 0 && is_continuation(shown[end])) --end;
    shown = shown.substr(0, end);
  }
  return fmt::format("'{}'{}", shown, shown.size() < text.size() ? "..." : "");
}

}  // namespace sinew
