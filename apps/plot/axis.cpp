#include "plot/axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>

namespace sinew {
namespace {

constexpr std::string_view kMinus = "−";

// 10⁻³ and the like, in characters of the font.
std::string make_power_of_ten(int exponent) {
  constexpr std::array<std::string_view, 10> kRaised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += kRaised[static_cast<std::size_t>(digit - '0')];
  return text;
}

std::string make_fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", std::abs(value), std::clamp(decimals, 0, 17));
  const bool is_zero = text.find_first_not_of("0.") == std::string::npos;
  return value < 0 && !is_zero ? std::string(kMinus) + text : text;
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

}  // namespace

double find_nice_step(double size) {
  const double power = std::pow(10.0, std::floor(std::log10(size)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= size * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

Axis::Axis(double low, double high, AxisScale scale, double target_ticks) : low_(low), high_(high), scale_(scale) {
  if (scale_ == AxisScale::Log10) {
    if (high_ / low_ < 1.01) low_ /= 2, high_ *= 2;
    make_log_ticks(target_ticks);
  } else {
    // A range that rounding alone could make is widened: ticks inside it would not be distinct numbers.
    const double largest = std::max(std::abs(low_), std::abs(high_));
    const double least_range = std::max(64 * std::numeric_limits<double>::epsilon() * largest, 1e-300);
    if (high_ - low_ < least_range) {
      const double middle = 0.5 * (low_ + high_);
      const double half = high_ > low_ ? 0.5 * least_range : (middle == 0 ? 1 : 0.1 * std::abs(middle));
      low_ = middle - half;
      high_ = middle + half;
    }
    make_linear_ticks(target_ticks);
  }
}

double Axis::position(double value) const {
  if (scale_ == AxisScale::Linear) return (value - low_) / (high_ - low_);
  if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::log(value / low_) / std::log(high_ / low_);
}

void Axis::make_linear_ticks(double target_ticks) {
  const double range = high_ - low_;
  const double step = find_nice_step(range / std::max(target_ticks, 1.0));

  // Where all values share their leading digits, these go to the offset.
  constexpr double kManyDigits = 1e4;
  double offset = 0;
  if (std::max(std::abs(low_), std::abs(high_)) > kManyDigits * range) {
    const int unit_exponent = exponent_of(range) + 1;
    const double unit = std::pow(10.0, unit_exponent);
    offset = std::round(0.5 * (low_ + high_) / unit) * unit;
    const std::string digits = without_trailing_zeros(make_fixed(std::abs(offset), -unit_exponent));
    offset_text_ = fmt::format("{} {}", offset < 0 ? kMinus : "+", digits);
  }

  const double largest = std::max(std::abs(low_ - offset), std::abs(high_ - offset));
  const int exponent = exponent_of(largest);
  const bool has_power = exponent >= 5 || exponent < -3;
  const double scale = has_power ? std::pow(10.0, exponent) : 1;
  if (has_power) offset_text_ = fmt::format("×{} {}", make_power_of_ten(exponent), offset_text_);
  if (offset_text_.ends_with(' ')) offset_text_.pop_back();

  const int decimals = (has_power ? exponent : 0) - exponent_of(step);
  const auto first = static_cast<long long>(std::ceil((low_ - offset) / step - 1e-9));
  const auto last = static_cast<long long>(std::floor((high_ - offset) / step + 1e-9));
  for (long long i = first; i <= last; ++i) {
    const double distance = static_cast<double>(i) * step;
    ticks_.push_back({offset + distance, make_fixed(distance / scale, decimals)});
  }
}

void Axis::make_log_ticks(double target_ticks) {
  const int first = static_cast<int>(std::floor(std::log10(low_)));
  const int last = static_cast<int>(std::ceil(std::log10(high_)));
  const double decades = std::log10(high_ / low_);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(target_ticks, 1.0))));
  const bool is_plain =
      low_ >= 1e-3 && high_ <= 3e4;  // few zeros: 0.01, 0.1, 1, 10 read more easily than powers of ten
  const auto make_label = [&](int digit, int decade) -> std::string {
    if (is_plain) return make_fixed(digit * std::pow(10.0, decade), -decade);
    return digit == 1 ? make_power_of_ten(decade) : fmt::format("{}·{}", digit, make_power_of_ten(decade));
  };
  for (int decade = first; decade <= last; ++decade) {
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10.0, decade);
      if (value < low_ * (1 - 1e-9) || value > high_ * (1 + 1e-9)) continue;
      // Below two decades, powers of ten alone would say too little.
      const bool has_label = digit == 1 ? decade % stride == 0 : decades < 2 && (digit == 2 || digit == 5);
      const bool is_shown = digit == 1 || decades < 5.5;
      if (is_shown) ticks_.push_back({value, has_label ? make_label(digit, decade) : ""});
    }
  }
}

}  // namespace sinew
