// Touches that are open, watched while bodies move freely: where a gap falls through zero, there is an impact. What happens to a touch is decided
// by its gap g and the speed w at which it opens:
//   closed        g ≈ 0 and w ≤ the speed of an impact, or g < 0: impulses keep it so, stop it or part it (reduced_contact.h)
//   stops of rates have no gap that means anything: they count as closed
//   open          all others; one that has just bounced begins at g ≈ 0 too, and (g(t) − g₀)/(t − t₀), which begins with w > 0, falls through
//                 zero only when it comes back
// Impulses at the start of a motion of length h stand for forces all along it. If they change w by k, gaps are ahead by k τ (1 − τ/h) on the way,
// which is taken off: what is pushed and pressed but stays where it is does not meet its neighbours.
#pragma once

#include <span>
#include <vector>

#include "sinew/steppers/touch.h"

namespace sinew {

/// What rests is not further apart, m or rad.
inline constexpr double kNearGap = 1e-7;

/// Whether a touch with a normal is closed, at the speed with which it opens.
bool is_closed(const Touch& touch, double speed);

/// Whether it meets with an impact there.
bool is_impact(const Touch& touch, double speed);

class TouchWatch {
 public:
  /// The model must outlive this.
  explicit TouchWatch(const Model& model);

  /// Whether the gap of a touch is that of the bodies all the way: of stops, of round bodies with each other and with faces. Else other faces,
  /// edges and corners meet when bodies have turned, other facets when they have moved.
  bool can_watch(const Touch& touch) const;

  void clear() { touches_.clear(), start_.clear(), length_ = 0; }
  /// Takes those that are open, and can be watched, out of `touches`.
  void take_open(const State& bodies, std::vector<Touch>& touches);

  /// The motion to come, of length h, begins with impulses, after which bodies move as in this state; or without.
  void set_kick(const State& kicked, double h);
  void set_no_kick() { length_ = 0; }

  int count() const { return static_cast<int>(touches_.size()); }
  /// Functions that fall through zero where touches close, a time after they were taken.
  void compute_events(const State& bodies, double elapsed, VecX& out);
  /// As the bodies lie.
  void place(const State& bodies);
  std::span<const Touch> touches() const { return touches_; }

 private:
  struct Start {
    bool was_near;  // the gap itself has no sign that could be trusted
    double gap, speed;
    double kick = 0;
  };

  const Model& model_;
  bool world_has_facets_ = false;
  std::vector<Touch> touches_;
  std::vector<Start> start_;
  double length_ = 0;  // of the motion, if it began with impulses
};

}  // namespace sinew
