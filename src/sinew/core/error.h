// The one exception of Sinew: the caller's mistake, told so that it can be mended. Bugs of ours are asserts; a solver that does not
// converge is a StepReport, not an exception.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

enum class ErrorKind {
  Input,  // a scene, a parameter or a command line is wrong
  File,   // a file cannot be read or written
};

/// One finding: where, in the caller's terms ("scene.yaml:41:7 joints[3].axis"), and what: expected, got, how to fix.
struct Diagnostic {
  std::string where;
  std::string message;

  std::string text() const { return where.empty() ? message : where + ": " + message; }
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string where, std::string message)
      : Error(kind, std::vector<Diagnostic>{{std::move(where), std::move(message)}}) {}
  Error(ErrorKind kind, std::vector<Diagnostic> diagnostics);

  ErrorKind kind() const { return kind_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  ErrorKind kind_;
  std::vector<Diagnostic> diagnostics_;
};

/// The candidate nearest to `word` in edit distance if it is near enough to be a misspelling, else empty.
std::string_view find_nearest_name(std::string_view word, const std::vector<std::string>& candidates);

/// " (did you mean 'x'?)" or, with few candidates, " (known: a, b, c)"; empty if there is nothing to say.
std::string make_suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace sinew
