#include "viewer/pace.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double kWindow = 1;         // s of wall time
constexpr double kLeastWindow = 0.5;  // s; before, nothing is known
constexpr double kLongestGap = 0.25;  // s between pictures that is made up for

}  // namespace

void Pace::begin(double now, double speed) {
  speed_ = speed;
  debt_ = taken_ = 0;
  moments_ = {{now, 0}};
}

void Pace::pass(double now) {
  const double owed = speed_ * std::min(now - moments_.back().wall, kLongestGap);
  debt_ += owed;
  taken_ += owed;
  moments_.push_back({now, taken_});
  while (moments_[1].wall < now - kWindow) moments_.pop_front();
}

void Pace::give_up() {
  const double given_up = std::max(debt_, 0.0);
  debt_ -= given_up;
  taken_ -= given_up;
}

double Pace::real_time() const {
  const Moment &first = moments_.front(), &last = moments_.back();
  const double window = last.wall - first.wall;
  return window < kLeastWindow ? speed_ : (last.taken - first.taken) / window;
}

}  // namespace sinew
