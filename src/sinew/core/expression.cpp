#include "sinew/core/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/excerpt.h"
#include "sinew/core/expression_functions.h"

namespace sinew {
namespace {

constexpr int kMaxDepth = 100;          // of parentheses and signs: bounds the recursion
constexpr std::size_t kMaxStack = 256;  // a level of nesting needs at most two places

struct Failure {
  int column;  // 0-based
  std::string message;
};

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

/// Runs the instructions of an expression.
class ExpressionMachine {
 public:
  enum Operation { Number, Variable, Negate, Add, Subtract, Multiply, Divide, Power, Call };
  static int operand_count(int operation, int index) {
    if (operation == Call) return kFunctions[static_cast<std::size_t>(index)].count;
    return operation <= Variable ? 0 : operation == Negate ? 1 : 2;
  }

  /// `check` sees every instruction before its result is used: (instruction, operands, result).
  template <class Check>
  static Jet run(const ExpressionProgram& expression, const Jet* variables, const Check& check) {
    std::array<Jet, kMaxStack> stack;  // not initialised
    std::size_t top = 0;
    for (const ExpressionProgram::Instruction& instruction : expression.instructions_) {
      top -= static_cast<std::size_t>(operand_count(instruction.operation, instruction.index));
      Jet* x = &stack[top++];
      const Jet result = apply(instruction, variables, x);
      check(instruction, x, result);
      *x = result;
    }
    return top == 0 ? Jet{0, 0, 0} : stack[0];
  }

 private:
  static Jet apply(const ExpressionProgram::Instruction& instruction, const Jet* variables, const Jet* x) {
    switch (instruction.operation) {
      case Number:
        return {instruction.number, 0, 0};
      case Variable:
        return variables[instruction.index];
      case Negate:
        return -x[0];
      case Add:
        return x[0] + x[1];
      case Subtract:
        return x[0] - x[1];
      case Multiply:
        return x[0] * x[1];
      case Divide:
        return x[0] / x[1];
      case Power:
        return power(x[0], x[1]);
      default:
        return kFunctions[static_cast<std::size_t>(instruction.index)].apply(x);
    }
  }
};

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, std::string_view variables) : text_(text), variables_(variables) {}

  ExpressionProgram parse() {
    sum();
    if (!at_end()) fail(fmt::format("expected an operator or the end, got {}", rest()));
    out_.text_ = text_;
    return std::move(out_);
  }

 private:
  using Machine = ExpressionMachine;

