#include "sinew/core/error.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace sinew {
namespace {

std::string joined_text(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    if (!text.empty()) text += '\n';
    text += d.text();
  }
  return text;
}

// Optimal string alignment distance (insert, delete, replace, swap of neighbours), case ignored.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]) ? 1 : 0);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

Error::Error(ErrorKind kind, std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined_text(diagnostics)), kind_(kind), diagnostics_(std::move(diagnostics)) {}

std::string_view find_nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string make_suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string_view nearest = find_nearest_name(word, candidates);
  if (!nearest.empty()) return fmt::format(" (did you mean '{}'?)", nearest);
  if (candidates.empty() || candidates.size() > 16) return "";
  return fmt::format(" (known: {})", fmt::join(candidates, ", "));
}

}  // namespace sinew
