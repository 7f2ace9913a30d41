#include "sinew/solvers/dormand_prince.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/solvers/bracketed_root.h"

namespace sinew {
namespace {

constexpr int kStages = 7;
constexpr std::array<double, kStages> kNodes = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double kWeights[kStages][kStages - 1] = {
    {},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
constexpr std::array<double, kStages> kError = {71. / 57600,       0,         -71. / 16695, 71. / 1920,
                                                -17253. / 339200., 22. / 525, -1. / 40};
constexpr std::array<double, kStages> kDense = {-12715105075. / 11282082432.,  0,
                                                87487479700. / 32700410799.,   -10690763975. / 1880347072.,
                                                701980252875. / 199316789632., -1453857185. / 822651844.,
                                                69997945. / 29380423.};
constexpr int kEventParts = 4;         // of a step, at whose ends events are looked at
constexpr double kSameMoment = 1e-14;  // part of a step
constexpr int kMaxLandings = 4;
constexpr double kSlopeStep = 1e-3, kLargestShift = 1e-3;  // parts of the way to an event
constexpr double kSafety = 0.9, kShrink = 0.2, kGrow = 5, kOrder = 5;
constexpr double kStiff = 1;  // h|λ|: followed accurately, a motion with this λ has shorter steps, unless it is tiny
constexpr double kStretch = 1.05;  // of the length wanted, if that saves a step: the safety allows it

}  // namespace

OdeReport DormandPrince::integrate(OdeSystem& system, double t, double t_end, const OdeOptions& options, VecX& y) {
  OdeReport report{.t = t};
  for (VecX& k : k_) k.resize(y.size());
  const int events = system.event_count();
  if (events > 0) {
    events_before_.resize(events), events_after_.resize(events), events_between_.resize(events);
    system.events(t, y, events_before_);
  }
  ++report.evaluations;
  if (!system.rate(t, y, k_[0])) return report;
  double wanted = options.first_step > 0 ? options.first_step : t_end - t;
  while (t < t_end) {
    report.t = t;
    if (report.steps + report.rejected >= options.max_steps) return report;
    const double rest = t_end - t;
    const double h = rest / std::ceil(rest / (kStretch * wanted));  // the rest in equal parts
    const double t_next = h == rest ? t_end : t + h;
    if (!(h > 1e-14 * std::max(1.0, std::abs(t)))) return report;
    const bool is_defined = try_step(system, t, h, t_next, y);
    report.evaluations += kStages - 1;
    int worst = -1;
    const double error = is_defined ? error_norm(options, h, y, worst) : std::numeric_limits<double>::infinity();
    if (!(error <= 1)) {
      ++report.rejected;
      report.worst = worst;
      wanted = h * (std::isfinite(error) ? std::max(kShrink, kSafety * std::pow(error, -1 / kOrder)) : kShrink);
      continue;
    }
    ++report.steps;
    sixth_ -= next_;
    rate_change_ = k_[kStages - 2] - k_[kStages - 1];
    if (h * system.eigenvalue(sixth_, rate_change_) > kStiff) ++report.stiff;
    report.error = std::max(report.error, error);
    wanted = h * std::min(kGrow, kSafety * std::pow(std::max(error, 1e-10), -1 / kOrder));
    report.next_step = wanted;
    if (events > 0 || options.is_dense) prepare_interpolation(t, h, y);
    if (events > 0) {
      double theta = 1;
      report.event = find_event(system, t, h, theta);
      if (report.event >= 0) {
        report.evaluations += land(system, t, h, report.event, y, theta);
        report.t = t + theta * h;
        system.accept(report.t, y, k_[0]);
        report.ok = true;
        return report;
      }
    }
    t = t_next;
    y.swap(next_);
    k_[0].swap(k_[kStages - 1]);  // its last stage is the first of the next step
    system.accept(t, y, k_[0]);
  }
  report.t = t_end;
  report.ok = true;
  return report;
}

bool DormandPrince::try_step(OdeSystem& system, double t, double h, double t_next, const VecX& y) {
  for (int s = 1; s < kStages; ++s) {
    trial_ = y;
    for (int j = 0; j < s; ++j)
      if (kWeights[s][j] != 0) trial_.noalias() += h * kWeights[s][j] * k_[static_cast<std::size_t>(j)];
    if (s == kStages - 2) sixth_ = trial_;
    const auto stage = static_cast<std::size_t>(s);
    if (!system.rate(kNodes[stage] == 1 ? t_next : t + kNodes[stage] * h, trial_, k_[stage])) return false;
  }
  next_ = trial_;  // the last stage stands at the end of the step
  return next_.allFinite();
}

double DormandPrince::error_norm(const OdeOptions& options, double h, const VecX& y, int& worst) const {
  const Eigen::Index n = options.controlled < 0 ? y.size() : options.controlled;
  if (n == 0) return 0;
  double sum = 0, largest = -1;
  for (Eigen::Index i = 0; i < n; ++i) {
    double error = 0;
    for (std::size_t s = 0; s < kStages; ++s) error += kError[s] * k_[s][i];
    const double allowed = options.absolute + options.relative * std::max(std::abs(y[i]), std::abs(next_[i]));
    const double square = (h * error / allowed) * (h * error / allowed);
    if (!(square <= largest)) largest = square, worst = static_cast<int>(i);
    sum += square;
  }
  return std::sqrt(sum / static_cast<double>(n));
}

// y(t + θh) = r₁ + θ (r₂ + (1 − θ)(r₃ + θ (r₄ + (1 − θ) r₅)))                                       [Hairer1993, (II.6.12)]
void DormandPrince::prepare_interpolation(double t, double h, const VecX& y) {
  polynomial_start_ = t;
  polynomial_length_ = h;
  polynomial_[0] = y;
  polynomial_[1] = next_ - y;
  polynomial_[2] = h * k_[0] - polynomial_[1];
  polynomial_[3] = polynomial_[1] - h * k_[kStages - 1] - polynomial_[2];
  polynomial_[4].setZero(y.size());
  for (std::size_t s = 0; s < kStages; ++s)
    if (kDense[s] != 0) polynomial_[4].noalias() += h * kDense[s] * k_[s];
}

void DormandPrince::interpolate(double t, VecX& out) const {
  interpolate_at((t - polynomial_start_) / polynomial_length_, out);
}

void DormandPrince::interpolate_at(double theta, VecX& out) const {
  const double rest = 1 - theta;
  out = polynomial_[0] +
        theta * (polynomial_[1] + rest * (polynomial_[2] + theta * (polynomial_[3] + rest * polynomial_[4])));
}

void DormandPrince::compute_events(OdeSystem& system, double t, double h, double theta, VecX& out) {
  interpolate_at(theta, between_);
  system.events(t + theta * h, between_, out);
}

// The first event that falls through zero within the step, seen at the ends of its parts and located on the interpolating polynomial; theta is
// just behind it.
int DormandPrince::find_event(OdeSystem& system, double t, double h, double& theta) {
  for (int part = 0; part < kEventParts; ++part) {
    const double begin = static_cast<double>(part) / kEventParts;
    theta = static_cast<double>(part + 1) / kEventParts;
    compute_events(system, t, h, theta, events_after_);
    int first = -1;
    for (Eigen::Index e = 0; e < events_after_.size(); ++e) {
      if (!(events_before_[e] > 0 && events_after_[e] <= 0)) continue;
      double low = begin, value_high = events_after_[e];
      if (first >= 0) {  // only if it happens before the one already found
        compute_events(system, t, h, theta, events_between_);
        value_high = events_between_[e];
        if (value_high > 0) continue;
      }
      const auto value_at = [&](double x) {
        compute_events(system, t, h, x, events_between_);
        return events_between_[e];
      };
      narrow_fall(value_at, kSameMoment, low, events_before_[e], theta, value_high);
      first = static_cast<int>(e);
    }
    if (first >= 0) return first;
    events_before_.swap(events_after_);
  }
  return -1;
}

// The polynomial is less accurate than the method: steps to where it says, and on by what the event is off there, until it is not. Returns how
// often the system was evaluated.
int DormandPrince::land(OdeSystem& system, double t, double h, int event, VecX& y, double& theta) {
  const double before = theta * (1 - kSlopeStep);
  compute_events(system, t, h, before, events_before_);
  compute_events(system, t, h, theta, events_after_);
  const double slope = (events_after_[event] - events_before_[event]) / (theta - before);
  interpolate_at(theta, next_);
  int landings = 1;
  for (;; ++landings) {
    if (!try_step(system, t, theta * h, t + theta * h, y)) break;
    system.events(t + theta * h, next_, events_after_);
    const double shift = -events_after_[event] / slope;
    const bool is_credible = slope < 0 && std::abs(shift) <= kLargestShift * theta;
    if (!is_credible || std::abs(shift) <= kSameMoment || landings == kMaxLandings) break;
    theta = std::min(theta + shift, 1.0);
  }
  y.swap(next_);
  return landings * (kStages - 1);
}

}  // namespace sinew
