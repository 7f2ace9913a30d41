#include "sinew/steppers/reduced/held_stops.h"

#include <cmath>
#include <limits>

#include "sinew/dynamics/kinematics.h"
#include "sinew/steppers/reduced/touch_watch.h"

namespace sinew {
namespace {

constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();  // of a coordinate

}  // namespace

void HeldStops::take(std::span<const Touch> stops) {
  stops_.clear();
  for (const Touch& touch : stops) {
    const bool is_of_tree =
        tree_.node_of_joint(touch.joint) >= 0 && touch.dof < tree_.model().joint(touch.joint).scalars();
    stops_.push_back({touch, touch.gap > kSameGap ? touch.gap : 0.0, is_of_tree});
  }
}

void HeldStops::add_rows(const TreeMotion& motion, const State& bodies, TreeRows& out) {
  const Model& model = tree_.model();
  for (Stop& stop : stops_) {
    Touch& touch = stop.touch;
    move_touch(model, body_place(bodies, touch.body_a), body_place(bodies, touch.body_b), touch);
    TreeRow& row = out.add_row();
    row.is_mobile = true;
    const double error = touch.gap - stop.gap;
    if (std::abs(error) > kRounding * std::abs(touch.q)) row.error = error;
    if (!stop.is_of_tree)
      row.acceleration =
          -touch.sign * compute_coordinate_bias(tree_, motion, model.joint(touch.joint), touch.dof, touch.q);
    double moved = 0;
    const auto add = [&](int body, const Touch::Rows& C) {
      if (body == kWorld) return;
      const int i = tree_.node_of(body);
      const NodeMotion& node = motion.node(i);
      const Vec6 w = node_wrench(tree_.node(i), node, C.row(0).head<3>().transpose(), C.row(0).tail<3>().transpose());
      out.add_entry(i, w);
      moved += w.dot(node.bias);
    };
    add(touch.body_a, touch.C_a);
    add(touch.body_b, touch.C_b);
    row.acceleration += moved;
  }
}

}  // namespace sinew
