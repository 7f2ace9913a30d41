// What interior-point methods for contact have in common (cone_constraint.h): how far they may step, and what products they aim at. All
// products of the cones fall together to zero, κ, as fast as a predictor finds it can [Mehrotra1992]; steps are cut before the boundary and
// kept near the central path. The law of Coulomb is not monotone, so centrality is held more tightly than in convex programming.
#pragma once

#include <span>

#include "sinew/steppers/cone_constraint.h"

namespace sinew {

using Cones = std::span<ConeConstraint* const>;

inline constexpr double kProductSlack = 50;             // products end below this times κ_end
inline constexpr double kSmallestVelocityScale = 1e-6;  // m/s
inline constexpr double kWarmKappa = 1e-4;   // products a warm start begins with at most, over those of a cold one
inline constexpr double kNear = 1e-2;        // of these, below which a start is near the end of the path
inline constexpr double kSweptKappa = 1e-9;  // the same after sweeps (contact_sweeps.h)
inline constexpr int kWarmIterations = 12;   // after which a warm start is given up
inline constexpr double kShortestWarmStep = 0.05;  // below which it is given up
inline constexpr double kRoughProducts = 1e-5;     // accepted at last, over the square of the velocities

ConeConstraint::Products compute_products(Cones cones, double length);

/// κ of a start from impulses that nearly solve the problem: the smaller, the nearer they are to the law.
double choose_near_kappa(Cones cones, double velocity_scale, double tolerance);

/// The part of the products of now to aim at, when the predictor could go `predictor` of its way and left `predicted`.
double choose_centring(const ConeConstraint::Products& now, const ConeConstraint::Products& predicted, double predictor,
                       double last_length);

/// The largest step along the directions that stays inside; infinite if there is none.
double step_to_boundary(Cones cones);

/// The step to take: before the boundary, nearer to it as the products fall below those of the velocities, and central.
double choose_step(Cones cones, double mean_product, double velocity_scale);

}  // namespace sinew
