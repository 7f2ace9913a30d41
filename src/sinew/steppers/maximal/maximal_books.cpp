// What a step reports besides the State: work, outside impulses, contacts.
#include <algorithm>

#include "sinew/spatial/blocks.h"
#include "sinew/steppers/contact_report.h"
#include "sinew/steppers/maximal/maximal_stepper.h"

namespace sinew {
namespace {

void book_impulse(const BodyPlace& place, const Vec6& impulse, StepReport& report) {
  report.linear_impulse += impulse.head<3>();
  report.angular_impulse += place.x_W.cross(impulse.head<3>()) + place.R_WB * impulse.tail<3>();
}

}  // namespace

void MaximalStepper::book(const State& state, StepReport& report) {
  book_forces(state, report);
  book_constraints(report);
  book_touches(report);
  report_contacts(report);
}

// Impulse of a force in (1): h (f + hK u − D (u − u_k)); its work is over the motion of the step, W = impulse · ū. Forces along coordinates
// book what is not in their potential energy: W + ΔV. Linearised forces between bodies cancel in force but, for finite h, not in torque.
void MaximalStepper::book_forces(const State& state, StepReport& report) {
  const auto act = [&](std::size_t source, int body, const Vec6& impulse) {
    report.work[source] += impulse.dot(u_motion_.segment<6>(6 * body));
    book_impulse(here_[static_cast<std::size_t>(body)], impulse, report);
  };
  std::size_t source = 0;
  for (std::size_t e = 0; e < wrenches_.entries.size(); ++e) {
    while (e >= wrenches_.ends[source]) ++source;
    const AppliedWrench& wrench = wrenches_.entries[e];
    act(source, wrench.body, dt_ * stacked(wrench.force_W, wrench.torque_B));
  }
  source = 0;
  for (std::size_t e = 0; e < derivatives_.size(); ++e) {
    while (e >= derivative_ends_[source]) ++source;
    const ForceDerivative& d = derivatives_[e];
    const auto u = [&](int body) { return u_.segment<6>(6 * body); };
    const auto delta = [&](int body) { return u(body) - u_here_.segment<6>(6 * body); };
    act(source, d.row, dt_ / 2 * (dt_ * d.K * u(d.column) - d.D * delta(d.column)));
    act(source, d.column, dt_ / 2 * (dt_ * d.K.transpose() * u(d.row) - d.D.transpose() * delta(d.row)));
  }
  compute_kinematics(system_.model(), next_, kinematics_next_);
  const ForceContext before{system_.model(), state, kinematics_, state.time};
  const ForceContext after{system_.model(), next_, kinematics_next_, next_.time};
  for (int f = 0; f < system_.force_count(); ++f) {
    const Force& force = system_.force(f);
    if (force.as_coordinate_force() == nullptr) continue;
    report.work[static_cast<std::size_t>(f)] += force.potential_energy(after) - force.potential_energy(before);
  }
}

// Impulses of joints to the world and of constraints that are not joints.
void MaximalStepper::book_constraints(StepReport& report) const {
  const auto book_end = [&](const ConstraintBlock& block, std::span<const BodyPlace> places, const VecX& impulses) {
    if (!block.holds_on_to_world) return;
    Vec6 impulse = Vec6::Zero();
    impulse.head(block.rows) = impulses.segment(block.first_row, block.rows);
    for (std::size_t b = 0; b < block.body_count; ++b)
      book_impulse(places[static_cast<std::size_t>(block.bodies[b])], block.G[b].transpose() * impulse, report);
  };
  for (const ConstraintBlock& block : blocks_here_) book_end(block, here_, impulse_here_);
  for (const ConstraintBlock& block : blocks_next_) book_end(block, next_places_, impulse_next_);
}

// W += r · C (u_k + u)/2: what the impulses of contacts take out of the kinetic energy, impacts included.
void MaximalStepper::book_touches(StepReport& report) const {
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    const Vec6 impulse = contact_problem_.impulse(t);
    const auto mean = [&](int body) { return (u_here_.segment<6>(6 * body) + u_.segment<6>(6 * body)) / 2; };
    report.work.back() += impulse.dot(touch.C_a * mean(touch.body_a));
    if (touch.body_b != kWorld) {
      report.work.back() += impulse.dot(touch.C_b * mean(touch.body_b));
    } else {
      book_impulse(here_[static_cast<std::size_t>(touch.body_a)], touch.C_a.transpose() * impulse, report);
    }
  }
}

// Certificates of the contacts of this step, at its end.
void MaximalStepper::report_contacts(StepReport& report) {
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    Touch& touch = touches_[t];
    if (touch.kind != Touch::Kind::Contact) continue;
    const Vec6 velocity = touch_velocity(touch, u_), impulse = contact_problem_.impulse(t);
    const Touch::Rows C_here = touch.C_a;
    const auto place = [&](int body) {
      return body == kWorld ? world_place() : next_places_[static_cast<std::size_t>(body)];
    };
    move_touch(system_.model(), place(touch.body_a), place(touch.body_b), touch);
    RubbingSum rubbing;
    rubbing.add(touch, impulse, velocity);
    const ContactReport contact = make_contact_report(touch, C_here, impulse / dt_, velocity, rubbing, impulse[0] > 0);
    report.contacts.push_back(contact);
    report.contact_summary.include(contact);
  }
  report.contact_summary.penetration =  // also where no contact was looked at
      std::max(report.contact_summary.penetration, search_.find_overlaps(next_, contacts_, missed_));
}

void MaximalStepper::remember_contacts() {
  touching_.clear();
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    if (touches_[t].kind == Touch::Kind::Contact && contact_problem_.impulse(t)[0] > 0)
      touching_.emplace_back(touches_[t].contact.id, t);
  }
  std::sort(touching_.begin(), touching_.end());
  next_.contact_id.clear();
  next_.contact_force.clear();
  for (const auto& [id, t] : touching_) {
    next_.contact_id.push_back(id);
    next_.contact_force.push_back(contact_problem_.impulse(t) / dt_);
  }
}

}  // namespace sinew
