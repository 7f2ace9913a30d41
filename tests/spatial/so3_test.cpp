// SO(3) against the power series of the matrix exponential, finite differences and the values of spec D18.
#include "sinew/spatial/so3.h"

#include <gtest/gtest.h>
#include <numbers>

#include "spatial/random_values.h"

namespace sinew {
namespace {

using test::central_difference;
using test::RandomValues;
using test::series_exp;

constexpr double pi = std::numbers::pi;

double distance(const Mat3& a, const Mat3& b) { return (a - b).cwiseAbs().maxCoeff(); }

// Angles from nothing to beyond a full turn, both sides of the switch to the series, and hard against π.
const std::vector<double> kAngles = {0,          1e-200,    1e-12,     1e-6, 1e-4, 1e-3,   0.1,
                                     0.499999,   0.5,       0.500001,  1.0,  2.0,  3.0,    pi,
                                     pi - 1e-13, pi - 1e-9, pi - 1e-5, 3.5,  5.0,  2 * pi, 6.5};

TEST(So3, SkewIsTheCrossProductAndVeeItsInverse) {
  RandomValues random(1);
  const Vec3 a = random.vec3(), b = random.vec3();
  EXPECT_LT((skew(a) * b - a.cross(b)).norm(), 1e-15);
  EXPECT_EQ(vee(skew(a)), a);
  EXPECT_EQ(vee(skew(a) + Mat3::Ones()), a) << "only the antisymmetric part counts";
}

TEST(So3, ExpIsThePowerSeries) {
  RandomValues random(2);
  for (double angle : kAngles) {
    const Vec3 r = angle * random.direction();
    const Mat3 expected = series_exp<3>(skew(r));
    EXPECT_LT(distance(exp_so3(r), expected), 2e-15) << "angle " << angle;
    EXPECT_LT(distance(exp_quat(r).toRotationMatrix(), expected), 2e-15) << "angle " << angle;
    EXPECT_NEAR(exp_quat(r).norm(), 1, 1e-15);
  }
}

TEST(So3, ExpReproducesTheReferenceValue) {  // spec D18
  Mat3 expected;
  expected << .6548940284889878, -.6770606568888026, -.3357121957015681, .5371528306005544, .7295115358427201,
      -.4234144017982947, .5315831525051156, .09696280712571552, .8414377968733187;
  EXPECT_LT(distance(exp_so3(Vec3(.3, -.5, .7)), expected), 1e-15);
}

TEST(So3, LogInvertsExpUpToPi) {
  RandomValues random(3);
  for (double angle : kAngles) {
    if (angle >= pi) continue;
    const Vec3 r = angle * random.direction();
    EXPECT_LT((log_so3(exp_quat(r)) - r).norm(), 2e-15) << "quaternion, angle " << angle;
    const Quat q = exp_quat(r);
    EXPECT_LT((log_so3(Quat(-q.coeffs())) - r).norm(), 2e-15) << "other sheet, angle " << angle;
    EXPECT_LT((log_so3(Quat(3.7 * q.coeffs())) - r).norm(), 4e-15) << "not normalised, angle " << angle;
    // Entries of R are rounded to 1e-16, the angle can be no better.
    EXPECT_LT((log_so3(exp_so3(r)) - r).norm(), 3e-15) << "matrix, angle " << angle;
  }
}

TEST(So3, LogKeepsTheRelativeAccuracyOfTinyRotations) {
  const Vec3 r = 1e-150 * Vec3(1, 2, 3);
  EXPECT_LT((log_so3(exp_quat(r)) - r).norm(), 1e-165);
}

TEST(So3, ExpOfLogIsTheRotationAtAndBeyondPi) {
  RandomValues random(4);
  for (double angle : kAngles) {
    const Mat3 R = exp_so3(angle * random.direction());
    const Vec3 r = log_so3(R);
    EXPECT_LE(r.norm(), pi + 1e-15);
    EXPECT_LT(distance(exp_so3(r), R), 4e-15) << "angle " << angle;
  }
  for (int i = 0; i < 3; ++i) {  // exact half turns about the axes
    Vec3 diagonal = -Vec3::Ones();
    diagonal[i] = 1;
    EXPECT_NEAR(std::abs(log_so3(Mat3(diagonal.asDiagonal()))[i]), pi, 1e-15);
  }
}

TEST(So3, RightJacobianReproducesTheReferenceValue) {  // S_exp of spec D18
  Mat3 expected;
  expected << .933354803289766, .220249491692106, .216186711379825, -.259261314156633, .944733251508587,
      .111343389700849, -.167421933299166, -.176363093808395, .959362684932784;
  EXPECT_LT(distance(right_jacobian_so3(Vec3(.3, -.4, .5)), expected), 1e-15);
}

TEST(So3, JacobiansAreTheAngularVelocityOfExp) {
  RandomValues random(5);
  for (double angle : {0.0, 1e-5, 1e-3, 0.3, 0.499, 0.501, 1.0, 3.1, 4.0, 6.0}) {
    const Vec3 r = angle * random.direction();
    const Mat3 R = exp_so3(r);
    Mat3 left, right;
    for (int i = 0; i < 3; ++i) {
      const Mat3 dR = central_difference([&](double h) -> Mat3 { return exp_so3(r + h * Vec3::Unit(i)); }, 1e-3);
      left.col(i) = vee(dR * R.transpose());   // Ṙ = [ω_W] R
      right.col(i) = vee(R.transpose() * dR);  // Ṙ = R [ω_B]
    }
    EXPECT_LT(distance(left_jacobian_so3(r), left), 1e-11) << "angle " << angle;
    EXPECT_LT(distance(right_jacobian_so3(r), right), 1e-11) << "angle " << angle;
    EXPECT_LT(distance(R * right_jacobian_so3(r), left_jacobian_so3(r)), 3e-15) << "angle " << angle;
    EXPECT_LT(distance(inverse_left_jacobian_so3(r) * left_jacobian_so3(r), Mat3::Identity()), 1e-13);
    EXPECT_LT(distance(inverse_right_jacobian_so3(r) * right_jacobian_so3(r), Mat3::Identity()), 1e-13);
  }
}

TEST(So3, JacobianRateIsItsDerivative) {
  RandomValues random(6);
  for (double angle : {0.0, 1e-6, 1e-4, 1e-3, 0.3, 0.499, 0.501, 1.0, 3.1, 6.0}) {
    const Vec3 r = angle * random.direction();
    const Vec3 r_dot = random.vec3();
    const Mat3 expected = central_difference([&](double h) -> Mat3 { return right_jacobian_so3(r + h * r_dot); }, 1e-3);
    EXPECT_LT(distance(right_jacobian_so3_dot(r, r_dot), expected), 1e-11) << "angle " << angle;
  }
  const Vec3 r_dot = random.vec3();
  EXPECT_LT(distance(right_jacobian_so3_dot(Vec3::Zero(), r_dot), -0.5 * skew(r_dot)), 1e-16);  // spec B, (2.43)-(2.47)
}

// The same functions in long double, in the plain closed form: 80-bit arithmetic leaves 1e-15 of them down to θ = 0.02.
TEST(So3, SeriesAndClosedFormAgreeOnBothSidesOfTheSwitch) {
  for (double theta : {0.02, 0.1, 0.3, 0.4999999, 0.5, 0.7, 1.5, 3.0}) {
    const long double t = theta;
    const long double a = std::sin(t) / t, b = (1 - std::cos(t)) / (t * t), c = (t - std::sin(t)) / (t * t * t);
    const ExpCoefficients k = exp_coefficients(theta);
    EXPECT_NEAR(k.a, static_cast<double>(a), 2e-16) << theta;
    EXPECT_NEAR(k.b, static_cast<double>(b), 2e-16) << theta;
    EXPECT_NEAR(k.c, static_cast<double>(c), theta < 0.05 ? 1e-14 : 1e-15) << theta;
    if (theta < 0.1) continue;
    EXPECT_NEAR(k.b_rate, static_cast<double>((a - 2 * b) / (t * t)), 4e-15) << theta;
    EXPECT_NEAR(k.c_rate, static_cast<double>((b - 3 * c) / (t * t)), 8e-15) << theta;
  }
  const ExpCoefficients zero = exp_coefficients(0);
  EXPECT_EQ(zero.a, 1);
  EXPECT_EQ(zero.b, 1.0 / 2);
  EXPECT_EQ(zero.c, 1.0 / 6);
  EXPECT_NEAR(zero.b_rate, -1.0 / 12, 2e-17);
  EXPECT_NEAR(zero.c_rate, -1.0 / 60, 1e-17);
}

TEST(So3, AxisAngleTurnsTheOtherAxes) {
  const Quat q = quat_from_axis_angle(Vec3::UnitZ(), pi / 2);
  EXPECT_LT((q * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
}

}  // namespace
}  // namespace sinew
