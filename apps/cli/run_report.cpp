#include "cli/run_report.h"

#include <cmath>
#include <fmt/format.h>

#include "cli/progress_bar.h"

#include "sinew/core/version.h"
#include "sinew/dynamics/momentum.h"
#include "sinew/io/simulation_recording.h"
#include "sinew/steppers/contact_report.h"

namespace sinew::cli {
namespace {

constexpr int kReportVersion = 1;

std::string joint_name(const Model& model, int joint) { return joint < 0 ? "" : model.joint(joint).name; }
std::string at_joint(const Model& model, int joint) {
  return joint < 0 ? "" : fmt::format(" at joint '{}'", model.joint(joint).name);
}

std::string_view stepper_name(const Simulation& simulation) {
  return std::visit([]<class S>(const S&) { return S::kName; }, simulation.scene().description.stepper);
}

std::string describe_failures(const Simulation& simulation, const RunStatistics& statistics,
                              const RunOutcome& outcome) {
  const std::int64_t halvings = statistics.halvings();
  if (outcome.reason.empty()) return halvings == 0 ? "none" : fmt::format("{} step halvings", halvings);
  const int of_last = simulation.last_step().halvings;
  if (of_last == 0)
    return fmt::format("{} step halvings, then the run stopped at a step that may not be halved", halvings);
  return fmt::format(
      "{} step halvings, {} of them in step {}, where the run stopped: it failed in parts of {:.3g} s, too", halvings,
      of_last, simulation.state().step + 1, simulation.last_step().shortest);
}

std::vector<std::string> find_warnings(const Simulation& simulation, const RunStatistics& statistics) {
  std::vector<std::string> lines = simulation.start_warnings();
  if (std::string warning = statistics.energy_warning(); !warning.empty()) lines.push_back(std::move(warning));
  return lines;
}

/// Whether the energy error of a method of order 1 shows beside what moves.
bool is_rough_first_order(const Simulation& simulation, const RunStatistics& statistics) {
  constexpr double kShows = .01;
  const auto* reduced = std::get_if<Reduced>(&simulation.scene().description.stepper);
  if (reduced == nullptr || reduced->convergence_order() != 1) return false;
  const double moved = compute_kinetic_energy(simulation.model(), simulation.state()) +
                       std::abs(simulation.ledger().energy() - statistics.initial_energy());
  return statistics.energy_error().largest_magnitude() > kShows * moved;
}

}  // namespace

std::string make_summary(const Simulation& simulation, const RunStatistics& statistics, const RunOutcome& outcome) {
  const Model& model = simulation.model();
  const Ledger& ledger = simulation.ledger();
  const double simulated = simulation.state().time - outcome.start_time;
  const LargestJointError& joint = statistics.joint_error();
  const auto& tenths = statistics.energy_error_by_tenth();
  std::string text;
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("  {:<16}{}\n", key, value);
  };
  text += fmt::format("{}: {} to t = {:.6g} s\n", simulation.scene().description.name, outcome.status,
                      simulation.state().time);
  line("steps", fmt::format("{} of {:.6g} s, {} stepper, {} bodies, {} joints", statistics.steps(), simulation.dt(),
                            stepper_name(simulation), model.body_count(), model.joint_count()));
  line(
      "wall time",
      fmt::format("{}, {:.3g}x real time, {:.3g} µs a step", duration_text(outcome.wall_seconds),
                  outcome.wall_seconds > 0 ? simulated / outcome.wall_seconds : 0.0,
                  statistics.steps() > 0 ? 1e6 * outcome.wall_seconds / static_cast<double>(statistics.steps()) : 0.0));
  const IntegratorReport& integrator = statistics.integrator();
  if (statistics.iterations() > 0 || integrator.evaluations == 0) {
    line("Newton", fmt::format("{:.2f} iterations a step, at most {}", statistics.mean_iterations(),
                               statistics.max_iterations()));
  }
  if (integrator.evaluations > 0) {
    line("integrator",
         fmt::format(
             "{:.1f} evaluations a step, at most {}; {:.1f} substeps a step, {} rejected in all{}",
             statistics.mean_evaluations(), statistics.max_evaluations(), statistics.mean_substeps(),
             integrator.rejected,
             integrator.error > 0 ? fmt::format("; error estimate {:.2g} of the tolerance", integrator.error) : ""));
    if (statistics.is_stiff())
      line("hint",
           "stability, not accuracy, keeps the substeps short: forces are stiff, integrator: sdirk2 or implicit_euler "
           "takes longer ones");
    if (is_rough_first_order(simulation, statistics))
      line("hint",
           "the energy error is that of a method of order 1, it halves with dt: integrator: sdirk2, runge_kutta_4 or "
           "dormand_prince follows such motion better");
  }
  line("energy",
       fmt::format("{:.6g} J at the start, {:.6g} J at the end", statistics.initial_energy(), ledger.energy()));
  line("energy error",
       fmt::format("{:.3g} J at most; {:.3g} J in the first tenth of the run, {}",
                   statistics.energy_error().largest_magnitude(), tenths.front().largest_magnitude(),
                   statistics.has_reached(9) ? fmt::format("{:.3g} J in the last", tenths.back().largest_magnitude())
                                             : "the last was not reached"));
  line("momentum error", fmt::format("{:.2e} kg m/s, angular {:.2e} kg m²/s (balance with all outside impulses)",
                                     statistics.max_momentum_error(), statistics.max_angular_momentum_error()));
  if (model.joint_count() > 0) {
    line("joint error", fmt::format("{:.2e} m{}, {:.2e} rad{}", joint.distance, at_joint(model, joint.distance_joint),
                                    joint.angle, at_joint(model, joint.angle_joint)));
  }
  if (model.contact().enabled) {
    const ContactSummary& worst = statistics.worst_contact();
    line("contacts",
         fmt::format("{:.1f} touching on average, at most {}; interior point {:.1f} iterations a step, at most {}",
                     statistics.mean_contacts(), worst.touching, statistics.mean_contact_iterations(),
                     statistics.max_contact_iterations()));
    const std::string torque =
        has_turning_friction(model) ? fmt::format(", torque violation {:.2e} N m", worst.torque_violation) : "";
    line("contact errors", fmt::format("penetration {:.2e} m, complementarity {:.2e} N m, cone violation {:.2e} N{}",
                                       worst.penetration, worst.complementarity, worst.cone_violation, torque));
    if (statistics.rough_steps() > 0) {
      line("rough contacts",
           fmt::format("{} steps whose contacts are less exact than asked (see docs/variational.md#contacts)",
                       statistics.rough_steps()));
    }
  }
  if (bodies_may_sleep(simulation.scene().description)) {
    line("sleep", fmt::format("{:.1f} bodies on average, {} at the end; it took {:.3g} J", statistics.mean_asleep(),
                              statistics.final_asleep(), -ledger.totals().sleep_work));
  }
  if (statistics.events() > 0)
    line("events", fmt::format("{} impacts located within steps, at most {} in a step", statistics.events(),
                               statistics.max_events()));
  for (const std::string& warning : find_warnings(simulation, statistics)) line("warning", warning);
  line("failures", describe_failures(simulation, statistics, outcome));
  if (statistics.halvings() > 0)
    line("first halving",
         fmt::format("at t = {:g} s: {}", statistics.first_halving().time, statistics.first_halving().reason));
  return text;
}

