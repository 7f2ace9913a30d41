#include "sinew/steppers/variational/islands.h"

#include <algorithm>

#include "sinew/core/disjoint_sets.h"

namespace sinew {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

void sort_and_unique(Pairs& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace

Islands::Islands(Motion& motion) : motion_(motion) {
  for (const ElementMotion& element : motion.elements) {
    for (const int a : element.bodies) {
      for (const int b : element.bodies) {
        if (a < b) element_pairs_.emplace_back(a, b);
      }
    }
  }
  sort_and_unique(element_pairs_);
  known_pairs_ = element_pairs_;
  rebuild();
}

void Islands::update() {
  pairs_ = element_pairs_;
  for (const ConeConstraint& cone : motion_.cones) {
    if (cone.body_b != kWorld) pairs_.push_back(std::minmax(cone.body_a, cone.body_b));
  }
  sort_and_unique(pairs_);
  if (pairs_ != known_pairs_) {
    known_pairs_ = pairs_;
    rebuild();
  }
  for (std::vector<int>& cones : cones_) cones.clear();
  for (std::size_t c = 0; c < motion_.cones.size(); ++c) {
    const auto body = static_cast<std::size_t>(motion_.cones[c].body_a);
    cones_[static_cast<std::size_t>(island_of_[body])].push_back(static_cast<int>(c));
  }
}

void Islands::rebuild() {
  const Model& model = motion_.model();
  DisjointSets sets(model.body_count());
  for (const ModelJoint& joint : model.joints()) {
    if (joint.parent != kWorld && joint.rows > 0) sets.unite(joint.parent, joint.child);
  }
  for (const ModelConstraint& constraint : model.constraints()) {
    for (int b = 1; b < constraint.body_count; ++b)
      sets.unite(constraint.bodies[0], constraint.bodies[static_cast<std::size_t>(b)]);
  }
  for (const auto& [a, b] : known_pairs_) sets.unite(a, b);

  std::vector<Island::Parts> parts;
  island_of_.assign(motion_.bodies.size(), -1);
  const auto index_of = [&](int body) -> int& { return island_of_[static_cast<std::size_t>(body)]; };
  const auto part_of = [&](int body) -> Island::Parts& { return parts[static_cast<std::size_t>(index_of(body))]; };
  for (int i = 0; i < model.body_count(); ++i) {
    const int first = sets.find(i);
    if (first == i) {
      index_of(i) = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    index_of(i) = index_of(first);
    part_of(i).bodies.push_back(i);
  }
  for (int j = 0; j < model.joint_count(); ++j) part_of(model.joint(j).child).joints.push_back(j);
  for (std::size_t c = 0; c < motion_.couplings.size(); ++c)
    part_of(model.constraints()[c].bodies[0]).couplings.push_back(static_cast<int>(c));
  for (std::size_t e = 0; e < motion_.elements.size(); ++e)
    part_of(motion_.elements[e].bodies[0]).elements.push_back(static_cast<int>(e));
  for (std::size_t m = 0; m < motion_.media.size(); ++m)
    part_of(motion_.media[m].body).media.push_back(static_cast<int>(m));
  for (const std::pair<int, int>& pair : known_pairs_) part_of(pair.first).pairs.push_back(pair);

  std::vector<std::unique_ptr<Island>> old(motion_.bodies.size());  // by first body
  for (auto& island : islands_) {
    const auto first = static_cast<std::size_t>(island->parts().bodies.front());
    old[first] = std::move(island);
  }
  islands_.clear();
  for (const Island::Parts& part : parts) {
    std::unique_ptr<Island>& known = old[static_cast<std::size_t>(part.bodies.front())];
    const bool is_same = known != nullptr && known->parts() == part;
    islands_.push_back(is_same ? std::move(known) : std::make_unique<Island>(part, motion_));
  }
  cones_.resize(islands_.size());
}

}  // namespace sinew
