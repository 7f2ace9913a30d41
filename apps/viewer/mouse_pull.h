// A spring between a point of a body and the mouse, with damping:  F = k (x_mouse − x_point) − c v_point.
// k and c are bounded by the body's mass and the time step, so that an explicit method stays stable: k dt² ≤ m/4, c dt ≤ m/2.
#pragma once

#include <memory>

#include "sinew/forces/force.h"
#include "sinew/system/system.h"

namespace sinew {

struct PullState {
  int body = kWorld;           // kWorld: nothing is pulled
  Vec3 point = Vec3::Zero();   // m, in the body frame
  Vec3 target = Vec3::Zero();  // m, world
  double stiffness = 0;        // N/m
  double damping = 0;          // N s/m
};

/// Sets stiffness and damping for its body: the spring carries what hangs on it, by joints, springs, muscles or strands, with little stretch.
void tune_pull(const System& system, double dt, PullState& pull);

/// Changed between steps through the state it shares.
class MousePull final : public Force {
 public:
  explicit MousePull(std::shared_ptr<const PullState> state) : state_(std::move(state)) {}

  std::string name() const override { return "mouse"; }
  void bind(const Model&) override {}
  void add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const override;
  std::unique_ptr<Force> clone() const override { return std::make_unique<MousePull>(*this); }

 private:
  std::shared_ptr<const PullState> state_;
};

}  // namespace sinew
