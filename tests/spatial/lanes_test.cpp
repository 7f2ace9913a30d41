// Lanes against Eigen, operation by operation, and that the fourth lane stays zero.
#include "sinew/spatial/lanes.h"

#include <gtest/gtest.h>

#include "spatial/random_values.h"

namespace sinew {
namespace {

using test::RandomValues;

Vec3 to_vector(const Lanes& a) {
  EXPECT_EQ(a[3], 0);
  return {a[0], a[1], a[2]};
}
void expect_equal(const Lanes& a, const Vec3& x) { EXPECT_LT((to_vector(a) - x).norm(), 1e-14); }
void expect_equal(const Lanes33& A, const Mat3& M) {
  for (const Lanes& column : {A.x, A.y, A.z}) EXPECT_EQ(column[3], 0);
  EXPECT_LT((to_matrix(A) - M).norm(), 1e-14);
}
Mat3 random_matrix(RandomValues& random) {
  Mat3 M;
  M << random.vec3(), random.vec3(), random.vec3();
  return M;
}

TEST(Lanes, ComputeLikeVectorsAndMatrices) {
  RandomValues random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3 x = random.vec3(), y = random.vec3();
    const Mat3 M = random_matrix(random), N = random_matrix(random);
    const Lanes a = load_lanes(x), b = load_lanes(y);
    const Lanes33 A = load_lanes(M), B = load_lanes(N);
    expect_equal(cross(a, b), x.cross(y));
    EXPECT_NEAR(sum(a * b), x.dot(y), 1e-14);
    expect_equal(A * b, M * y);
    expect_equal(A * y.data(), M * y);
    expect_equal(transposed_times(A, b), M.transpose() * y);
    expect_equal(transposed(A), M.transpose());
    expect_equal(A + B, M + N);
    expect_equal(A - B, M - N);
    expect_equal(plus_outer(A, a, b), M + x * y.transpose());
    expect_equal(crossed(a, A), skew(x) * M);
    expect_equal(times_skew(A, a), M * skew(x));
  }
}

TEST(Lanes, KeepWhatStandsBesideThem) {
  Vec<8> memory = Vec<8>::Constant(7);
  store_lanes(load_lanes(Vec3(1, 2, 3)), memory.data() + 1);
  EXPECT_EQ(memory, (Vec<8>() << 7, 1, 2, 3, 7, 7, 7, 7).finished());
  Vec6 six = Vec6::Zero();
  store_lanes(Lanes6{load_lanes(Vec3(1, 2, 3)), load_lanes(Vec3(4, 5, 6))}, six);
  EXPECT_EQ(six, (Vec6() << 1, 2, 3, 4, 5, 6).finished());
  EXPECT_NEAR(dot(load_lanes(six), load_lanes(six)), six.squaredNorm(), 1e-13);
}

}  // namespace
}  // namespace sinew
