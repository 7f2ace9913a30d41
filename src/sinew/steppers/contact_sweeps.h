// Coulomb's law contact by contact: each in turn is given the impulse that is right while the others stay (block Gauss-Seidel, [Jean1999]), in
// contact space, u = W r + u_free. Slow where many contacts share a load, but it follows no path that could end: what interior points
// (central_path.h) fall back on where friction leaves them none, and begin again from.
#pragma once

#include <Eigen/Core>
#include <span>

#include "sinew/steppers/central_path.h"

namespace sinew {

/// The impulse (n, t₁, t₂) of one contact with u = W r + b:  0 ≤ u_n ⊥ r_n ≥ 0,  |r_t| ≤ μ r_n, and u_t = −a r_t with a ≥ 0 where it slides.
/// W is about symmetric and positive.
Vec3 solve_contact(const Mat3& W, const Vec3& b, double mu);

struct SweepResult {
  bool converged = false;
  int sweeps = 0;
  double change = 0;  // of the last sweep, impulses as velocities of what they act on, m/s
};

/// Sweeps until impulses change by less than `tolerance` (m/s). Cones take the rows of W one after the other; their impulses are guesses, then the result;
/// `velocity` becomes u. Friction of sliding is round.
SweepResult sweep_contacts(const Eigen::MatrixXd& W, const VecX& free_velocity, double tolerance, int max_sweeps,
                           Cones cones, VecX& velocity);

}  // namespace sinew
