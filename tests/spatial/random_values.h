// Reproducible random vectors, rotations and poses for tests.
#pragma once

#include <random>

#include "sinew/spatial/pose.h"
#include "sinew/spatial/so3.h"

namespace sinew::test {

class RandomValues {
 public:
  explicit RandomValues(unsigned seed) : engine_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }

  template <int N>
  Vec<N> vector(double bound = 1) {
    Vec<N> v;
    for (double& x : v) x = uniform(-bound, bound);
    return v;
  }
  Vec3 vec3(double bound = 1) { return vector<3>(bound); }
  Vec3 direction() {
    Vec3 v = vec3();
    while (v.norm() < 0.1 || v.norm() > 1) v = vec3();
    return v.normalized();
  }
  Quat quat() {
    Vec<4> v = vector<4>();
    while (v.norm() < 0.1 || v.norm() > 1) v = vector<4>();
    return Quat(v[0], v[1], v[2], v[3]).normalized();
  }
  Pose pose(double bound = 1) { return {vec3(bound), quat()}; }

 private:
  std::mt19937 engine_;
};

/// exp of a small matrix by its power series in long double: an oracle that shares nothing with Rodrigues' formula.
template <int N>
Mat<N, N> series_exp(const Mat<N, N>& m) {
  using Long = Eigen::Matrix<long double, N, N>;
  const Long a = m.template cast<long double>();
  Long term = Long::Identity(), sum = term;
  for (int k = 1; k < 120; ++k) {
    term = term * a / static_cast<long double>(k);
    sum += term;
  }
  return sum.template cast<double>();
}

/// Fourth-order central difference of f: R → matrix at t = 0.
template <class Function>
auto central_difference(const Function& f, double h) {
  return ((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)).eval();
}

}  // namespace sinew::test
