#include "sinew/solvers/contact_space.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include "sinew/core/error.h"

namespace sinew {

void check_contact_space(const ContactSpace& space) {
  const Eigen::Index size = 3 * space.friction.size();
  const auto fail = [](const std::string& message) { throw Error(ErrorKind::Input, "contact space", message); };
  if (space.W.rows() != size || space.W.cols() != size) {
    fail(fmt::format("W: expected {0} × {0}, three rows per contact, got {1} × {2}", size, space.W.rows(),
                     space.W.cols()));
  }
  if (space.free_velocity.size() != size) {
    fail(fmt::format("free_velocity: expected {} entries, got {}", size, space.free_velocity.size()));
  }
  if (!space.is_bilateral.empty() && static_cast<int>(space.is_bilateral.size()) != space.contacts()) {
    fail(fmt::format("is_bilateral: expected {} entries or none, got {}", space.contacts(), space.is_bilateral.size()));
  }
  if (space.contacts() > 0 && !(space.friction.minCoeff() >= 0)) fail("friction: expected coefficients of at least 0");
}

void compute_delassus(int contacts, const ImpulseResponse& response, Eigen::MatrixXd& W) {
  W.resize(3 * contacts, 3 * contacts);
  VecX impulse = VecX::Zero(3 * contacts), velocity(3 * contacts);
  for (int j = 0; j < 3 * contacts; ++j) {
    impulse[j] = 1;
    response(impulse, velocity);
    W.col(j) = velocity;
    impulse[j] = 0;
  }
}

// Corners at angles 2πj/k on the unit circle: faces half-way between them, at distance cos(π/k).
FrictionSet FrictionSet::polygon(int directions) {
  if (directions < 3)
    throw Error(ErrorKind::Input, "friction", fmt::format("directions: expected 3 or more, got {}", directions));
  const double half = std::numbers::pi / directions;
  return {directions, std::cos(half), half};
}

FrictionSet FrictionSet::box() { return {4, 1.0, 0.0}; }

Eigen::Vector2d FrictionSet::normal(int face) const {
  const double angle = first_angle_ + 2 * std::numbers::pi * face / faces_;
  return {std::cos(angle), std::sin(angle)};
}

Eigen::Vector2d FrictionSet::project(const Eigen::Vector2d& beta, double bound) const {
  if (is_disc()) {
    const double length = beta.norm();
    return length > bound ? Eigen::Vector2d(beta * (bound / length)) : beta;
  }
  const double reach = bound * offset_, half_edge = reach * std::tan(std::numbers::pi / faces_);
  Eigen::Vector2d nearest = beta;
  double distance = 0;
  bool is_inside = true;
  for (int face = 0; face < faces_; ++face) {
    const Eigen::Vector2d n = normal(face), along(-n.y(), n.x());
    is_inside = is_inside && n.dot(beta) <= reach;
    const Eigen::Vector2d on_edge = reach * n + std::clamp(along.dot(beta), -half_edge, half_edge) * along;
    if (face == 0 || (on_edge - beta).norm() < distance) {
      nearest = on_edge;
      distance = (on_edge - beta).norm();
    }
  }
  return is_inside ? beta : nearest;
}

double compute_contact_residual(const ContactSpace& space, const FrictionSet& set, const VecX& impulse,
                                const VecX& velocity) {
  double worst = 0;
  for (int i = 0; i < space.contacts(); ++i) {
    const int k = 3 * i;
    const double alpha = impulse[k], w_n = velocity[k];
    worst = std::max(worst, space.bilateral(i) ? std::abs(w_n) : std::abs(std::min(w_n, space.W(k, k) * alpha)));
    const Eigen::Vector2d beta = impulse.segment<2>(k + 1), w_t = velocity.segment<2>(k + 1);
    const double W_tt = (space.W(k + 1, k + 1) + space.W(k + 2, k + 2)) / 2;
    if (W_tt == 0) continue;
    const Eigen::Vector2d best = set.project(beta - w_t / W_tt, space.friction[i] * std::abs(alpha));
    worst = std::max(worst, W_tt * (beta - best).norm());
  }
  return worst;
}

}  // namespace sinew
