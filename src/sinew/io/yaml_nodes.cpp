#include "sinew/io/yaml_nodes.h"

#include <fmt/format.h>

#include "sinew/core/expression.h"

namespace sinew {
namespace {

// Words that another YAML reader would take for a number, a truth value or nothing.
bool looks_like_something_else(const std::string& text) {
  static constexpr std::array<std::string_view, 9> kWords = {"true", "false", "yes", "no",  "on",
                                                             "off",  "y",     "n",   "null"};
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool is_word = std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
  return is_word || evaluate_expression(text).value ||
         (!text.empty() && std::string_view("0123456789.+-").find(text.front()) != std::string_view::npos);
}

YamlNode flow(YamlNode node) {
  node.is_flow = true;
  return node;
}

}  // namespace

YamlNode make_node(bool value) { return YamlNode::scalar(value ? "true" : "false"); }
YamlNode make_node(int value) { return YamlNode::scalar(fmt::format("{}", value)); }

YamlNode make_node(double value) {
  std::string text = fmt::format("{}", value);
  // YAML 1.1 knows 1.0e-10 as a number, 1e-10 as a word.
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return YamlNode::scalar(std::move(text));
}

YamlNode make_node(const std::string& value) {
  YamlNode node = YamlNode::scalar(value);
  node.is_quoted = looks_like_something_else(value);
  return node;
}
YamlNode make_node(const ExpressionProgram& value) { return make_node(value.text()); }
YamlNode make_node(const BodyName& value) { return make_node(value.name); }
YamlNode make_node(const JointName& value) { return make_node(value.name); }
YamlNode make_node(const ConstraintName& value) { return make_node(value.name); }

YamlNode make_node(const Vec3& value) { return flow(make_list_node(value)); }

YamlNode make_node(const Mat3& value) {
  const Mat3 diagonal = value.diagonal().asDiagonal();
  if (value == diagonal) return make_node(Vec3(value.diagonal()));
  YamlNode rows = YamlNode::sequence();
  for (int row = 0; row < 3; ++row) rows.items.push_back(make_node(Vec3(value.row(row).transpose())));
  return rows;
}

YamlNode make_node(const Quat& value) {
  YamlNode map = YamlNode::map();
  map.add("quaternion", flow(make_list_node(std::array{value.w(), value.x(), value.y(), value.z()})));
  return flow(std::move(map));
}

}  // namespace sinew
