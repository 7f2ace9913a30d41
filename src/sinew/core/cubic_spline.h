// The cubic spline through points that rests at both ends: twice continuously differentiable in between, with slope 0 where it begins and
// ends, and constant beyond.                                                                             [deBoor1978, ch. IV]
#pragma once

#include <span>
#include <vector>

#include "sinew/core/jet.h"

namespace sinew {

/// Second derivatives m_k at the times t_k, ascending, at least two, from the conditions that slopes meet; with h_k = t_{k+1} − t_k:
///   h_{k−1} m_{k−1} + 2 (h_{k−1} + h_k) m_k + h_k m_{k+1} = 6 ((y_{k+1} − y_k)/h_k − (y_k − y_{k−1})/h_{k−1}),  slopes at the ends 0
std::vector<double> compute_spline_curvatures(std::span<const double> times, std::span<const double> values);

/// Value and derivatives at a time (s).
Jet evaluate_spline(std::span<const double> times, std::span<const double> values, std::span<const double> curvatures,
                    double time);

}  // namespace sinew
