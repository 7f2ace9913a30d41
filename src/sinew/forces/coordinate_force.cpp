#include "sinew/forces/coordinate_force.h"

namespace sinew {
namespace {

Vec6 velocity(const State& state, int body) {
  Vec6 v = Vec6::Zero();
  if (body == kWorld) return v;
  v.head<3>() = state.v_W[static_cast<std::size_t>(body)];
  v.tail<3>() = state.omega_B[static_cast<std::size_t>(body)];
  return v;
}

}  // namespace

void CoordinateForce::add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const {
  const State& state = context.state;
  for (int i = 0; i < coordinate_count(); ++i) {
    const CoordinateRow row = coordinate(i, body_place(state, parent(i)), body_place(state, child(i)), near(state, i));
    double rate = row.child.dot(velocity(state, child(i)));
    if (parent(i) != kWorld) rate += row.parent.dot(velocity(state, parent(i)));
    const double tau = effort(i, row.value, rate, context.time).value;
    const auto add = [&](int body, const Mat<1, 6>& gradient) {
      out.push_back({body, tau * gradient.head<3>().transpose(), tau * gradient.tail<3>().transpose()});
    };
    add(child(i), row.child);
    if (parent(i) != kWorld) add(parent(i), row.parent);
  }
}

double CoordinateForce::potential_energy(const ForceContext& context) const {
  const State& state = context.state;
  double sum = 0;
  for (int i = 0; i < coordinate_count(); ++i) {
    const CoordinateRow row = coordinate(i, body_place(state, parent(i)), body_place(state, child(i)), near(state, i));
    sum += energy(i, row.value);
  }
  return sum;
}

}  // namespace sinew
