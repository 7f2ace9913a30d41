// Touches that are open, watched while bodies move freely: where a gap falls through zero, there is an impact. What happens to a touch is decided
// by its gap g and the speed w at which it opens:
//   closed        g ≈ 0 and w ≤ the speed of an impact, or g < 0: impulses keep it so, stop it or part it (reduced_contact.h)
//   stops of rates have no gap that means anything: they count as closed
//   open          all others; one that has just bounced begins at g ≈ 0 too, and (g(t) − g₀)/(t − t₀), which begins with w > 0, falls through
//                 zero only when it comes back
// Which edges and corners of solids meet changes as bodies turn: of two shapes that are open everywhere, their distance is watched, whatever is
// nearest. Where something of them rests or slides on something already, and on facets of a mesh, impulses at the ends of a motion do.
// Impulses at the start of a motion of length h stand for forces all along it. If they change w by k, gaps are ahead by k τ (1 − τ/h) on the way,
// which is taken off: what is pushed and pressed but stays where it is does not meet its neighbours.
#pragma once

#include <span>
#include <vector>

#include "sinew/steppers/contact_search.h"
#include "sinew/steppers/touch.h"

namespace sinew {

/// What rests is not further apart, m or rad.
inline constexpr double kNearGap = 1e-7;

/// What meets at the same moment as another is not further apart then, m or rad.
inline constexpr double kSameGap = 1e-10;

/// Whether two contacts are of the same two shapes.
inline bool is_same_pair_of_shapes(const Contact& a, const Contact& b) {
  return a.shape_a == b.shape_a && a.shape_b == b.shape_b;
}

/// Whether a touch with a normal is closed, at the speed with which it opens.
bool is_closed(const Touch& touch, double speed);

/// Whether it meets with an impact there.
bool is_impact(const Touch& touch, double speed);

class TouchWatch {
 public:
  /// Both must outlive this.
  TouchWatch(const Model& model, ContactSearch& search);

  /// Whether the gap of a touch is the same function all the way: of stops, of round bodies with each other and with faces, of corners above a
  /// half-space. Else other faces, edges and corners meet when bodies have turned, other facets when they have moved.
  bool can_watch(const Touch& touch) const;
  /// Whether a contact of `touches` is of two shapes with a distance, nothing of which rests or slides on the other: they meet for the first time.
  bool is_first_meeting(const State& bodies, const Touch& touch, std::span<const Touch> touches) const;

  void clear() { touches_.clear(), start_.clear(), pairs_.clear(), pair_start_.clear(), length_ = 0; }
  /// Takes those that are open, and can be watched, out of `touches`.
  void take_open(const State& bodies, std::vector<Touch>& touches);
  /// Takes one that is closed and opens, however slowly, at this speed.
  void let_go(const Touch& touch, double speed);

  /// The motion to come, of length h, begins with impulses, after which bodies move as in this state; or without.
  void set_kick(const State& kicked, double h);
  void set_no_kick() { length_ = 0; }

  int count() const { return static_cast<int>(touches_.size() + pairs_.size()); }
  /// Functions that fall through zero where touches close, a time after they were taken.
  void compute_events(const State& bodies, double elapsed, VecX& out);
  /// As the bodies lie.
  void place(const State& bodies);
  std::span<const Touch> touches() const { return touches_; }

 private:
  bool is_round(const Touch& touch) const;

  struct Start {
    bool was_near;  // the gap itself has no sign that could be trusted
    double gap, speed;
    double kick = 0;
    double slack = 0;
  };

  /// Two shapes while it is found out whether they are open everywhere.
  struct OpenPair {
    std::size_t nearest;  // of what is near the one that opens slowest
    bool is_open = true, is_round = true;
    double speed = 0;
  };
  void take_open_pairs(const State& bodies, std::vector<Touch>& touches);
  double event_of(const Start& start, double gap, double elapsed) const;

  const Model& model_;
  ContactSearch& search_;
  bool world_has_facets_ = false;
  std::vector<Touch> touches_, pairs_;
  std::vector<Start> start_, pair_start_;
  std::vector<OpenPair> open_pairs_;
  std::vector<std::size_t> pair_of_;  // by touch
  double length_ = 0;                 // of the motion, if it began with impulses
};

}  // namespace sinew
