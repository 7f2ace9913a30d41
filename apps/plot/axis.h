// One axis of a plot: its range, where its ticks are (steps of 1, 2 or 5 times a power of ten; decades on a log axis) and what is
// written at them.
#pragma once

#include <string>
#include <vector>

#include "plot/plot.h"

namespace sinew {

struct Tick {
  double value = 0;
  std::string label;  // empty at the ticks in between on a log axis
};

class Axis {
 public:
  /// Covers [low, high], which must be finite and, on a log axis, positive. About `target_ticks` ticks.
  Axis(double low, double high, AxisScale scale, double target_ticks);

  double low() const { return low_; }
  double high() const { return high_; }
  const std::vector<Tick>& ticks() const { return ticks_; }
  /// To be added to what the labels say, such as "×10⁻⁹ − 14.715"; mostly empty.
  const std::string& offset_text() const { return offset_text_; }

  /// 0 at low, 1 at high; NaN for what a log axis cannot show.
  double position(double value) const;

 private:
  void make_linear_ticks(double target_ticks);
  void make_log_ticks(double target_ticks);

  double low_;
  double high_;
  AxisScale scale_;
  std::vector<Tick> ticks_;
  std::string offset_text_;
};

/// The smallest of 1, 2, 5 times a power of ten that is not below `size` (> 0).
double find_nice_step(double size);

}  // namespace sinew
