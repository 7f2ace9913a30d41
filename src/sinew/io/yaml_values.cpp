#include "sinew/io/yaml_values.h"

#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "sinew/core/excerpt.h"
#include "sinew/core/expression.h"

namespace sinew {
namespace {

using Kind = YamlNode::Kind;

// A number as it stands in the text, before any range. Points at the column of an error inside the expression.
bool read_expression(const YamlPlace& place, std::string_view noun, double& out) {
  const std::string_view unit = place.info.unit;
  if (place.node.kind != Kind::Scalar)
    return place.expect(unit.empty() ? std::string(noun) : fmt::format("{} ({})", noun, unit));
  const ExpressionResult result = evaluate_expression(place.node.text);
  if (result.value) {
    out = *result.value;
    return true;
  }
  std::string advice;
  const bool is_word =
      static_cast<std::size_t>(result.column) <= place.node.text.size() &&
      std::isalpha(static_cast<unsigned char>(place.node.text[static_cast<std::size_t>(result.column) - 1]));
  if (is_word && unit == "rad")
    advice = " (give a number in rad, or in degrees such as 30deg)";
  else if (is_word && !unit.empty())
    advice = fmt::format(" (give a number in {}, without the unit)", unit);
  return refuse_expression(place, result.message, result.column, advice);
}

bool check_range(const YamlPlace& place, std::string_view noun, double value) {
  if (place.info.allows(value)) return true;
  const std::string unit = place.info.unit.empty() ? "" : fmt::format(" ({})", place.info.unit);
  return place.refuse(
      fmt::format("expected {}{}, got {}", describe_range(place.info, noun), unit, place.node.describe()));
}

bool read_name(const YamlPlace& place, std::string_view what, std::string& out) {
  if (place.node.kind != Kind::Scalar || place.node.text.empty()) return place.expect(what);
  out = place.node.text;
  return true;
}

}  // namespace

bool YamlPlace::expect(std::string_view expected) const {
  return refuse(fmt::format("expected {}, got {}", expected, node.describe()));
}

bool YamlPlace::refuse(std::string message) const {
  findings.add(node.mark, path, std::move(message));
  return false;
}

bool refuse_expression(const YamlPlace& place, std::string_view message, int column, std::string_view advice) {
  YamlMark mark = place.node.mark;
  mark.column += column - 1 + (place.node.is_quoted ? 1 : 0);
  const bool is_whole_text = column == 1;
  const std::string where = is_whole_text ? "" : fmt::format(" in {}", excerpt(place.node.text));
  place.findings.add(mark, place.path, fmt::format("{}{}{}", message, where, advice));
  return false;
}

std::string describe_expression(std::string_view variables) {
  return fmt::format("expression of {}", fmt::join(variables, ", "));
}

std::string describe_range(const FieldInfo& info, std::string_view noun) {
  const bool has_minimum = std::isfinite(info.minimum), has_maximum = std::isfinite(info.maximum);
  const std::string_view low = info.minimum_is_excluded ? "above" : "of at least";
  if (has_minimum && has_maximum && info.minimum == info.maximum) return fmt::format("{}", info.minimum);
  if (has_minimum && has_maximum && !info.minimum_is_excluded)
    return fmt::format("{} from {} to {}", noun, info.minimum, info.maximum);
  if (has_minimum && has_maximum) return fmt::format("{} above {} and at most {}", noun, info.minimum, info.maximum);
  if (has_minimum) return fmt::format("{} {} {}", noun, low, info.minimum);
  if (has_maximum) return fmt::format("{} of at most {}", noun, info.maximum);
  return std::string(noun);
}

bool read_value(const YamlPlace& place, bool& out) {
  if (place.node.kind != Kind::Scalar) return place.expect("true or false");
  const std::string& text = place.node.text;
  if (text == "true" || text == "True" || text == "TRUE")
    out = true;
  else if (text == "false" || text == "False" || text == "FALSE")
    out = false;
  else
    return place.expect("true or false");
  return true;
}

bool read_value(const YamlPlace& place, int& out) {
  constexpr std::string_view kNoun = "a whole number";
  double value = 0;
  if (!read_expression(place, kNoun, value)) return false;
  if (value != std::round(value) || std::abs(value) > std::numeric_limits<int>::max()) return place.expect(kNoun);
  if (!check_range(place, kNoun, value)) return false;
  out = static_cast<int>(value);
  return true;
}

bool read_value(const YamlPlace& place, double& out) {
  double value = 0;
  if (!read_expression(place, "a number", value) || !check_range(place, "a number", value)) return false;
  out = value;
  return true;
}

bool read_value(const YamlPlace& place, std::string& out) {
  if (place.node.kind != Kind::Scalar) return place.expect("text");
  out = place.node.text;
  return true;
}

bool read_value(const YamlPlace& place, BodyName& out) { return read_name(place, "the name of a body", out.name); }
bool read_value(const YamlPlace& place, JointName& out) { return read_name(place, "the name of a joint", out.name); }
bool read_value(const YamlPlace& place, ConstraintName& out) {
  return read_name(place, "the name of a constraint", out.name);
}

bool read_numbers(const YamlPlace& place, std::span<double> out) {
  if (place.node.kind != Kind::Sequence || place.node.items.size() != out.size()) {
    const std::string unit = place.info.unit.empty() ? "" : fmt::format(" ({})", place.info.unit);
    return place.expect(fmt::format("a list of {} numbers{}", out.size(), unit));
  }
  bool ok = true;
  for (std::size_t i = 0; i < out.size(); ++i) ok &= read_value(place.item(i), out[i]);
  return ok;
}

bool read_value(const YamlPlace& place, Vec3& out) {
  Vec3 value;
  if (!read_numbers(place, std::span(value.data(), 3))) return false;
  if (place.info.is_unit_vector) {
    const double length = value.stableNorm();
    if (!(length > 0)) return place.refuse("expected a direction, got a vector of length 0");
    // A vector that is a unit vector already keeps its bits, so that a written scene reads back as it was.
    if (std::abs(length - 1) > 4 * std::numeric_limits<double>::epsilon()) value.stableNormalize();
  }
  out = value;
  return true;
}

bool read_value(const YamlPlace& place, Mat3& out) {
  constexpr std::string_view kExpected = "3 numbers (the diagonal) or 3 rows of 3 numbers";
  if (place.node.kind != Kind::Sequence || place.node.items.size() != 3) return place.expect(kExpected);
  if (place.node.items.front().kind != Kind::Sequence) {
    Vec3 diagonal;
    if (!read_numbers(place, std::span(diagonal.data(), 3))) return false;
    out = diagonal.asDiagonal();
    return true;
  }
  Mat3 value;
  bool ok = true;
  for (int row = 0; row < 3; ++row) {
    std::array<double, 3> numbers{};
    ok &= read_numbers(place.item(static_cast<std::size_t>(row)), numbers);
    value.row(row) << numbers[0], numbers[1], numbers[2];
  }
  if (ok) out = value;
  return ok;
}

bool read_choice(const YamlPlace& place, std::span<const std::string_view> names, std::size_t& out) {
  const std::vector<std::string> known(names.begin(), names.end());
  if (place.node.kind != Kind::Scalar) return place.expect(fmt::format("a word{}", make_suggestion("", known)));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == place.node.text) {
      out = i;
      return true;
    }
  }
  return place.refuse(fmt::format("expected a known word, got {}{}", excerpt(place.node.text),
                                  make_suggestion(place.node.text, known)));
}

}  // namespace sinew
