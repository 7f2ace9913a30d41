// docs/scene_format.md, made from the field declarations the reader uses, so that page and reader cannot part.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

/// The page as Markdown.
std::string make_scene_format_page();

/// The complete scene the page begins with.
std::string_view example_scene();

}  // namespace sinew
