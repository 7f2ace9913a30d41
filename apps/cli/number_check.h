// What numbers of the command line must be.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>

namespace sinew::cli {

/// Checks that a number is finite and above 0, or from 0 on.
inline CLI::Validator make_number_check(bool may_be_zero) {
  return CLI::Validator(
      [may_be_zero](const std::string& text) -> std::string {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
        if (is_number && (may_be_zero ? value >= 0 : value > 0)) return {};
        return std::string("expected a number ") + (may_be_zero ? "from 0 on" : "above 0") + ", got '" + text + "'";
      },
      may_be_zero ? "NONNEGATIVE" : "POSITIVE");
}
inline CLI::Validator positive_number() { return make_number_check(false); }
inline CLI::Validator nonnegative_number() { return make_number_check(true); }

}  // namespace sinew::cli
