#include "sinew/io/yaml_writer.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace sinew {
namespace {

using Kind = YamlNode::Kind;

bool is_plain_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("_./+-()*^").find(c) != std::string_view::npos || (c & 0x80) != 0;
}

// Conservative: letters, digits, spaces between them and some signs, more of them outside [] and {}; not what YAML reads as null or as
// the start of something else.
bool can_be_plain(std::string_view text, bool is_in_flow) {
  if (text.empty() || text == "null" || text == "Null" || text == "NULL") return false;
  if (text.front() == ' ' || text.back() == ' ' || text.front() == '*') return false;
  if (text.starts_with("- ") || text == "-" || text.starts_with("---") || text.starts_with("...")) return false;
  const auto is_sign = [&](char c) {
    return !is_in_flow && std::string_view(",;'!=<>").find(c) != std::string_view::npos;
  };
  return !is_sign(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return c == ' ' || is_plain_char(c) || is_sign(c); });
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string scalar_text(const YamlNode& node, bool is_in_flow) {
  return node.is_quoted || !can_be_plain(node.text, is_in_flow) ? in_quotes(node.text) : node.text;
}
std::string key_text(const std::string& key) { return can_be_plain(key, true) ? key : in_quotes(key); }

class YamlWriter {
 public:
  std::string take() { return std::move(text_); }

  void write_map(const YamlNode& node, int indent, bool starts_in_line = false) {
    for (const YamlEntry& entry : node.entries) {
      if (!starts_in_line) text_.append(static_cast<std::size_t>(indent), ' ');
      starts_in_line = false;
      text_ += key_text(entry.key) + ":";
      write_value(entry.value, indent + 2);
    }
  }

 private:
  static bool is_in_line(const YamlNode& node) {
    const auto is_scalar = [](const YamlNode& item) { return item.kind == Kind::Scalar; };
    switch (node.kind) {
      case Kind::Null:
      case Kind::Scalar:
        return true;
      case Kind::Sequence:
        return node.is_flow || std::all_of(node.items.begin(), node.items.end(), is_scalar);
      case Kind::Map:
        return node.is_flow || node.entries.empty();
    }
    return true;
  }

  // After "key:", on the same line or below it.
  void write_value(const YamlNode& node, int indent) {
    if (is_block_text(node)) return write_block_text(node.text, indent);
    if (is_in_line(node)) {
      text_ += ' ';
      write_in_line(node, false);
      text_ += '\n';
      return;
    }
    text_ += '\n';
    if (node.kind == Kind::Map) return write_map(node, indent);
    for (const YamlNode& item : node.items) write_item(item, indent);
  }

  void write_item(const YamlNode& item, int indent) {
    text_.append(static_cast<std::size_t>(indent), ' ');
    text_ += "-";
    if (item.kind == Kind::Map && !is_in_line(item)) {
      text_ += ' ';
      return write_map(item, indent + 2, true);
    }
    write_value(item, indent + 2);
  }

  void write_in_line(const YamlNode& node, bool is_in_flow) {
    switch (node.kind) {
      case Kind::Null:
        text_ += "null";
        return;
      case Kind::Scalar:
        text_ += scalar_text(node, is_in_flow);
        return;
      case Kind::Sequence:
        text_ += '[';
        for (const YamlNode& item : node.items) {
          if (&item != &node.items.front()) text_ += ", ";
          write_in_line(item, true);
        }
        text_ += ']';
        return;
      case Kind::Map:
        text_ += '{';
        for (const YamlEntry& entry : node.entries) {
          if (&entry != &node.entries.front()) text_ += ", ";
          text_ += key_text(entry.key) + ": ";
          write_in_line(entry.value, true);
        }
        text_ += '}';
        return;
    }
  }

  // Text of several lines, as | or |-, where that keeps every character.
  static bool is_block_text(const YamlNode& node) {
    const std::string& text = node.text;
    if (node.kind != Kind::Scalar || text.find('\n') == std::string::npos) return false;
    const bool has_control = std::any_of(text.begin(), text.end(), [](char c) {
      return c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f);
    });
    return !has_control && text.front() != ' ' && text.front() != '\n' && !text.ends_with("\n\n") &&
           text.find(" \n") == std::string::npos && text.back() != ' ';
  }
  void write_block_text(std::string_view text, int indent) {
    const bool ends_line = text.ends_with('\n');
    text_ += ends_line ? " |\n" : " |-\n";
    if (ends_line) text.remove_suffix(1);
    while (true) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      if (!line.empty()) text_.append(static_cast<std::size_t>(indent), ' ');
      text_ += line;
      text_ += '\n';
      if (end == std::string_view::npos) return;
      text.remove_prefix(end + 1);
    }
  }

  std::string text_;
};

}  // namespace

std::string write_yaml(const YamlNode& root) {
  YamlWriter writer;
  writer.write_map(root, 0);
  return writer.take();
}

}  // namespace sinew
