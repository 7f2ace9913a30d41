#include "sinew/system/system.h"

#include "sinew/forces/joint_actuator.h"

namespace sinew {

System::System(Model model, std::vector<std::unique_ptr<Force>> forces)
    : model_(std::move(model)), forces_(std::move(forces)) {
  for (const std::unique_ptr<Force>& force : forces_) force->bind(model_);
}

void compute_applied_wrenches(const System& system, const State& state, const Kinematics& kinematics,
                              const Control& control, double time, AppliedWrenches& out) {
  const ForceContext context{system.model(), state, kinematics, time};
  out.entries.clear();
  out.ends.clear();
  for (int i = 0; i < system.force_count(); ++i) {
    if (system.force(i).as_coordinate_force() == nullptr) system.force(i).add_wrenches(context, out.entries);
    out.ends.push_back(out.entries.size());
  }
  if (!control.is_zero()) {
    for (const ModelJoint& joint : system.model().joints()) {
      if (joint.dof > 0) add_joint_effort(context, joint, control.joint_efforts.data() + joint.first_dof, out.entries);
    }
  }
  out.ends.push_back(out.entries.size());
}

double compute_potential_energy(const System& system, const State& state, const Kinematics& kinematics) {
  const ForceContext context{system.model(), state, kinematics, state.time};
  double energy = 0;
  for (int i = 0; i < system.force_count(); ++i) energy += system.force(i).potential_energy(context);
  return energy;
}

}  // namespace sinew
