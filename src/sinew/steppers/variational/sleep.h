// Sleep of islands: those that hardly move for a while are left out of the solve until something happens to them.
//
// The speed of a body is that of its mass on average: turning counts with the radius of gyration about the axis of turning,
//   s² = |v|² + ω·Jω/m = 2T/m
// An island none of whose bodies was faster than `sleep_speed` for `sleep_time` loses the speed it has left and stays where it is, to the last
// bit. It sleeps as long as no body that is awake comes near, for that makes one island of both, and as long as the load of its bodies stays:
// what forces and control do to a body at the pose it has. The load at the end of the last step is compared, bit by bit, with the one this step
// would end with if nothing moved. Any difference wakes, or lets the time of rest begin anew: a force that varies in time keeps awake.
//
// All of it follows from State::rest_time and State::load: a run resumed from here sleeps and wakes alike.
#pragma once

#include "sinew/steppers/variational/islands.h"

namespace sinew {

class Sleep {
 public:
  Sleep(const Variational& options, Motion& motion);

  /// Which islands sleep through the step that starts here (BodyMotion::is_asleep); these have made the step already.
  void start(const Control& control, const State& state, const Kinematics& kinematics, const Islands& islands);

  /// What sleeps keeps everything it has in `state`; what has been at rest for long enough falls asleep, which the report books.
  void finish(const Control& control, const State& state, const Kinematics& kinematics, const Islands& islands,
              State& next, StepReport& report);

 private:
  bool is_enabled() const { return speed_ > 0; }
  bool may_sleep_on(const State& state, int body) const;
  bool has_same_load(const State& state, int body) const;
  bool is_slow(const State& next, int body) const;
  void hold(const Island::Parts& parts);
  void keep(const Island::Parts& parts, const State& state, State& next) const;
  void count_rest(const Island::Parts& parts, const State& state, State& next, StepReport& report) const;
  void put_to_sleep(int body, State& next, StepReport& report) const;
  void find_loads(const Control& control, const State& state, const Kinematics& kinematics, double time,
                  std::vector<Vec6>& out);

  double speed_;  // m/s
  double time_;   // s
  Motion& motion_;
  std::vector<Vec6> loads_;  // that this step would end with if nothing moved
  AppliedWrenches wrenches_;
  std::vector<BodyPlace> places_;
  std::vector<ElementMotion::Row> rows_;
};

}  // namespace sinew
