#include "sinew/steppers/contact_report.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double kLeastSpeed = 1e-9;  // m/s, rad/s: what is slower does not slide

}  // namespace

void RubbingSum::add(const Touch& touch, const Vec6& impulse, const Vec6& velocity) {
  for (std::size_t d = 0; d < static_cast<std::size_t>(touch.disc_count); ++d) {
    const FrictionDisc& disc = touch.discs[d];  // its rows are orthonormal
    const auto r = impulse.segment(disc.first_row, disc.rows), w = velocity.segment(disc.first_row, disc.rows);
    if (!(w.norm() > kLeastSpeed)) continue;
    taken[d] -= r.dot(w);
    most[d] += r.norm() * w.norm();
  }
}

ContactReport make_contact_report(const Touch& touch, const Touch::Rows& C_a, const Vec6& force, const Vec6& velocity,
                                  const RubbingSum& rubbing, bool is_touching) {
  ContactReport contact;
  contact.body_a = touch.body_a;
  contact.body_b = touch.body_b;
  contact.id = touch.contact.id;
  contact.point_W = (touch.geometry.point_a_W + touch.geometry.point_b_W) / 2;
  contact.normal_W = touch.geometry.normal_W;
  contact.gap = touch.geometry.gap;
  contact.normal_force = force[0];
  contact.complementarity = contact.gap * contact.normal_force;
  contact.force_W = contact.normal_force * contact.normal_W;
  contact.is_touching = is_touching;
  const Vec3 n = C_a.row(0).head<3>().transpose();  // where the forces acted
  for (int d = 0; d < touch.disc_count; ++d) {
    const FrictionDisc& disc = touch.discs[static_cast<std::size_t>(d)];
    const double slack = disc.coefficient * force[0] - force.segment(disc.first_row, disc.rows).norm();
    const double speed = is_touching ? velocity.segment(disc.first_row, disc.rows).norm() : 0;
    const double alignment = is_touching ? rubbing.alignment(static_cast<std::size_t>(d)) : 1;
    const auto across = [&] {
      const auto [t1, t2] = contact_tangents(n);
      return Vec3(force[disc.first_row] * t1 + force[disc.first_row + 1] * t2);
    };
    if (disc.kind == FrictionDisc::Kind::Slide) {
      contact.force_W += across();
      contact.cone_slack = slack;
      contact.sliding_speed = speed;
      contact.dissipation_alignment = alignment;
      continue;
    }
    const bool is_spin = disc.kind == FrictionDisc::Kind::Spin;
    contact.torque_W += is_spin ? Vec3(force[disc.first_row] * n) : across();
    (is_spin ? contact.spin : contact.rolling) = {slack, speed, alignment};
  }
  return contact;
}

bool has_turning_friction(const Model& model) {
  const ContactSettings& contact = model.contact();
  const auto turns = [](const SurfaceLaw& law) { return law.spin_friction > 0 || law.rolling_friction > 0; };
  return contact.enabled && (std::ranges::any_of(contact.materials, turns) ||
                             std::ranges::any_of(contact.pairs, turns, &MaterialPair::law));
}

}  // namespace sinew
