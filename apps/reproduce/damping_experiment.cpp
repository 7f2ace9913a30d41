// A damped pendulum at a coarse step, beside explicit Euler and an accurate solution. Thin rod:
//   θ̈ = −(3/2)(g/l) sin θ − (3 d/(m l²)) θ̇
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "reproduce/experiment_list.h"
#include "reproduce/explicit_integrator.h"
#include "reproduce/measure.h"
#include "reproduce/reference_solution.h"
#include "reproduce/scenes.h"

namespace sinew::reproduce {
namespace {

constexpr double kGravity = 9.81, kDamping = 0.5, kMoment = 1.0 / 3, kDuration = 10;
constexpr double kStart = std::numbers::pi / 2;

double energy_of(double angle, double rate) { return kMoment / 2 * rate * rate - kGravity / 2 * std::cos(angle); }

struct Swing {
  std::vector<double> times, angles, energies;

  void add(double time, double angle, double rate) {
    times.push_back(time);
    angles.push_back(angle);
    energies.push_back(energy_of(angle, rate));
  }
};

Swing run_ours(double dt) {
  SceneDescription scene = make_chain_scene({make_rod(1, 1, 0)}, {kStart});
  JointSpring damper;
  damper.joint.name = scene.joints[0].name;
  damper.damping = {kDamping};
  scene.forces.emplace_back(damper);
  scene.dt = dt;
  Swing swing;
  swing.add(0, kStart, 0);
  run_scene(
      scene, std::lround(kDuration / dt), 2, [](double) {},
      [&](Simulation& simulation) {
        const State& state = simulation.state();
        const double turned = state.joint_q[0] - simulation.scene().initial.joint_q[0];  // about y: towards −x
        swing.add(state.time, kStart - turned, state.omega_B[0].y());
      });
  return swing;
}

Swing run_euler(double dt) {
  ArticulatedChain<1> chain({make_rod(1, 1, 0)}, kGravity);
  chain.set_damping(kDamping);
  ExplicitIntegrator<1> euler(chain, kExplicitEuler);
  ChainState state = chain.make_state({kStart});
  Swing swing;
  for (long i = 0; i <= std::lround(kDuration / dt); ++i) {
    swing.add(static_cast<double>(i) * dt, state.angle[0], state.rates[0]);
    euler.step(dt, state);
  }
  return swing;
}

Swing run_exact(double dt) {
  std::vector<double> state{kStart, 0};
  Swing swing;
  for (long i = 0; i <= std::lround(kDuration / dt); ++i) {
    swing.add(static_cast<double>(i) * dt, state[0], state[1]);
    integrate_reference(
        [](const std::vector<double>& y, std::vector<double>& rates) {
          rates = {y[1], (-kGravity / 2 * std::sin(y[0]) - kDamping * y[1]) / kMoment};
        },
        dt, state);
  }
  return swing;
}

// Largest over all times, or those from `first` on.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b, std::size_t first = 0) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = first; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

// What separate programs found for a step size: the largest angle error of the same scheme with a damper that acts at the end of the step
// (rad), and the largest energy error of explicit Euler (J).
struct Expected {
  double angle_error = 0, euler_energy_error = 0;
};

std::vector<Criterion> judge_step(const Swing& ours, const Swing& euler, const Swing& exact, const Expected& expected) {
  const double dt = exact.times[1], angle_error = largest_difference(ours.angles, exact.angles);
  const double error = largest_difference(ours.energies, exact.energies);
  const double late = largest_difference(ours.energies, exact.energies, exact.times.size() / 5);
  const double euler_error = largest_difference(euler.energies, exact.energies);
  double surplus = 0;  // mean energy of Euler's method above the accurate one
  for (std::size_t i = 0; i < exact.energies.size(); ++i) surplus += euler.energies[i] - exact.energies[i];
  surplus /= static_cast<double>(exact.energies.size());
  return {{.statement = fmt::format(
               "dt = {} s: good dissipation after a small initial error (here: angle error at most {} rad, that of "
               "another program of the same scheme, and a smaller energy error after the first fifth)",
               dt, expected.angle_error),
           .measured = fmt::format(
               "at dt = {} s our angle is off by at most {:.2g} rad and our energy by {:.2g} J, after 2 s by {:.2g} J",
               dt, angle_error, error, late),
           .holds = angle_error <= expected.angle_error && late < error},
          {.statement = fmt::format("dt = {} s: Euler's method drastically underdamps (here: too much energy on "
                                    "average, by up to {} J as in a separate computation, to 1 %)",
                                    dt, expected.euler_energy_error),
           .measured = fmt::format("explicit Euler's energy is off by up to {:.3g} J and on average {:.2g} J too high",
                                   euler_error, surplus),
           .holds = surplus > 0 && std::abs(euler_error / expected.euler_energy_error - 1) < 0.01}};
}

}  // namespace

Experiment make_damped_pendulum() {
  return {.id = "002-fig7c",
          .aliases = {},
          .title = "energy of a damped pendulum",
          .source = "[Bruedigam2024, Fig. 7c]",
          .claim =
              "Euler's method drastically underdamps the pendulum, whereas the variational integrator shows good "
              "dissipation after a small initial error.",
          .setup =
              "Thin rod of 1 m and 1 kg released horizontally, joint damping 0.5 N m s/rad (`joint_spring`), dt = 0.1 "
              "s (the source's text; its program has 0.05 s, also measured); explicit Euler in minimal coordinates; "
              "accurate solution by Boost.Odeint to 1e-13.",
          .run = [](const Context& context) {
            const Swing ours = run_ours(0.1), euler = run_euler(0.1), exact = run_exact(0.1);
            context.progress(0.5);
            Outcome outcome;
            outcome.table.add("time [s]", exact.times);
            outcome.table.add("energy of the variational stepper [J]", ours.energies);
            outcome.table.add("energy of explicit Euler [J]", euler.energies);
            outcome.table.add("accurate energy [J]", exact.energies);
            outcome.table.add("angle of the variational stepper [rad]", ours.angles);
            outcome.table.add("accurate angle [rad]", exact.angles);
            outcome.plot.title = "damped pendulum, dt = 0.1 s";
            outcome.plot.panels = {
                make_time_panel("energy [J]", {{.name = "variational (Sinew)", .x = ours.times, .y = ours.energies},
                                               {.name = "explicit Euler", .x = euler.times, .y = euler.energies},
                                               {.name = "accurate", .x = exact.times, .y = exact.energies}}),
                make_time_panel("angle [rad]", {{.name = "variational (Sinew)", .x = ours.times, .y = ours.angles},
                                                {.name = "explicit Euler", .x = euler.times, .y = euler.angles},
                                                {.name = "accurate", .x = exact.times, .y = exact.angles}})};
            std::vector<Criterion> criteria = judge_step(ours, euler, exact, {0.064, 2.84});
            for (Criterion& criterion : judge_step(run_ours(0.05), run_euler(0.05), run_exact(0.05), {0.042, 1.06})) {
              criteria.push_back(std::move(criterion));
            }
            outcome.judge(std::move(criteria));
            return outcome;
          }};
}

}  // namespace sinew::reproduce
