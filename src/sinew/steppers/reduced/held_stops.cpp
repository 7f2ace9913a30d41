#include "sinew/steppers/reduced/held_stops.h"

#include <algorithm>
#include <array>

#include "sinew/dynamics/kinematics.h"

namespace sinew {
namespace {

constexpr double kSpan = 1e-3;     // rad or m
constexpr double kSlowest = 1e-6;  // rad/s or m/s: what moves less has no bias worth its rounding

}  // namespace

HeldStops::HeldStops(const KinematicTree& tree) : tree_(tree), bodies_near_(make_state(tree.model())) {}

void HeldStops::take(std::span<const Touch> stops) {
  stops_.clear();
  has_bias_ = false;
  for (const Touch& touch : stops) {
    const int node = tree_.node_of_joint(touch.joint);
    const bool is_of_tree = node >= 0 && touch.dof < tree_.model().joint(touch.joint).scalars();
    stops_.push_back({touch, touch.gap, is_of_tree});
    has_bias_ = has_bias_ || !is_of_tree;
  }
}

void HeldStops::add_rows(const VecX& q, const VecX& v, const TreeMotion& motion, const State& bodies, TreeRows& out) {
  if (has_bias_) compute_bias(q, v);
  for (Stop& stop : stops_) {
    Touch& touch = stop.touch;
    move_touch(tree_.model(), body_place(bodies, touch.body_a), body_place(bodies, touch.body_b), touch);
    TreeRow& row = out.add_row();
    row.error = touch.gap - stop.gap;
    double acceleration = -stop.bias;
    const auto add = [&](int body, const Touch::Rows& C) {
      if (body == kWorld) return;
      const int i = tree_.node_of(body);
      const NodeMotion& node = motion.node(i);
      const Vec6 w = node_wrench(tree_.node(i), node, C.row(0).head<3>().transpose(), C.row(0).tail<3>().transpose());
      out.add_entry(i, w);
      acceleration += w.dot(node.bias);
    };
    add(touch.body_a, touch.C_a);
    add(touch.body_b, touch.C_b);
    row.acceleration = acceleration;
  }
}

// (8 (f(δ) − f(−δ)) − (f(2δ) − f(−2δ)))/(12 δ), f(s) = C v at q ⊕ s v
void HeldStops::compute_bias(const VecX& q, const VecX& v) {
  constexpr std::array kShares = {8.0, -1.0};
  for (Stop& stop : stops_) stop.bias = 0;
  const double fastest = v.cwiseAbs().maxCoeff();
  if (fastest < kSlowest) return;
  const double delta = kSpan / fastest;
  for (int k = 1; k <= 2; ++k) {
    for (const double side : {1.0, -1.0}) {
      displacement_ = side * k * delta * v;
      displace(tree_, q, displacement_, q_near_);
      compute_tree_motion(tree_, q_near_, v, motion_near_);
      write_state(tree_, q_near_, motion_near_, bodies_near_);
      const double share = side * kShares[static_cast<std::size_t>(k - 1)] / (12 * delta);
      for (Stop& stop : stops_) {
        if (stop.is_of_tree) continue;
        Touch near = stop.touch;
        move_touch(tree_.model(), body_place(bodies_near_, near.body_a), body_place(bodies_near_, near.body_b), near);
        stop.bias += share * opening_speed(near, bodies_near_);
      }
    }
  }
}

}  // namespace sinew
