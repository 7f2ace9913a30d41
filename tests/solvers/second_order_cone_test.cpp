// The algebra of the cone against its definitions.
#include "sinew/solvers/second_order_cone.h"

#include <gtest/gtest.h>
#include <random>

namespace sinew {
namespace {

class Cones : public ::testing::Test {
 protected:
  ConeVector inside(double depth) {
    const Vec3 v = any().tail<3>();
    return make_cone_vector(v.norm() + depth, v);
  }
  ConeVector any() {
    std::normal_distribution<double> normal;
    return {normal(random_), normal(random_), normal(random_), normal(random_)};
  }
  std::mt19937 random_{3};
};

TEST_F(Cones, ScalingTakesBothToTheSamePoint) {
  for (const double depth : {1.0, 1e-3, 1e-8}) {
    for (int i = 0; i < 100; ++i) {
      const ConeVector x = inside(depth), z = inside(1.0);
      const ConeScaling s(x, z);
      EXPECT_LT((s.W(z) - s.W_inverse(x)).norm(), 1e-7 * s.W(z).norm());
      const ConeVector y = any();
      EXPECT_LT((s.W(s.W_inverse(y)) - y).norm(), 1e-6 * y.norm());
      EXPECT_NEAR(s.v.squaredNorm(), x.dot(z), 1e-7 * x.dot(z));  // v∘v has first entry x·z
    }
  }
}

TEST_F(Cones, DivisionUndoesTheProduct) {
  for (int i = 0; i < 100; ++i) {
    const ConeVector x = inside(0.1), d = any();
    EXPECT_LT((cone_divide(cone_product(x, d), x) - d).norm(), 1e-10 * d.norm());
  }
}

TEST_F(Cones, StepEndsOnTheBoundary) {
  for (int i = 0; i < 1000; ++i) {
    const ConeVector x = inside(0.5), d = any();
    const double step = cone_step(x, d);
    if (!std::isfinite(step)) {
      EXPECT_GE(cone_margin(x + 1e6 * d), -1e-6);
      continue;
    }
    EXPECT_NEAR(cone_margin(x + step * d), 0, 1e-9 * (1 + step * d.norm()));
    EXPECT_GT(cone_margin(x + 0.999 * step * d), 0);
  }
}

}  // namespace
}  // namespace sinew
