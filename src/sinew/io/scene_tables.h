// Tables of keys, by field declarations: one section per described struct and one table per alternative of a variant.
#pragma once

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "sinew/io/yaml_nodes.h"

namespace sinew {

/// A section is followed by the sections it refers to, unless they stand already above.
class TableWriter {
 public:
  /// The section of a struct and of everything its fields refer to.
  template <Described T>
  std::string write_all() {
    type_text(FieldInfo{}, T{});
    while (!sections_.empty()) {
      const auto write = std::move(sections_.front());
      sections_.erase(sections_.begin());
      added_ = 0;
      write();
    }
    return std::move(text_);
  }

  /// Visitor: one row.
  template <class Member>
  void operator()(const FieldInfo& info, const Member& member) {
    if constexpr (kIsVariant<Member>) {
      if (info.is_inline) return add_type_row(member);
    }
    if constexpr (Described<Member>) {
      if (info.is_inline) return Member::visit_fields(member, *this);
    }
    std::string key(info.name);
    if constexpr (!SingularKey<Member>::kValue.empty())
      key = fmt::format("{}` or `{}", info.name, SingularKey<Member>::kValue);
    add_row(key, type_text(info, member), info.unit, info.is_required ? "required" : default_text(make_node(member)),
            info.doc);
  }

 private:
  // What stands in the column "type".
  std::string type_text(const FieldInfo&, const bool&) { return "true or false"; }
  std::string type_text(const FieldInfo& info, const int&) { return describe_range(info, "whole number"); }
  std::string type_text(const FieldInfo& info, const double&) { return describe_range(info, "number"); }
  std::string type_text(const FieldInfo&, const std::string&) { return "text"; }
  template <char... kNames>
  std::string type_text(const FieldInfo&, const ExpressionOf<kNames...>& value) {
    return describe_expression(value.variables());
  }
  std::string type_text(const FieldInfo&, const BodyName&) { return "name of a body"; }
  std::string type_text(const FieldInfo&, const JointName&) { return "name of a joint"; }
  std::string type_text(const FieldInfo&, const ConstraintName&) { return "name of a constraint"; }
  std::string type_text(const FieldInfo& info, const Vec3&) {
    return info.is_unit_vector
               ? "direction: 3 numbers, not all 0"
               : describe_range(info, std::isfinite(info.minimum) || std::isfinite(info.maximum) ? "3 numbers, each"
                                                                                                 : "3 numbers");
  }
  std::string type_text(const FieldInfo&, const Mat3&) { return "3 numbers, or 3 rows of 3"; }
  std::string type_text(const FieldInfo&, const Quat&) { return type_text(FieldInfo{}, OrientationDescription{}); }
  template <class E>
    requires std::is_enum_v<E>
  std::string type_text(const FieldInfo&, const E& value) {
    return fmt::format("`{}`", fmt::join(enum_names(value), "`, `"));
  }
  template <class T>
  std::string type_text(const FieldInfo& info, const std::optional<T>&) {
    return type_text(info, T{});
  }
  template <class T, std::size_t N>
  std::string type_text(const FieldInfo& info, const std::array<T, N>&) {
    return fmt::format("{} × {}", N, type_text(info, T{}));
  }
  template <class T>
  std::string type_text(const FieldInfo& info, const std::vector<T>&) {
    return fmt::format("list, each {}", type_text(info, T{}));
  }
  template <Described T>
  std::string type_text(const FieldInfo&, const T&) {
    add_section(std::string(T::kName), [this] { write_struct<T>(); });
    return link(T::kName);
  }
  template <class... Ts>
  std::string type_text(const FieldInfo& info, const std::variant<Ts...>& value) {
    add_section(std::string(info.name), [this, name = std::string(info.name), value] {
      text_ += fmt::format("\n## {}\n\nThe key `type` says which; the other keys are those of its table.\n", name);
      write_alternatives(value);
    });
    return link(info.name);
  }

  template <Described T>
  void write_struct() {
    text_ += fmt::format("\n## {}\n\n{}.\n", T::kName, capitalised(T::kDoc));
    const T example{};
    write_table(example);
    while (!after_table_.empty()) {
      const auto write = std::move(after_table_.front());
      after_table_.erase(after_table_.begin());
      write();
    }
  }
  template <class... Ts>
  void write_alternatives(const std::variant<Ts...>&) {
    const auto write = [this]<class T>(const T& example, std::string_view name, std::string_view doc) {
      text_ += fmt::format("\n### type: {}\n\n{}.\n", name, capitalised(doc));
      write_table(example);
    };
    (write(Ts{}, Ts::kName, Ts::kDoc), ...);
    for_each_family<Ts...>([&]<class T>() { write(T{}, T::kFamily, T::kFamilyDoc); });
  }
  template <Described T>
  void write_table(const T& example) {
    std::string before;
    std::swap(before, rows_);
    T::visit_fields(example, *this);
    if (!rows_.empty()) text_ += "\n| key | type | unit | default | meaning |\n|---|---|---|---|---|\n" + rows_;
    std::swap(before, rows_);
  }
  template <class... Ts>
  void add_type_row(const std::variant<Ts...>& value) {
    add_row(std::string(kTypeKey), fmt::format("`{}`", fmt::join(alternative_names<Ts...>(), "`, `")), "", "required",
            "kind; each adds the keys of its table below");
    after_table_.push_back([this, value] { write_alternatives(value); });
  }

  void add_row(const std::string& key, const std::string& type, std::string_view unit, const std::string& default_value,
               std::string_view doc);
  void add_section(const std::string& name, std::function<void()> write);
  static std::string default_text(const YamlNode& node);
  static std::string capitalised(std::string_view text);
  static std::string link(std::string_view section) { return fmt::format("[{}](#{})", section, section); }

  std::string text_, rows_;
  std::set<std::string> known_sections_;
  std::vector<std::function<void()>> sections_;
  std::size_t added_ = 0;  // by the section being written; they come next
  std::vector<std::function<void()>> after_table_;
};

}  // namespace sinew
