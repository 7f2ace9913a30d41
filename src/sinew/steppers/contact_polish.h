// Newton's method on Coulomb's law written as equations, for impulses that are nearly right. With u = W r + u_free and c the mobility of a contact,
//
//   r_n = max(0, r_n − u_n/c),   β = P(β − w/c),  P the nearest point of the disc of radius μ r_n + R₀                      [Alart1991]
//
// An interior point ends at products of impulse and velocity, which fall with the square of the angle between friction and sliding: small ones
// leave directions open to their root. Here open, closed, sticking and sliding are told from the impulses, and one or two steps are exact to rounding.
#pragma once

#include <Eigen/LU>

#include "sinew/steppers/central_path.h"

namespace sinew {

class ContactPolish {
 public:
  /// Steps while they lead closer to the law and it is not obeyed to `tolerance` (m/s). Cones take the rows of W one after the other; their
  /// impulses are nearly right, then the result. Friction of sliding is round. Returns how far they are from the law, m/s.
  double polish(const Eigen::MatrixXd& W, const VecX& free_velocity, double tolerance, Cones cones);

  /// The largest difference of the two sides of an equation, times c.
  static double find_error(Cones cones, const VecX& velocity);

 private:
  void find_velocity(const Eigen::MatrixXd& W, const VecX& free_velocity, Cones cones);
  void assemble(const Eigen::MatrixXd& W, Cones cones);
  bool search_line(const Eigen::MatrixXd& W, const VecX& free_velocity, Cones cones, double& error);
  void move(Cones cones, double length) const;

  VecX velocity_, right_, delta_;
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace sinew
