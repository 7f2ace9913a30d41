// The experiments by group; all_experiments.cpp puts them in order.
#pragma once

#include "reproduce/experiment.h"

namespace sinew::reproduce {

// energy_experiments.cpp
Experiment make_energy_of_rods();
Experiment make_energy_of_cubes();
// drift_experiments.cpp
Experiment make_drift_of_four_links();
Experiment make_drift_of_four_bar();
// solver_experiments.cpp
Experiment make_newton_step_times();
Experiment make_ladder_times();
Experiment make_net_times();
Experiment make_crystal_times();
// newton_experiment.cpp
Experiment make_newton_convergence();
// pendulum_experiments.cpp
Experiment make_pendulum_times();
Experiment make_loop_times();
// segment_experiment.cpp
Experiment make_segment_times();
// sphere_chain_experiment.cpp
Experiment make_sphere_chain_times();
// tolerance_experiment.cpp
Experiment make_tolerance_times();
// scale_experiment.cpp
Experiment make_scale_study();
// damping_experiment.cpp
Experiment make_damped_pendulum();
// box_drop_experiment.cpp
Experiment make_box_drop();
// a02_experiment.cpp
Experiment make_double_four_bar();
Experiment make_forty_four_bars();
// minitaur_experiment.cpp
Experiment make_trotting_minitaur();
// quadruped_experiment.cpp
Experiment make_walking_quadruped();
// exoskeleton_experiment.cpp
Experiment make_exoskeleton_torques();

}  // namespace sinew::reproduce
