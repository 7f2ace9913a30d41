// Whole files as text.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace sinew {

/// Throws Error{File} that says why it cannot be read: not there, a directory, no permission, above `most_bytes`.
std::string read_text_file(const std::filesystem::path& path, std::size_t most_bytes);

}  // namespace sinew
