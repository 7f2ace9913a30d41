#include "sinew/simulation/comparison.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/dynamics/redundancy.h"

namespace sinew {
namespace {

/// Columns of one probe are named after it: "tip.x", or "tip" itself. The energy comes last.
std::vector<ComparedQuantity> find_quantities(const std::vector<LedgerColumn>& columns) {
  std::vector<ComparedQuantity> quantities;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string name = columns[i].name.substr(0, columns[i].name.find('.'));
    const bool continues =
        !quantities.empty() && quantities.back().name == name && quantities.back().unit == columns[i].unit;
    if (continues)
      ++quantities.back().count;
    else
      quantities.push_back({name, columns[i].unit, i, 1});
  }
  quantities.push_back({"energy of all", "J", columns.size(), 1});
  return quantities;
}

/// The energy that a metre up takes (J/m): energies themselves may cancel.
double total_weight(const Model& model, const Vec3& gravity) {
  double mass = 0;
  for (const Body& body : model.bodies()) mass += body.mass();
  return mass * gravity.norm();
}

/// Marks the reactions of joints and constraints that share what they hold with others, in the pose at t = 0.
void mark_overlaps(const Simulation& simulation, const SceneDescription& scene, Comparison& out) {
  const Model& model = simulation.model();
  const auto is_in = [&](const RedundantJoints& group, const ReactionProbe& reaction) {
    const auto is_named = [](const auto& named, const std::string& name) { return named && named->name == name; };
    return std::any_of(group.joints.begin(), group.joints.end(),
                       [&](int j) { return is_named(reaction.joint, model.joint(j).name); }) ||
           std::any_of(group.constraints.begin(), group.constraints.end(),
                       [&](int c) { return is_named(reaction.constraint, model.constraint(c).name); });
  };
  for (const RedundantJoints& group : find_redundant_constraints(model, simulation.state()).groups) {
    out.overlaps.push_back(describe(group, model));
    for (const ProbeDescription& probe : scene.probes) {
      const auto* reaction = std::get_if<ReactionProbe>(&probe.probe);
      if (reaction == nullptr || !is_in(group, *reaction)) continue;
      for (ComparedQuantity& quantity : out.quantities) quantity.is_unique &= quantity.name != probe.name;
    }
  }
}

void add_probes(SceneDescription& scene) {
  if (scene.probes.empty())
    for (const BodyDescription& body : scene.bodies)
      scene.probes.push_back({body.name, PointPositionProbe{.body = {body.name}}});
  for (const JointDescription& joint : scene.joints) {
    const bool has_rows = std::visit([]<class J>(const J&) { return J::kRows > 0; }, joint.joint);
    if (has_rows) scene.probes.push_back({"reaction of " + joint.name, ReactionProbe{.joint = JointName{joint.name}}});
  }
}

double step_tolerance(const AnyStepper& stepper) {
  return std::visit([](const auto& s) { return s.tolerance + s.contact_tolerance; }, stepper);
}

ComparedRun run(Simulation& simulation, const ComparisonPlan& plan, const std::function<void(double)>& progress) {
  ComparedRun out;
  out.dt = simulation.dt();
  const auto keep = [&] {
    const std::span<const double> values = simulation.read_probes();
    out.times.push_back(simulation.state().time);
    out.frames.emplace_back(values.begin(), values.end());
    out.frames.back().push_back(simulation.ledger().energy());
  };
  const auto steps = std::llround(plan.duration / out.dt), stride = std::max(1LL, std::llround(plan.interval / out.dt));
  keep();
  const auto began = std::chrono::steady_clock::now();
  for (std::int64_t i = 1; i <= steps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) {
      out.failure = step.report.reason;
      out.failure_time = simulation.state().time;
      break;
    }
    ++out.steps;
    out.energy_error = std::max(out.energy_error, std::abs(simulation.ledger().energy_error()));
    out.joint_error = std::max(out.joint_error, simulation.ledger().joint_error().distance);
    if (i % stride == 0) keep();
    progress(static_cast<double>(i) / static_cast<double>(steps));
  }
  out.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return out;
}

std::string text_of(const Error& error) {
  std::string text;
  for (const Diagnostic& diagnostic : error.diagnostics()) text += (text.empty() ? "" : "; ") + diagnostic.text();
  return text;
}

}  // namespace

Comparison compare_steppers(SceneDescription scene, const ComparisonPlan& plan,
                            const std::function<void(double)>& progress) {
  Comparison out;
  add_probes(scene);
  const double count = static_cast<double>(plan.steppers.size() * plan.dts.size());
  double started = 0;
  for (const auto& [name, stepper] : plan.steppers) {
    const std::size_t first = out.runs.size();
    const double before = started * static_cast<double>(plan.dts.size());
    ++started;
    try {
      for (const double dt : plan.dts) {
        scene.stepper = stepper;
        scene.dt = dt;
        Simulation simulation(make_scene(scene));
        if (out.quantities.empty()) {
          out.quantities = find_quantities(simulation.probe_columns());
          out.quantities.back().scale = std::max(1.0, total_weight(simulation.model(), scene.gravity));
          mark_overlaps(simulation, scene, out);
        }
        const double done = before + static_cast<double>(out.runs.size() - first);
        out.runs.push_back(run(simulation, plan, [&](double part) { progress((done + part) / count); }));
        out.runs.back().stepper = name;
        out.runs.back().tolerance = step_tolerance(stepper);
        out.runs.back().order = std::visit([](const auto& s) { return s.convergence_order(); }, stepper);
      }
    } catch (const Error& error) {
      out.runs.resize(first);
      out.refusals.push_back({name, text_of(error)});
    }
  }
  return out;
}

std::vector<double> difference(const ComparedQuantity& quantity, const ComparedRun& a, const ComparedRun& b) {
  std::vector<double> out;
  for (std::size_t i = 0; i < std::min(a.frames.size(), b.frames.size()); ++i) {
    double sum = 0;
    for (std::size_t k = quantity.first; k < quantity.first + quantity.count; ++k)
      sum += (a.frames[i][k] - b.frames[i][k]) * (a.frames[i][k] - b.frames[i][k]);
    out.push_back(std::sqrt(sum));
  }
  return out;
}

}  // namespace sinew
