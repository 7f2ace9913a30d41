#include "sinew/steppers/contact_report.h"

namespace sinew {

ContactReport make_contact_report(const Touch& touch, const Touch::Rows& C_a, const Vec6& force, const Vec6& velocity,
                                  bool is_touching) {
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
  if (touch.disc_count > 0 && touch.discs[0].kind == FrictionDisc::Kind::Slide) {
    const Vec3 t1 = C_a.row(1).head<3>().transpose(), t2 = C_a.row(2).head<3>().transpose();
    const Vec3 friction_W = force[1] * t1 + force[2] * t2;
    contact.force_W += friction_W;
    contact.cone_slack = touch.discs[0].coefficient * contact.normal_force - friction_W.norm();
    if (is_touching) {
      const Vec3 sliding = velocity[1] * t1 + velocity[2] * t2;
      const double product = friction_W.norm() * sliding.norm();
      contact.sliding_speed = sliding.norm();
      contact.dissipation_alignment = product > 0 ? -friction_W.dot(sliding) / product : 1;
    }
  }
  contact.is_touching = is_touching;
  return contact;
}

}  // namespace sinew
