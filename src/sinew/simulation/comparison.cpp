#include "sinew/simulation/comparison.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sinew {
namespace {

/// Columns of one probe are named after it: "tip.x", or "tip" itself.
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
  return quantities;
}

void add_probes(SceneDescription& scene) {
  if (scene.probes.empty())
    for (const BodyDescription& body : scene.bodies)
      scene.probes.push_back({body.name, PointPositionProbe{.body = {body.name}}});
  for (const JointDescription& joint : scene.joints) {
    const bool has_rows = std::visit([]<class J>(const J&) { return J::kRows > 0; }, joint.joint);
    if (has_rows) scene.probes.push_back({"reaction of " + joint.name, JointReactionProbe{.joint = {joint.name}}});
  }
}

ComparedRun run(Simulation& simulation, const ComparisonPlan& plan, const std::function<void(double)>& progress) {
  ComparedRun out;
  out.dt = simulation.dt();
  const auto keep = [&] {
    const std::span<const double> values = simulation.read_probes();
    out.times.push_back(simulation.state().time);
    out.frames.emplace_back(values.begin(), values.end());
  };
  const auto steps = std::llround(plan.duration / out.dt), stride = std::max(1LL, std::llround(plan.interval / out.dt));
  keep();
  const auto began = std::chrono::steady_clock::now();
  for (std::int64_t i = 1; i <= steps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) {
      out.failure = step.report.reason;
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

}  // namespace

Comparison compare_steppers(SceneDescription scene, const ComparisonPlan& plan,
                            const std::function<void(double)>& progress) {
  Comparison out;
  add_probes(scene);
  const double count = static_cast<double>(plan.steppers.size() * plan.dts.size());
  for (const auto& [name, stepper] : plan.steppers) {
    for (const double dt : plan.dts) {
      scene.stepper = stepper;
      scene.dt = dt;
      Simulation simulation(make_scene(scene));
      if (out.quantities.empty()) out.quantities = find_quantities(simulation.probe_columns());
      const double done = static_cast<double>(out.runs.size());
      out.runs.push_back(run(simulation, plan, [&](double part) { progress((done + part) / count); }));
      out.runs.back().stepper = name;
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
