#include "sinew/steppers/reduced/touch_watch.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kSameGap = 1e-10;  // what meets at the same moment as another is not further apart then

}  // namespace

bool is_impact(const Touch& touch, double speed) {
  return touch.kind != Touch::Kind::RateStop && touch.gap <= kSameGap && speed < -kImpactSpeed;
}

bool is_closed(const Touch& touch, double speed) {
  if (touch.kind == Touch::Kind::RateStop) return true;
  return is_impact(touch, speed) || touch.gap < -kNearGap || (touch.gap <= kNearGap && std::abs(speed) <= kImpactSpeed);
}

TouchWatch::TouchWatch(const Model& model) : model_(model) {
  for (const WorldShape& world : model.world_shapes()) {
    world_has_facets_ = world_has_facets_ || std::holds_alternative<Mesh>(world.shape) ||
                        std::holds_alternative<Heightfield>(world.shape);
  }
}

bool TouchWatch::can_watch(const Touch& touch) const {
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

void TouchWatch::take_open(const State& bodies, std::vector<Touch>& touches) {
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

void TouchWatch::place(const State& bodies) {
  for (Touch& touch : touches_)
    move_touch(model_, body_place(bodies, touch.body_a), body_place(bodies, touch.body_b), touch);
}

void TouchWatch::set_kick(const State& kicked, double h) {
  length_ = h;
  place(kicked);
  for (std::size_t t = 0; t < touches_.size(); ++t)
    start_[t].kick = opening_speed(touches_[t], kicked) - start_[t].speed;
}

void TouchWatch::compute_events(const State& bodies, double elapsed, VecX& out) {
  place(bodies);
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Start& start = start_[t];
    double& event = out[static_cast<Eigen::Index>(t)];
    event = touches_[t].gap;
    if (length_ > 0) event -= start.kick * elapsed * (1 - elapsed / length_);
    if (start.was_near) event = elapsed > 0 ? (event - start.gap) / elapsed : start.speed;
  }
}

}  // namespace sinew
