#include "sinew/steppers/contact_search.h"

namespace sinew {
namespace {

ContactFilter make_filter(const Model& model) {
  return {.joined_bodies_collide = model.contact().joined_bodies_collide,
          .excluded_bodies = model.contact().excluded_bodies};
}

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

}  // namespace

ContactSearch::ContactSearch(const Model& model)
    : is_enabled_(model.contact().enabled), detector_(model, make_filter(model)) {
  for (const Body& body : model.bodies()) radii_.push_back(find_radius(body));
  margins_.resize(radii_.size());
}

}  // namespace sinew
