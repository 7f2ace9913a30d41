// What is wrong with a YAML document, collected while it is read, and where things stand in it. All findings of a file
// are told at once.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/io/yaml_tree.h"

namespace sinew {

struct YamlFinding {
  YamlMark mark;
  std::string path;  // "joints[3].axis"
  std::string message;
  bool is_unknown_key = false;
};

class YamlFindings {
 public:
  /// The sources marks refer to: the file, then the overrides.
  explicit YamlFindings(std::vector<std::string> sources) : sources_(std::move(sources)) {}

  void add(const YamlMark& mark, std::string path, std::string message) {
    list_.push_back({mark, std::move(path), std::move(message)});
  }
  void add_unknown_key(const YamlMark& mark, std::string path, std::string message) {
    list_.push_back({mark, std::move(path), std::move(message), true});
  }
  const std::vector<YamlFinding>& list() const { return list_; }

  /// Keeps where the value of a path stands, for findings made after reading.
  void remember(const std::string& path, const YamlMark& mark) { marks_.emplace(path, mark); }
  bool is_in_file(const std::string& path) const { return marks_.contains(path); }
  /// Where a path stands, or else the nearest thing around it that was in the file.
  YamlMark find_mark(std::string_view path) const;

  /// "scene.yaml:41:7 joints[3].axis: ..." in the order of the file; cut after some tens, with the number of the
  /// others.
  std::vector<Diagnostic> diagnostics() const;

 private:
  std::vector<std::string> sources_;
  std::vector<YamlFinding> list_;
  std::unordered_map<std::string, YamlMark> marks_;
};

/// "joints[3]" and "axis" -> "joints[3].axis"; "joints" and 3 -> "joints[3]".
std::string join_path(const std::string& path, std::string_view key);
std::string join_path(const std::string& path, std::size_t index);

/// Adds every key that a map holds twice.
void find_duplicate_keys(const YamlNode& node, const std::string& path, YamlFindings& findings);

}  // namespace sinew
