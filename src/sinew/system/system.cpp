#include "sinew/system/system.h"

#include <algorithm>
#include <fmt/format.h>

#include "sinew/forces/joint_actuator.h"

namespace sinew {

System::System(Model model, std::vector<std::unique_ptr<Force>> forces)
    : model_(std::move(model)), forces_(std::move(forces)) {
  for (const std::unique_ptr<Force>& force : forces_) {
    force->bind(model_);
    force->set_first_input(input_count_);
    input_count_ += force->input_count();
  }
}

std::vector<std::string> force_names(const System& system) {
  std::vector<std::string> names;
  for (int i = 0; i < system.force_count(); ++i) {
    std::string name = system.force(i).name();
    if (std::find(names.begin(), names.end(), name) != names.end()) name += fmt::format("_{}", i);
    names.push_back(std::move(name));
  }
  return names;
}

namespace {

template <class IsWanted>
void compute_wrenches(const System& system, const ForceContext& context, const Control& control,
                      const IsWanted& is_wanted, AppliedWrenches& out) {
  out.entries.clear();
  out.ends.clear();
  for (int i = 0; i < system.force_count(); ++i) {
    if (is_wanted(system.force(i))) system.force(i).add_wrenches(context, out.entries);
    out.ends.push_back(out.entries.size());
  }
  if (!control.is_zero()) {
    for (const ModelJoint& joint : system.model().joints()) {
      if (joint.dof > 0) add_joint_effort(context, joint, control.joint_efforts.data() + joint.first_dof, out.entries);
    }
  }
  out.ends.push_back(out.entries.size());
}

}  // namespace

void compute_applied_wrenches(const System& system, const State& state, const Kinematics& kinematics,
                              const Control& control, double time, AppliedWrenches& out) {
  const auto is_explicit = [](const Force& force) {
    return force.as_coordinate_force() == nullptr && force.as_medium_force() == nullptr;
  };
  compute_wrenches(system, {system.model(), state, kinematics, time, &control}, control, is_explicit, out);
}

void compute_all_wrenches(const System& system, const State& state, const Kinematics& kinematics,
                          const Control& control, double time, AppliedWrenches& out) {
  const auto is_any = [](const Force&) { return true; };
  compute_wrenches(system, {system.model(), state, kinematics, time, &control}, control, is_any, out);
}

void compute_changing_wrenches(const System& system, const State& state, const Kinematics& kinematics,
                               const Control& control, double time, AppliedWrenches& out) {
  const auto changes = [](const Force& force) { return !force.is_steady(); };
  compute_wrenches(system, {system.model(), state, kinematics, time, &control}, control, changes, out);
}

void compute_force_derivatives(const System& system, const State& state, const Kinematics& kinematics,
                               const Moment& moment, std::vector<ForceDerivative>& out) {
  const ForceContext context{system.model(), state, kinematics, moment.time, moment.control};
  out.clear();
  for (int i = 0; i < system.force_count(); ++i) system.force(i).add_derivatives(context, out);
}

double compute_potential_energy(const System& system, const State& state, const Kinematics& kinematics) {
  const ForceContext context{system.model(), state, kinematics, state.time};
  double energy = 0;
  for (int i = 0; i < system.force_count(); ++i) energy += system.force(i).potential_energy(context);
  return energy;
}

}  // namespace sinew
