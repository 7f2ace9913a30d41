// A place where bodies touch or rub: a contact with friction, the stop of a joint, the dry friction of a joint. Along its rows act impulses r
// and a relative velocity u: row 0, if there is a normal, never opens into the other body; every friction cone dissipates as much as it can.
//
//   0 ≤ s ⊥ γ ≥ 0              s: normal velocity (gap at the end of the step / dt), γ: normal impulse        [Bruedigam2024, (28b)]
//   K ∋ (R, β) ⊥ (ψ, w) ∈ K    w: sliding velocity, R = μ γ + R₀: radius of the friction disc, ψ = |w|         [Bruedigam2024, (27)], exact cone
//
// ⊥ is relaxed to products of κ M, M the mass felt along the rows. Newton's method on them, with the cones in Nesterov-Todd scaling, is solved for δr at once:
//   δr = k − K δu,   K = | γ/s            0   |     Q = W² = η² (2 w wᵀ − diag(1, −1, …)),   Q_00 = η² (1 + 2|w_t|²),
//                        | c μ γ/s       K_tt |     c = Q_t0/Q_00 = 2 w₀ w_t/(1 + 2|w_t|²),
//                                                   K_tt = Q_tt − Q_t0 Q_0t/Q_00 = η² (1 − 2 w_t w_tᵀ/(1 + 2|w_t|²))
// so a constraint adds Cᵀ K V to the matrix of the bodies it touches: no node of its own, however many of them two bodies have.
#pragma once

#include <array>
#include <limits>

#include "sinew/core/types.h"
#include "sinew/solvers/second_order_cone.h"
#include "sinew/steppers/friction_polygon.h"
#include "sinew/steppers/touch.h"

namespace sinew {

/// A disc of friction impulses on one, two or three rows.
struct FrictionCone : FrictionDisc {
  double radius = 0;  // R₀: radius without a normal, N s

  double psi = 0, delta_psi = 0;
  ConeScaling scaling;
  double Q_00 = 1;
  Vec3 c = Vec3::Zero();
  ConeVector scaled_target = ConeVector::Zero();  // W d, of the direction in work
};

class ConeConstraint {
 public:
  static constexpr int kMaxRows = Touch::kMaxRows, kMaxCones = Touch::kMaxDiscs;
  using Rows6 = Touch::Rows;

  int body_a = -1, body_b = -1;  // -1: the world
  int rows = 0;
  bool has_normal = false;
  int cone_count = 0;
  std::array<FrictionCone, kMaxCones> cones;
  FrictionPolygon polygon;  // if used, the friction of sliding has sides
  Rows6 C_a = Rows6::Zero(),
        C_b = Rows6::Zero();  // impulses act by Cᵀ; rows beyond `rows` are zero, columns (v_W, ω_B)
  Rows6 V_a = Rows6::Zero(), V_b = Rows6::Zero();  // ∂u by the velocities
  double target = 0;                               // normal velocity or gap/dt at the iterate, compared with s
  double inverse_mass = 1;                         // along the rows, the largest

  Vec6 impulse = Vec6::Zero();   // γ, β
  Vec6 velocity = Vec6::Zero();  // s, w
  Vec6 delta_impulse = Vec6::Zero(), delta_velocity = Vec6::Zero();
  Mat<kMaxRows, kMaxRows> K = Mat<kMaxRows, kMaxRows>::Zero();
  Vec6 k = Vec6::Zero();

  /// A point well inside, of the given sizes.
  void start(double velocity_scale);
  /// The same from impulses that are about right: products of κ M.
  void start_warm(double kappa, double velocity_scale);

  /// How far the impulses are from Coulomb's law at the velocities `target` and w, as a velocity: r_n = max(0, r_n − u_n M),
  /// β = P(β − w M), P the nearest point of the friction disc. Of friction with sides: infinite.       [Alart1991]
  double law_error() const;

  /// Slacks that follow from velocities, for impulses that are the solution: s = max(target, 0), ψ = |w|.
  void rest();

  /// Sliding velocities as they are, which steps know to first order only. ψ goes with them, so that ψ² − |w|² is what the step made it: else what
  /// slides would leave the cone.
  void set_sliding(const Vec6& rows);

  /// K at the current point.
  void scale();
  /// k for products of κ M; `with_correction` subtracts what the direction in delta_* makes of the products to second order.
  void aim(double kappa, double slack_error, bool with_correction);
  /// Direction from V δu of the normal and friction rows: delta_*.
  void recover(const Vec6& delta_rows, double slack_error);
  /// Direction from both: δr, and what it makes of the rows.
  void set_direction(const Vec6& delta_r, const Vec6& delta_rows, double slack_error);
  /// Adds −K δ to the impulses of the direction and δ to its velocities: refinement.
  void refine(const Vec6& delta_rows);

  /// The largest step that stays inside, at most 1.
  double max_step() const;
  void move(double length);
  /// All the way along the impulses of the direction, and back into the cones.
  void leap();
  /// What moves: impulses, velocities and ψ.
  struct Point {
    Vec6 impulse, velocity;
    std::array<double, kMaxCones> psi;
  };
  Point point() const;
  void return_to(const Point& point);
  /// Multiplies the impulses of the direction: the correction of a predictor that could not go all the way.
  void shorten(double factor);

  /// The products over M, of cones √(det det) for the smallest, that a step along the direction would give; 0: those now.
  struct Products {
    double sum = 0, smallest = std::numeric_limits<double>::infinity(), largest = 0;
    int count = 0;
    double mean() const { return sum / count; }
    Products& operator+=(const Products& other);
  };
  Products products(double length) const;

  /// (R, β) and (ψ, w) of a cone.
  ConeVector cone_impulse(const FrictionCone& cone, double length = 0) const;
  ConeVector cone_velocity(const FrictionCone& cone, double length = 0) const;

 private:
  void find_delta_psi();
  bool has_sides(const FrictionCone& cone) const {
    return polygon.is_used() && has_normal && cone.kind == FrictionDisc::Kind::Slide;
  }
  void put_friction_of_polygon(const FrictionCone& cone);
  ConeVector cone_delta_impulse(const FrictionCone& cone) const;
  ConeVector cone_delta_velocity(const FrictionCone& cone) const;
};

/// Calls work.operator()<R>() with R, known to the compiler, at least the number of rows: most contacts have three.
template <class Work>
inline void for_rows(const ConeConstraint& cone, const Work& work) {
  if (cone.rows <= 3) {
    work.template operator()<3>();
  } else {
    work.template operator()<ConeConstraint::kMaxRows>();
  }
}

}  // namespace sinew
