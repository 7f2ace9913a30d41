#include "sinew/model/model.h"

#include <algorithm>
#include <fmt/format.h>

#include "sinew/core/disjoint_sets.h"
#include "sinew/core/error.h"

namespace sinew {
namespace {

template <class Things>
int find_index(const Things& things, std::string_view name, std::string_view what, bool allow_world) {
  for (std::size_t i = 0; i < things.size(); ++i) {
    if (things[i].name == name) return static_cast<int>(i);
  }
  std::vector<std::string> names;
  names.reserve(things.size() + 1);
  for (const auto& thing : things) names.push_back(thing.name);
  if (allow_world) names.emplace_back(kWorldName);
  throw Error(ErrorKind::Input, std::string(name),
              fmt::format("expected the name of a {}, got '{}'{}", what, name, make_suggestion(name, names)));
}

}  // namespace

bool Model::has_motions() const {
  return std::any_of(joints_.begin(), joints_.end(), [](const ModelJoint& joint) { return !joint.motions.empty(); });
}

SurfaceLaw Model::surface_law(int a, int b) const {
  for (const MaterialPair& pair : contact_.pairs) {
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return pair.law;
  }
  return combine(contact_.materials[static_cast<std::size_t>(a)], contact_.materials[static_cast<std::size_t>(b)]);
}

int Model::find_body(std::string_view name) const {
  if (name == kWorldName) return kWorld;
  return find_index(bodies_, name, "body", true);
}

int Model::find_joint(std::string_view name) const { return find_index(joints_, name, "joint", false); }

int Model::find_constraint(std::string_view name) const { return find_index(constraints_, name, "constraint", false); }

void Model::fix_open_offsets(const VecX& joint_q) {
  for (ModelConstraint& constraint : constraints_) {
    if (constraint.terms.empty() || constraint.offset) continue;
    double sum = 0;
    for (const CouplingTerm& term : constraint.terms)
      sum += term.ratio * joint_q[joint(term.joint).first_coordinate + term.coordinate];
    constraint.offset = sum;
  }
}

Topology compute_topology(const Model& model) {
  const int n = model.body_count();
  DisjointSets parts(n);
  for (const ModelJoint& joint : model.joints()) {
    if (joint.rows > 0 && joint.parent != kWorld) parts.unite(joint.parent, joint.child);
  }
  std::vector<char> is_grounded(static_cast<std::size_t>(n), 0);
  for (const ModelJoint& joint : model.joints()) {
    if (joint.rows > 0 && joint.parent == kWorld) is_grounded[static_cast<std::size_t>(parts.find(joint.child))] = 1;
  }
  Topology topology;
  for (int i = 0; i < n; ++i) {
    if (parts.find(i) != i) continue;
    ++topology.components;
    if (is_grounded[static_cast<std::size_t>(i)] == 0) ++topology.floating;
  }
  // Independent cycles of a graph: edges − nodes + connected parts; the world is one node.
  topology.loops = model.constraining_joints() - (n + 1) + topology.floating + 1;
  topology.degrees_of_freedom = 6 * n - model.rows();
  return topology;
}

}  // namespace sinew
