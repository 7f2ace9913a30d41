// Text as bytes from outside: is it readable text at all, and how to show a piece of it in one line.
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

/// The text in quotes if it is short and of one line; else its beginning and "...". Never cuts a UTF-8 character.
std::string excerpt(std::string_view text, std::size_t most_bytes = 40);

}  // namespace sinew
