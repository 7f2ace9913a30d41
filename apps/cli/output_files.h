// Files that a subcommand writes: none may be one that it reads or writes otherwise, and what was there stays until the new one is whole.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::cli {

/// A file of the command line, by the option (or argument) that names it. Without a path: not asked for.
struct NamedFile {
  std::string option;
  std::filesystem::path path;
};

/// Throws Error{Input} if two outputs are one file, or one is an input, whatever links lead there; Error{File} for one that cannot be written, because
/// it is a folder or its folder is not there.
void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

/// Throws Error unless a folder is there or can be made.
void check_folder(const std::string& option, const std::filesystem::path& path);
void make_folder(const std::string& option, const std::filesystem::path& path);

/// Writes beside `path` and renames; devices and pipes are written to as they are. Throws Error{File} with the system's reason.
void write_output(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);
void write_output(const std::filesystem::path& path, std::string_view bytes);
/// A finished file takes its place.
void move_output(const std::filesystem::path& from, const std::filesystem::path& path);

}  // namespace sinew::cli
