// A world of a few shapes for tests: bodies of one shape each, at given poses of their shape frames.
#pragma once

#include <string>
#include <vector>

#include "sinew/contact/contact_detector.h"
#include "sinew/model/model_builder.h"

namespace sinew::test {

class ContactScene {
 public:
  int add(const Shape& shape, const Pose& X_WB) {
    Body body;
    body.name = "body" + std::to_string(poses_.size());
    body.mass_properties = mass_properties_of(shape, 1000);
    body.shapes.push_back({shape, Pose{}});
    poses_.push_back(X_WB);
    return builder_.add_body(std::move(body));
  }
  void add_world(const StaticShape& shape, const Pose& X_WS = {}) {
    WorldShape world;
    world.shape = shape;
    world.X_WS = X_WS;
    builder_.add_world_shape(std::move(world));
  }
  void finish(const ContactFilter& filter = {}) {
    model = std::move(builder_).finish();
    state = make_state(model);
    for (int i = 0; i < model.body_count(); ++i) set_pose(i, poses_[i]);
    detector = std::make_unique<ContactDetector>(model, filter);
  }
  void set_pose(int body, const Pose& X_WB) { set_body_pose(model, body, X_WB, state); }

  const std::vector<Contact>& detect(double margin = 0.01) {
    margins_.assign(static_cast<std::size_t>(model.body_count()), margin);
    detector->detect(state, margins_, contacts);
    return contacts;
  }
  ContactGeometry geometry(const Contact& c) const {
    return evaluate_contact(c, com_pose(state, c.body_a), com_pose(state, c.body_b));
  }
  double least_gap() const {
    double least = 1e300;
    for (const Contact& c : contacts) least = std::min(least, geometry(c).gap);
    return least;
  }

  Model model;
  State state;
  std::unique_ptr<ContactDetector> detector;
  std::vector<Contact> contacts;

 private:
  ModelBuilder builder_;
  std::vector<Pose> poses_;
  std::vector<double> margins_;
};

}  // namespace sinew::test
