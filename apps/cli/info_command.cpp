// sinew info: what a scene is made of.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <numeric>

#include "cli/command.h"
#include "cli/scene_argument.h"

#include "sinew/dynamics/redundancy.h"
#include "sinew/simulation/simulation.h"

namespace sinew::cli {
namespace {

constexpr int kMostRows = 20;

// Bodies and joints as they were written come first in the model, those of strands after them.
void print_bodies(const Model& model, int count) {
  if (count == 0) return;
  fmt::print("\n  {:<19} {:>12}  {:<32}{}\n", "body", "mass [kg]", "principal moments [kg m^2]", "shapes");
  for (int i = 0; i < std::min(count, kMostRows); ++i) {
    const Body& body = model.body(i);
    const Vec3 moments = principal_axes(body.inertia()).moments;
    std::string shapes;
    for (const BodyShape& shape : body.shapes) {
      shapes += shapes.empty() ? "" : ", ";
      shapes += std::visit([]<class S>(const S&) { return S::kName; }, shape.shape);
    }
    fmt::print("  {:<19} {:>12.6g}  {:<32}{}\n", body.name, body.mass(),
               fmt::format("{:.4g}, {:.4g}, {:.4g}", moments.x(), moments.y(), moments.z()),
               shapes.empty() ? "none" : shapes);
  }
  if (count > kMostRows) fmt::print("  ... and {} more\n", count - kMostRows);
}

void print_joints(const Model& model, int count) {
  if (count == 0) return;
  const auto type_of = [](const ModelJoint& joint) -> std::string_view {
    return std::visit([]<class J>(const J&) { return J::kName; }, joint.type);
  };
  std::size_t width = 12;
  for (int j = 0; j < std::min(count, kMostRows); ++j) width = std::max(width, type_of(model.joint(j)).size() + 1);
  fmt::print("\n  {:<19} {:<{}}{:<19} {:<19} {:>6}{:>6}\n", "joint", "type", width, "parent", "child", "rows", "dof");
  for (int j = 0; j < std::min(count, kMostRows); ++j) {
    const ModelJoint& joint = model.joint(j);
    fmt::print("  {:<19} {:<{}}{:<19} {:<19} {:>6}{:>6}\n", joint.name, type_of(joint), width,
               model.body_name(joint.parent), model.body_name(joint.child), joint.rows, joint.dof);
  }
  if (count > kMostRows) fmt::print("  ... and {} more\n", count - kMostRows);
}

void print_constraints(const Model& model) {
  if (model.constraints().empty()) return;
  fmt::print("\n  {:<19} {:<16}{:<36}{:>6}{:>16}\n", "constraint", "type", "bodies", "rows", "on velocities");
  for (const ModelConstraint& constraint :
       model.constraints().first(std::min(model.constraints().size(), static_cast<std::size_t>(kMostRows)))) {
    const std::string_view type = std::visit([]<class C>(const C&) { return C::kName; }, constraint.type);
    std::string bodies;
    for (std::size_t b = 0; b < static_cast<std::size_t>(constraint.body_count); ++b)
      bodies += (b > 0 ? ", " : "") + model.body(constraint.bodies[b]).name;
    fmt::print("  {:<19} {:<16}{:<36}{:>6}{:>16}\n", constraint.name, type, bodies, constraint.rows,
               constraint.rows - constraint.holonomic_rows);
  }
}

void print_strands(const SceneDescription& scene) {
  if (scene.strands.empty()) return;
  fmt::print("\n  {:<19} {:<19} {:<19} {:>10}{:>12}{:>16}\n", "strand", "from", "to", "segments", "mass [kg]",
             "stiffness [N]");
  for (const StrandDescription& strand : scene.strands) {
    fmt::print("  {:<19} {:<19} {:<19} {:>10}{:>12.6g}{:>16.6g}\n", strand.name, strand.from.body.name,
               strand.to ? strand.to->body.name : "free", strand.segments, strand.mass, strand.stiffness);
  }
}

std::string describe_order(const SolverSize& size) {
  if (size.minimum_degree_parts == 0) return "depth-first";
  if (size.minimum_degree_parts == size.parts) return "minimum degree";
  return fmt::format("minimum degree in {} of {} parts, depth-first in the others", size.minimum_degree_parts,
                     size.parts);
}

int print_info(const SceneArgument& argument) {
  const Simulation simulation = argument.make_simulation("", 1);
  const Model& model = simulation.model();
  const SceneDescription& scene = simulation.scene().description;
  const Topology topology = compute_topology(model);
  const SolverSize size = simulation.stepper().solver_size();
  double mass = 0;
  for (const Body& body : model.bodies()) mass += body.mass();
  const auto line = [](std::string_view key, const std::string& value) { fmt::print("  {:<20}{}\n", key, value); };
  fmt::print("{}{}\n", scene.name, scene.description.empty() ? "" : ": " + scene.description);
  const auto bodies = static_cast<int>(scene.bodies.size()), joints = static_cast<int>(scene.joints.size());
  const int particles = model.body_count() - bodies;
  line("bodies", fmt::format("{}{}, {:.6g} kg in all", bodies,
                             particles > 0 ? fmt::format(" and {} particles of strands", particles) : "", mass));
  const int other_rows = std::accumulate(model.constraints().begin(), model.constraints().end(), 0,
                                         [](int sum, const ModelConstraint& c) { return sum + c.rows; });
  line("joints", fmt::format("{} with {} constraint rows", model.joint_count(), model.rows() - other_rows));
  if (other_rows > 0) line("constraints", fmt::format("{} with {} rows", model.constraints().size(), other_rows));
  line("mechanisms", fmt::format("{}, of which {} float free", topology.components, topology.floating));
  line("closed loops", fmt::format("{}", topology.loops));
  const RedundancyReport redundancy = find_redundant_constraints(model, simulation.state());
  line("degrees of freedom", fmt::format("{}", redundancy.degrees_of_freedom));
  for (const RedundantJoints& group : redundancy.groups) line("", describe(group, model));
  line("forces", fmt::format("{} besides gravity", simulation.system().force_count() - 1));
  line("time", fmt::format("{:.6g} s in steps of {:.6g} s", scene.duration, scene.dt));
  line("solver",
       fmt::format("{} unknowns, {} blocks, {} of them fill-in", size.unknowns, size.blocks, size.fill_blocks));
  line("elimination", describe_order(size));
  for (const std::string& warning : simulation.start_warnings()) line("warning", warning);
  print_bodies(model, bodies);
  print_joints(model, joints);
  print_strands(scene);
  print_constraints(model);
  return kOk;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  auto scene = std::make_shared<SceneArgument>();
  CLI::App* command = app.add_subcommand("info", "bodies, joints, loops, degrees of freedom and mass of a scene");
  scene->add_to(*command);
  command->footer("Example: sinew info double_pendulum");
  command->callback([scene, &action] { action = [scene] { return print_info(*scene); }; });
}

}  // namespace sinew::cli
