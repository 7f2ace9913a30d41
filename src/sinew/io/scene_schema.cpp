#include "sinew/io/scene_schema.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/io/yaml_nodes.h"
#include "sinew/simulation/scene_description.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Json reference(std::string_view definition) { return {{"$ref", fmt::format("#/$defs/{}", definition)}}; }

Json list_of(const Json& item, std::size_t size) {
  return {{"type", "array"}, {"items", item}, {"minItems", size}, {"maxItems", size}};
}

Json as_json(const YamlNode& node) {
  Json json;
  for (const YamlNode& item : node.items) json.push_back(as_json(item));
  for (const YamlEntry& entry : node.entries) json[entry.key] = as_json(entry.value);
  if (node.kind != YamlNode::Kind::Scalar) return json;
  if (node.text == "true" || node.text == "false") return node.text == "true";
  const bool is_number = !node.is_quoted && Json::accept(node.text);
  return is_number ? Json::parse(node.text) : Json(node.text);
}

// Writes the schema of each kind of member; described structs go to `definitions` once.
class SchemaMaker {
 public:
  Json definitions = Json::object();

  Json schema(const FieldInfo& info, const double&) const { return number("number", info); }
  Json schema(const FieldInfo& info, const int&) const { return number("integer", info); }
  Json schema(const FieldInfo&, const bool&) const { return {{"type", "boolean"}}; }
  Json schema(const FieldInfo&, const std::string&) const { return {{"type", Json::array({"string", "number"})}}; }
  Json schema(const FieldInfo&, const ExpressionProgram&) const {
    return {{"type", Json::array({"string", "number"})}};
  }
  Json schema(const FieldInfo&, const BodyName&) const { return reference("name"); }
  Json schema(const FieldInfo&, const JointName&) const { return reference("name"); }
  Json schema(const FieldInfo&, const ConstraintName&) const { return reference("name"); }
  Json schema(const FieldInfo& info, const Vec3&) const { return list_of(number("number", info), 3); }
  Json schema(const FieldInfo& info, const Mat3&) const {
    const Json row = list_of(number("number", info), 3);
    return {{"anyOf", Json::array({row, list_of(row, 3)})}};
  }
  Json schema(const FieldInfo&, const Quat&) {
    define<OrientationDescription>();
    return reference(OrientationDescription::kName);
  }
  template <class E>
    requires std::is_enum_v<E>
  Json schema(const FieldInfo&, const E& value) const {
    return {{"enum", enum_names(value)}};
  }
  template <class T, std::size_t N>
  Json schema(const FieldInfo& info, const std::array<T, N>&) {
    return list_of(schema(info, T{}), N);
  }
  template <class T>
  Json schema(const FieldInfo& info, const std::optional<T>&) {
    return schema(info, T{});
  }
  template <class T>
  Json schema(const FieldInfo& info, const std::vector<T>&) {
    const Json item = item_schema(info, T{});
    return {{"anyOf", Json::array({{{"type", "array"}, {"items", item}}, item, {{"type", "null"}}})}};
  }
  template <Described T>
  Json schema(const FieldInfo&, const T&) {
    define<T>();
    return reference(T::kName);
  }
  template <class... Ts>
  Json schema(const FieldInfo& info, const std::variant<Ts...>& value) {
    return variant_schema(value, !info.is_required);
  }

  template <Described T>
  Json struct_schema() {
    Json object = {
        {"type", "object"}, {"description", T::kDoc}, {"properties", Json::object()}, {"required", Json::array()}};
    const T example{};
    add_fields(example, object);
    object["unevaluatedProperties"] = false;
    return object;
  }

  /// One alternative of a variant: its keys and its `type`.
  template <class T>
  Json alternative_schema(bool type_is_required, std::string_view name = T::kName, std::string_view doc = T::kDoc) {
    Json object = {{"title", name},
                   {"description", doc},
                   {"properties", {{kTypeKey, {{"const", name}}}}},
                   {"required", Json::array()}};
    if (type_is_required) object["required"].push_back(kTypeKey);
    const T example{};
    add_fields(example, object);
    return object;
  }

