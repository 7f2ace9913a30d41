#include "sinew/contact/contact_detector.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "sinew/contact/epa.h"
#include "sinew/contact/feature_code.h"

namespace sinew {
namespace {

Eigen::AlignedBox3d widened(const Eigen::AlignedBox3d& box, double by) {
  return {box.min() - Vec3::Constant(by), box.max() + Vec3::Constant(by)};
}

StaticShape to_static(const Shape& shape) {
  return std::visit([](const auto& s) { return StaticShape(s); }, shape);
}

std::array<int, 2> ordered(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

ContactDetector::ContactDetector(const Model& model)
    : ContactDetector(model, {.joined_bodies_collide = model.contact().joined_bodies_collide,
                              .excluded_bodies = model.contact().excluded_bodies}) {}

ContactDetector::ContactDetector(const Model& model, const ContactFilter& filter) {
  int shape_number = 0;
  const auto add = [&](const auto& shape, const StaticShape& geometry, const Pose& X_CS, int body) {
    const int number = shape_number++;
    collider_of_.push_back(shape.collides ? static_cast<int>(colliders_.size()) : -1);
    if (!shape.collides) return;
    Collider collider = make_collider(geometry, X_CS, body, model.body_name(body));
    collider.shape = number;
    collider.material = shape.material;
    collider.group = shape.group;
    collider.mask = shape.mask;
    colliders_.push_back(std::move(collider));
  };
  for (int body = 0; body < model.body_count(); ++body) {
    for (const BodyShape& shape : model.body(body).shapes) {
      Pose X_CS = shape.X_BS;
      X_CS.p -= model.body(body).com();
      add(shape, to_static(shape.shape), X_CS, body);
    }
  }
  moving_count_ = static_cast<int>(colliders_.size());
  for (const WorldShape& shape : model.world_shapes()) add(shape, shape.shape, shape.X_WS, kWorld);

  for (int i = 0; i < static_cast<int>(colliders_.size()); ++i) {
    Collider& collider = colliders_[i];
    if (collider.half_space) {
      half_spaces_.push_back(i);
      continue;
    }
    if (collider.triangles) {
      collider.box = collider.triangles->bounds();
    } else {
      collider.place(Pose{});
      collider.box = collider.view.bounds();
    }
    collider.leaf = tree_.insert(collider.box, i);
  }
  if (!filter.joined_bodies_collide) {
    for (const ModelJoint& joint : model.joints())
      if (joint.parent != kWorld) excluded_.push_back(ordered(joint.parent, joint.child));
  }
  for (const auto& [a, b] : filter.excluded_bodies) excluded_.push_back(ordered(a, b));
  std::sort(excluded_.begin(), excluded_.end());
}

bool ContactDetector::may_collide(const Collider& a, const Collider& b) const {
  if (a.body == b.body || (a.group & b.mask) == 0 || (b.group & a.mask) == 0) return false;
  return !std::binary_search(excluded_.begin(), excluded_.end(), ordered(a.body, b.body));
}

void ContactDetector::find_candidates() {
  candidates_.clear();
  for (int i = 0; i < moving_count_; ++i) {
    const Collider& a = colliders_[i];
    tree_.query(a.box, stack_, [&](int j) {
      if (j > i && a.box.intersects(colliders_[j].box) && may_collide(a, colliders_[j])) candidates_.push_back({i, j});
    });
    for (int j : half_spaces_) {
      const Collider& b = colliders_[j];
      const double lowest =
          a.box.center().dot(b.half_space->normal) - 0.5 * a.box.sizes().dot(b.half_space->normal.cwiseAbs());
      if (lowest < b.half_space->normal.dot(b.half_space->point) && may_collide(a, b)) candidates_.push_back({i, j});
    }
  }
  std::sort(candidates_.begin(), candidates_.end());
}

void ContactDetector::detect(const State& state, std::span<const double> margin_per_body, std::vector<Contact>& out) {
  assert(state.body_count() == static_cast<int>(margin_per_body.size()));
  for (int i = 0; i < moving_count_; ++i) {
    Collider& collider = colliders_[i];
    collider.place(com_pose(state, collider.body));
    collider.box = widened(collider.view.bounds(), margin_per_body[collider.body]);
    tree_.move(collider.leaf, collider.box, 0.1 * (collider.view.size + collider.view.radius));
  }
  find_candidates();
  contacts_.clear();
  found_.clear();
  for (const auto& [i, j] : candidates_) {
    const Collider &a = colliders_[i], &b = colliders_[j];
    collide(a, b, margin_per_body[a.body] + (b.body == kWorld ? 0 : margin_per_body[b.body]));
  }
  const auto key = [](const Found& f) {
    return std::tuple(f.body_a, static_cast<unsigned>(f.body_b), f.id, f.gap,
                      f.index);  // kWorld = -1 is the greatest unsigned
  };
  std::sort(found_.begin(), found_.end(), [&](const Found& f, const Found& g) { return key(f) < key(g); });
  out.clear();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const bool is_twin = i > 0 && found_[i].id == found_[i - 1].id && found_[i].body_a == found_[i - 1].body_a &&
                         found_[i].body_b == found_[i - 1].body_b;  // a corner above the edge between two triangles
    if (!is_twin) out.push_back(contacts_[found_[i].index]);
  }
}

bool ContactDetector::has_distance(int shape_a, int shape_b) const {
  return !colliders_[index_of(shape_a)].triangles && !colliders_[index_of(shape_b)].triangles;
}

double ContactDetector::find_distance_of(const State& state, int shape_a, int shape_b) {
  Collider &a = colliders_[index_of(shape_a)], &b = colliders_[index_of(shape_b)];
  a.place(com_pose(state, a.body));
  if (b.half_space) {
    const Vec3& normal = b.half_space->normal;
    return normal.dot(a.view.support(-normal).x - b.half_space->point) - a.view.radius;
  }
  if (b.body != kWorld) b.place(com_pose(state, b.body));
  Separation separation = find_distance(a.view, b.view);
  if (!separation.is_found) separation = find_depth(a.view, b.view);
  return (separation.is_found ? separation.distance : 0) - a.view.radius - b.view.radius;
}

void ContactDetector::collide(const Collider& a, const Collider& b, double margin) {
  pairs_.clear();
  if (b.half_space) {
    narrow_phase_.collide(a.view, *b.half_space, margin, pairs_);
  } else if (b.triangles) {
    triangles_.clear();
    b.triangles->for_each_triangle_in(a.box, stack_, [&](int t) { triangles_.push_back(t); });
    std::sort(triangles_.begin(), triangles_.end());
    for (int t : triangles_) {
      const ConvexView triangle = b.triangles->view(t);
      const bool is_behind = triangle.face_normals[0].dot(a.view.centre - triangle.corners[0]) < 0;
      if (!is_behind) narrow_phase_.collide(a.view, triangle, margin, pairs_);
    }
  } else {
    narrow_phase_.collide(a.view, b.view, margin, pairs_);
  }
  add_contacts(a, b);
}

void ContactDetector::add_contacts(const Collider& a, const Collider& b) {
  for (const FeaturePair& pair : pairs_) {
    Contact contact;
    contact.body_a = a.body;
    contact.body_b = b.body;
    contact.a = pair.a;
    contact.b = pair.b;
    contact.material_a = a.material;
    contact.material_b = b.material;
    contact.shape_a = a.shape;
    contact.shape_b = b.shape;
    contact.is_corner_of_half_space =
        b.half_space && (a.view.kind == ConvexView::Kind::Polytope || pair.a.kind == FeatureKind::Circle);
    contact.id =
        mix(mix(mix(mix(0, static_cast<std::uint64_t>(a.shape)), static_cast<std::uint64_t>(b.shape)), pair.code_a),
            pair.code_b);
    found_.push_back({a.body, b.body, contact.id, pair.gap, static_cast<int>(contacts_.size())});
    contacts_.push_back(contact);
  }
}

}  // namespace sinew
