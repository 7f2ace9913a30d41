// Numbers and functions of time as people write them in scene files: 1/2, -sqrt(3)/2, 2*pi, 30deg, 0.3*sin(2*t).
//   sum     = product { (+|-) product }          product = sign { (*|/) sign }        sign = [+|-] sign | power
//   power   = degrees [ ^ sign ]                 degrees = value [deg]                (x deg = x π/180)
//   value   = number | pi | t | function ( sum {, sum} ) | ( sum )
// The text is parsed once, into instructions for a small stack; these work on jets, so derivatives by time are exact.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/jet.h"

namespace sinew {

/// Why a text is not an expression: expected ..., got ...
struct ExpressionError {
  std::string message;
  int column = 1;  // where in the text, 1-based
};

/// An expression of the time t; nothing is the constant 0.
class Expression {
 public:
  Expression() = default;
  /// Throws Error naming the column.
  explicit Expression(std::string_view text);
  /// The same without throwing: nothing, or why it cannot be; then `out` is untouched.
  static std::optional<ExpressionError> parse(std::string_view text, Expression& out);

  const std::string& text() const { return text_; }
  bool empty() const { return instructions_.empty(); }
  /// Value and derivatives at a time (s); not finite where the expression has none.
  Jet at(double time) const;

 private:
  friend class ExpressionParser;
  friend class ExpressionMachine;
  struct Instruction {
    int operation;  // of ExpressionMachine
    int function;   // to call, or -1
    double number;
    int column;  // of its text, for errors
  };
  std::string text_;
  std::vector<Instruction> instructions_;
};

struct ExpressionResult {
  std::optional<double> value;  // finite, or nothing
  std::string message;          // without a value: expected ..., got ...
  int column = 1;               // without a value: where in the text, 1-based
};

/// A number: an expression without t.
ExpressionResult evaluate_expression(std::string_view text);

/// "sqrt(x)", "atan2(y, x)", ...: for the docs.
std::vector<std::string> expression_functions();

}  // namespace sinew
