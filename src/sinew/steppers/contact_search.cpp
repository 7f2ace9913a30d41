#include "sinew/steppers/contact_search.h"

#include "sinew/contact/feature_code.h"

namespace sinew {
namespace {

/// How far the shapes of a body reach from its centre of mass.
double find_radius(const Body& body) {
  double radius = 0;
  for (const BodyShape& shape : body.shapes) {
    const Eigen::AlignedBox3d box = bounds_of(shape.shape);
    for (int i = 0; i < 8; ++i) {
      const Vec3 corner = box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(i));
      radius = std::max(radius, (shape.X_BS * corner - body.com()).norm());
    }
  }
  return radius;
}

bool is_same_pair(const Contact& a, const Contact& b) { return a.body_a == b.body_a && a.body_b == b.body_b; }

double gap_in(const State& state, const Contact& contact) {
  const Pose X_b = contact.body_b == kWorld ? Pose{} : com_pose(state, contact.body_b);
  return evaluate_contact(contact, com_pose(state, contact.body_a), X_b).gap;
}

}  // namespace

ContactSearch::ContactSearch(const Model& model) : is_enabled_(model.contact().enabled), detector_(model) {
  for (const Body& body : model.bodies()) radii_.push_back(find_radius(body));
  margins_.resize(radii_.size());
  for (const double radius : radii_) near_.push_back(kNear * radius);
}

double ContactSearch::find_overlaps(const State& state, std::span<const Contact> known, std::vector<Contact>& missed) {
  missed.clear();
  if (!is_enabled_) return 0;
  detector_.detect(state, near_, found_);
  double depth = 0;
  for (std::size_t begin = 0, end = 0; begin < found_.size(); begin = end) {
    double least = 0;
    for (; end < found_.size() && is_same_pair(found_[end], found_[begin]); ++end)
      least = std::min(least, gap_in(state, found_[end]));
    depth = std::max(depth, -least);
    if (least < -kOverlap) add_missed(state, std::span(found_).subspan(begin, end - begin), known, missed);
  }
  return depth;
}

// All contacts of a pair of bodies that are new, if one of them is deep and new; or known, but elsewhere on the same features and less deep there.
void ContactSearch::add_missed(const State& state, std::span<const Contact> found, std::span<const Contact> known,
                               std::vector<Contact>& missed) const {
  const auto find_known = [&](const Contact& contact) -> const Contact* {
    const auto at = std::find_if(known.begin(), known.end(),
                                 [&](const Contact& k) { return k.id == contact.id && is_same_pair(k, contact); });
    return at == known.end() ? nullptr : &*at;
  };
  const std::size_t first = missed.size();
  bool has_missed = false;
  for (const Contact& contact : found) {
    const double gap = gap_in(state, contact);
    const bool is_deep = gap < -kOverlap;
    const Contact* twin = find_known(contact);
    if (twin != nullptr && (!is_deep || gap_in(state, *twin) < gap / 2)) continue;
    has_missed |= is_deep;
    missed.push_back(contact);
    if (twin != nullptr) missed.back().id = mix(contact.id, known.size());
  }
  if (!has_missed) missed.resize(first);
}

}  // namespace sinew
