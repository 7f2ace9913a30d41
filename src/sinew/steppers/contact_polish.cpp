#include "sinew/steppers/contact_polish.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int kMaxSteps = 20;
constexpr int kMaxHalvings = 7;  // of a step
constexpr double kShare =
    1e-10;  // of c, added to W where a load may be shared in many ways: the step then changes shares little

/// A friction disc: what it should be, and where.
struct DiscState {
  Vec3 wanted = Vec3::Zero();  // β − w/c
  double length = 0, radius = 0;

  DiscState(const ConeConstraint& cone, const FrictionCone& disc, const VecX& velocity, int first) {
    for (int k = 0; k < disc.rows; ++k) {
      const int row = disc.first_row + k;
      wanted[k] = cone.impulse[row] - velocity[first + row] / cone.inverse_mass;
    }
    length = wanted.norm();
    radius = disc.radius + (cone.has_normal ? disc.coefficient * std::max(cone.impulse[0], 0.0) : 0.0);
  }
  bool sticks() const { return length <= radius; }
  Vec3 allowed() const { return sticks() ? wanted : Vec3(wanted * (radius / length)); }
};

template <class Work>
void for_cones(Cones cones, const Work& work) {
  int first = 0;
  for (ConeConstraint* cone : cones) {
    work(*cone, first);
    first += cone->rows;
  }
}

bool is_closed(const ConeConstraint& cone, double normal_velocity) {
  return cone.impulse[0] * cone.inverse_mass > normal_velocity;
}

}  // namespace

double ContactPolish::find_error(Cones cones, const VecX& velocity) {
  double error = 0;
  for_cones(cones, [&](const ConeConstraint& cone, int first) {
    if (cone.has_normal)
      error = std::max(error, std::abs(std::min(velocity[first], cone.impulse[0] * cone.inverse_mass)));
    for (int d = 0; d < cone.cone_count; ++d) {
      const FrictionCone& disc = cone.cones[static_cast<std::size_t>(d)];
      Vec3 off = DiscState(cone, disc, velocity, first).allowed();
      for (int k = 0; k < disc.rows; ++k) off[k] -= cone.impulse[disc.first_row + k];
      error = std::max(error, off.norm() * cone.inverse_mass);
    }
  });
  return error;
}

void ContactPolish::find_velocity(const Eigen::MatrixXd& W, const VecX& free_velocity, Cones cones) {
  velocity_ = free_velocity;
  for_cones(cones, [&](const ConeConstraint& cone, int first) {
    for (int k = 0; k < cone.rows; ++k)
      if (cone.impulse[k] != 0) velocity_ += cone.impulse[k] * W.col(first + k);
  });
}

// Rows times c, so that all are velocities. Closed and sticking: u = 0. Open: r = 0. Sliding, d = (β − w/c)/|…|, R its radius:
//   δβ − d δR − (R/|β − w/c|) (1 − d dᵀ)(δβ − δw/c) = R d − β
void ContactPolish::assemble(const Eigen::MatrixXd& W, Cones cones) {
  matrix_ = W;
  right_ = -velocity_;
  for_cones(cones, [&](const ConeConstraint& cone, int first) {
    const double c = cone.inverse_mass;
    for (int k = 0; k < cone.rows; ++k) matrix_(first + k, first + k) += kShare * c;
    if (cone.has_normal && !is_closed(cone, velocity_[first])) {
      matrix_.row(first).setZero();
      matrix_(first, first) = c;
      right_[first] = -c * cone.impulse[0];
    }
    for (int i = 0; i < cone.cone_count; ++i) {
      const FrictionCone& disc = cone.cones[static_cast<std::size_t>(i)];
      const DiscState state(cone, disc, velocity_, first);
      if (state.sticks()) continue;
      const Vec3 d = state.wanted / state.length;
      const double part = state.radius / state.length;
      const int begin = first + disc.first_row;
      for (int k = 0; k < disc.rows; ++k) {
        matrix_.row(begin + k) *= part;  // (R/|…|) δw, then without its share along d
        right_[begin + k] = c * (state.radius * d[k] - cone.impulse[disc.first_row + k]);
      }
      for (Eigen::Index column = 0; column < matrix_.cols(); ++column) {
        double along = 0;
        for (int k = 0; k < disc.rows; ++k) along += d[k] * matrix_(begin + k, column);
        for (int k = 0; k < disc.rows; ++k) matrix_(begin + k, column) -= along * d[k];
      }
      for (int k = 0; k < disc.rows; ++k) {
        for (int m = 0; m < disc.rows; ++m)
          matrix_(begin + k, begin + m) += c * ((k == m ? 1 - part : 0.0) + part * d[k] * d[m]);
        if (cone.has_normal && cone.impulse[0] > 0) matrix_(begin + k, first) -= c * disc.coefficient * d[k];
      }
    }
  });
}

void ContactPolish::move(Cones cones, double length) const {
  for_cones(cones, [&](ConeConstraint& cone, int first) {
    cone.impulse.head(cone.rows) += length * delta_.segment(first, cone.rows);
  });
}

// Along delta_, less and less of it until the law is obeyed better. False: it never is, and impulses are as before.
bool ContactPolish::search_line(const Eigen::MatrixXd& W, const VecX& free_velocity, Cones cones, double& error) {
  double length = 1;
  for (int halvings = 0; halvings < kMaxHalvings; ++halvings, length /= 2) {
    move(cones, length);
    find_velocity(W, free_velocity, cones);
    const double now = find_error(cones, velocity_);
    if (now < error) {
      error = now;
      return true;
    }
    move(cones, -length);
  }
  return false;
}

double ContactPolish::polish(const Eigen::MatrixXd& W, const VecX& free_velocity, double tolerance, Cones cones) {
  find_velocity(W, free_velocity, cones);
  double error = find_error(cones, velocity_);
  for (int step = 0; step < kMaxSteps && error > tolerance; ++step) {
    assemble(W, cones);
    lu_.compute(matrix_);
    delta_ = lu_.solve(right_);
    if (!delta_.allFinite() || !search_line(W, free_velocity, cones, error)) break;
  }
  return error;
}

}  // namespace sinew
