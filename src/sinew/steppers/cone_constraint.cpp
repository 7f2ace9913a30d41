#include "sinew/steppers/cone_constraint.h"

#include <limits>

namespace sinew {
namespace {

constexpr double kFrictionRoom =
    10;  // part of the radius a warm start leaves where it sticks, over the root of its relative products

ConeVector cone_vector(double first, const Vec6& rows, const FrictionCone& cone) {
  ConeVector x(first, 0, 0, 0);
  for (int r = 0; r < cone.rows; ++r) x[1 + r] = rows[cone.first_row + r];
  return x;
}

/// Of a cone with sides: its friction has two rows.
Vec<2> sliding(const ConeVector& z) { return z.segment<2>(1); }

}  // namespace

ConeVector ConeConstraint::cone_delta_impulse(const FrictionCone& cone) const {
  return cone_vector(has_normal ? cone.coefficient * delta_impulse[0] : 0.0, delta_impulse, cone);
}
ConeVector ConeConstraint::cone_delta_velocity(const FrictionCone& cone) const {
  return cone_vector(cone.delta_psi, delta_velocity, cone);
}
ConeVector ConeConstraint::cone_impulse(const FrictionCone& cone, double length) const {
  const double radius = cone.radius + (has_normal ? cone.coefficient * impulse[0] : 0.0);
  const ConeVector x = cone_vector(radius, impulse, cone);
  return length == 0 ? x : ConeVector(x + length * cone_delta_impulse(cone));
}
ConeVector ConeConstraint::cone_velocity(const FrictionCone& cone, double length) const {
  const ConeVector z = cone_vector(cone.psi, velocity, cone);
  return length == 0 ? z : ConeVector(z + length * cone_delta_velocity(cone));
}

void ConeConstraint::start(double velocity_scale) {
  impulse.setZero();
  if (has_normal) {
    velocity[0] = velocity_scale;
    impulse[0] = velocity_scale / inverse_mass;
  }
  for (int i = 0; i < cone_count; ++i) {
    FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    cone.psi = std::max(velocity_scale, 1.5 * cone_velocity(cone).tail<3>().norm());
    if (!has_sides(cone)) continue;
    polygon.start(cone_impulse(cone)[0]);
    put_friction_of_polygon(cone);
  }
}

void ConeConstraint::put_friction_of_polygon(const FrictionCone& cone) {
  impulse.segment<2>(cone.first_row) = polygon.impulse();
}

void ConeConstraint::start_warm(double kappa, double velocity_scale) {
  const double sticking = 1 - std::min(kFrictionRoom * std::sqrt(kappa) / velocity_scale, 1.0);
  const double extra_velocity = std::sqrt(kappa), extra_impulse = std::sqrt(kappa) / inverse_mass;
  if (has_normal) {  // on the hyperbola s γ = κ M, from the side that is larger
    if (impulse[0] * inverse_mass >= target) {
      impulse[0] = std::max(impulse[0], extra_impulse);
      velocity[0] = kappa / inverse_mass / impulse[0];
    } else {
      velocity[0] = std::max(target, extra_velocity);
      impulse[0] = kappa / inverse_mass / velocity[0];
    }
  }
  for (int i = 0; i < cone_count; ++i) {
    FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    const ConeVector x = cone_impulse(cone), z = cone_velocity(cone);
    const double radius = x[0], speed = z.tail<3>().norm(), h = kappa / inverse_mass / radius;
    const double central = (h + std::hypot(h, 2 * speed)) / 2;  // ψ on the central path: R ψ − R w²/ψ = κ M
    const double most = std::max(sticking, speed / central) * radius, friction = x.tail<3>().norm();
    for (int r = 0; r < cone.rows && friction > most; ++r) impulse[cone.first_row + r] *= most / friction;
    const double part = std::min(friction, most) / radius;
    double room = 1 - part * part;
    if (speed > sticking * central) room = std::max(room, h / central);  // equal there but for rounding
    cone.psi = std::hypot(speed, h / std::sqrt(room));                   // det det = (κ M)²
    if (!has_sides(cone)) continue;
    polygon.start_warm(radius, sliding(cone_impulse(cone)), cone.psi, sliding(z), kappa / inverse_mass);
    put_friction_of_polygon(cone);
  }
}

double ConeConstraint::law_error() const {
  double error = has_normal ? std::abs(std::min(target, impulse[0] * inverse_mass)) : 0.0;
  for (int i = 0; i < cone_count; ++i) {
    const FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    if (has_sides(cone)) return std::numeric_limits<double>::infinity();
    const ConeVector x = cone_impulse(cone);
    const Vec3 wanted = x.tail<3>() - cone_velocity(cone).tail<3>() / inverse_mass;
    const double length = wanted.norm(), radius = std::max(x[0], 0.0);
    const Vec3 allowed = length <= radius ? wanted : Vec3(wanted * (radius / length));
    error = std::max(error, (allowed - x.tail<3>()).norm() * inverse_mass);
  }
  return error;
}

void ConeConstraint::rest() {
  if (has_normal) velocity[0] = std::max(target, 0.0);
  for (int i = 0; i < cone_count; ++i) {
    FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    cone.psi = cone_velocity(cone).tail<3>().norm();
  }
}

void ConeConstraint::set_sliding(const Vec6& rows_now) {
  for (int i = 0; i < cone_count; ++i) {
    FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    auto w = velocity.segment(cone.first_row, cone.rows);
    const auto now = rows_now.segment(cone.first_row, cone.rows);
    if (!has_sides(cone))
      cone.psi = std::sqrt(std::max(0.0, cone.psi * cone.psi + now.squaredNorm() - w.squaredNorm()));
    w = now;
  }
}

void ConeConstraint::scale() {
  K.setZero();
  if (has_normal) K(0, 0) = impulse[0] / velocity[0];
  for (int i = 0; i < cone_count; ++i) {
    FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    if (has_sides(cone)) {
      polygon.scale(cone_impulse(cone)[0], cone.psi, sliding(cone_velocity(cone)));
      K.block<2, 2>(cone.first_row, cone.first_row) = polygon.K_tt();
      K.block<2, 1>(cone.first_row, 0) = cone.coefficient * K(0, 0) * polygon.c();
      continue;
    }
    cone.scaling = ConeScaling(cone_impulse(cone), cone_velocity(cone));
    const ConeVector& w = cone.scaling.w;
    const double eta_squared = cone.scaling.eta_squared, size = 1 + 2 * w.tail<3>().squaredNorm();
    cone.Q_00 = eta_squared * size;
    cone.c = 2 * w[0] / size * w.tail<3>();
    for (int r = 0; r < cone.rows; ++r) {
      for (int t = 0; t < cone.rows; ++t)
        K(cone.first_row + r, cone.first_row + t) = eta_squared * ((r == t ? 1 : 0) - 2 / size * w[1 + r] * w[1 + t]);
      if (has_normal) K(cone.first_row + r, 0) = cone.c[r] * cone.coefficient * K(0, 0);
    }
  }
}

void ConeConstraint::aim(double kappa, double slack_error, bool with_correction) {
  k.setZero();
  if (has_normal) {
    double product = kappa / inverse_mass - velocity[0] * impulse[0];
    if (with_correction) product -= delta_velocity[0] * delta_impulse[0];
    k[0] = (product - impulse[0] * slack_error) / velocity[0];
  }
  for (int i = 0; i < cone_count; ++i) {
    FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    if (has_sides(cone)) {
      k.segment<2>(cone.first_row) =
          polygon.aim(kappa / inverse_mass, with_correction) + cone.coefficient * k[0] * polygon.c();
      continue;
    }
    const ConeScaling& scaling = cone.scaling;
    ConeVector product = ConeVector(kappa / inverse_mass, 0, 0, 0) - cone_product(scaling.v, scaling.v);
    if (with_correction) {
      product -= cone_product(scaling.W_inverse(cone_delta_impulse(cone)), scaling.W(cone_delta_velocity(cone)));
    }
    cone.scaled_target = scaling.W(cone_divide(product, scaling.v));
    const double radius_target = cone.scaled_target[0] - (has_normal ? cone.coefficient * k[0] : 0.0);
    for (int r = 0; r < cone.rows; ++r) k[cone.first_row + r] = cone.scaled_target[1 + r] - cone.c[r] * radius_target;
  }
}

void ConeConstraint::recover(const Vec6& delta_rows, double slack_error) {
  delta_impulse = k;
  delta_velocity.setZero();
  if (has_normal) delta_velocity[0] = slack_error;
  refine(delta_rows);
}

void ConeConstraint::refine(const Vec6& delta_rows) {
  for_rows(*this,
           [&]<int R>() { delta_impulse.head<R>().noalias() -= K.topLeftCorner<R, R>() * delta_rows.head<R>(); });
  delta_velocity += delta_rows;
  find_delta_psi();
}

void ConeConstraint::set_direction(const Vec6& delta_r, const Vec6& delta_rows, double slack_error) {
  delta_impulse = delta_r;
  delta_velocity = delta_rows;
  if (has_normal) delta_velocity[0] += slack_error;
  find_delta_psi();
}

void ConeConstraint::find_delta_psi() {
  for (int i = 0; i < cone_count; ++i) {
    FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    const ConeVector dz = cone_delta_velocity(cone);
    const double radius = has_normal ? cone.coefficient * delta_impulse[0] : 0.0;
    if (has_sides(cone)) {
      cone.delta_psi = polygon.recover(radius, sliding(dz));
      continue;
    }
    cone.delta_psi = (cone.scaled_target[0] - radius) / cone.Q_00 - cone.c.dot(dz.tail<3>());
  }
}

double ConeConstraint::max_step() const {
  double length = std::numeric_limits<double>::infinity();
  if (has_normal) {
    if (delta_velocity[0] < 0) length = std::min(length, -velocity[0] / delta_velocity[0]);
    if (delta_impulse[0] < 0) length = std::min(length, -impulse[0] / delta_impulse[0]);
  }
  for (int i = 0; i < cone_count; ++i) {
    const FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    if (has_sides(cone)) {
      length = std::min(length, polygon.max_step());
      continue;
    }
    length = std::min({length, cone_step(cone_impulse(cone), cone_delta_impulse(cone)),
                       cone_step(cone_velocity(cone), cone_delta_velocity(cone))});
  }
  return length;
}

void ConeConstraint::move(double length) {
  impulse += length * delta_impulse;
  velocity += length * delta_velocity;
  for (int i = 0; i < cone_count; ++i) {
    FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    cone.psi += length * cone.delta_psi;
    if (!has_sides(cone)) continue;
    polygon.move(length);
    put_friction_of_polygon(cone);
  }
}

void ConeConstraint::leap() {
  impulse += delta_impulse;
  if (has_normal) impulse[0] = std::max(impulse[0], 0.0);
  for (int i = 0; i < cone_count; ++i) {
    const FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    const ConeVector x = cone_impulse(cone);
    const double friction = x.tail<3>().norm();
    for (int r = 0; r < cone.rows && friction > x[0]; ++r) impulse[cone.first_row + r] *= x[0] / friction;
  }
}

ConeConstraint::Point ConeConstraint::point() const {
  Point point{.impulse = impulse, .velocity = velocity, .psi = {}};
  for (std::size_t i = 0; i < cones.size(); ++i) point.psi[i] = cones[i].psi;
  return point;
}

void ConeConstraint::return_to(const Point& point) {
  impulse = point.impulse;
  velocity = point.velocity;
  for (std::size_t i = 0; i < cones.size(); ++i) cones[i].psi = point.psi[i];
}

void ConeConstraint::shorten(double factor) {
  delta_impulse *= factor;
  polygon.shorten(factor);
}

ConeConstraint::Products ConeConstraint::products(double length) const {
  Products result;
  const auto add = [&](double product, double smallest) {
    result.sum += product * inverse_mass;
    result.largest = std::max(result.largest, product * inverse_mass);
    result.smallest = std::min(result.smallest, smallest * inverse_mass);
    ++result.count;
  };
  if (has_normal) {
    const double product = length == 0
                               ? velocity[0] * impulse[0]
                               : (velocity[0] + length * delta_velocity[0]) * (impulse[0] + length * delta_impulse[0]);
    add(product, product);
  }
  for (int i = 0; i < cone_count; ++i) {
    const FrictionCone& cone = cones[static_cast<std::size_t>(i)];
    if (has_sides(cone)) {
      polygon.for_products(cone_impulse(cone)[0], cone.psi, sliding(cone_velocity(cone)), length,
                           [&](double product) { add(product, product); });
      continue;
    }
    const ConeVector x = cone_impulse(cone, length), z = cone_velocity(cone, length);
    add(x.dot(z), std::sqrt(std::max(0.0, cone_determinant(x)) * std::max(0.0, cone_determinant(z))));
  }
  return result;
}

ConeConstraint::Products& ConeConstraint::Products::operator+=(const Products& other) {
  sum += other.sum;
  count += other.count;
  smallest = std::min(smallest, other.smallest);
  largest = std::max(largest, other.largest);
  return *this;
}

}  // namespace sinew
