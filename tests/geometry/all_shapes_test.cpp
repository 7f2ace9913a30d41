// Laws every shape obeys: its drawn surface is closed and outward, lies in the bounds, and has the shape's volume and
// inertia in the limit of fine resolution, with error falling as h².
#include "sinew/geometry/all_shapes.h"

#include <gtest/gtest.h>
#include <set>

#include "geometry/sample_shapes.h"

#include "sinew/core/error.h"
#include "sinew/geometry/mesh_mass_properties.h"

namespace sinew {
namespace {

using test::make_sample;
using test::RandomValues;

// Relative difference of all ten numbers, in units of mass, size and inertia.
double difference(const MassProperties& a, const MassProperties& b) {
  return std::max({std::abs(a.mass - b.mass) / b.mass, (a.com - b.com).norm() / std::sqrt(b.inertia.norm() / b.mass),
                   (a.inertia - b.inertia).norm() / b.inertia.norm()});
}

TEST(AllShapes, SurfaceIsClosedAndOutwardAtEveryResolution) {
  RandomValues random(41);
  AllShapes::for_each([&]<SolidShape S>() {
    for (int resolution : {4, 5, 7, 16, 33}) {
      const auto error = find_error(make_sample<S>(random).triangulate(resolution));
      EXPECT_FALSE(error) << S::kName << ": " << *error;
    }
  });
}

TEST(AllShapes, MassPropertiesAreThoseOfTheSurface) {
  RandomValues random(42);
  AllShapes::for_each([&]<SolidShape S>() {
    for (int repeat = 0; repeat < 3; ++repeat) {
      const S shape = make_sample<S>(random);
      const double density = random.uniform(100, 1000);
      const MassProperties exact = shape.mass_properties(density);
      const double coarse = difference(mesh_mass_properties(shape.triangulate(32), density), exact);
      const double fine = difference(mesh_mass_properties(shape.triangulate(64), density), exact);
      const bool is_polyhedron = coarse < 1e-13;
      if (!is_polyhedron) {
        EXPECT_NEAR(coarse / fine, 4, 0.1) << S::kName;
        EXPECT_LT(fine, 0.01) << S::kName;
      }
      EXPECT_NEAR(exact.mass, density * shape.volume(), 1e-12 * exact.mass) << S::kName;
      EXPECT_FALSE(find_error(exact)) << S::kName << ": " << *find_error(exact);
    }
  });
}

TEST(AllShapes, BoundsAreTight) {
  RandomValues random(43);
  AllShapes::for_each([&]<SolidShape S>() {
    const S shape = make_sample<S>(random);
    const Eigen::AlignedBox3d drawn =
        bounds_of(shape.triangulate(64).vertices);  // vertices lie on the surface, at the poles too
    EXPECT_LT((drawn.min() - shape.bounds().min()).norm(), 1e-14) << S::kName;
    EXPECT_LT((drawn.max() - shape.bounds().max()).norm(), 1e-14) << S::kName;
  });
}

TEST(AllShapes, VariantReachesEveryShape) {
  RandomValues random(44);
  std::set<std::string_view> names;
  AllShapes::for_each([&]<SolidShape S>() {
    const S sample = make_sample<S>(random);
    const Shape shape = sample;
    EXPECT_EQ(name_of(shape), S::kName);
    EXPECT_EQ(volume_of(shape), sample.volume());
    EXPECT_EQ(mass_properties_of(shape, 2).inertia, sample.mass_properties(2).inertia);
    EXPECT_EQ(bounds_of(shape).max(), sample.bounds().max());
    EXPECT_EQ(triangulate(shape, 8).vertices.size(), sample.triangulate(8).vertices.size());
    EXPECT_TRUE(names.insert(S::kName).second) << "two shapes are called " << S::kName;
  });
}

// Bodies whose inertia is known from elsewhere than the formula in the shape.
TEST(Capsule, AgreesWithTheFormulaInOnePiece) {
  // I_xx = m_c(l²/12 + r²/4) + m_s(2r²/5 + l²/4 + 3lr/8), I_zz = r²(m_c/2 + 2m_s/5), m_s the two half balls
  const double r = 0.3, l = 0.8, density = 500, pi = std::numbers::pi;
  const double m_c = density * pi * r * r * l, m_s = density * 4.0 / 3 * pi * r * r * r;
  const MassProperties p = Capsule{r, l}.mass_properties(density);
  const double across = m_c * (l * l / 12 + r * r / 4) + m_s * (0.4 * r * r + l * l / 4 + 3 * l * r / 8);
  EXPECT_NEAR(p.inertia(0, 0), across, 1e-13);
  EXPECT_NEAR(p.inertia(1, 1), across, 1e-13);
  EXPECT_NEAR(p.inertia(2, 2), r * r * (m_c / 2 + 0.4 * m_s), 1e-13);
  EXPECT_NEAR(p.mass, m_c + m_s, 1e-12);
}

TEST(Capsule, WithoutLengthIsABall) {
  const MassProperties ball = Sphere{0.7}.mass_properties(3), capsule = Capsule{0.7, 0}.mass_properties(3);
  EXPECT_LT(difference(capsule, ball), 1e-15);
  EXPECT_FALSE(find_error(Capsule{0.7, 0}.triangulate(16)));
}

TEST(Ellipsoid, WithEqualRadiiIsABall) {
  EXPECT_LT(difference(Ellipsoid{Vec3::Constant(0.7)}.mass_properties(3), Sphere{0.7}.mass_properties(3)), 1e-15);
}

TEST(Cone, IsTheLimitOfAStackOfDiscs) {
  const double r = 0.4, h = 1.3;
  std::vector<MassProperties> discs;
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    const double z = h * (i + 0.5) / n;
    MassProperties disc = Cylinder{r * (1 - z / h), h / n}.mass_properties(2);
    disc.com.z() = z;
    discs.push_back(disc);
  }
  EXPECT_LT(difference(composite(discs), Cone{r, h}.mass_properties(2)), 1e-6);
}

TEST(Mesh, ThatIsNoSolidIsRefused) {
  Mesh mesh;
  EXPECT_THROW(mesh.volume(), Error);
  mesh.vertices = test::make_octahedron().vertices;
  mesh.triangles = test::make_octahedron().triangles;
  mesh.triangles.pop_back();
  mesh.file = "leaky.stl";
  try {
    mesh.mass_properties(1);
    FAIL() << "an open mesh was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Input);
    EXPECT_EQ(error.diagnostics().front().where, "leaky.stl");
    EXPECT_NE(std::string(error.what()).find("open edge"), std::string::npos);
  }
  EXPECT_EQ(mesh.surface().triangles.size(), mesh.triangles.size());  // what the world may have
  mesh.triangles.push_back(mesh.triangles.front());
  EXPECT_THROW(mesh.surface(), Error);
}

}  // namespace
}  // namespace sinew
