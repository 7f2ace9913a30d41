// Numbers and functions as people write them in scene files: 1/2, -sqrt(3)/2, 2*pi, 30deg, 0.3*sin(2*t).
//   sum     = product { (+|-) product }          product = sign { (*|/) sign }        sign = [+|-] sign | power
//   power   = degrees [ ^ sign ]                 degrees = value [deg]                (x deg = x π/180)
//   value   = number | pi | variable | function ( sum {, sum} ) | ( sum )
// Variables have names of one letter; which ones there are is part of the type. The text is parsed once, into instructions for a small
// stack; these work on jets, so derivatives are exact, and running them allocates nothing.
#pragma once

#include <array>
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

/// A parsed text; nothing is the constant 0.
class ExpressionProgram {
 public:
  const std::string& text() const { return text_; }
  bool empty() const { return instructions_.empty(); }

 protected:
  /// Nothing, or why it cannot be; then `out` is untouched.
  static std::optional<ExpressionError> parse(std::string_view text, std::string_view variables,
                                              ExpressionProgram& out);
  /// The same, throws Error naming the column.
  void assign(std::string_view text, std::string_view variables);
  Jet run(const Jet* variables) const;

 private:
  friend class ExpressionParser;
  friend class ExpressionMachine;
  struct Instruction {
    int operation;  // of ExpressionMachine
    int index;      // of the variable or of the function to call, or -1
    double number;
    int column;  // of its text, for errors
  };
  std::string text_;
  std::vector<Instruction> instructions_;
};

/// An expression of variables, as ExpressionOf<'q', 'v', 't'>.
template <char... kNames>
class ExpressionOf : public ExpressionProgram {
 public:
  static constexpr std::size_t kCount = sizeof...(kNames);

  ExpressionOf() = default;
  /// Throws Error naming the column.
  explicit ExpressionOf(std::string_view text) { assign(text, variables()); }
  /// The same without throwing: nothing, or why it cannot be; then `out` is untouched.
  static std::optional<ExpressionError> parse(std::string_view text, ExpressionOf& out) {
    return ExpressionProgram::parse(text, variables(), out);
  }
  static constexpr std::string_view variables() { return {kLetters.data(), kCount}; }

  /// Value and derivatives along a curve of the variables; not finite where the expression has none.
  Jet at(const std::array<Jet, kCount>& variables) const { return run(variables.data()); }
  /// By the one variable.
  Jet at(double x) const
    requires(kCount == 1)
  {
    return at({Jet{x, 1, 0}});
  }

 private:
  static constexpr std::array<char, kCount> kLetters{kNames...};
};

/// Of the time t in s.
using Expression = ExpressionOf<'t'>;

struct ExpressionResult {
  std::optional<double> value;  // finite, or nothing
  std::string message;          // without a value: expected ..., got ...
  int column = 1;               // without a value: where in the text, 1-based
};

/// A number: an expression without variables.
ExpressionResult evaluate_expression(std::string_view text);

/// "sqrt(x)", "atan2(y, x)", ...: for the docs.
std::vector<std::string> expression_functions();

}  // namespace sinew
