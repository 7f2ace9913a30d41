#include "sinew/io/yaml_overrides.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/excerpt.h"

namespace sinew {
namespace {

using Kind = YamlNode::Kind;

struct Step {
  std::string text;
  bool is_item;      // [text] rather than .text
  std::string path;  // up to and with this step
};

class Override {
 public:
  Override(std::string_view text, int source) : text_(text), source_(source) {}

  void apply(YamlNode& root) const {
    const std::size_t equals = find_equals();
    YamlNode* node = &root;
    const std::vector<Step> steps = split(text_.substr(0, equals));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool must_exist = i + 1 < steps.size() && steps[i + 1].is_item;
      node = steps[i].is_item ? find_item(*node, steps[i]) : find_key(*node, steps[i], must_exist);
    }
    const std::string_view value = text_.substr(equals + 1);
    const YamlMark mark = node->mark;
    *node = parse_yaml(value, override_name(text_), source_);
    if (node->kind == Kind::Null) node->mark = {mark.line, mark.column, source_};
  }

 private:
  // The first = outside brackets: names of items may hold one.
  std::size_t find_equals() const {
    int depth = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '[') ++depth;
      if (text_[i] == ']') --depth;
      if (text_[i] == '=' && depth == 0 && i > 0) return i;
    }
    refuse("expected path=value, such as bodies[0].mass=2");
  }

  std::vector<Step> split(std::string_view path) const {
    std::vector<Step> steps;
    std::size_t i = 0;
    while (i < path.size()) {
      const bool is_item = path[i] == '[';
      if (path[i] == '[' || path[i] == '.') ++i;
      const std::size_t end = std::min(is_item ? path.find(']', i) : path.find_first_of(".[", i), path.size());
      if (is_item && end == path.size()) refuse("expected a path such as bodies[0].mass, got a '[' without ']'");
      if (end == i)
        refuse(fmt::format("expected a path such as bodies[0].mass, got an empty step in {}", excerpt(path)));
      steps.push_back(
          {std::string(path.substr(i, end - i)), is_item, std::string(path.substr(0, end + (is_item ? 1 : 0)))});
      i = end + (is_item ? 1 : 0);
      if (i < path.size() && path[i] != '.' && path[i] != '[')
        refuse(fmt::format("expected '.' or '[' after '{}'", steps.back().path));
    }
    if (steps.front().is_item) refuse("expected a path that starts with a key, such as bodies[0].mass");
    return steps;
  }

  YamlNode* find_key(YamlNode& node, const Step& step, bool must_exist) const {
    if (node.kind == Kind::Scalar) make_map_of_type(node);
    if (node.kind == Kind::Null) node.kind = Kind::Map;
    if (node.kind != Kind::Map) {
      refuse(fmt::format("expected a map around '{}', got {}; items of a list are chosen by [number] or [name]",
                         step.path, node.describe()));
    }
    if (YamlNode* found = node.find(step.text)) return found;
    if (must_exist) {
      std::vector<std::string> keys;
      for (const YamlEntry& entry : node.entries) keys.push_back(entry.key);
      refuse(fmt::format("expected a list of the scene, got '{}'{}", step.path, make_suggestion(step.text, keys)));
    }
    node.entries.push_back({step.text, {1, 1, source_}, {}});
    node.entries.back().value.mark = {1, 1, source_};
    return &node.entries.back().value;
  }

  // `stepper: variational` is short for `stepper: {type: variational}`.
  static void make_map_of_type(YamlNode& node) {
    YamlNode map = YamlNode::map();
    map.mark = node.mark;
    map.add("type", std::move(node));
    node = std::move(map);
  }

  YamlNode* find_item(YamlNode& node, const Step& step) const {
    std::size_t index = 0;
    const bool is_number = std::from_chars(step.text.data(), step.text.data() + step.text.size(), index).ptr ==
                           step.text.data() + step.text.size();
    if (node.kind == Kind::Map) {  // a list of one item may be written without the list
      const YamlNode* name = node.find("name");
      if ((is_number && index == 0) || (name && name->text == step.text)) return &node;
    }
    if (node.kind != Kind::Sequence)
      refuse(fmt::format("expected a list before '[{}]', got {}", step.text, node.describe()));
    std::vector<std::string> names;
    for (YamlNode& item : node.items) {
      const YamlNode* name = item.find("name");
      if (!name) continue;
      if (name->text == step.text) return &item;
      names.push_back(name->text);
    }
    if (!is_number)
      refuse(fmt::format("expected the name of an item, got '{}'{}", step.text, make_suggestion(step.text, names)));
    if (index >= node.items.size())
      refuse(fmt::format("expected a number below {} in '{}', got {}", node.items.size(), step.path, index));
    return &node.items[index];
  }

  [[noreturn]] void refuse(std::string message) const {
    throw Error(ErrorKind::Input, override_name(text_), std::move(message));
  }

  std::string_view text_;
  int source_;
};

}  // namespace

void apply_override(YamlNode& root, std::string_view text, int source) { Override(text, source).apply(root); }

std::string override_name(std::string_view text) { return fmt::format("--set {}", text); }

}  // namespace sinew
