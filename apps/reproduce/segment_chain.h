// Chains of closed four-link segments in minimal coordinates, to compare with: joint angles of a tree of links in which every segment is cut
// open at its bottom, loops closed on accelerations and not on positions, explicit Runge-Kutta method of order four. It is what the program
// the sources compare with does [Bruedigam2020, 5.2]:
//
//   M(θ) θ̈ + c(θ, θ̇) = Gᵀ λ,   G θ̈ = −Ġ θ̇ − 2 ω G θ̇ − ω² g      ω = 0: as it stands; ω > 0: stabilised               [Baumgarte1972]
//   G M⁻¹ Gᵀ λ = b by least squares of smallest norm, singular values below 1e-10 of the largest left out: G loses rank where links overlap
//
// θ are angles of links from hanging down, towards +x: a linear map of the angles of the joints, under which Runge-Kutta methods stay the same.
//   M_ij = a_ij cos(θ_i − θ_j),   c_i = Σ_j a_ij sin(θ_i − θ_j) θ̇_j² + b_i g sin θ_i
//   a_ij = I δ_ij + Σ_k m w_ki w_kj,   b_i = Σ_k m w_ki       w_ki: how far the centre of link k is from the joint of i, along i, if i is above k
#pragma once

#include <Eigen/Dense>
#include <array>

#include "sinew/core/types.h"

namespace sinew::reproduce {

class SegmentChain {
 public:
  /// Links of length 1 m and mass 1 kg, square section of 0.1 m, at rest: as `sinew make four_link_segments` with these angles (rad).
  SegmentChain(int segments, double angle, double opening);

  /// ω (1/s) of the stabilisation of the loops; 0: none.
  void set_stabilisation(double frequency) { frequency_ = frequency; }

  /// One step of the classical Runge-Kutta method.
  void step(double dt);

  const VecX& angles() const { return theta_; }  // upper right, upper left, lower right, lower left of each segment
  const VecX& rates() const { return rates_; }
  bool is_finite() const { return theta_.allFinite() && rates_.allFinite(); }
  double energy() const;
  /// Largest distance of the two ends that a loop should hold together (m).
  double gap() const;
  /// End of the last link on the right, (x, z), from where the chain hangs.
  Eigen::Vector2d tip() const;
  /// Smallest over largest singular value of G M⁻¹ Gᵀ where it was last evaluated: 0 where a loop is singular.
  double conditioning() const { return conditioning_; }

 private:
  void accelerate(const VecX& theta, const VecX& rates, VecX& accelerations);
  int segments() const { return static_cast<int>(theta_.size()) / 4; }

  double frequency_ = 0, conditioning_ = 1;
  VecX theta_, rates_;
  Eigen::MatrixXd a_;  // a_ij
  VecX b_;             // b_i

  VecX stage_theta_, stage_rates_, free_, loop_;
  std::array<VecX, 4> velocity_, acceleration_;
  Eigen::MatrixXd mass_, rows_, response_, dual_;
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least_squares_;
};

}  // namespace sinew::reproduce
