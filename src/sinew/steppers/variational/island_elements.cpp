// Forces along coordinates and of media in the equations of an island: half of their impulse, (dt/2) τ g(z_k)ᵀ or (dt/2) w, in (1), (2).
// With τ at the middle of the step, and w at the interval velocity (motion.h), their part of the matrix is
//   −(dt/2) g(z_k)ᵀ (τ_c dt/2 + τ_ċ) V,   V = ∂ċ/∂(v, ω) = (g_x, g_φ T/dt)(z_{k+1}),   and   (dt/2) D
// Of what is a rate alone, V = ½ (g(z_k) + g(z_{k+1})).
#include <algorithm>
#include <cmath>

#include "sinew/steppers/variational/elements.h"
#include "sinew/steppers/variational/island.h"

namespace sinew {

void Island::find_element_slots(const std::vector<int>& node_of) {
  for (const int e : parts_.elements) {
    ElementMotion& element = motion_.element(e);
    std::size_t n = 0;
    for (const int row : element.bodies) {
      for (const int column : element.bodies) {
        element.slots[n++] = row == column ? motion_.body(row).diagonal
                                           : ldu_.slot(node_of[static_cast<std::size_t>(row)],
                                                       node_of[static_cast<std::size_t>(column)]);
      }
    }
  }
}

// Efforts at the iterate, taken from the balance of the bodies.
void Island::evaluate_elements() {
  const double dt = motion_.dt;
  for (const int e : parts_.elements) {
    ElementMotion& element = motion_.element(e);
    element.c_next = element.force->coordinate(element.index, gather_places(element, &BodyMotion::next, motion_),
                                               element.c_here, element.next);
    element.change = element.c_next - element.c_here;
    if (element.force->is_rate_only(element.index)) {
      element.change = 0;
      for (std::size_t a = 0; a < element.bodies.size(); ++a) {
        const Vec6& u = motion_.body(element.bodies[a]).interval_velocity;
        element.change += dt / 2 * (element.here[a] + element.next[a]).dot(u);
      }
    }
    const Effort effort = element.force->effort(element.index, (element.c_here + element.c_next) / 2,
                                                element.change / dt, {motion_.time + dt / 2, motion_.control});
    element.effort = effort.value;
    element.slope = effort.by_coordinate * dt / 2 + effort.by_rate;
    element.scale = std::abs(dt) / 2 *
                    (std::abs(effort.value) + std::abs(effort.by_coordinate * element.c_here) +
                     std::abs(effort.by_rate * element.c_here / dt));
    for (std::size_t a = 0; a < element.bodies.size(); ++a)
      residual_.segment<6>(body_index(element.bodies[a])) -= dt / 2 * effort.value * element.here[a].transpose();
  }
  for (const int m : parts_.media) {
    MediumMotion& medium = motion_.medium(m);
    const BodyMotion& body = motion_.body(medium.body);
    medium.resistance = medium.force->resistance(body.interval_velocity);
    residual_.segment<6>(body.offset) -= dt / 2 * medium.resistance.wrench;
  }
}

void Island::add_element_sizes(double& velocity_scale) const {
  const auto add = [&](const BodyMotion& body, double linear, double angular) {
    velocity_scale = std::max({velocity_scale, linear * body.inverse_mass, angular * body.inverse_inertia});
  };
  for (const int e : parts_.elements) {
    const ElementMotion& element = motion_.element(e);
    for (std::size_t a = 0; a < element.bodies.size(); ++a) {
      const ElementMotion::Row& row = element.here[a];
      add(motion_.body(element.bodies[a]), element.scale * row.head<3>().norm(), element.scale * row.tail<3>().norm());
    }
  }
  const double half = std::abs(motion_.dt) / 2;
  for (const int m : parts_.media) {
    const MediumMotion& medium = motion_.medium(m);
    const Vec6& wrench = medium.resistance.wrench;
    add(motion_.body(medium.body), half * wrench.head<3>().norm(), half * wrench.tail<3>().norm());
  }
}

void Island::assemble_elements() {
  const double dt = motion_.dt;
  for (const int e : parts_.elements) {
    ElementMotion& element = motion_.element(e);
    const std::size_t n = element.bodies.size();
    for (std::size_t a = 0; a < n; ++a) {
      if (element.force->is_rate_only(element.index)) {
        element.V[a] = (element.here[a] + element.next[a]) / 2;
        continue;
      }
      element.V[a] = element.next[a];
      element.V[a].tail<3>() *= motion_.body(element.bodies[a]).turn_slope;
    }
    for (std::size_t a = 0; a < n; ++a) {
      const Vec6 column = -dt / 2 * element.slope * element.here[a].transpose();
      for (std::size_t b = 0; b < n; ++b) ldu_.block<6, 6>(element.slots[a * n + b]).noalias() += column * element.V[b];
    }
  }
  for (const int m : parts_.media) {
    const MediumMotion& medium = motion_.medium(m);
    ldu_.block<6, 6>(motion_.body(medium.body).diagonal) += dt / 2 * medium.resistance.D;
  }
}

void Island::multiply_elements(const VecX& direction, VecX& out) const {
  const double dt = motion_.dt;
  for (const int e : parts_.elements) {
    const ElementMotion& element = motion_.element(e);
    double rate = 0;
    for (std::size_t a = 0; a < element.bodies.size(); ++a)
      rate += element.V[a].dot(direction.segment<6>(body_index(element.bodies[a])));
    const double impulse = -dt / 2 * element.slope * rate;
    for (std::size_t a = 0; a < element.bodies.size(); ++a)
      out.segment<6>(body_index(element.bodies[a])) += impulse * element.here[a].transpose();
  }
  for (const int m : parts_.media) {
    const MediumMotion& medium = motion_.medium(m);
    const int offset = body_index(medium.body);
    out.segment<6>(offset).noalias() += dt / 2 * medium.resistance.D * direction.segment<6>(offset);
  }
}

}  // namespace sinew
