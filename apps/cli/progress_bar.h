// A progress bar on the terminal: simulated time and real-time factor or a name, and the time left. Nothing in a pipe.
#pragma once

#include <chrono>
#include <string>

namespace sinew::cli {

class ProgressBar {
 public:
  /// Shows times from `start` to `end` (s, simulated).
  ProgressBar(double start, double end, bool is_wanted);
  /// Shows parts of a whole, from 0 to 1, of something with a name.
  ProgressBar(std::string name, bool is_wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Redraws at most ten times a second; cheap to call after every step.
  void update(double time);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double time, double elapsed);

  std::string name_;  // empty: times are shown
  double start_, end_;
  bool is_shown_;
  Clock::time_point began_, drawn_;
  int calls_until_look_ = 0;
};

/// "1.2 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);

}  // namespace sinew::cli
