// Values as YAML nodes, by field declarations: the reverse of yaml_fields.h. Also what the docs show as defaults.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "sinew/core/fields.h"
#include "sinew/core/types.h"
#include "sinew/io/yaml_fields.h"
#include "sinew/io/yaml_tree.h"

namespace sinew {

YamlNode make_node(bool value);
YamlNode make_node(int value);
YamlNode make_node(double value);  // the fewest digits that read back as the same number
YamlNode make_node(const std::string& value);
YamlNode make_node(const ExpressionProgram& value);
YamlNode make_node(const BodyName& value);
YamlNode make_node(const JointName& value);
YamlNode make_node(const ConstraintName& value);
YamlNode make_node(const Vec3& value);
YamlNode make_node(const Mat3& value);
YamlNode make_node(const Quat& value);

template <Described T>
YamlNode make_node(const T& value);
template <class... Ts>
YamlNode make_node(const std::variant<Ts...>& value);
template <class T>
YamlNode make_node(const std::vector<T>& values);
template <class T, std::size_t N>
YamlNode make_node(const std::array<T, N>& values);

template <class E>
  requires std::is_enum_v<E>
YamlNode make_node(E value) {
  return YamlNode::scalar(std::string(enum_names(value)[static_cast<std::size_t>(value)]));
}
template <class T>
YamlNode make_node(const std::optional<T>& value) {
  return value ? make_node(*value) : YamlNode{};
}
template <class Range>
YamlNode make_list_node(const Range& values) {
  YamlNode list = YamlNode::sequence();
  for (const auto& value : values) list.items.push_back(make_node(value));
  return list;
}
template <class T>
YamlNode make_node(const std::vector<T>& values) {
  return make_list_node(values);
}
template <class T, std::size_t N>
YamlNode make_node(const std::array<T, N>& values) {
  return make_list_node(values);
}

/// Collects all fields of a struct that are not inline.
class FieldNodes {
 public:
  template <class Member>
  void operator()(const FieldInfo& info, const Member& member) {
    if (!info.is_inline) map.add(std::string(info.name), make_node(member));
  }
  YamlNode map = YamlNode::map();
};

/// Collects the fields of a struct that differ from their default.
class ChangedFieldNodes {
 public:
  explicit ChangedFieldNodes(const YamlNode& defaults) : defaults_(defaults) {}

  template <class Member>
  void operator()(const FieldInfo& info, const Member& member) {
    YamlNode node = make_node(member);
    if (info.is_inline) {
      for (YamlEntry& entry : node.entries) map.entries.push_back(std::move(entry));
      return;
    }
    const YamlNode* default_node = defaults_.find(info.name);
    if (!info.is_required && default_node && same_content(node, *default_node)) return;
    if constexpr (kIsVariant<Member>) {
      if (node.entries.size() == 1) node = node.entries.front().value;  // the type alone
    }
    map.add(std::string(info.name), std::move(node));
  }
  YamlNode map = YamlNode::map();

 private:
  const YamlNode& defaults_;
};

template <Described T>
YamlNode make_node(const T& value) {
  static const YamlNode kDefaults = [] {
    FieldNodes nodes;
    const T example{};
    T::visit_fields(example, nodes);
    return nodes.map;
  }();
  ChangedFieldNodes nodes(kDefaults);
  T::visit_fields(value, nodes);
  return std::move(nodes.map);
}

template <class... Ts>
YamlNode make_node(const std::variant<Ts...>& value) {
  return std::visit(
      []<class T>(const T& alternative) {
        YamlNode map = YamlNode::map();
        map.add(std::string(kTypeKey), YamlNode::scalar(std::string(T::kName)));
        YamlNode fields = make_node(alternative);
        for (YamlEntry& entry : fields.entries) map.entries.push_back(std::move(entry));
        return map;
      },
      value);
}

}  // namespace sinew
