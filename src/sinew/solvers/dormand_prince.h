// Adaptive Runge-Kutta method of order 5 with an error estimate of order 4, dense output of order 4 and events:
//   ẏ = f(t, y),   |error_i| ≤ absolute + relative |y_i| in the root mean square over the controlled part of y          [DormandPrince1980], [Hairer1993, II.5, II.6]
#pragma once

#include <array>

#include "sinew/core/types.h"

namespace sinew {

class OdeSystem {
 public:
  virtual ~OdeSystem() = default;
  /// False: f is not defined there; the step is tried shorter.
  virtual bool rate(double t, const VecX& y, VecX& y_dot) = 0;
  /// After an accepted step: may change the chart of y, and y_dot with it.
  virtual void accept(double /*t*/, VecX& /*y*/, VecX& /*y_dot*/) {}
  /// Functions whose fall through zero ends the integration. They are looked at four times in a step: a fall and rise between is not seen.
  virtual int event_count() const { return 0; }
  virtual void events(double /*t*/, const VecX& /*y*/, VecX& /*out*/) {}
  /// Size of the eigenvalue of ∂f/∂y that a change of y, and of f with it, tells of.
  virtual double eigenvalue(const VecX& change, const VecX& rate_change) const {
    return change.isZero(0) ? 0 : rate_change.norm() / change.norm();
  }
};

struct OdeOptions {
  double relative = 1e-8, absolute = 1e-8;
  int max_steps = 10000;
  double first_step = 0;  // to try; 0: all of it
  int controlled = -1;    // leading entries of y whose error counts; -1: all
  bool is_dense = false;  // keep what interpolate() needs
};

struct OdeReport {
  bool ok = false;
  int steps = 0, rejected = 0, evaluations = 0;
  int stiff =
      0;  // accepted steps with h|λ| > 1, λ from stages 6 and 7: stability, not accuracy, keeps them short   [Hairer1996, IV.2]
  double error = 0;      // largest accepted estimate, as a part of what is allowed
  int worst = -1;        // entry with the largest error of the last step that was refused
  int event = -1;        // which event ended it; -1: none
  double t = 0;          // where it ended
  double next_step = 0;  // length it would go on with
};

class DormandPrince {
 public:
  /// Integrates from t to t_end or to the first event. y is that of the end also if it fails.
  OdeReport integrate(OdeSystem& system, double t, double t_end, const OdeOptions& options, VecX& y);

  /// Dense output: y at a time within the step accepted last, to order 4, in the chart that y had at its beginning. Needs OdeOptions::is_dense or
  /// events. To be called after integrate(), or by OdeSystem::accept() in every step; an event ends a step, not its polynomial.
  void interpolate(double t, VecX& out) const;

 private:
  static constexpr int kStages = 7;
  bool try_step(OdeSystem& system, double t, double h, double t_next, const VecX& y);
  double error_norm(const OdeOptions& options, double h, const VecX& y, int& worst) const;
  void prepare_interpolation(double t, double h, const VecX& y);
  void interpolate_at(double theta, VecX& out) const;
  void compute_events(OdeSystem& system, double t, double h, double theta, VecX& out);
  int find_event(OdeSystem& system, double t, double h, double& theta);
  int land(OdeSystem& system, double t, double h, int event, VecX& y, double& theta);

  std::array<VecX, kStages> k_;
  VecX trial_, sixth_, rate_change_, next_, between_, events_before_, events_after_, events_between_;
  std::array<VecX, 5> polynomial_;
  double polynomial_start_ = 0, polynomial_length_ = 1;  // time
};

}  // namespace sinew
