// Which contacts may close during a step: those nearer than their bodies could go in it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/contact/contact_detector.h"

namespace sinew {

/// How fast a body may be during the step: m/s of its centre of mass, rad/s.
struct BodySpeed {
  double moving, turning;
};

class ContactSearch {
 public:
  explicit ContactSearch(const Model& model);

  /// `speed_of(i)` gives the BodySpeed of body i. None if the model has no contact.
  template <class SpeedOf>
  void find(const State& state, double dt, std::vector<Contact>& out, const SpeedOf& speed_of) {
    out.clear();
    if (!is_enabled_) return;
    const double length = std::abs(dt);
    for (std::size_t i = 0; i < margins_.size(); ++i) {
      const BodySpeed speed = speed_of(i);
      margins_[i] =
          kReach * length * (speed.moving + std::min(speed.turning, 2 / length) * radii_[i]) + kNear * radii_[i];
    }
    detector_.detect(state, margins_, out);
  }

  /// Where bodies overlap in this state: the largest depth (m), and into `missed` the contacts there of pairs of bodies that no contact of `known` keeps
  /// apart. Which features meet may change during a step, and bodies are faster after an impact than any margin says.
  double find_overlaps(const State& state, std::span<const Contact> known, std::vector<Contact>& missed);

  /// As those of ContactDetector, of the two shapes of a contact.
  bool has_distance(const Contact& contact) const { return detector_.has_distance(contact.shape_a, contact.shape_b); }
  double find_distance_of(const State& state, const Contact& contact) {
    return detector_.find_distance_of(state, contact.shape_a, contact.shape_b);
  }

 private:
  static constexpr double kReach = 1.5;     // as far as bodies could go in this many steps
  static constexpr double kNear = 1e-3;     // and as near as this part of the size of a body
  static constexpr double kOverlap = 1e-9;  // m: less is none

  void add_missed(const State& state, std::span<const Contact> found, std::span<const Contact> known,
                  std::vector<Contact>& missed) const;

  bool is_enabled_;
  ContactDetector detector_;
  std::vector<double> radii_;  // of the bodies about their centres of mass: how far shapes reach
  std::vector<double> margins_, near_;
  std::vector<Contact> found_;
};

}  // namespace sinew
