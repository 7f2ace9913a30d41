// Contacts seen from their own points: all that a contact solver must know of the bodies is how impulses change contact velocities,
//
//   w = W λ + w_free,   W = J M⁻¹ Jᵀ ⪰ 0,   three entries per contact, (n, t₁, t₂),   λ = (α, β): N s,   w: m/s
//
// and what Coulomb's law asks: 0 ≤ α ⊥ w_n ≥ 0, and β is the impulse of the set C(μα) that takes most energy out [Kaufman2008]. C is a
// disc, a polygon in it [Sueda, (1.85)] or a box around it [Sueda, (2.114)]. w_n holds φ/dt, φ the gap: then w_n ≥ 0 keeps gaps open.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct ContactSpace {
  Eigen::MatrixXd W;   // 3c × 3c, symmetric
  VecX free_velocity;  // 3c: without contact impulses; normal entries with gap/dt added
  VecX friction;       // c: μ
  /// Contacts that can neither open nor close, as in a joint: α of any sign, friction up to μ|α|. Empty: none.
  std::vector<char> is_bilateral;

  int contacts() const { return static_cast<int>(friction.size()); }
  bool bilateral(int contact) const { return !is_bilateral.empty() && is_bilateral[contact] != 0; }
};

/// Throws Error if sizes do not fit or μ < 0.
void check_contact_space(const ContactSpace& space);

/// W column by column from the impulse response of a mechanism: velocity = W impulse.
using ImpulseResponse = std::function<void(const VecX& impulse, VecX& velocity)>;
void compute_delassus(int contacts, const ImpulseResponse& response, Eigen::MatrixXd& W);

/// The friction impulses allowed at bound 1: a disc, or a polygon given by its faces, normal·β ≤ offset.
class FrictionSet {
 public:
  static FrictionSet disc() { return FrictionSet(0, 1.0, 0.0); }
  /// All convex combinations of `directions` ≥ 3 unit vectors, the first along t₁. Four: the diamond |β₁| + |β₂| ≤ μα.
  static FrictionSet polygon(int directions);
  /// |β₁|, |β₂| ≤ μα
  static FrictionSet box();

  bool is_disc() const { return faces_ == 0; }
  int faces() const { return faces_; }
  Eigen::Vector2d normal(int face) const;
  double offset() const { return offset_; }

  /// The point of bound·C nearest to β.
  Eigen::Vector2d project(const Eigen::Vector2d& beta, double bound) const;

 private:
  FrictionSet(int faces, double offset, double first_angle)
      : faces_(faces), offset_(offset), first_angle_(first_angle) {}
  int faces_;
  double offset_, first_angle_;
};

/// How far impulses are from the law, in m/s: the largest over the contacts of |min(w_n, W_nn α)| and W_tt |β − project(β − w_t/W_tt)|,
/// W_tt = (W_11 + W_22)/2; zero exactly at solutions. `velocity` is w = Wλ + w_free.
double compute_contact_residual(const ContactSpace& space, const FrictionSet& set, const VecX& impulse,
                                const VecX& velocity);

}  // namespace sinew
