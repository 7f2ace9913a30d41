#include "sinew/simulation/comparison_verdict.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace sinew {
namespace {

constexpr double kRounding = 1e-11;  // of differences, in their unit
constexpr double kLeastOrder = 0.5;  // below it differences do not fall
constexpr double kSameOrder = 0.3;   // so much lower than expected is as expected
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double largest_difference(const ComparedQuantity& quantity, const ComparedRun& a, const ComparedRun& b) {
  if (!a.is_complete() || !b.is_complete()) return kNaN;
  const std::vector<double> all = difference(quantity, a, b);
  return all.empty() ? kNaN : *std::max_element(all.begin(), all.end());
}

double largest_value(const ComparedQuantity& quantity, const ComparedRun& run) {
  double largest = 0;
  for (const std::vector<double>& frame : run.frames) {
    for (std::size_t k = quantity.first; k < quantity.first + quantity.count; ++k)
      largest = std::max(largest, std::abs(frame[k]));
  }
  return largest;
}

bool is_force(const ComparedQuantity& quantity) { return quantity.unit.starts_with("N"); }

int expected_order(int a, int b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

/// What the tolerances of two runs allow.
double allowed_difference(const ComparedQuantity& quantity, const ComparedRun& a, const ComparedRun& b) {
  const double motion = static_cast<double>(b.steps) * (a.tolerance + b.tolerance);
  return motion * std::max(quantity.scale, largest_value(quantity, a)) / (is_force(quantity) ? b.dt : 1);
}

}  // namespace

std::size_t find_reference(const Comparison& comparison, std::size_t dts) {
  std::size_t best = 0;
  std::ptrdiff_t most = -1;
  for (std::size_t s = 0; s < comparison.runs.size(); s += dts) {
    const auto first = comparison.runs.begin() + static_cast<std::ptrdiff_t>(s);
    const auto complete =
        std::count_if(first, first + static_cast<std::ptrdiff_t>(dts), [](const auto& r) { return r.is_complete(); });
    if (complete > most) most = complete, best = s;
  }
  return best;
}

std::vector<ComparedDifference> find_differences(const Comparison& comparison, const std::vector<double>& dts) {
  std::vector<ComparedDifference> rows;
  const std::vector<ComparedRun>& runs = comparison.runs;
  const std::size_t reference = find_reference(comparison, dts.size());
  for (const ComparedQuantity& quantity : comparison.quantities) {
    for (std::size_t s = 0; s < runs.size(); s += dts.size()) {
      if (s == reference) continue;
      ComparedDifference& row = rows.emplace_back();
      row.quantity = &quantity;
      row.stepper = runs[s].stepper;
      std::vector<std::size_t> known;
      for (std::size_t i = 0; i < dts.size(); ++i) {
        row.largest.push_back(largest_difference(quantity, runs[reference + i], runs[s + i]));
        if (!std::isnan(row.largest.back())) known.push_back(i);
      }
      if (!quantity.is_unique) row.verdict = Verdict::NotUnique;
      if (!quantity.is_unique || known.size() < 2) continue;
      const std::size_t shorter = known.back(), longer = known[known.size() - 2];
      const auto order_from = [&](std::size_t i) {
        return std::log(row.largest[i] / row.largest[shorter]) / std::log(dts[i] / dts[shorter]);
      };
      row.order = order_from(longer);
      row.expected = expected_order(runs[reference].order, runs[s].order);
      const double fine = row.largest[shorter];
      const double as_expected = row.expected > 0 ? row.expected - kSameOrder : kLeastOrder;
      const double allowed = allowed_difference(quantity, runs[reference + shorter], runs[s + shorter]);
      row.verdict = fine < kRounding                           ? Verdict::Equal
                    : row.order > as_expected                  ? Verdict::Order
                    : fine <= allowed                          ? Verdict::Agrees
                    : row.order >= kLeastOrder                 ? Verdict::Slower
                    : order_from(known.front()) >= kLeastOrder ? Verdict::Uneven
                                                               : Verdict::Apart;
    }
  }
  return rows;
}

std::string verdict_text(const ComparedDifference& difference) {
  switch (difference.verdict) {
    case Verdict::Order:
      return fmt::format("{:.2f}", difference.order);
    case Verdict::Slower:
      return fmt::format("{:.2f} of {}", difference.order, std::max(difference.expected, 1));
    case Verdict::Uneven:
      return fmt::format("uneven, {:.2f}", difference.order);
    case Verdict::Apart:
      return fmt::format("apart, {:.2f}", difference.order);
    case Verdict::Agrees: {
      const auto shortest =
          std::find_if(difference.largest.rbegin(), difference.largest.rend(), [](double d) { return !std::isnan(d); });
      return fmt::format("agree to {:.0e}", *shortest);
    }
    case Verdict::Equal:
      return "equal";
    case Verdict::NotUnique:
      return "not unique";
    case Verdict::Unknown:
      break;
  }
  return "";
}

std::optional<bool> come_together(const std::vector<ComparedDifference>& rows) {
  const auto has = [&](Verdict verdict) {
    return std::any_of(rows.begin(), rows.end(), [&](const ComparedDifference& row) { return row.verdict == verdict; });
  };
  if (has(Verdict::Apart)) return false;
  if (has(Verdict::Unknown) || has(Verdict::Uneven)) return std::nullopt;
  return true;
}

std::string together_text(const std::vector<ComparedDifference>& rows) {
  constexpr std::size_t kMost = 4;
  const auto list = [&](Verdict verdict) {
    std::vector<std::string> names;
    for (const ComparedDifference& row : rows)
      if (row.verdict == verdict) names.push_back(fmt::format("{} by {}", row.quantity->name, row.stepper));
    const std::size_t more = names.size() > kMost ? names.size() - kMost : 0;
    names.resize(names.size() - more);
    return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  };
  const std::optional<bool> together = come_together(rows);
  if (together == false) return "no: " + list(Verdict::Apart);
  if (!together && list(Verdict::Unknown).empty()) {
    return "not known, it takes a shorter --dt to tell impacts up to a step late from what stays: " +
           list(Verdict::Uneven);
  }
  if (!together) return "not known, it takes two step lengths at which all came to the end";
  const std::string slower = list(Verdict::Slower);
  return slower.empty() ? "yes" : "yes, but slower than their order, as with impacts up to a step late: " + slower;
}

}  // namespace sinew
