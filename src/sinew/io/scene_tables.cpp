#include "sinew/io/scene_tables.h"

#include "sinew/io/yaml_writer.h"

namespace sinew {

void TableWriter::add_row(const std::string& key, const std::string& type, std::string_view unit,
                          const std::string& default_value, std::string_view doc) {
  rows_ += fmt::format("| `{}` | {} | {} | {} | {} |\n", key, type, unit, default_value, doc);
}

void TableWriter::add_section(const std::string& name, std::function<void()> write) {
  if (known_sections_.insert(name).second)
    sections_.insert(sections_.begin() + static_cast<std::ptrdiff_t>(added_++), std::move(write));
}

std::string TableWriter::default_text(const YamlNode& node) {
  const bool is_empty_text = node.kind == YamlNode::Kind::Scalar && node.text.empty();
  const bool is_empty = node.kind != YamlNode::Kind::Scalar && node.entries.empty() && node.items.empty();
  if (is_empty_text || is_empty) return "";
  YamlNode value = node;
  if (value.kind == YamlNode::Kind::Map && value.entries.size() == 1 && value.entries.front().key == kTypeKey)
    value = YamlNode(value.entries.front().value);
  value.is_flow = true;
  YamlNode holder = YamlNode::map();
  holder.add("x", std::move(value));
  const std::string text = write_yaml(holder);
  return fmt::format("`{}`", text.substr(3, text.size() - 4));  // without "x: " and the end of the line
}

std::string TableWriter::capitalised(std::string_view text) {
  std::string result(text);
  if (!result.empty()) result.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(result.front())));
  return result;
}

}  // namespace sinew
