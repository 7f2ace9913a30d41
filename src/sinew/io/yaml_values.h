// Reads the leaves of a scene file: numbers, words, vectors, matrices. Each function returns true and writes `out`, or
// adds a finding and leaves it. Lists, structs and variants: yaml_fields.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sinew/core/expression.h"
#include "sinew/core/fields.h"
#include "sinew/core/types.h"
#include "sinew/io/yaml_findings.h"

namespace sinew {

/// One value being read: the node, where it belongs, and what its field allows.
struct YamlPlace {
  const YamlNode& node;
  std::string path;
  const FieldInfo& info;
  YamlFindings& findings;
  bool is_list_item = false;

  YamlPlace item(std::size_t index) const { return {node.items[index], join_path(path, index), info, findings, true}; }
  /// Adds "expected <expected>, got <what is there>" and returns false.
  bool expect(std::string_view expected) const;
  bool refuse(std::string message) const;
};

bool read_value(const YamlPlace& place, bool& out);
bool read_value(const YamlPlace& place, int& out);
bool read_value(const YamlPlace& place, double& out);
bool read_value(const YamlPlace& place, std::string& out);
template <char... kNames>
bool read_value(const YamlPlace& place, ExpressionOf<kNames...>& out);
bool read_value(const YamlPlace& place, BodyName& out);
bool read_value(const YamlPlace& place, JointName& out);
bool read_value(const YamlPlace& place, ConstraintName& out);
bool read_value(const YamlPlace& place, Vec3& out);  // a unit vector is normalised
bool read_value(const YamlPlace& place, Mat3& out);  // 3 numbers: the diagonal; or 3 rows of 3

/// A list of exactly out.size() numbers.
bool read_numbers(const YamlPlace& place, std::span<double> out);

/// The index of a word in a list of names.
bool read_choice(const YamlPlace& place, std::span<const std::string_view> names, std::size_t& out);

/// "expression of q, v, t", of variables "qvt".
std::string describe_expression(std::string_view variables);
/// Adds why a text is not an expression, at its column in the file, and returns false.
bool refuse_expression(const YamlPlace& place, std::string_view message, int column, std::string_view advice = "");

/// "a number above 0", "a number from 0 to 20", "a whole number of at least 1".
std::string describe_range(const FieldInfo& info, std::string_view noun);

template <char... kNames>
bool read_value(const YamlPlace& place, ExpressionOf<kNames...>& out) {
  if (place.node.kind != YamlNode::Kind::Scalar) return place.expect("an " + describe_expression(out.variables()));
  const std::optional<ExpressionError> error = ExpressionOf<kNames...>::parse(place.node.text, out);
  return !error || refuse_expression(place, error->message, error->column);
}

}  // namespace sinew
