// The scene reader: one visitor over field declarations (core/fields.h), which names no type. A struct is a map of its
// fields; a variant a map whose key `type` names the alternative, or that name alone; a list also takes one item alone,
// and then, if its items have a name, that name as key (`shape` for `shapes`).
#pragma once

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "sinew/io/scene_orientation.h"
#include "sinew/io/yaml_values.h"

namespace sinew {

inline constexpr std::string_view kTypeKey = "type";

/// The key under which one item of a list may stand alone; empty if there is none.
template <class T>
struct SingularKey {
  static constexpr std::string_view kValue = "";
};
template <Described T>
struct SingularKey<std::vector<T>> {
  static constexpr std::string_view kValue = T::kName;
};

template <class T>
inline constexpr bool kIsVariant = false;
template <class... Ts>
inline constexpr bool kIsVariant<std::variant<Ts...>> = true;

/// Names of alternatives: their own, then those of families (core/fields.h).
template <class... Ts>
constexpr auto alternative_names() {
  constexpr auto list = [] {
    std::array<std::string_view, 2 * sizeof...(Ts)> names{Ts::kName...};
    std::size_t count = sizeof...(Ts);
    const auto add = [&]<class T>() {
      if constexpr (OneOfFamily<T>) {
        const auto end = names.begin() + static_cast<std::ptrdiff_t>(count);
        if (std::find(names.begin(), end, T::kFamily) == end) names[count++] = T::kFamily;
      }
    };
    (add.template operator()<Ts>(), ...);
    return std::pair(names, count);
  }();
  std::array<std::string_view, list.second> names;
  std::copy_n(list.first.begin(), names.size(), names.begin());
  return names;
}

/// Reads the fields of one map. After visit_fields, finish() reports missing and unknown keys.
class MapReader {
 public:
  MapReader(const YamlNode& node, const std::string& path, YamlFindings& findings)
      : node_(node), path_(path), findings_(findings), is_used_(node.entries.size(), false) {}

  template <class Member>
  void operator()(const FieldInfo& info, Member& member) {
    if constexpr (Described<Member> || kIsVariant<Member>) {
      if (info.is_inline) return read_inline(member);
    }
    const YamlEntry* entry = take(info.name);
    if constexpr (!SingularKey<Member>::kValue.empty()) {
      const YamlEntry* single = take_singular(SingularKey<Member>::kValue, info.name);
      if (entry && single) {
        findings_.add(single->key_mark, join_path(path_, single->key),
                      fmt::format("expected '{}' or '{}', got both", info.name, single->key));
      }
      if (!entry) entry = single;
    }
    if (entry) {
      const std::string path = join_path(path_, info.name);
      findings_.remember(path, entry->value.mark);
      read_value(YamlPlace{entry->value, path, info, findings_}, member);
    } else if (info.is_required) {
      missing_.push_back(info);
    }
  }

  /// Reads the alternative named by `type`, which may be left out if `type_is_optional`.
  template <class... Ts>
  void read_alternative(std::variant<Ts...>& out, bool type_is_optional) {
    const YamlEntry* type = take(kTypeKey);
    if (!type) {
      if (type_is_optional) return std::visit([&](auto& alternative) { visit(alternative); }, out);
      missing_type(names_of<Ts...>());
      return accept_keys_of<Ts...>();
    }
    static constexpr auto kNames = alternative_names<Ts...>();
    static constexpr FieldInfo kTypeInfo = required(kTypeKey, "", "kind");
    const std::string path = join_path(path_, kTypeKey);
    findings_.remember(path, type->value.mark);
    std::size_t index = 0;
    if (!read_choice(YamlPlace{type->value, path, kTypeInfo, findings_}, kNames, index)) return accept_keys_of<Ts...>();
    std::size_t i = 0;
    ((i++ == index ? visit(out.template emplace<Ts>()) : void()), ...);
    if (index >= sizeof...(Ts)) (read_family<Ts>(kNames[index], out) || ...);
  }

  void finish();

 private:
  template <class T>
  void visit(T& described) {
    T::visit_fields(described, *this);
  }
  template <class... Ts>
  void read_inline(std::variant<Ts...>& member) {
    read_alternative(member, false);
  }
  template <Described T>
  void read_inline(T& member) {
    visit(member);
  }

  /// Reads an alternative of a family, and makes it the one that fits. False: T is not of that family.
  template <class T, class Variant>
  bool read_family(std::string_view family, Variant& out) {
    if constexpr (OneOfFamily<T>) {
      if (T::kFamily != family) return false;
      T any;
      visit(any);
      std::visit([&](const auto& fitting) { out = fitting; }, any.fitting());
      return true;
    }
    return false;
  }

