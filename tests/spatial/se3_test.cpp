// SE(3), poses, twists and wrenches against 4x4 matrices, the power series of exp, and finite differences.
#include "sinew/spatial/se3.h"

#include <gtest/gtest.h>
#include <numbers>

#include "spatial/random_values.h"

#include "sinew/spatial/twist.h"
#include "sinew/spatial/wrench.h"

namespace sinew {
namespace {

using test::central_difference;
using test::RandomValues;
using test::series_exp;

constexpr double pi = std::numbers::pi;

TEST(Pose, MultipliesLikeItsMatrix) {
  RandomValues random(21);
  const Pose X_AB = random.pose(), X_BC = random.pose();
  const Vec3 x = random.vec3();
  EXPECT_LT(((X_AB * X_BC).matrix() - X_AB.matrix() * X_BC.matrix()).norm(), 1e-15);
  EXPECT_LT((X_AB.inverse().matrix() - X_AB.matrix().inverse()).norm(), 1e-14);
  EXPECT_LT((X_AB * x - (X_AB.matrix() * x.homogeneous()).head<3>()).norm(), 1e-15);
  EXPECT_LT((X_AB.rotate(x) - X_AB.rotation() * x).norm(), 1e-15);
}

TEST(Se3, ExpIsThePowerSeries) {
  RandomValues random(22);
  for (double angle : {0.0, 1e-200, 1e-8, 1e-3, 0.4999, 0.5, 1.0, 3.0, pi, 5.0, 2 * pi}) {
    const Vec6 phi = stacked(angle * random.direction(), random.vec3());
    EXPECT_LT((exp_se3(phi).matrix() - series_exp<4>(twist_matrix(phi))).cwiseAbs().maxCoeff(), 3e-15) << angle;
  }
}

TEST(Se3, ExpReproducesTheReferenceValue) {  // spec D18
  Mat<3, 4> expected;
  expected << .6548940284889878, -.6770606568888026, -.3357121957015681, .3804201178320681,  //
      .5371528306005544, .7295115358427201, -.4234144017982947, 2.312869703223979,           //
      .5315831525051156, .09696280712571552, .8414377968733187, -.5109874053394724;
  const Mat<4, 4> E = exp_se3(stacked({.3, -.5, .7}, {1, 2, -1})).matrix();
  EXPECT_LT((E.topRows<3>() - expected).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Se3, LogReproducesThePublishedExample) {  // [Sueda, §1.3], four digits printed
  Mat3 R;
  R << -0.7372, -0.2659, 0.6211, -0.1676, -0.8186, -0.5493, 0.6545, -0.5091, 0.5589;
  const Vec6 phi = log_se3({Vec3(0.6877, 0.3886, 0.9371), Quat(R).normalized()});
  EXPECT_LT((phi - stacked({1.1157, -0.9257, 2.7242}, {1.3245, -0.6727, 0.3156})).cwiseAbs().maxCoeff(), 2e-4);
}

TEST(Se3, LogInvertsExpUpToPi) {
  RandomValues random(23);
  for (double angle : {0.0, 1e-12, 1e-6, 1e-3, 0.4999, 0.5, 1.0, 3.0, pi - 1e-6, pi - 1e-12}) {
    const Vec6 phi = stacked(angle * random.direction(), random.vec3());
    EXPECT_LT((log_se3(exp_se3(phi)) - phi).norm(), 1e-14) << angle;
  }
}

TEST(Se3, TimeDerivativesOfPoseAndAdjoint) {  // [Sueda, (1.8), (1.19)]
  RandomValues random(24);
  const Pose E = random.pose();
  const Vec6 phi = random.vector<6>();
  const auto along = [&](double t) { return E * exp_se3(t * phi); };
  const Mat<4, 4> E_dot = central_difference([&](double t) -> Mat<4, 4> { return along(t).matrix(); }, 1e-3);
  EXPECT_LT((E_dot - E.matrix() * twist_matrix(phi)).cwiseAbs().maxCoeff(), 1e-11);
  const Mat6 Ad_dot = central_difference([&](double t) -> Mat6 { return adjoint(along(t)); }, 1e-3);
  EXPECT_LT((Ad_dot - adjoint(E) * small_adjoint(phi)).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(Se3, AdjointIdentities) {
  RandomValues random(25);
  const Pose X = random.pose(), Y = random.pose();
  const Vec6 phi = random.vector<6>(), psi = random.vector<6>(), chi = random.vector<6>();
  EXPECT_LT((adjoint(X * Y) - adjoint(X) * adjoint(Y)).norm(), 1e-14);
  EXPECT_LT((inverse_adjoint(X) * adjoint(X) - Mat6::Identity()).norm(), 1e-14);
  EXPECT_LT((inverse_adjoint(X) - adjoint(X.inverse())).norm(), 1e-14);
  // X exp([φ]) X⁻¹ = exp([Ad φ])
  EXPECT_LT(((X * exp_se3(phi) * X.inverse()).matrix() - exp_se3(adjoint(X) * phi).matrix()).norm(), 1e-14);
  // Ad(exp φ) = exp(ad φ), Ad of a bracket is the bracket of the Ads, Jacobi identity
  EXPECT_LT((adjoint(exp_se3(phi)) - series_exp<6>(small_adjoint(phi))).norm(), 1e-14);
  EXPECT_LT((adjoint(X) * cross_motion(phi, psi) - cross_motion(adjoint(X) * phi, adjoint(X) * psi)).norm(), 1e-14);
  EXPECT_LT((small_adjoint(phi) * psi - cross_motion(phi, psi)).norm(), 1e-15);
  EXPECT_LT((cross_motion(phi, cross_motion(psi, chi)) + cross_motion(psi, cross_motion(chi, phi)) +
             cross_motion(chi, cross_motion(phi, psi)))
                .norm(),
            1e-14);
  // ad is the commutator of the 4x4 matrices
  const Mat<4, 4> P = twist_matrix(phi), Q = twist_matrix(psi);
  EXPECT_LT((twist_matrix(cross_motion(phi, psi)) - (P * Q - Q * P)).norm(), 1e-15);
}

TEST(Se3,
     PointJacobianIsTheVelocityOfABodyPoint) {  // [Sueda, (1.12)]; the first printed example is wrong: v = (1, 0, 0)
  RandomValues random(26);
  const Pose E = random.pose();
  const Vec6 phi = random.vector<6>();
  const Vec3 x = random.vec3();
  const Vec3 expected = central_difference([&](double t) -> Vec3 { return E * exp_se3(t * phi) * x; }, 1e-3);
  EXPECT_LT((E.rotation() * point_jacobian(x) * phi - expected).norm(), 1e-11);
  EXPECT_LT((E.rotate(Twist::from_vector(phi).velocity_at(x)) - expected).norm(), 1e-11);
  EXPECT_EQ(point_jacobian(Vec3::UnitX()) * stacked(Vec3::Zero(), Vec3::UnitX()), Vec3::UnitX());
  EXPECT_EQ(point_jacobian(Vec3::UnitX()) * stacked(Vec3::UnitZ(), Vec3::Zero()), Vec3::UnitY());
}

TEST(TwistAndWrench, ChangeFrameLikeTheAdjointAndKeepPower) {
  RandomValues random(27);
  const Pose X_AB = random.pose();
  const Twist V_B = Twist::from_vector(random.vector<6>());
  const Wrench F_B = Wrench::from_vector(random.vector<6>());
  const Twist V_A = change_frame(X_AB, V_B);
  const Wrench F_A = change_frame(X_AB, F_B);
  EXPECT_LT((V_A.vector() - adjoint(X_AB) * V_B.vector()).norm(), 1e-14);
  EXPECT_LT((F_A.vector() - adjoint(X_AB).inverse().transpose() * F_B.vector()).norm(), 1e-14);
  EXPECT_NEAR(power(F_A, V_A), power(F_B, V_B), 1e-14);
}

TEST(TwistAndWrench, ForceAtAPointWorksOnThatPoint) {  // [Sueda, (1.13)]
  RandomValues random(28);
  const Vec3 x = random.vec3(), f = random.vec3();
  const Twist V = Twist::from_vector(random.vector<6>());
  const Wrench F = Wrench::from_force_at(x, f);
  EXPECT_NEAR(power(F, V), f.dot(V.velocity_at(x)), 1e-15);
  EXPECT_LT((F.vector() - point_jacobian(x).transpose() * f).norm(), 1e-15);
}

}  // namespace
}  // namespace sinew