  void sum() {
    product();
    while (true) {
      if (take('+'))
        product(), emit(Machine::Add);
      else if (take('-'))
        product(), emit(Machine::Subtract);
      else
        return;
    }
  }
  void product() {
    sign();
    while (true) {
      if (take('*')) {
        sign(), emit(Machine::Multiply);
      } else if (take('/')) {
        skip_space();
        const std::size_t divisor = at_;
        sign(), emit(Machine::Divide, divisor);
      } else {
        return;
      }
    }
  }
  void sign() {
    if (++depth_ > kMaxDepth) fail(fmt::format("expected at most {} levels of nesting", kMaxDepth));
    if (take('-'))
      sign(), emit(Machine::Negate);
    else if (take('+'))
      sign();
    else
      power_of();
    --depth_;
  }
  void power_of() {
    degrees();
    if (take('^')) sign(), emit(Machine::Power);
  }
  void degrees() {
    value();
    skip_space();
    const std::size_t start = at_;
    if (word() == "deg") {
      emit_number(std::numbers::pi / 180);
      emit(Machine::Multiply);
    } else {
      at_ = start;
    }
  }
  void value() {
    skip_space();
    if (at_end()) fail("expected a number, got nothing");
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c))) return named();
    if (!take('(')) fail(fmt::format("expected a number, got {}", rest()));
    sum();
    expect(')');
  }
  void number() {
    double result = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), result);
    if (error == std::errc::result_out_of_range)
      fail(fmt::format("expected a number a double can hold, got {}", rest()));
    if (error != std::errc{}) fail(fmt::format("expected a number, got {}", rest()));
    at_ = static_cast<std::size_t>(end - text_.data());
    emit_number(result);
  }
  void named() {
    const std::size_t start = at_;
    const std::string_view name = word();
    if (name == "pi") return emit_number(std::numbers::pi);
    const std::size_t variable = name.size() == 1 ? variables_.find(name) : std::string_view::npos;
    if (variable != std::string_view::npos) return emit(Machine::Variable, start, static_cast<int>(variable));
    for (std::size_t f = 0; f < kFunctions.size(); ++f)
      if (kFunctions[f].name == name) return call(f, start);
    std::vector<std::string> known{"pi", "deg"};
    for (const ExpressionFunction& function : kFunctions) known.emplace_back(function.name);
    at_ = start;
    fail(fmt::format("expected a number{}, got {}{}", variables_text(), excerpt(name), make_suggestion(name, known)));
  }
  void call(std::size_t function, std::size_t start) {
    expect('(');
    for (int i = 0; i < kFunctions[function].count; ++i) {
      if (i > 0) expect(',');
      sum();
    }
    expect(')');
    emit(Machine::Call, start, static_cast<int>(function));
  }

  void emit(int operation) { emit(operation, at_); }
  void emit(int operation, std::size_t at, int index = -1) { add({operation, index, 0, static_cast<int>(at)}); }
  void emit_number(double number) { add({Machine::Number, -1, number, static_cast<int>(at_)}); }
  void add(const ExpressionProgram::Instruction& instruction) {
    out_.instructions_.push_back(instruction);
    stack_ += 1 - Machine::operand_count(instruction.operation, instruction.index);
    if (stack_ > static_cast<int>(kMaxStack)) fail("expected a simpler expression");
  }

  std::string_view word() {
    const std::size_t start = at_;
    while (!at_end() && is_word_char(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool at_end() const { return at_ == text_.size(); }
  bool take(char c) {
    skip_space();
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("expected '{}', got {}", c, rest()));
  }
  // " or t", ", q, v or t"
  std::string variables_text() const {
    std::string text;
    for (const char& name : variables_) text += fmt::format("{}{}", &name == &variables_.back() ? " or " : ", ", name);
    return text;
  }
  std::string rest() const { return at_end() ? "the end" : excerpt(text_.substr(at_), 20); }
  [[noreturn]] void fail(std::string message) const { throw Failure{static_cast<int>(at_), std::move(message)}; }

  std::string_view text_, variables_;
  std::size_t at_ = 0;
  int depth_ = 0, stack_ = 0;
  ExpressionProgram out_;
};

void ExpressionProgram::assign(std::string_view text, std::string_view variables) {
  if (const auto error = parse(text, variables, *this))
    throw Error(ErrorKind::Input, fmt::format("column {} of {}", error->column, excerpt(text)), error->message);
}

std::optional<ExpressionError> ExpressionProgram::parse(std::string_view text, std::string_view variables,
                                                        ExpressionProgram& out) {
  try {
    out = ExpressionParser(text, variables).parse();
    return std::nullopt;
  } catch (const Failure& failure) {
    return ExpressionError{failure.message, failure.column + 1};
  }
}

Jet ExpressionProgram::run(const Jet* variables) const {
  return ExpressionMachine::run(*this, variables, [](const Instruction&, const Jet*, const Jet&) {});
}

ExpressionResult evaluate_expression(std::string_view text) {
  const auto check = [](const auto& instruction, const Jet* x, const Jet& result) {
    if (instruction.operation == ExpressionMachine::Divide && x[1].value == 0)
      throw Failure{instruction.column, "expected a divisor other than 0"};
    if (instruction.operation == ExpressionMachine::Call && !std::isfinite(result.value)) {
      const ExpressionFunction& function = kFunctions[static_cast<std::size_t>(instruction.index)];
      throw Failure{instruction.column, fmt::format("expected {}({}) to be a finite number, got {}", function.name,
                                                    function.arguments, result.value)};
    }
  };
  try {
    const double value = ExpressionMachine::run(ExpressionParser(text, "").parse(), nullptr, check).value;
    if (!std::isfinite(value)) throw Failure{0, fmt::format("expected a finite number, got {}", value)};
    return {value, "", 1};
  } catch (const Failure& failure) {
    return {std::nullopt, failure.message, failure.column + 1};
  }
}

std::vector<std::string> expression_functions() {
  std::vector<std::string> functions;
  for (const ExpressionFunction& f : kFunctions) functions.push_back(fmt::format("{}({})", f.name, f.arguments));
  return functions;
}

}  // namespace sinew
