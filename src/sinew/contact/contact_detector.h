// Finds all contacts whose gap may close during a step: a tree of boxes for who may meet whom (dynamic_tree.h), then the narrow phase for the
// features that may touch (narrow_phase.h). The same state gives the same contacts in the same order, whatever was detected before.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/contact/collider.h"
#include "sinew/contact/contact.h"
#include "sinew/contact/dynamic_tree.h"
#include "sinew/contact/narrow_phase.h"
#include "sinew/model/state.h"

namespace sinew {

/// Who does not collide, besides what groups and masks of the shapes say. Shapes of one body never do.
struct ContactFilter {
  bool joined_bodies_collide = false;  // two bodies with a joint between them (a joint to the world forbids nothing)
  std::vector<std::array<int, 2>> excluded_bodies{};  // pairs; kWorld for the world
};

class ContactDetector {
 public:
  /// With the filter of the model's contact settings, or another. Throws Error for a mesh on a body.
  explicit ContactDetector(const Model& model);
  ContactDetector(const Model& model, const ContactFilter& filter);

  /// Every contact with gap < margin_per_body[a] + margin_per_body[b] (m; the world has none), by body_a, body_b (the world last), id. Does
  /// not allocate once the vectors have grown.
  void detect(const State& state, std::span<const double> margin_per_body, std::vector<Contact>& out);

  /// Whether two shapes have a distance: not if one of them is made of triangles.
  bool has_distance(int shape_a, int shape_b) const;
  /// It, negative for a depth (m), whatever features are nearest: continuous as bodies move. By the numbers of shapes in a contact.
  double find_distance_of(const State& state, int shape_a, int shape_b);

 private:
  struct Found {
    int body_a, body_b;
    std::uint64_t id;
    double gap;
    int index;  // into contacts_
  };

  bool may_collide(const Collider& a, const Collider& b) const;
  void find_candidates();
  void collide(const Collider& a, const Collider& b, double margin);
  void add_contacts(const Collider& a, const Collider& b);

  std::size_t index_of(int shape) const {
    return static_cast<std::size_t>(collider_of_[static_cast<std::size_t>(shape)]);
  }

  std::vector<Collider> colliders_;  // of the bodies in their order, then of the world
  std::vector<int> collider_of_;     // by the number of the shape; -1: it does not collide
  int moving_count_ = 0;
  std::vector<int> half_spaces_;
  std::vector<std::array<int, 2>> excluded_;  // sorted
  DynamicTree tree_;
  NarrowPhase narrow_phase_;

  std::vector<std::array<int, 2>> candidates_;
  std::vector<int> stack_, triangles_;
  std::vector<FeaturePair> pairs_;
  std::vector<Contact> contacts_;
  std::vector<Found> found_;
};

}  // namespace sinew
