// Reference solutions of ordinary differential equations, ẏ = f(y): Runge-Kutta-Fehlberg 7(8) with step control (Boost.Odeint), both
// tolerances 1e-13.
#pragma once

#include <functional>
#include <vector>

namespace sinew::reproduce {

using Rates = std::function<void(const std::vector<double>& y, std::vector<double>& rates)>;

/// Moves y on by a time (s).
void integrate_reference(const Rates& rates, double time, std::vector<double>& y);

}  // namespace sinew::reproduce
