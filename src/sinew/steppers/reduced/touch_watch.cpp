#include "sinew/steppers/reduced/touch_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double kSlack = 1e-13;  // m or rad: by less, or by rounding, nothing closes again that has just been let go

}  // namespace

bool is_impact(const Touch& touch, double speed) {
  return touch.kind != Touch::Kind::RateStop && touch.gap <= kSameGap && speed < -kImpactSpeed;
}

bool is_closed(const Touch& touch, double speed) {
  if (touch.kind == Touch::Kind::RateStop) return true;
  return is_impact(touch, speed) || touch.gap < -kNearGap || (touch.gap <= kNearGap && std::abs(speed) <= kImpactSpeed);
}

TouchWatch::TouchWatch(const Model& model, ContactSearch& search) : model_(model), search_(search) {
  for (const WorldShape& world : model.world_shapes()) {
    world_has_facets_ = world_has_facets_ || std::holds_alternative<Mesh>(world.shape) ||
                        std::holds_alternative<Heightfield>(world.shape);
  }
}

bool TouchWatch::is_round(const Touch& touch) const {
  if (touch.kind != Touch::Kind::Contact) return true;
  const Contact& contact = touch.contact;
  if (contact.body_b == kWorld && world_has_facets_) return false;
  const auto is_round = [](const Feature& f) {
    return f.kind == FeatureKind::Surface || (f.kind == FeatureKind::Point && f.radius > 0);
  };
  const auto is_face = [](const Feature& f) { return f.kind == FeatureKind::Plane; };
  const Feature &a = contact.a, &b = contact.b;
  return (is_round(a) && (is_round(b) || is_face(b))) || (is_face(a) && is_round(b));
}

bool TouchWatch::can_watch(const Touch& touch) const {
  return is_round(touch) || touch.contact.is_corner_of_half_space;
}

bool TouchWatch::is_first_meeting(const State& bodies, const Touch& touch, std::span<const Touch> touches) const {
  if (touch.kind != Touch::Kind::Contact || !search_.has_distance(touch.contact)) return false;
  return std::none_of(touches.begin(), touches.end(), [&](const Touch& other) {
    if (other.kind != Touch::Kind::Contact || !is_same_pair_of_shapes(other.contact, touch.contact)) return false;
    const double speed = opening_speed(other, bodies);
    return is_closed(other, speed) && !is_impact(other, speed);
  });
}

void TouchWatch::take_open(const State& bodies, std::vector<Touch>& touches) {
  take_open_pairs(bodies, touches);
  std::size_t kept = 0;
  for (std::size_t t = 0; t < touches.size(); ++t) {
    const Touch& touch = touches[t];
    const double speed = touch.has_normal ? opening_speed(touch, bodies) : 0;
    if (!touch.has_normal || is_closed(touch, speed) || !can_watch(touch)) {
      if (kept != t) touches[kept] = touch;
      ++kept;
      continue;
    }
    start_.push_back({.was_near = touch.gap <= kNearGap && speed > 0, .gap = std::min(touch.gap, 0.0), .speed = speed});
    touches_.push_back(touch);
  }
  touches.resize(kept);
}

void TouchWatch::let_go(const Touch& touch, double speed) {
  const double slack = std::max(kSlack, 16 * std::numeric_limits<double>::epsilon() * std::abs(touch.q));
  start_.push_back({.was_near = false, .gap = touch.gap, .speed = speed, .slack = slack - std::min(touch.gap, 0.0)});
  touches_.push_back(touch);
}

// Pairs of shapes that are open everywhere. What is near must open with the speed of an impact: slower, it rests or soon will.
void TouchWatch::take_open_pairs(const State& bodies, std::vector<Touch>& touches) {
  std::vector<OpenPair>& pairs = open_pairs_;
  std::vector<std::size_t>& pair_of = pair_of_;
  pairs.clear();
  pair_of.assign(touches.size(), touches.size());
  for (std::size_t t = 0; t < touches.size(); ++t) {
    const Touch& touch = touches[t];
    if (touch.kind != Touch::Kind::Contact || !search_.has_distance(touch.contact)) continue;
    const auto same = std::find_if(pairs.begin(), pairs.end(), [&](const OpenPair& pair) {
      return is_same_pair_of_shapes(touches[pair.nearest].contact, touch.contact);
    });
    const double speed = opening_speed(touch, bodies);
    const bool is_new = same == pairs.end();
    pair_of[t] = static_cast<std::size_t>(same - pairs.begin());
    if (is_new) pairs.push_back({.nearest = t, .speed = speed});
    OpenPair& pair = pairs[pair_of[t]];
    const bool is_near = touch.gap <= kNearGap;
    pair.is_round = pair.is_round && is_round(touch);
    pair.is_open = pair.is_open && (!is_near || (touch.gap > -kNearGap && speed > kImpactSpeed));
    const double least = touches[pair.nearest].gap;
    if (is_new || (is_near && least <= kNearGap ? speed < pair.speed : touch.gap < least)) {
      pair.nearest = t;
      pair.speed = speed;
    }
  }
  for (const OpenPair& pair : pairs) {
    if (!pair.is_open || pair.is_round) continue;
    const Touch& nearest = touches[pair.nearest];
    const double gap = search_.find_distance_of(bodies, nearest.contact);
    pair_start_.push_back({.was_near = nearest.gap <= kNearGap, .gap = std::min(gap, 0.0), .speed = pair.speed});
    pairs_.push_back(nearest);
  }
  std::size_t kept = 0;
  for (std::size_t t = 0; t < touches.size(); ++t) {
    const bool is_watched = pair_of[t] < pairs.size() && pairs[pair_of[t]].is_open && !pairs[pair_of[t]].is_round;
    if (is_watched) continue;
    if (kept != t) touches[kept] = touches[t];
    ++kept;
  }
  touches.resize(kept);
}

void TouchWatch::place(const State& bodies) {
  for (std::vector<Touch>* list : {&touches_, &pairs_}) {
    for (Touch& touch : *list)
      move_touch(model_, body_place(bodies, touch.body_a), body_place(bodies, touch.body_b), touch);
  }
}

void TouchWatch::set_kick(const State& kicked, double h) {
  length_ = h;
  place(kicked);
  for (std::size_t t = 0; t < touches_.size(); ++t)
    start_[t].kick = opening_speed(touches_[t], kicked) - start_[t].speed;
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    pair_start_[p].kick = opening_speed(pairs_[p], kicked) - pair_start_[p].speed;
}

double TouchWatch::event_of(const Start& start, double gap, double elapsed) const {
  if (length_ > 0) gap -= start.kick * elapsed * (1 - elapsed / length_);
  if (!start.was_near) return gap + start.slack;
  return elapsed > 0 ? (gap - start.gap) / elapsed : start.speed;
}

void TouchWatch::compute_events(const State& bodies, double elapsed, VecX& out) {
  Eigen::Index e = 0;
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    Touch& touch = touches_[t];
    move_touch(model_, body_place(bodies, touch.body_a), body_place(bodies, touch.body_b), touch);
    out[e++] = event_of(start_[t], touch.gap, elapsed);
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    out[e++] = event_of(pair_start_[p], search_.find_distance_of(bodies, pairs_[p].contact), elapsed);
}

}  // namespace sinew