nlohmann::ordered_json make_report(const Simulation& simulation, const RunStatistics& statistics,
                                   const RunOutcome& outcome) {
  const Model& model = simulation.model();
  const auto& tenths = statistics.energy_error_by_tenth();
  const LargestJointError& joint = statistics.joint_error();
  nlohmann::ordered_json by_tenth = nlohmann::ordered_json::array();
  using Json = nlohmann::ordered_json;
  const auto if_reached = [&](std::size_t tenth, double value) {
    return statistics.has_reached(tenth) ? Json(value) : Json(nullptr);
  };
  for (std::size_t i = 0; i < tenths.size(); ++i)
    by_tenth.push_back(
        {{"lowest_error", if_reached(i, tenths[i].lowest)}, {"highest_error", if_reached(i, tenths[i].highest)}});
  nlohmann::ordered_json work = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < simulation.ledger().columns().size(); ++i) {
    const std::string& name = simulation.ledger().columns()[i].name;
    if (name.starts_with("work.")) work[name.substr(5)] = simulation.ledger().values()[i];
  }
  return {
      {"format", "sinew run report"},
      {"version", kReportVersion},
      {"sinew",
       {{"version", kVersion},
        {"revision", kGitRevision},
        {"compiler", kCompiler},
        {"simd", kSimd},
        {"build", kBuildType}}},
      {"scene",
       {{"name", simulation.scene().description.name}, {"hash", hash_text(hash_of(simulation.scene().description))}}},
      {"status", outcome.status},
      {"reason", outcome.reason},
      {"warnings", find_warnings(simulation, statistics)},
      {"stepper", stepper_name(simulation)},
      {"dt", simulation.dt()},
      {"start_time", outcome.start_time},
      {"end_time", simulation.state().time},
      {"steps", statistics.steps()},
      {"wall_seconds", outcome.wall_seconds},
      {"cpu_seconds", outcome.cpu_seconds},
      {"real_time_factor",
       outcome.wall_seconds > 0 ? (simulation.state().time - outcome.start_time) / outcome.wall_seconds : 0.0},
      {"threads", outcome.threads},
      {"newton", {{"mean", statistics.mean_iterations()}, {"max", statistics.max_iterations()}}},
      {"integrator",
       {{"mean_evaluations", statistics.mean_evaluations()},
        {"max_evaluations", statistics.max_evaluations()},
        {"mean_substeps", statistics.mean_substeps()},
        {"rejected", statistics.integrator().rejected},
        {"stiff_substeps", statistics.integrator().stiff_substeps},
        {"max_error", statistics.integrator().error}}},
      {"energy",
       {{"initial", statistics.initial_energy()},
        {"final", simulation.ledger().energy()},
        {"max_abs_error", statistics.energy_error().largest_magnitude()},
        {"max_abs_error_first_tenth", tenths.front().largest_magnitude()},
        {"max_abs_error_last_tenth", if_reached(9, tenths.back().largest_magnitude())},
        {"by_tenth", by_tenth}}},
      {"work", work},
      {"momentum",
       {{"max_linear_error", statistics.max_momentum_error()},
        {"max_angular_error", statistics.max_angular_momentum_error()}}},
      {"joint_error",
       {{"max", joint.distance},
        {"where", joint_name(model, joint.distance_joint)},
        {"max_angle", joint.angle},
        {"where_angle", joint_name(model, joint.angle_joint)}}},
      {"contact",
       {{"mean_touching", statistics.mean_contacts()},
        {"max_touching", statistics.worst_contact().touching},
        {"max_penetration", statistics.worst_contact().penetration},
        {"max_complementarity", statistics.worst_contact().complementarity},
        {"max_cone_violation", statistics.worst_contact().cone_violation},
        {"max_torque_violation", statistics.worst_contact().torque_violation},
        {"mean_iterations", statistics.mean_contact_iterations()},
        {"max_iterations", statistics.max_contact_iterations()},
        {"rough_steps", statistics.rough_steps()}}},
      {"sleep", {{"mean_bodies", statistics.mean_asleep()}, {"final_bodies", statistics.final_asleep()}}},
      {"events", {{"count", statistics.events()}, {"max", statistics.max_events()}}},
      {"solver",
       {{"not_converged", outcome.status == "failed" ? 1 : 0},
        {"step_halvings", statistics.halvings()},
        {"first_halving_time", statistics.first_halving().time},
        {"first_halving_reason", statistics.first_halving().reason}}},
      {"final_state_hash", hash_text(hash_of(simulation.state()))},
  };
}

}  // namespace sinew::cli
