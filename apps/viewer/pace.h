// When a live run steps, and how fast it goes. Every picture owes the wall time since the one before, times the speed asked for; steps pay, and what there is
// no time for is given up. Knows no clock: it is told the time.
#pragma once

#include <deque>

namespace sinew {

class Pace {
 public:
  /// From `now` [s of wall time] on at `speed` [simulated s per s]; nothing is owed.
  void begin(double now, double speed);
  /// Another picture, at `now`.
  void pass(double now);

  /// Is a step of `dt` [s] nearer to what is owed than none?
  bool is_due(double dt) const { return debt_ >= 0.5 * dt; }
  void pay(double dt) { debt_ -= dt; }
  /// There is no time for what is still owed.
  void give_up();

  double speed() const { return speed_; }
  /// Simulated seconds per second over the last second: the speed, less what was given up. Steps longer than a picture make no difference: what is
  /// owed and will be paid counts.
  double real_time() const;

 private:
  struct Moment {
    double wall;   // s
    double taken;  // s of simulated time, paid or still owed
  };

  double speed_ = 1;
  double debt_ = 0;  // s of simulated time; below 0 if the last step went ahead
  double taken_ = 0;
  std::deque<Moment> moments_{{0, 0}};  // of the window, the last one now
};

}  // namespace sinew