  template <class... Ts>
  Json inline_schema(const std::variant<Ts...>&) {
    Json choices = Json::array({alternative_schema<Ts>(true)...});
    for_each_family<Ts...>(
        [&]<class T>() { choices.push_back(alternative_schema<T>(true, T::kFamily, T::kFamilyDoc)); });
    return choices;
  }

 private:
  static Json number(std::string_view type, const FieldInfo& info) {
    Json number = {{"type", type}};
    if (std::isfinite(info.minimum)) number[info.minimum_is_excluded ? "exclusiveMinimum" : "minimum"] = info.minimum;
    if (std::isfinite(info.maximum)) number["maximum"] = info.maximum;
    return {{"anyOf", Json::array({number, reference("expression")})}};
  }

  template <class T>
  Json item_schema(const FieldInfo& info, const T& value) {
    if constexpr (kIsVariant<T>)
      return variant_schema(value, false);
    else
      return schema(info, value);
  }

  template <class... Ts>
  Json variant_schema(const std::variant<Ts...>& value, bool has_default) {
    Json choices = Json::array();
    std::size_t index = 0;
    const auto add = [&]<class T>(const T&) {
      Json object = alternative_schema<T>(!(has_default && index == value.index()));
      object["type"] = "object";
      object["unevaluatedProperties"] = false;
      const bool can_stand_alone =
          object["required"].size() <= 1 && (object["required"].empty() || object["required"][0] == kTypeKey);
      if (can_stand_alone) choices.push_back({{"const", T::kName}, {"description", T::kDoc}});
      choices.push_back(std::move(object));
      ++index;
    };
    (add(Ts{}), ...);
    return {{"oneOf", choices}};
  }

  template <Described T>
  void define() {
    if (definitions.contains(T::kName)) return;
    definitions[std::string(T::kName)] = nullptr;  // its place in the order, and the end of recursion
    definitions[std::string(T::kName)] = struct_schema<T>();
  }

  template <Described T>
  void add_fields(const T& example, Json& object);
};

// Visits the fields of a struct and adds them to a schema of an object.
struct PropertyAdder {
  SchemaMaker& maker;
  Json& object;

  template <class Member>
  void operator()(const FieldInfo& info, const Member& member) {
    if constexpr (kIsVariant<Member>) {
      if (info.is_inline) {
        object["oneOf"] = maker.inline_schema(member);
        return;
      }
    }
    if constexpr (Described<Member>) {
      if (info.is_inline) return Member::visit_fields(member, *this);
    }
    Json property = maker.schema(info, member);
    property["description"] = info.unit.empty() ? std::string(info.doc) : fmt::format("{} ({})", info.doc, info.unit);
    const Json default_value = as_json(make_node(member));
    if (!info.is_required && !default_value.empty() && default_value != Json("")) property["default"] = default_value;
    if (info.is_required) object["required"].push_back(info.name);
    if constexpr (!SingularKey<Member>::kValue.empty()) {
      object["properties"][std::string(SingularKey<Member>::kValue)] = {
          {"$ref", property["anyOf"][1]["$ref"]}, {"description", fmt::format("one item of `{}`", info.name)}};
    }
    object["properties"][std::string(info.name)] = std::move(property);
  }
};

template <Described T>
void SchemaMaker::add_fields(const T& example, Json& object) {
  PropertyAdder adder{*this, object};
  T::visit_fields(example, adder);
}

}  // namespace

std::string make_json_schema() {
  SchemaMaker maker;
  Json root = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Sinew scene"}};
  root.update(maker.struct_schema<SceneDescription>());
  maker.definitions["name"] = {{"type", Json::array({"string", "number"})},
                               {"description", "name of a body or joint of the scene"}};
  maker.definitions["expression"] = {{"type", "string"},
                                     {"description", "a number such as 1/2, sqrt(2)/2, 2*pi or 30deg"},
                                     {"pattern", "^[-+*/^()., 0-9a-z]+$"}};
  root["$defs"] = std::move(maker.definitions);
  return root.dump(2) + "\n";
}

}  // namespace sinew
