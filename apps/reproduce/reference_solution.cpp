#include "reproduce/reference_solution.h"

#include <boost/numeric/odeint.hpp>

namespace sinew::reproduce {
namespace {

constexpr double kTolerance = 1e-13;
constexpr double kFirstStep = 1e-3;  // of the time; found by the method from then on

}  // namespace

void integrate_reference(const Rates& rates, double time, std::vector<double>& y) {
  namespace odeint = boost::numeric::odeint;
  odeint::integrate_adaptive(
      odeint::make_controlled<odeint::runge_kutta_fehlberg78<std::vector<double>>>(kTolerance, kTolerance),
      [&](const std::vector<double>& state, std::vector<double>& rate, double) { rates(state, rate); }, y, 0.0, time,
      kFirstStep * time);
}

}  // namespace sinew::reproduce
