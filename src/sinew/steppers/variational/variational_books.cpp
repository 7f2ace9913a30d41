// What a step reports besides the State: work, outside impulses, contacts.
#include "sinew/steppers/contact_report.h"
#include "sinew/steppers/variational/couplings.h"
#include "sinew/steppers/variational/elements.h"
#include "sinew/steppers/variational/variational_stepper.h"

namespace sinew {

// W += (dt/2) (F·v + τ·ω) with the interval velocities, at each end of the step.
void VariationalStepper::book_work(const AppliedWrenches& wrenches, StepReport& report) const {
  std::size_t source = 0;
  for (std::size_t e = 0; e < wrenches.entries.size(); ++e) {
    while (e >= wrenches.ends[source]) ++source;
    const AppliedWrench& wrench = wrenches.entries[e];
    const Vec6& velocity = motion_.body(wrench.body).interval_velocity;
    report.work[source] +=
        motion_.dt / 2 * (wrench.force_W.dot(velocity.head<3>()) + wrench.torque_B.dot(velocity.tail<3>()));
  }
}

// W += τ Δc + ΔV along coordinates: what is not in the potential energy; W += dt w·(v, ω) of media.
void VariationalStepper::book_elements(StepReport& report) const {
  for (const ElementMotion& element : motion_.elements) {
    report.work[static_cast<std::size_t>(element.source)] += element.effort * element.change +
                                                             element.force->energy(element.index, element.c_next) -
                                                             element.force->energy(element.index, element.c_here);
  }
  for (const MediumMotion& medium : motion_.media) {
    report.work[static_cast<std::size_t>(medium.source)] +=
        motion_.dt * medium.resistance.wrench.dot(motion_.body(medium.body).interval_velocity);
  }
}

// Impulses of all forces, of joints to the world and of other constraints. Forces between bodies cancel in the sum, and those on bodies that
// sleep in the pose that they keep.
void VariationalStepper::book_impulses(const AppliedWrenches& wrenches, bool at_next, StepReport& report) const {
  const auto book = [&](int body, const Vec3& impulse_W, const Vec3& angular_impulse_B) {
    const BodyPlace& place = at_next ? motion_.place_next(body) : motion_.place_here(body);
    report.linear_impulse += impulse_W;
    report.angular_impulse += place.x_W.cross(impulse_W) + place.R_WB * angular_impulse_B;
  };
  const double half = motion_.dt / 2;
  for (const AppliedWrench& wrench : wrenches.entries) {
    if (!motion_.body(wrench.body).is_asleep) book(wrench.body, half * wrench.force_W, half * wrench.torque_B);
  }
  for_element_impulses(motion_, at_next, book);
  for (int j = 0; j < system_.model().joint_count(); ++j) {
    const ModelJoint& joint = system_.model().joint(j);
    if (joint.parent != kWorld || joint.rows == 0) continue;
    const Vec6& wrench = motion_.joints[static_cast<std::size_t>(j)].wrench_child;
    book(joint.child, wrench.head<3>(), wrench.tail<3>());
  }
  for_coupling_wrenches(motion_, book);
  for (std::size_t c = 0; c < motion_.cones.size(); ++c) {
    const ConeConstraint& cone = motion_.cones[c];
    if (cone.body_b != kWorld || !pushes(c, at_next)) continue;
    const Vec6 wrench = cone.C_a.transpose() * cone.impulse;
    book(cone.body_a, wrench.head<3>(), wrench.tail<3>());
  }
}

// Whether a cone has an impulse to book at this end of the step.
bool VariationalStepper::pushes(std::size_t cone, bool at_next) const {
  return !motion_.is_asleep(motion_.cones[cone]) && (!at_next || motion_.cone_origins[cone].is_active);
}

// W += r · C (velocity before + after)/2 of every contact impulse, joints being held before and after it: impulses at z_k change (v_k, ω_k) by
// the response, before the half kick of smooth forces and joints, those at z_{k+1} end at (v_{k+1}, ω_{k+1}). Then kicks do their work over the
// interval, as book_work() says, and the books close over impacts, too. With the interval velocity instead, which joints bend by O(dt), they close to
// first order only.
void VariationalStepper::book_cones(bool at_next, StepReport& report) const {
  const auto velocity = [&](int body) {
    const BodyMotion& data = motion_.body(body);
    return at_next ? Vec6(data.velocity_next - data.response / 2) : Vec6(data.velocity_here + data.response / 2);
  };
  for (std::size_t c = 0; c < motion_.cones.size(); ++c) {
    const ConeConstraint& cone = motion_.cones[c];
    if (!pushes(c, at_next)) continue;
    Vec6 u = cone.C_a * velocity(cone.body_a);
    if (cone.body_b != kWorld) u += cone.C_b * velocity(cone.body_b);
    report.work.back() += cone.impulse.dot(u);
  }
}

// Certificates of the contacts of this step, at its end.
void VariationalStepper::report_contacts(StepReport& report) const {
  for (std::size_t c = 0; c < motion_.cones.size(); ++c) {
    const ConeConstraint& cone = motion_.cones[c];
    const ConeOrigin& origin = motion_.cone_origins[c];
    if (origin.kind != ConeOrigin::Kind::Contact) continue;
    const Vec6 force = (origin.impulse_here + origin.impulse_next) / motion_.dt;
    RubbingSum rubbing;
    rubbing.add(origin, origin.impulse_here, origin.sliding_here);
    rubbing.add(origin, origin.impulse_next, cone.velocity);
    const ContactReport contact =
        make_contact_report(origin, cone.C_a, force, cone.velocity, rubbing, origin.is_active);
    report.contacts.push_back(contact);
    report.contact_summary.include(contact);
  }
}

}  // namespace sinew
