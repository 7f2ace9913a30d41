// A YAML document as a tree of plain values that know where they stand in the file. Made from yaml-cpp's events rather
// than its own nodes, because those lose duplicate keys and expand aliases without bound. Safe on any bytes: depth,
// size and alias expansion are limited, and everything that is not YAML is one Error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct YamlMark {
  int line = 0;    // 1-based; 0: not from a file
  int column = 0;  // 1-based, in bytes
  int source = 0;  // 0: the scene file; k > 0: the k-th override of the command line
};

struct YamlEntry;

struct YamlNode {
  enum class Kind { Null, Scalar, Sequence, Map };

  Kind kind = Kind::Null;
  YamlMark mark;
  std::string text;                // of a scalar
  bool is_quoted = false;          // of a scalar: '...', "...", | or >
  bool is_flow = false;            // written in one line: [a, b], {a: b}
  std::vector<YamlNode> items;     // of a sequence
  std::vector<YamlEntry> entries;  // of a map, in file order, duplicates included

  /// The value of the first entry with this key, or nullptr.
  const YamlNode* find(std::string_view key) const;
  YamlNode* find(std::string_view key);

  /// For messages: "'2 kg'", "a list of 4", "a map", "nothing".
  std::string describe() const;

  static YamlNode scalar(std::string text);
  static YamlNode map();
  static YamlNode sequence();
  void add(std::string key, YamlNode value);
};

struct YamlEntry {
  std::string key;
  YamlMark key_mark;
  YamlNode value;
};

/// Same content; marks and style do not matter.
bool same_content(const YamlNode& a, const YamlNode& b);

inline constexpr std::size_t kMaxYamlBytes = std::size_t{256} << 20;
inline constexpr int kMaxYamlDepth = 100;
inline constexpr std::size_t kMaxAliasedNodes = 1'000'000;

/// Reads one document. Throws Error{Input} "name:line:column: ..." on anything else. An empty text is a Null node.
YamlNode parse_yaml(std::string_view text, std::string_view name, int source = 0);

}  // namespace sinew
