#include "cli/progress_bar.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace sinew::cli {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr int kCallsBetweenLooks = 16;  // at the clock
constexpr int kWidth = 28;

}  // namespace

ProgressBar::ProgressBar(double start, double end, bool is_wanted)
    : start_(start),
      end_(end),
      is_shown_(is_wanted && isatty(fileno(stderr)) != 0),
      began_(Clock::now()),
      drawn_(began_) {}

ProgressBar::ProgressBar(std::string name, bool is_wanted) : ProgressBar(0, 1, is_wanted) { name_ = std::move(name); }

ProgressBar::~ProgressBar() {
  if (is_shown_) fmt::print(stderr, "\r\x1b[K");  // leaves no trace
}

void ProgressBar::update(double time) {
  if (!is_shown_ || calls_until_look_-- > 0) return;
  calls_until_look_ = kCallsBetweenLooks;
  const Clock::time_point now = Clock::now();
  const double since_drawn = std::chrono::duration<double>(now - drawn_).count();
  if (since_drawn < kRedrawSeconds) {
    if (since_drawn < kRedrawSeconds / 16) return;
    calls_until_look_ = 0;  // steps are slow: look every time
    return;
  }
  drawn_ = now;
  draw(time, std::chrono::duration<double>(now - began_).count());
}

void ProgressBar::draw(double time, double elapsed) {
  const double done = end_ > start_ ? std::clamp((time - start_) / (end_ - start_), 0.0, 1.0) : 1.0;
  const int filled = static_cast<int>(done * kWidth);
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  const std::string left = done > 0 ? duration_text(elapsed * (1 - done) / done) + " left" : duration_text(elapsed);
  if (!name_.empty()) {
    fmt::print(stderr, "\r\x1b[K{} {:3.0f} %  {}  {}", bar, 100 * done, name_, left);
    std::fflush(stderr);
    return;
  }
  fmt::print(stderr, "\r\x1b[K{} {:3.0f} %  t = {:.4g} of {:.4g} s  {:.3g}x real time  {}", bar, 100 * done, time, end_,
             elapsed > 0 ? (time - start_) / elapsed : 0, left);
  std::fflush(stderr);
}

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0);
  const auto whole = static_cast<long>(seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace sinew::cli
