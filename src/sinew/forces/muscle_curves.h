// The dimensionless curves of a Hill-type muscle as cubics from knot to knot, continuous with their slope (their second derivative jumps).
// They resemble those of [Millard2013]. x is the length over the optimal length, v the rate of lengthening over the maximum velocity.                     [Sueda, (1.40)-(1.46)]
//   passive force-length    f_P: 0 up to x = 1; cubics on [1, 1.3], [1.3, 1.7]; straight on from there
//   active force-length     f_L: cubics on [0.4, 0.7], [0.7, 1.2], [1.2, 1.81]; 0 outside; 1 at x = 1
//   active force-velocity   f_V: cubics on [−1, −0.05], [−0.05, 0.05], [0.05, 1]; 0 below, 1.4 above; 1 at v = 0
// The printed (1.41) says 1.8 where its coefficients (1.42) belong to 1.7, as here. Nothing is printed for outside the knots.
#pragma once

namespace sinew {

struct CurvePoint {
  double value, slope;
};

CurvePoint passive_force_length(double x);
CurvePoint active_force_length(double x);
CurvePoint force_velocity(double v);

/// ∫ f_P from 0 to x: the energy a muscle stores, over peak force times optimal length.
double passive_energy(double x);

}  // namespace sinew
