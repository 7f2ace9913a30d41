// The list of all experiments, and how one is found by its name.
#include <fmt/format.h>

#include "reproduce/experiment.h"
#include "reproduce/experiment_list.h"

#include "sinew/core/error.h"

namespace sinew::reproduce {

const std::vector<Experiment>& all_experiments() {
  static const std::vector<Experiment> kExperiments = {
      make_energy_of_rods(),    make_drift_of_four_links(), make_newton_step_times(), make_newton_convergence(),
      make_pendulum_times(),    make_loop_times(),          make_segment_times(),     make_trotting_minitaur(),
      make_tolerance_times(),   make_drift_of_four_bar(),   make_energy_of_cubes(),   make_damped_pendulum(),
      make_box_drop(),          make_sphere_chain_times(),  make_ladder_times(),      make_net_times(),
      make_crystal_times(),     make_scale_study(),         make_double_four_bar(),   make_forty_four_bars(),
      make_walking_quadruped(), make_exoskeleton_torques()};
  return kExperiments;
}

const Experiment& find_experiment(const std::string& id) {
  std::vector<std::string> known;
  for (const Experiment& experiment : all_experiments()) {
    if (experiment.id == id) return experiment;
    known.push_back(experiment.id);
    for (const std::string& alias : experiment.aliases) {
      if (alias == id) return experiment;
      known.push_back(alias);
    }
  }
  throw Error(ErrorKind::Input, "ID",
              fmt::format("expected the name of an experiment (sinew reproduce --list), got '{}'{}", id,
                          make_suggestion(id, known)));
}

}  // namespace sinew::reproduce
