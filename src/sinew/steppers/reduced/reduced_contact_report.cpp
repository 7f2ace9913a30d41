// What impulses of contacts, joint stops and friction have done: their work, certificates of contacts, and what the next step begins with
// (reduced_contact.h).
#include <algorithm>

#include "sinew/steppers/reduced/reduced_contact.h"

namespace sinew {

double ReducedContact::work() const {
  double sum = 0;
  for (int r = 0; r < impulse_.size(); ++r) sum += impulse_[r] * (velocity_[r] + problem_.W().row(r).dot(impulse_) / 2);
  return sum;
}

double ReducedContact::work_until(const VecX& v, const ReducedDynamics& dynamics) {
  multiply_jacobian(dynamics.tree(), dynamics.motion(), v, twists_);
  double sum = 0;
  for (int r = 0; r < impulse_.size(); ++r) sum += impulse_[r] * (velocity_[r] + rows_.rate(r, twists_, v)) / 2;
  return sum;
}

void ReducedContact::gather() {
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    if (touches_[t].kind != Touch::Kind::Contact) continue;
    auto acted = find_acted(touches_[t]);
    if (acted == acted_.end()) acted = acted_.insert(acted, ActedContact{});
    acted->touch = touches_[t];
    acted->impulse += impulse_here_[t] + problem_.impulse(t);
    for (int r = 0; r < touches_[t].rows; ++r) {
      const int row = problem_.first_row(t) + r;
      acted->velocity[r] = velocity_[row] + problem_.W().row(row).dot(impulse_);
    }
    acted->rubbing.add(touches_[t], impulse_here_[t], sliding_here_[t]);
    acted->rubbing.add(touches_[t], problem_.impulse(t), acted->velocity);
  }
}

// The certificate of a contact is of the moment when it had its last impulse; its gap is that of the end.
void ReducedContact::report(const State& end, StepReport& report) {
  for (ActedContact& acted : acted_) {
    Touch& touch = acted.touch;
    ContactReport& contact = report.contacts.emplace_back(
        make_contact_report(touch, touch.C_a, acted.impulse / step_, acted.velocity, acted.rubbing, true));
    move_touch(model_, body_place(end, touch.body_a), body_place(end, touch.body_b), touch);
    contact.gap = touch.gap;
  }
  const auto add_near = [&](const Touch& touch) {
    if (touch.kind == Touch::Kind::Contact && find_acted(touch) == acted_.end())
      report.contacts.push_back(make_contact_report(touch, touch.C_a, Vec6::Zero(), Vec6::Zero(), {}, false));
  };
  for (const Touch& touch : inactive_) add_near(touch);
  watch_.place(end);
  for (const Touch& touch : watch_.touches()) add_near(touch);
  for (const ContactReport& contact : report.contacts) report.contact_summary.include(contact);
  report.contact_summary.penetration =
      std::max(report.contact_summary.penetration, search_.find_overlaps(end, contacts_, missed_));
}

auto ReducedContact::find_acted(const Touch& touch) -> std::vector<ActedContact>::iterator {
  return std::find_if(acted_.begin(), acted_.end(), [&](const ActedContact& acted) {
    const Touch& other = acted.touch;
    return other.contact.id == touch.contact.id && other.body_a == touch.body_a && other.body_b == touch.body_b;
  });
}

void ReducedContact::remember(State& state) {
  touching_.clear();
  for (std::size_t t = 0; t < touches_.size(); ++t)
    if (touches_[t].kind == Touch::Kind::Contact) touching_.emplace_back(touches_[t].contact.id, t);
  std::sort(touching_.begin(), touching_.end());
  state.contact_id.clear();
  state.contact_force.clear();
  for (const auto& [id, t] : touching_) {
    state.contact_id.push_back(id);
    state.contact_force.push_back(problem_.impulse(t) / share_);
  }
}

}  // namespace sinew
