#include "cli/output_files.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

// What a path leads to, through links, whether or not it is there yet.
fs::path destination(const fs::path& path) {
  std::error_code error;
  fs::path found = fs::weakly_canonical(fs::absolute(path), error);
  if (error) return fs::absolute(path).lexically_normal();
  if (!fs::is_symlink(found, error)) return found;
  const fs::path target = fs::read_symlink(found, error);  // of a link to what is not there
  return (found.parent_path() / target).lexically_normal();
}

bool is_special(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

bool is_same(const fs::path& a, const fs::path& b) {
  if (is_special(a) || is_special(b)) return false;
  std::error_code error;
  return fs::equivalent(a, b, error) || destination(a) == destination(b);
}

[[noreturn]] void refuse(const fs::path& path, int reason) {
  throw Error(ErrorKind::File, path.string(), fmt::format("cannot be written: {}", std::strerror(reason)));
}

// Why nothing can be made in a folder; 0 if it can.
int find_obstacle(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return ENOENT;
  if (!fs::is_directory(folder, error)) return ENOTDIR;
  return ::access(folder.c_str(), W_OK) == 0 ? 0 : errno;
}

void check_writable(const NamedFile& output) {
  std::error_code error;
  if (fs::is_directory(output.path, error))
    throw Error(ErrorKind::File, output.option,
                fmt::format("expected a file to write, got the folder '{}'", output.path.string()));
  if (is_special(output.path)) return;
  const fs::path folder = destination(output.path).parent_path();
  if (const int obstacle = find_obstacle(folder); obstacle != 0)
    throw Error(
        ErrorKind::File, output.option,
        fmt::format("cannot write '{}': {}: {}", output.path.string(), folder.string(), std::strerror(obstacle)));
}

/// A new file beside its destination; gone again unless it was put there.
class NewFile {
 public:
  explicit NewFile(const fs::path& path)
      : destination_(destination(path)),
        path_(destination_.parent_path() / fmt::format(".{}.{}.new", destination_.filename().string(), ::getpid())) {}
  ~NewFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const fs::path& path() const { return path_; }
  void put_in_place() {
    std::error_code error;
    const fs::file_status old = fs::status(destination_, error);
    if (fs::exists(old)) fs::permissions(path_, old.permissions(), error);
    fs::rename(path_, destination_, error);
    if (error) refuse(destination_, error.value());
  }

 private:
  fs::path destination_, path_;
};

void write_to(const fs::path& path, const fs::path& shown, const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  if (file) write(file);
  file.flush();
  if (!file) refuse(shown, errno == 0 ? EIO : errno);
}

}  // namespace

void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile& output = outputs[i];
    if (output.path.empty()) continue;
    for (const NamedFile& input : inputs) {
      if (!input.path.empty() && is_same(output.path, input.path))
        throw Error(
            ErrorKind::Input, output.option,
            fmt::format("'{}' is {} itself; expected another file to write", output.path.string(), input.option));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!outputs[j].path.empty() && is_same(output.path, outputs[j].path))
        throw Error(
            ErrorKind::Input, output.option,
            fmt::format("'{}' is what {} writes; expected another file", output.path.string(), outputs[j].option));
    }
  }
  for (const NamedFile& output : outputs) {
    if (!output.path.empty()) check_writable(output);
  }
}

void check_folder(const std::string& option, const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error))
    throw Error(ErrorKind::File, option, fmt::format("expected a folder, got the file '{}'", path.string()));
  fs::path known = destination(path);  // the part of it that is there
  while (!fs::exists(known, error) && known.has_relative_path()) known = known.parent_path();
  if (const int obstacle = find_obstacle(known); obstacle != 0)
    throw Error(
        ErrorKind::File, option,
        fmt::format("cannot make the folder '{}': {}: {}", path.string(), known.string(), std::strerror(obstacle)));
}

void make_folder(const std::string& option, const fs::path& path) {
  check_folder(option, path);
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw Error(ErrorKind::File, option,
                fmt::format("cannot make the folder '{}': {}", path.string(), error.message()));
}

void write_output(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  if (is_special(path)) return write_to(path, path, write);
  NewFile file(path);
  write_to(file.path(), path, write);
  file.put_in_place();
}

void write_output(const fs::path& path, std::string_view bytes) {
  write_output(path,
               [bytes](std::ostream& out) { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

void move_output(const fs::path& from, const fs::path& path) {
  std::ifstream finished(from, std::ios::binary);
  if (!finished) refuse(path, errno);
  write_output(path, [&finished](std::ostream& out) { out << finished.rdbuf(); });
}

}  // namespace sinew::cli
