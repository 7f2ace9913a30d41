// Uniform gravity.  F = m g,  V = −Σ m g·x                                                       [Bruedigam2020, (20)] for any g
#pragma once

#include "sinew/forces/force.h"

namespace sinew {

class Gravity final : public Force {
 public:
  explicit Gravity(const Vec3& acceleration_W) : acceleration_W_(acceleration_W) {}

  std::string name() const override { return "gravity"; }
  void bind(const Model&) override {}
  void add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const override {
    for (int i = 0; i < context.model.body_count(); ++i)
      out.push_back({i, context.model.body(i).mass() * acceleration_W_, Vec3::Zero()});
  }
  bool is_steady() const override { return true; }
  bool is_conservative() const override { return true; }
  double potential_energy(const ForceContext& context) const override {
    double energy = 0;
    for (int i = 0; i < context.model.body_count(); ++i) {
      energy -= context.model.body(i).mass() * acceleration_W_.dot(context.state.x_W[static_cast<std::size_t>(i)]);
    }
    return energy;
  }
  std::unique_ptr<Force> clone() const override { return std::make_unique<Gravity>(*this); }

 private:
  Vec3 acceleration_W_;  // m/s²
};

}  // namespace sinew
