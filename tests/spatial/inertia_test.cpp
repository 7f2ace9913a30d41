// Mass properties against sums over pieces, kinetic energy of moving pieces, and matrices with known eigenvectors.
#include "sinew/spatial/inertia.h"

#include <gtest/gtest.h>
#include <vector>

#include "spatial/random_values.h"

#include "sinew/spatial/se3.h"

namespace sinew {
namespace {

using test::RandomValues;

MassProperties make_box(const Vec3& size, const Vec3& com, double density) {  // [Sueda, (1.24)]
  const double m = density * size.prod();
  const Vec3 s = size.cwiseAbs2();
  return {m, com, Vec3(m / 12 * Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y())).asDiagonal()};
}

MassProperties make_random_body(RandomValues& random) {
  std::vector<MassProperties> parts;
  for (int i = 0; i < 5; ++i)
    parts.push_back(
        change_frame(random.pose(), make_box(random.vec3().cwiseAbs() + Vec3::Constant(0.1), random.vec3(), 2)));
  return composite(parts);
}

TEST(Inertia, ABoxIsTheSumOfItsPieces) {
  const Vec3 size(1, 2, 3), corner(0.3, -0.4, 0.5);
  const int n = 3;
  std::vector<MassProperties> pieces;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 centre = corner + (size.array() * (Vec3(i, j, k).array() + 0.5) / n).matrix();
        pieces.push_back(make_box(size / n, centre, 7));
      }
  const MassProperties sum = composite(pieces);
  const MassProperties whole = make_box(size, corner + size / 2, 7);
  EXPECT_NEAR(sum.mass, whole.mass, 1e-12);
  EXPECT_LT((sum.com - whole.com).norm(), 1e-14);
  EXPECT_LT((sum.inertia - whole.inertia).norm(), 1e-12);
}

TEST(Inertia, CompositeIsTheSumOfSpatialInertias) {  // [Sueda, (1.26)]: M_c = Σ Adᵀ M_k Ad with Ad = Ad(E_k⁻¹ E_c)
  RandomValues random(31);
  std::vector<MassProperties> parts;
  Mat6 sum_in_origin = Mat6::Zero();
  for (int i = 0; i < 4; ++i) {
    const MassProperties own = make_box(random.vec3().cwiseAbs() + Vec3::Constant(0.1), Vec3::Zero(), 3);
    const Pose E = random.pose();
    parts.push_back(change_frame(E, own));
    const Mat6 Ad = adjoint(E.inverse());
    sum_in_origin += Ad.transpose() * spatial_inertia(own) * Ad;
  }
  EXPECT_LT((spatial_inertia(composite(parts)) - sum_in_origin).norm(), 1e-13 * sum_in_origin.norm());
}

TEST(Inertia, SpatialInertiaGivesTheKineticEnergyOfAPointCloud) {
  RandomValues random(32);
  std::vector<MassProperties> points;
  for (int i = 0; i < 20; ++i) points.push_back({random.uniform(0.1, 2), random.vec3(), Mat3::Zero()});
  const Vec6 phi = random.vector<6>();
  double energy = 0;
  for (const MassProperties& point : points)
    energy += 0.5 * point.mass * (phi.tail<3>() + phi.head<3>().cross(point.com)).squaredNorm();
  const MassProperties body = composite(points);
  EXPECT_NEAR(0.5 * phi.dot(spatial_inertia(body) * phi), energy, 1e-13);
  EXPECT_FALSE(find_error(body));
}

TEST(Inertia, InertiaAboutMatchesASecondMoment) {
  RandomValues random(33);
  const MassProperties body = make_random_body(random);
  const Vec3 p = random.vec3();
  const Mat6 shifted = spatial_inertia(change_frame({-p, Quat::Identity()}, body));
  EXPECT_LT((inertia_about(body, p) - Mat3(shifted.topLeftCorner<3, 3>())).norm(), 1e-13);
}

void expect_principal(const Mat3& inertia) {
  const PrincipalAxes p = principal_axes(inertia);
  const double scale = inertia.norm();
  EXPECT_LT((p.axes * p.moments.asDiagonal() * p.axes.transpose() - inertia).norm(), 1e-14 * scale) << inertia;
  EXPECT_LT((p.axes.transpose() * p.axes - Mat3::Identity()).norm(), 1e-14) << inertia;
  EXPECT_NEAR(p.axes.determinant(), 1, 1e-14) << inertia;
}

TEST(Inertia, PrincipalAxesOfTurnedInertias) {
  RandomValues random(34);
  for (const Vec3& moments :
       {Vec3(1, 2, 3), Vec3(3, 1, 2), Vec3(2, 2, 3), Vec3(1, 2, 2), Vec3(2, 2, 2), Vec3(1, 1 + 1e-10, 1 + 2e-10)})
    for (int repeat = 0; repeat < 50; ++repeat) {
      const Mat3 R = random.quat().toRotationMatrix();
      const Mat3 inertia = R * moments.asDiagonal() * R.transpose();
      expect_principal(0.5 * (inertia + inertia.transpose()));
    }
}

TEST(Inertia, PrincipalAxesStayNearTheGivenOnes) {
  for (const Vec3& moments : {Vec3(1, 2, 3), Vec3(3, 2, 1), Vec3(2, 3, 1), Vec3(2, 1, 2), Vec3(1, 1, 1)}) {
    const PrincipalAxes p = principal_axes(moments.asDiagonal());
    EXPECT_EQ(p.axes, Mat3::Identity());
    EXPECT_EQ(p.moments, moments);
    Mat3 noisy = moments.asDiagonal();
    noisy(0, 1) = noisy(1, 0) = 1e-16;
    EXPECT_EQ(principal_axes(noisy).axes, Mat3::Identity());
  }
  const Mat3 R = exp_so3(Vec3(0.1, -0.2, 0.15));
  EXPECT_LT((principal_axes(R * Vec3(3, 1, 2).asDiagonal() * R.transpose()).axes - R).norm(), 1e-14);
}

TEST(Inertia, ImpossibleBodiesAreNamed) {
  RandomValues random(35);
  const MassProperties good = make_random_body(random);
  EXPECT_FALSE(find_error(good));
  const auto message = [&](auto change) {
    MassProperties bad = good;
    change(bad);
    return find_error(bad).value_or("");
  };
  using M = MassProperties;
  EXPECT_NE(message([](M& m) { m.mass = -1; }).find("mass > 0 kg, got -1"), std::string::npos);
  EXPECT_NE(message([](M& m) { m.mass = NAN; }).find("mass"), std::string::npos);
  EXPECT_NE(message([](M& m) { m.com.x() = INFINITY; }).find("centre of mass"), std::string::npos);
  EXPECT_NE(message([](M& m) { m.inertia(0, 1) += 1; }).find("symmetric inertia, got I(1,2)"), std::string::npos);
  EXPECT_NE(message([](M& m) { m.inertia = Vec3(1, -1, 1).asDiagonal(); }).find("positive definite"),
            std::string::npos);
  EXPECT_NE(message([](M& m) { m.inertia = Vec3(0, 1, 1).asDiagonal(); }).find("positive definite"), std::string::npos);
  EXPECT_NE(message([](M& m) { m.inertia = Vec3(1, 3.1, 2).asDiagonal(); }).find("1 + 2 < 3.1"), std::string::npos);
  EXPECT_EQ(message([](M& m) { m.inertia = Vec3(1, 1, 2).asDiagonal(); }), "") << "a flat disc is a real body";
}

}  // namespace
}  // namespace sinew
