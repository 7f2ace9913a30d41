// Coulomb's law in contact space by an interior-point method: all that is known of the bodies is how impulses change the velocities of rows,
//
//   u = W r + u_free,   δr = k − K δu  (cone_constraint.h)   ⟹   (K⁻¹ + W) δr = K⁻¹ k − ρ,   ρ = W r + u_free − u
//
// u is an unknown besides r, as on the way ρ need not be zero. The sum stays regular where contacts share a load in many ways and W is
// singular.
#pragma once

#include <Eigen/LU>
#include <vector>

#include "sinew/steppers/central_path.h"
#include "sinew/steppers/contact_polish.h"

namespace sinew {

class ContactInteriorPoint {
 public:
  struct Result {
    bool converged = false;
    bool is_rough = false;  // accepted though less exact than asked
    int iterations = 0;
    double residual = 0;      // m/s: largest ρ, or difference of a normal velocity and its slack
    double product = 0;       // largest product over the mass felt, m²/s²
    double product_goal = 0;  // κ_end
    int worst = 0;            // the cone of the largest product
  };

  /// Cones take the rows of W one after the other; their impulses are guesses, then the result. Of a cone, `target` and `velocity` are
  /// set; those that do not touch in the end have no impulse at all. `tolerance`: of velocities, m/s.
  Result solve(const Eigen::MatrixXd& W, const VecX& free_velocity, double tolerance, int max_iterations,
               std::vector<ConeConstraint>& cones);

 private:
  enum class Start { Warm, Cold, Loaded, Here };
  bool follow_central_path(Start start, int max_iterations, Result& result);
  void sweep(int max_iterations, Result& result);
  double find_velocity_scale() const;
  double find_rounding() const;
  double find_load();
  double largest_impulse() const;
  void find_velocities();
  void evaluate();
  void factorize();
  void find_direction(double kappa, bool is_corrector);
  void step_back();
  void let_go_of_open_contacts();
  template <class Work>
  void for_cones(const Work& work);  // work(cone, first row)

  const Eigen::MatrixXd* W_ = nullptr;
  const VecX* free_velocity_ = nullptr;
  std::vector<ConeConstraint*> cones_;
  std::vector<Vec6> guesses_;
  double tolerance_ = 0, velocity_scale_ = 0, residual_ = 0, load_ = 1;
  VecX r_, u_, rho_, delta_r_, delta_u_;
  std::vector<ConeConstraint> last_;  // before the last step
  VecX last_u_;
  std::vector<double> slack_errors_;
  std::vector<Mat6> K_inverse_;
  Eigen::MatrixXd sum_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  ContactPolish polish_;
};

}  // namespace sinew
