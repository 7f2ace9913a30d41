// Numbers as people write them in scene files: 1/2, -sqrt(3)/2, 2*pi, 30deg.
//   sum     = product { (+|-) product }          product = sign { (*|/) sign }        sign = [+|-] sign | power
//   power   = degrees [ ^ sign ]                 degrees = value [deg]                (x deg = x π/180)
//   value   = number | pi | function ( sum {, sum} ) | ( sum )
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct ExpressionResult {
  std::optional<double> value;  // finite, or nothing
  std::string message;          // without a value: expected ..., got ...
  int column = 1;               // without a value: where in the text, 1-based
};

ExpressionResult evaluate_expression(std::string_view text);

/// "sqrt(x)", "atan2(y, x)", ...: for the docs.
std::vector<std::string> expression_functions();

}  // namespace sinew
