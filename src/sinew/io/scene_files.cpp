#include "sinew/io/scene_files.h"

#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

#include "sinew/core/error.h"

namespace sinew {

std::string read_text_file(const std::filesystem::path& path, std::size_t most_bytes) {
  const auto refuse = [&](std::string message) { return Error(ErrorKind::File, path.string(), std::move(message)); };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw refuse("expected a file, got a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw refuse(
        fmt::format("expected a file that can be read: {}", std::generic_category().message(errno ? errno : ENOENT)));
  std::string text;
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  while (file) {  // by pieces, because pipes have no size
    const std::size_t size = text.size();
    text.resize(size + kPiece);
    file.read(text.data() + size, kPiece);
    text.resize(size + static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes) throw refuse(fmt::format("expected a file of at most {} MiB", most_bytes >> 20));
  }
  if (file.bad()) throw refuse("expected a file that can be read to its end");
  return text;
}

}  // namespace sinew
