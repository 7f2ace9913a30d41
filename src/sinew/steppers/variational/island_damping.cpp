// Dampers and media that take a motion away within less than a step. With their effort at the middle of the step, half of it at either end, a rate
// r that nothing else changes goes like the midpoint rule,
//   r_{k+1}/r_k = (1 − x)/(1 + x),   x = d dt/(2 m),   d = −∂τ/∂ċ,   m: the inertia felt along the coordinate
// which tends to −1: positions are right, rates ring. So the half that acts at z_{k+1} is, to first order, by the rate there, with a share w:
//   τ' = τ + w ∂τ/∂ċ (ċ_{k+1} − (c_{k+1} − c_k)/dt),   w = x²/(1 + x²),   r_{k+1}/r_k = (1 − x + x²)/((1 + x)(1 + x² + x³))
// which is positive for all x, and tends to 0 [Hairer1996, IV.3]. The difference is of order dt⁴ where x is of order dt: the method stays of second order,
// and undamped springs keep their energy. Half of the wrench of a medium, w − D u, is treated likewise.
#include <algorithm>
#include <cmath>

#include "sinew/steppers/variational/island.h"

namespace sinew {
namespace {

constexpr double kLeastDamping = 0.1;  // x: below, w is less than 0.01 and left out
constexpr int kSymmetricOrder = 4;     // its composition needs a symmetric step

double share_of(double x) { return x * x / (1 + x * x); }

}  // namespace

template <class Work>
void Island::for_late_elements(const Work& work) const {
  for (const int e : parts_.elements) {
    if (motion_.element(e).late.share > 0) work(motion_.element(e));
  }
}
template <class Work>
void Island::for_late_media(const Work& work) const {
  for (const int m : parts_.media) {
    if (motion_.medium(m).late.share > 0) work(motion_.medium(m), motion_.body(motion_.medium(m).body));
  }
}

// g(z_{k+1}) u
double Island::rate_next(const ElementMotion& element, const VecX& velocities) const {
  double rate = 0;
  for (std::size_t a = 0; a < element.bodies.size(); ++a)
    rate += element.next[a].dot(velocities.segment<6>(body_index(element.bodies[a])));
  return rate;
}

// w of every damper and medium, after (1)-(3) are solved.
void Island::weigh_damping(const Variational& options) {
  for (const int e : parts_.elements) {
    ElementMotion& element = motion_.element(e);
    element.effort_next = element.effort;
    element.late = {};
    if (options.order != kSymmetricOrder) element.late.share = share_of(felt_damping(element));
  }
  for (const int m : parts_.media) {
    MediumMotion& medium = motion_.medium(m);
    medium.wrench_next = medium.resistance.wrench;
    medium.late = {};
    const BodyMotion& body = motion_.body(medium.body);
    const Mat6& D = medium.resistance.D;
    const double x = motion_.dt / 2 *
                     std::max(D.topLeftCorner<3, 3>().trace() * body.inverse_mass,
                              D.bottomRightCorner<3, 3>().trace() * body.inverse_inertia);
    if (options.order != kSymmetricOrder && x > kLeastDamping) medium.late.share = share_of(x);
  }
}

// x, 0 where it is small. Joints make the inertia felt larger than that of the bodies alone, by orders of magnitude for a light crank: the matrix of the
// last iterate knows it. With it the rate that unit effort gives is dt/(2 m (1 + q)), q what resists: x, springs, other dampers.
double Island::felt_damping(const ElementMotion& element) {
  const double resistance = -element.by_rate * motion_.dt / 2;
  double alone = 0;
  bool has_joints = false;
  for (std::size_t a = 0; a < element.bodies.size(); ++a) {
    const BodyMotion& body = motion_.body(element.bodies[a]);
    const Vec3 linear = element.here[a].head<3>(), angular = element.here[a].tail<3>();
    alone += body.inverse_mass * linear.squaredNorm() + angular.dot(body.inverse_inertia_matrix * angular);
    has_joints = has_joints || !motion_.model().joint_ends(element.bodies[a]).empty();
  }
  if (!(resistance * alone > kLeastDamping)) return 0;
  if (!has_joints) return resistance * alone;
  newton_step_.setZero();
  for (std::size_t a = 0; a < element.bodies.size(); ++a)
    newton_step_.segment<6>(body_index(element.bodies[a])) = element.here[a].transpose();
  ldu_.solve(newton_step_);
  const double mobility = std::max(rate_next(element, newton_step_), 0.0);  // 1/(m (1 + q))
  const double others =
      1 + std::min(motion_.dt / 2 * element.slope * mobility, 0.0);  // 1/(1 + q), if nothing else resists
  const double x = resistance * mobility / others;
  return others > 0 && x < resistance * alone ? x : resistance * alone;
}

// Their constant part, w ∂τ/∂ċ (c_k − c_{k+1})/dt, in the momenta, and what they would do their work on without the rest.
void Island::start_late_damping() {
  const double half = motion_.dt / 2;
  const auto before = [&](const BodyMotion& body) {
    Vec6 velocity = 2 * body.interval_velocity - body.velocity_here;
    if (!cones_.empty()) velocity -= body.response;
    return velocity;
  };
  const auto push = [&](BodyMotion& body, const Vec6& impulse) {
    body.p += impulse.head<3>();
    body.pi += impulse.tail<3>();
  };
  for_late_elements([&](ElementMotion& element) {
    const double effort = -element.late.share * element.by_rate * element.change / motion_.dt;
    element.late.rate_before = 0;
    for (std::size_t a = 0; a < element.bodies.size(); ++a) {
      BodyMotion& body = motion_.body(element.bodies[a]);
      element.late.rate_before += element.next[a].dot(before(body));
      push(body, half * effort * element.next[a].transpose());
    }
  });
  for_late_media([&](MediumMotion& medium, BodyMotion& body) {
    medium.velocity_before = before(body);
    push(body, half * medium.late.share * medium.resistance.D * body.interval_velocity);
  });
}

void Island::evaluate_late_damping() { multiply_late_damping(unknowns_, residual_); }

void Island::assemble_late_damping() {
  const double half = motion_.dt / 2;
  for_late_elements([&](const ElementMotion& element) {
    const std::size_t n = element.bodies.size();
    for (std::size_t a = 0; a < n; ++a) {
      const Vec6 column = -half * element.late.share * element.by_rate * element.next[a].transpose();
      for (std::size_t b = 0; b < n; ++b)
        ldu_.block<6, 6>(element.slots[a * n + b]).noalias() += column * element.next[b];
    }
  });
  for_late_media([&](const MediumMotion& medium, const BodyMotion& body) {
    ldu_.block<6, 6>(body.diagonal) += half * medium.late.share * medium.resistance.D;
  });
}

void Island::multiply_late_damping(const VecX& direction, VecX& out) const {
  const double half = motion_.dt / 2;
  for_late_elements([&](const ElementMotion& element) {
    const double impulse = -half * element.late.share * element.by_rate * rate_next(element, direction);
    for (std::size_t a = 0; a < element.bodies.size(); ++a)
      out.segment<6>(body_index(element.bodies[a])) += impulse * element.next[a].transpose();
  });
  for_late_media([&](const MediumMotion& medium, const BodyMotion& body) {
    out.segment<6>(body.offset) += half * medium.late.share * medium.resistance.D * direction.segment<6>(body.offset);
  });
}

// Efforts and wrenches as they were in the end, and their work: each part of them acts along the mean of the velocities before and after it, contacts that
// push at z_{k+1} coming last (variational_books.cpp).
void Island::finish_late_damping() {
  const double half = motion_.dt / 2;
  const VecX& free = active_cones_.empty() ? unknowns_ : free_velocities_;
  for_late_elements([&](ElementMotion& element) {
    const double slope = element.late.share * element.by_rate, middle = element.change / motion_.dt;
    const double first = rate_next(element, free), last = rate_next(element, unknowns_);
    element.effort_next = element.effort + slope * (last - middle);
    element.late.work =
        half / 2 * slope * ((first - middle) * (element.late.rate_before + first) + (last - first) * (first + last));
  });
  for_late_media([&](MediumMotion& medium, const BodyMotion& body) {
    const Mat6 slope = -medium.late.share * medium.resistance.D;
    const Vec6 first = free.segment<6>(body.offset), last = unknowns_.segment<6>(body.offset);
    medium.wrench_next = medium.resistance.wrench + slope * (last - body.interval_velocity);
    medium.late.work = half / 2 *
                       ((slope * (first - body.interval_velocity)).dot(medium.velocity_before + first) +
                        (slope * (last - first)).dot(first + last));
  });
}

}  // namespace sinew
