// How to show a piece of a text from outside in one line.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

/// The text in quotes if it is short and of one line; else its beginning and "...". Never cuts a UTF-8 character.
std::string excerpt(std::string_view text, std::size_t most_bytes = 40);

}  // namespace sinew
