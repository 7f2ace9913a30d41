// Text as bytes from outside: is it readable text at all?
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew {

struct TextError {
  int line, column;  // 1-based
  std::string message;
};

/// Nothing if the text is UTF-8 without control characters (tab, line feed, carriage return are allowed).
std::optional<TextError> find_text_error(std::string_view text);

}  // namespace sinew
