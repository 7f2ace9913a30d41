#include "sinew/solvers/fixed_point.h"

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

constexpr int kPatience = 8;          // calls without a smaller residual, after which steps become shorter
constexpr double kShortest = 0.05;    // β
constexpr double kDependent = 1e-12;  // regularises changes of f that depend on each other

}  // namespace

void FixedPoint::start() {
  known_ = calls_ = since_best_ = 0;
  beta_ = 1;
}

void FixedPoint::forget() { known_ = -1; }

void FixedPoint::improve(const VecX& f, VecX& x) {
  const double residual = f.lpNorm<Eigen::Infinity>();
  if (calls_++ == 0) {
    delta_x_.resize(x.size(), kMemory);
    delta_f_.resize(x.size(), kMemory);
    forget();
  }
  ++since_best_;
  if (calls_ == 1 || residual < best_residual_) {
    best_residual_ = residual;
    best_x_ = x;
    since_best_ = 0;
  } else if (since_best_ == kPatience) {
    beta_ = std::max(beta_ / 2, kShortest);
    since_best_ = 0;
    forget();
  }
  if (known_ < 0)
    known_ = 0;
  else
    remember(f, x);
  last_x_ = x;
  last_f_ = f;
  x += beta_ * f;
  if (known_ == 0) return;
  find_gamma(f);
  x.noalias() -= delta_x_.leftCols(known_).lazyProduct(gamma_);
  x.noalias() -= beta_ * delta_f_.leftCols(known_).lazyProduct(gamma_);
}

// By the normal equations of changes scaled to length 1: as an acceleration they are exact enough, and need no memory.
void FixedPoint::find_gamma(const VecX& f) {
  Small normal(known_, known_);
  gamma_.resize(known_);
  SmallVector scale(known_);
  for (int i = 0; i < known_; ++i) scale[i] = 1 / std::max(delta_f_.col(i).norm(), std::numeric_limits<double>::min());
  for (int i = 0; i < known_; ++i) {
    gamma_[i] = scale[i] * delta_f_.col(i).dot(f);
    for (int j = 0; j < known_; ++j) normal(i, j) = scale[i] * scale[j] * delta_f_.col(i).dot(delta_f_.col(j));
    normal(i, i) += kDependent;
  }
  gamma_ = scale.cwiseProduct(Eigen::LDLT<Small>(normal).solve(gamma_));
}

void FixedPoint::remember(const VecX& f, const VecX& x) {
  if (f == last_f_) return;  // tells nothing
  if (known_ == kMemory) {
    for (int j = 1; j < kMemory; ++j) {
      delta_x_.col(j - 1) = delta_x_.col(j);
      delta_f_.col(j - 1) = delta_f_.col(j);
    }
    --known_;
  }
  delta_x_.col(known_) = x - last_x_;
  delta_f_.col(known_) = f - last_f_;
  ++known_;
}

}  // namespace sinew
