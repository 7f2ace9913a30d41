#include "sinew/steppers/contact_interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/steppers/contact_pivots.h"

namespace sinew {
namespace {

constexpr double kRoughResidual = 1e-7;  // m/s: accepted at last
constexpr double kProductGoal =
    1e-3;  // κ_end over tolerance × velocity²: friction near its bound creeps with κ over what is left
constexpr double kSweepTolerance = 1e-9;      // of the largest velocity
constexpr double kLoadRegularization = 1e-6;  // of the diagonal, where a load may be shared in many ways
constexpr double kLargeLoad = 10;             // impulses over those of contacts alone: a path from there
constexpr double kRoundingFactor = 100;       // of one rounding error

}  // namespace

template <class Work>
void ContactInteriorPoint::for_cones(const Work& work) {
  int row = 0;
  for (std::size_t n = 0; n < cones_.size(); ++n) {
    work(n, *cones_[n], row);
    row += cones_[n]->rows;
  }
}

ContactInteriorPoint::Result ContactInteriorPoint::solve(const Eigen::MatrixXd& W, const VecX& free_velocity,
                                                         double tolerance, int max_iterations,
                                                         std::vector<ConeConstraint>& cones) {
  W_ = &W;
  free_velocity_ = &free_velocity;
  tolerance_ = tolerance;
  cones_.clear();
  guesses_.clear();
  for (ConeConstraint& cone : cones) {
    cones_.push_back(&cone);
    guesses_.push_back(cone.impulse);
  }
  slack_errors_.assign(cones_.size(), 0.0);
  K_inverse_.resize(cones_.size());
  last_ = cones;
  r_.resize(W.rows());
  velocity_scale_ = find_velocity_scale();

  Result result;
  if (!follow_central_path(Start::Warm, max_iterations, result)) {
    const bool is_loaded = find_load() > kLargeLoad;  // a path that begins with impulses far too small may end at once
    if (is_loaded) follow_central_path(Start::Loaded, max_iterations, result);
    if (!result.converged) follow_central_path(Start::Cold, max_iterations, result);
  }
  if (!result.converged || result.is_rough) sweep(max_iterations, result);
  result.residual = residual_;
  result.product = 0;
  for (std::size_t n = 0; n < cones_.size(); ++n) {
    const double product = cones_[n]->products(0).largest;
    if (product > result.product) {
      result.product = product;
      result.worst = static_cast<int>(n);
    }
  }
  if (!result.converged) return result;
  let_go_of_open_contacts();
  const bool is_round = std::ranges::none_of(cones_, [](const ConeConstraint* c) { return c->polygon.is_used(); });
  if (is_round) polish_.polish(W, free_velocity, tolerance * std::min(1.0, velocity_scale_), cones_);
  find_velocities();
  u_ = rho_;
  evaluate();
  return result;
}

double ContactInteriorPoint::find_velocity_scale() const {
  return std::max(kSmallestVelocityScale, free_velocity_->lpNorm<Eigen::Infinity>());
}

// What double precision leaves uncertain of W r + u_free.
double ContactInteriorPoint::find_rounding() const {
  double largest = velocity_scale_;
  for (Eigen::Index i = 0; i < r_.size(); ++i)
    largest = std::max(largest, W_->col(i).cwiseAbs().maxCoeff() * std::abs(r_[i]));
  return kRoundingFactor * std::numeric_limits<double>::epsilon() * largest;
}

// Normal impulses and friction that there could be, as velocities of what they act on.
double ContactInteriorPoint::largest_impulse() const {
  double largest = 0;
  for (const ConeConstraint* cone : cones_) {
    double impulse = cone->has_normal ? cone->impulse[0] : 0;
    for (int i = 0; i < cone->cone_count; ++i)
      impulse = std::max(impulse, cone->cone_impulse(cone->cones[static_cast<std::size_t>(i)])[0]);
    largest = std::max(largest, impulse * cone->inverse_mass);
  }
  return largest;
}

// Impulses that would stop every row, over those that stop what a contact feels alone: large where a heavy body rests on a light one.
double ContactInteriorPoint::find_load() {
  sum_ = *W_;
  sum_.diagonal() *= 1 + kLoadRegularization;
  lu_.compute(sum_);
  delta_r_ = lu_.solve(*free_velocity_);
  load_ = 1;
  for_cones([&](std::size_t, const ConeConstraint& cone, int row) {
    if (cone.has_normal) load_ = std::max(load_, std::abs(delta_r_[row]) * cone.inverse_mass / velocity_scale_);
  });
  return load_;
}

// u = W r + u_free
void ContactInteriorPoint::find_velocities() {
  for_cones([&](std::size_t, const ConeConstraint& cone, int row) {
    r_.segment(row, cone.rows) = cone.impulse.head(cone.rows);
  });
  rho_ = *free_velocity_;
  rho_.noalias() += W_->lazyProduct(r_);
}

// How far r, u and the slacks are from belonging together.
void ContactInteriorPoint::evaluate() {
  find_velocities();
  rho_ -= u_;
  residual_ = rho_.lpNorm<Eigen::Infinity>();
  for_cones([&](std::size_t n, ConeConstraint& cone, int row) {
    const int first = cone.has_normal ? 1 : 0;
    cone.velocity.segment(first, cone.rows - first) = u_.segment(row + first, cone.rows - first);
    if (!cone.has_normal) return;
    cone.target = u_[row];
    slack_errors_[n] = cone.target - cone.velocity[0];
    residual_ = std::max(residual_, std::abs(slack_errors_[n]));
  });
}

void ContactInteriorPoint::factorize() {
  sum_ = *W_;
  for_cones([&](std::size_t n, ConeConstraint& cone, int row) {
    cone.scale();
    const int m = cone.rows;
    for_rows(cone, [&]<int R>() {
      Mat<R, R> K = cone.K.topLeftCorner<R, R>();
      for (int i = m; i < R; ++i) K(i, i) = 1;
      K_inverse_[n].topLeftCorner<R, R>() = K.partialPivLu().inverse();
    });
    sum_.block(row, row, m, m) += K_inverse_[n].topLeftCorner(m, m);
  });
  lu_.compute(sum_);
}

void ContactInteriorPoint::find_direction(double kappa, bool is_corrector) {
  delta_u_.resize(r_.size());
  for_cones([&](std::size_t n, ConeConstraint& cone, int row) {
    cone.aim(kappa, slack_errors_[n], is_corrector);
    delta_u_.segment(row, cone.rows) =
        K_inverse_[n].topLeftCorner(cone.rows, cone.rows).lazyProduct(cone.k.head(cone.rows));
  });
  delta_u_ -= rho_;
  delta_r_ = lu_.solve(delta_u_);
  delta_u_ = rho_;
  delta_u_.noalias() += W_->lazyProduct(delta_r_);
  for_cones([&](std::size_t n, ConeConstraint& cone, int row) {
    Vec6 delta_r = Vec6::Zero(), delta_u = Vec6::Zero();
    delta_r.head(cone.rows) = delta_r_.segment(row, cone.rows);
    delta_u.head(cone.rows) = delta_u_.segment(row, cone.rows);
    cone.set_direction(delta_r, delta_u, slack_errors_[n]);
  });
}

// Contact by contact or by pivots (contact_pivots.h), and from there to the end of the path again. If it does not lead closer, what sweeps found is the result.
void ContactInteriorPoint::sweep(int max_iterations, Result& result) {
  if (cones_.empty() || cones_.front()->polygon.is_used()) return;
  for_cones([&](std::size_t n, ConeConstraint& cone, int) { cone.impulse = guesses_[n]; });
  if (!solve_contacts_without_path(*W_, *free_velocity_, kSweepTolerance * velocity_scale_, cones_, u_)) return;
  for_cones([&](std::size_t n, ConeConstraint& cone, int) { guesses_[n] = cone.impulse; });
  result.converged = result.is_rough = false;
  follow_central_path(Start::Here, max_iterations, result);
  if (result.converged && !result.is_rough) return;
  for_cones([&](std::size_t n, ConeConstraint& cone, int) { cone.impulse = guesses_[n]; });
  find_velocities();
  u_ = rho_;
  evaluate();
  for (ConeConstraint* cone : cones_) cone->rest();
  evaluate();
  result.is_rough = true;
  result.converged = residual_ <= kRoughResidual * std::max(1.0, velocity_scale_);
}

// True: done, or given up for good. False: a bad guess, begin again without.
bool ContactInteriorPoint::follow_central_path(Start start, int max_iterations, Result& result) {
  const bool is_warm = start == Start::Warm, is_cold = start == Start::Cold || start == Start::Loaded;
  for_cones([&](std::size_t n, ConeConstraint& cone, int) {
    cone.impulse = is_cold ? Vec6(Vec6::Zero()) : guesses_[n];
    cone.velocity.setZero();
  });
  find_velocities();
  u_ = rho_;
  evaluate();
  for (ConeConstraint* cone : cones_) {
    if (is_cold) {
      cone->start(velocity_scale_);
      if (start == Start::Loaded && cone->has_normal) cone->impulse[0] *= load_;
    } else {
      cone->start_warm((is_warm ? kWarmKappa : kSweptKappa) * velocity_scale_ * velocity_scale_, velocity_scale_);
    }
  }
  evaluate();
  double length = 1;
  for (int iteration = 0;; ++iteration, ++result.iterations) {
    const ConeConstraint::Products products = compute_products(cones_, 0);
    const double rounding = find_rounding();
    const double velocity2 = velocity_scale_ * velocity_scale_;
    const double noise = std::min(rounding * largest_impulse(),  // below it velocities in cones are noise
                                  kRoughProducts / kProductSlack * velocity2);  // impulses without end solve nothing
    const double kappa_end = std::max(kProductGoal * tolerance_ * velocity2, noise);
    result.product_goal = kappa_end;
    if (residual_ <= std::max(tolerance_ * std::min(1.0, velocity_scale_), rounding) &&
        products.largest <= kProductSlack * kappa_end) {
      result.converged = true;
      return true;
    }
    const bool is_lost = !std::isfinite(products.sum + residual_);  // rounding beyond the boundary of a cone
    if (is_warm && (iteration == kWarmIterations || length < kShortestWarmStep || is_lost)) return false;
    if (is_lost) step_back();
    // Impacts among many bodies may have no smooth central path: what is left is accepted if it is small next to the velocities.
    if (is_lost || 2 * iteration >= max_iterations) {
      result.converged = residual_ <= kRoughResidual * std::max(1.0, velocity_scale_) &&
                         compute_products(cones_, 0).largest <= kRoughProducts * velocity_scale_ * velocity_scale_;
      result.is_rough = result.converged;
      if (result.converged || is_lost || iteration == max_iterations) return true;
    }
    factorize();
    find_direction(0, false);
    const double predictor = std::min(1.0, step_to_boundary(cones_));
    const double centring = choose_centring(products, compute_products(cones_, predictor), predictor, length);
    for (ConeConstraint* cone : cones_) cone->shorten(predictor * predictor);
    find_direction(std::max(centring * products.mean(), kappa_end), true);
    length = choose_step(cones_, products.mean(), velocity_scale_);
    for (std::size_t n = 0; n < cones_.size(); ++n) last_[n] = *cones_[n];
    last_u_ = u_;
    for (ConeConstraint* cone : cones_) cone->move(length);
    u_ += length * delta_u_;
    evaluate();
  }
}

void ContactInteriorPoint::step_back() {
  for (std::size_t n = 0; n < cones_.size(); ++n) *cones_[n] = last_[n];
  u_ = last_u_;
  evaluate();
}

void ContactInteriorPoint::let_go_of_open_contacts() {
  for (ConeConstraint* cone : cones_)
    if (cone->has_normal && cone->impulse[0] * cone->inverse_mass <= cone->velocity[0]) cone->impulse.setZero();
}

}  // namespace sinew
