#include "sinew/steppers/central_path.h"

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

constexpr double kBoundary = 0.98;  // part of the way to the boundary a step may go; more as κ → 0
constexpr double kLastBoundary = 0.9995;
constexpr double kSmallestCentring = 0.03;
constexpr double kShortStepCentring = 0.3;  // after a step that could not go half of the way
constexpr double kBoldCentring = 1e-4;      // where the predictor goes all the way
constexpr double kCentrality = 0.01;        // smallest product over the mean
constexpr double kCentralityCut = 0.8;
constexpr int kMaxCentralityCuts = 20;
constexpr double kNearRoom = 1;  // products of a near start over those its error makes

}  // namespace

ConeConstraint::Products compute_products(Cones cones, double length) {
  ConeConstraint::Products total;
  for (const ConeConstraint* cone : cones) total += cone->products(length);
  return total;
}

// An error e of a velocity makes products e times those of impulses, which are of the velocity scale.
double choose_near_kappa(Cones cones, double velocity_scale, double tolerance) {
  double error = 0;
  for (const ConeConstraint* cone : cones) error = std::max(error, cone->law_error());
  return velocity_scale * std::max(kNearRoom * error, tolerance);
}

double choose_centring(const ConeConstraint::Products& now, const ConeConstraint::Products& predicted, double predictor,
                       double last_length) {
  const double ratio = std::clamp(predicted.mean() / now.mean(), 0.0, 1.0);
  const bool is_bold = predictor > 0.99 && now.smallest > 0.1 * now.mean();
  const double smallest = is_bold ? kBoldCentring : last_length < 0.5 ? kShortStepCentring : kSmallestCentring;
  return std::max(smallest, ratio * ratio * ratio);
}

double step_to_boundary(Cones cones) {
  double length = std::numeric_limits<double>::infinity();
  for (const ConeConstraint* cone : cones) length = std::min(length, cone->max_step());
  return length;
}

double choose_step(Cones cones, double mean_product, double velocity_scale) {
  const double remaining = mean_product / (velocity_scale * velocity_scale);
  double length = std::min(1.0, std::clamp(1 - remaining, kBoundary, kLastBoundary) * step_to_boundary(cones));
  for (int cuts = 0; cuts < kMaxCentralityCuts; ++cuts, length *= kCentralityCut) {
    const ConeConstraint::Products products = compute_products(cones, length);
    if (products.smallest >= kCentrality * products.mean()) break;
  }
  return length;
}

}  // namespace sinew
