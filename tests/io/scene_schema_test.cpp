// The JSON Schema names every key of every type, refers only to what it defines, and allows no others.
#include "sinew/io/scene_schema.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/io/yaml_fields.h"
#include "sinew/simulation/scene_description.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

template <class Visit>
void for_each_object(const Json& json, Visit visit) {
  if (json.is_object()) visit(json);
  for (const Json& child : json) {
    if (child.is_structured()) for_each_object(child, visit);
  }
}

Json schema() { return Json::parse(make_json_schema()); }

TEST(SceneSchema, EveryReferenceIsDefined) {
  const Json root = schema();
  EXPECT_EQ(root["$schema"], "https://json-schema.org/draft/2020-12/schema");
  int references = 0;
  for_each_object(root, [&](const Json& object) {
    if (!object.contains("$ref") || !object["$ref"].is_string()) return;
    ++references;
    EXPECT_TRUE(root.contains(Json::json_pointer(object["$ref"].get<std::string>().substr(1)))) << object["$ref"];
  });
  EXPECT_GT(references, 20);
}

struct KeyCollector {
  std::set<std::string> keys;
  template <class Member>
  void operator()(const FieldInfo& info, const Member&) {
    if (!info.is_inline) keys.emplace(info.name);
  }
  /// A list of described things may also be given as one of them, under its own name.
  template <Described T>
  void operator()(const FieldInfo& info, const std::vector<T>&) {
    keys.emplace(info.name);
    keys.emplace(T::kName);
  }
};

// The object of the schema whose `type` is this word, among the alternatives of all families.
template <class List>
void expect_alternatives(const Json& root) {
  List::for_each([&]<class T>() {
    KeyCollector collector;
    const T example{};
    T::visit_fields(example, collector);
    bool is_found = false;
    for_each_object(root, [&](const Json& object) {
      const auto pointer = Json::json_pointer("/properties/type/const");
      if (!object.contains(pointer) || object[pointer] != T::kName) return;
      std::set<std::string> keys;
      for (const auto& [key, value] : object["properties"].items()) keys.insert(key);
      keys.erase("type");
      is_found |= keys == collector.keys;
    });
    EXPECT_TRUE(is_found) << T::kName;
  });
}

TEST(SceneSchema, EveryTypeHasItsKeys) {
  const Json root = schema();
  expect_alternatives<AllJoints>(root);
  expect_alternatives<AllShapes>(root);
  expect_alternatives<AllForces>(root);
  expect_alternatives<AllProbes>(root);
  expect_alternatives<AllSteppers>(root);
}

TEST(SceneSchema, ObjectsAreClosed) {
  const Json root = schema();
  EXPECT_EQ(root["unevaluatedProperties"], false);
  for (const auto& [name, definition] : root["$defs"].items()) {
    EXPECT_TRUE(definition["type"] != "object" || definition["unevaluatedProperties"] == false) << name;
  }
}

TEST(SceneSchema, RangesUnitsAndDefaults) {
  const Json dt = schema()["properties"]["dt"];
  EXPECT_EQ(dt["description"], "time step (s)");
  EXPECT_EQ(dt["default"], 0.01);
  EXPECT_EQ(dt["anyOf"][0]["exclusiveMinimum"], 0);
  EXPECT_EQ(schema()["required"], Json::array({"sinew"}));
}

}  // namespace
}  // namespace sinew