  template <class... Ts>
  static std::vector<std::string> names_of() {
    constexpr auto kNames = alternative_names<Ts...>();
    return {kNames.begin(), kNames.end()};
  }
  // The type is not known, so a key of any alternative may be right.
  template <class... Ts>
  void accept_keys_of() {
    const auto accept = [this](const FieldInfo& info, const auto&) {
      if (!info.is_inline) take(info.name);
    };
    (
        [&] {
          const Ts example{};
          Ts::visit_fields(example, accept);
        }(),
        ...);
  }

  // The entry of a key, which is then known.
  const YamlEntry* take(std::string_view key);
  const YamlEntry* take_singular(std::string_view key, std::string_view list_key);
  const YamlEntry* find(std::string_view key);
  std::string suggestion(const std::string& key) const;
  void missing_type(const std::vector<std::string>& names);

  const YamlNode& node_;
  const std::string& path_;
  YamlFindings& findings_;
  std::vector<bool> is_used_;
  std::vector<std::string> keys_;                       // known
  std::vector<std::string> singular_keys_, list_keys_;  // `shape` and `shapes`, pairwise
  std::vector<FieldInfo> missing_;
};

template <Described T>
bool read_value(const YamlPlace& place, T& out) {
  if (place.node.kind != YamlNode::Kind::Map) return place.expect(fmt::format("a map ({})", T::kDoc));
  const std::size_t before = place.findings.list().size();
  place.findings.remember(place.path, place.node.mark);
  MapReader reader(place.node, place.path, place.findings);
  T::visit_fields(out, reader);
  reader.finish();
  return place.findings.list().size() == before;
}

template <class... Ts>
bool read_value(const YamlPlace& place, std::variant<Ts...>& out) {
  YamlNode name_alone;
  const YamlNode* node = &place.node;
  if (node->kind == YamlNode::Kind::Scalar) {
    name_alone.kind = YamlNode::Kind::Map;
    name_alone.mark = place.node.mark;
    name_alone.entries.push_back({std::string(kTypeKey), place.node.mark, place.node});
    node = &name_alone;
  }
  if (node->kind != YamlNode::Kind::Map) return place.expect("a map with the key 'type'");
  const std::size_t before = place.findings.list().size();
  place.findings.remember(place.path, node->mark);
  MapReader reader(*node, place.path, place.findings);
  reader.read_alternative(out, !place.info.is_required && !place.is_list_item);
  reader.finish();
  return place.findings.list().size() == before;
}

template <class T>
bool read_value(const YamlPlace& place, std::optional<T>& out) {
  T value{};
  if (!read_value(place, value)) return false;
  out = std::move(value);
  return true;
}

template <class T>
bool read_value(const YamlPlace& place, std::vector<T>& out) {
  out.clear();
  if (place.node.kind == YamlNode::Kind::Null) return true;
  if (place.node.kind != YamlNode::Kind::Sequence) {
    YamlPlace single{place.node, join_path(place.path, std::size_t{0}), place.info, place.findings, true};
    return read_value(single, out.emplace_back());
  }
  bool ok = true;
  out.resize(place.node.items.size());
  for (std::size_t i = 0; i < out.size(); ++i) ok &= read_value(place.item(i), out[i]);
  return ok;
}

template <class T, std::size_t N>
bool read_value(const YamlPlace& place, std::array<T, N>& out) {
  if (place.node.kind != YamlNode::Kind::Sequence || place.node.items.size() != N) {
    return place.expect(fmt::format("a list of {} {}", N, std::is_arithmetic_v<T> ? "numbers" : "entries"));
  }
  bool ok = true;
  for (std::size_t i = 0; i < N; ++i) ok &= read_value(place.item(i), out[i]);
  return ok;
}

template <class E>
  requires std::is_enum_v<E>
bool read_value(const YamlPlace& place, E& out) {
  static constexpr auto kNames = enum_names(E{});
  std::size_t index = 0;
  if (!read_choice(place, kNames, index)) return false;
  out = static_cast<E>(index);
  return true;
}

inline bool read_value(const YamlPlace& place, Quat& out) {
  constexpr std::string_view kExpected =
      "{quaternion: [w, x, y, z]}, {axis: [x, y, z], angle: a} or {euler: [a, b, c], order: xyz}";
  if (place.node.kind != YamlNode::Kind::Map) return place.expect(kExpected);
  OrientationDescription description;
  if (!read_value(place, description)) return false;
  if (const auto error = find_error(description)) return place.refuse(*error);
  out = quat_of(description);
  return true;
}

}  // namespace sinew
