// Writes tests/contact/convex_pairs.txt: random pairs of convex solids with what CGAL (exact) and Bullet (double precision) say of them.
// Needs Debian's libcgal-dev and libbullet-dev; the test needs only the file. Build and run, about ten minutes:
//   g++ -std=c++20 -O2 -o /tmp/make_convex_pairs tests/oracles/make_convex_pairs.cpp -I/usr/include/eigen3 $(pkg-config --cflags --libs bullet-float64) -lmpfr -lgmp
//   /tmp/make_convex_pairs tests/contact/convex_pairs.txt
// Prints how far Bullet is from CGAL.
//
// Lines of the file:
//   hull n x y z ...                                                        convex solids, numbered from 0
//   pair regime kind_a size... qw qx qy qz px py pz kind_b ...              quaternions to be normalised
//   = distance nx ny nz ax ay az bx by bz normal_is_unique points_are_unique bullet       bullet: its distance, or `-` if it found none
//   face kind_a ... kind_b ...                                              flat on flat, or a capsule or cylinder lying on a face
//   = gap corners extent bullet_points bullet_extent                        area of the common part (m²), or its length if a line (m)
#include <CGAL/Boolean_set_operations_2.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <cstdio>
#include <map>
#include <random>

#include "bullet_separation.h"
#include "exact_separation.h"

namespace oracle {
namespace {

using PlaneKernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Polygon = CGAL::Polygon_2<PlaneKernel>;

using Hulls = std::vector<std::vector<std::array<double, 3>>>;

class Random {
 public:
  int whole(int low, int high) { return low + int(engine_() % unsigned(high - low + 1)); }
  double part(int low, int high, int of) { return double(whole(low, high)) / of; }
  std::array<int, 4> quaternion() {
    std::array<int, 4> q{};
    while (q[0] == 0 || q[1] == 0 || q[2] == 0 || q[3] == 0)
      for (int& x : q) x = whole(-9, 9);
    return q;
  }

 private:
  std::mt19937 engine_{20};
};

Hulls make_hulls(Random& random) {
  Hulls hulls(8);
  for (std::size_t h = 0; h < hulls.size(); ++h) {
    while (hulls[h].size() < 5 + 2 * h) {
      const std::array<double, 3> x{random.part(-32, 32, 64), random.part(-32, 32, 64), random.part(-32, 32, 64)};
      const double r = std::hypot(x[0], x[1], x[2]);
      if (r > 0.4 && r < 0.5) hulls[h].push_back(x);
    }
  }
  return hulls;
}

Solid make_solid(Kind kind, Random& random, const Hulls& hulls) {
  Solid s;
  s.kind = kind;
  const auto length = [&](int low, int high) { return random.part(low, high, 64); };
  switch (kind) {
    case Kind::Box:
      s.size = {length(20, 64), length(20, 64), length(20, 64)};
      break;
    case Kind::Sphere:
      s.size = {length(12, 32), 0, 0};
      break;
    case Kind::Capsule:
      s.size = {length(6, 20), length(12, 64), 0};
      break;
    case Kind::Cylinder:
      s.size = {length(12, 32), length(20, 64), 0};
      break;
    case Kind::Cone:
      s.size = {length(12, 32), length(20, 64), 0};
      break;
    case Kind::Ellipsoid:
      s.size = {length(12, 32), length(12, 32), length(12, 32)};
      break;
    case Kind::Convex:
      s.hull = random.whole(0, int(hulls.size()) - 1);
      s.points = hulls[std::size_t(s.hull)];
      break;
  }
  s.q = random.quaternion();
  return s;
}

std::string text_of(const Solid& s) {
  std::string out = kKindNames[std::size_t(s.kind)];
  char buffer[64];
  const auto add = [&](double x) { std::snprintf(buffer, sizeof buffer, " %.17g", x), out += buffer; };
  if (s.kind == Kind::Convex) {
    add(s.hull);
  } else {
    const int sizes = s.kind == Kind::Sphere ? 1 : s.kind == Kind::Box || s.kind == Kind::Ellipsoid ? 3 : 2;
    for (int i = 0; i < sizes; ++i) add(s.size[std::size_t(i)]);
  }
  for (int x : s.q) add(x);
  for (double x : s.p) add(x);
  return out;
}

std::string text_of(const Vec& x) {
  char buffer[96];
  std::snprintf(buffer, sizeof buffer, "%.11Lg %.11Lg %.11Lg", x[0] + 0, x[1] + 0, x[2] + 0);
  return buffer;
}

std::vector<std::pair<Kind, Kind>> pairs_of_kinds() {
  std::vector<std::pair<Kind, Kind>> out;
  for (int i = 0; i < 7; ++i)
    for (int j = i; j < 7; ++j) out.emplace_back(Kind(i), Kind(j));
  return out;
}

double rounded(Real x) { return double(std::round(x * 4096) / 4096); }

/// Errors of Bullet by regime.
struct Errors {
  int count = 0, missing = 0, wrong = 0;  // wrong: more than 1e-6 m
  double largest = 0;
};

/// The product of quaternions.
std::array<int, 4> product(const std::array<int, 4>& p, const std::array<int, 4>& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

class PairWriter {
 public:
  explicit PairWriter(std::FILE* out) : out_(out) {}

  /// Leaves out what is not known to 1e-12 m: solids of revolution about one axis are as deep in all directions.
  void write(const char* regime, const Solid& A, const Solid& B, const Separation& s) {
    if (s.error > 1e-12L) return void(++open_);
    const BulletSeparation bullet = find_bullet_separation(A, B);
    Errors& e = errors_[regime];
    const double error = bullet.is_found ? std::abs(bullet.distance - double(s.distance)) : 0;
    ++e.count, e.missing += !bullet.is_found, e.wrong += error > 1e-6, e.largest = std::max(e.largest, error);
    std::fprintf(out_, "pair %s %s %s\n= %.17Lg %s %s %s %d %d ", regime, text_of(A).c_str(), text_of(B).c_str(),
                 s.distance, text_of(s.normal).c_str(), text_of(s.point_a).c_str(), text_of(s.point_b).c_str(),
                 s.normal_is_unique, s.points_are_unique);
    bullet.is_found ? std::fprintf(out_, "%.12g\n", bullet.distance) : std::fprintf(out_, "-\n");
  }
  void print() const {
    std::printf("%d pairs left open\n", open_);
    for (const auto& [name, e] : errors_) {
      std::printf("Bullet, %s: %d pairs, %d without answer, %d wrong by more than 1e-6, largest error %.3g\n",
                  name.c_str(), e.count, e.missing, e.wrong, e.largest);
    }
  }

 private:
  std::FILE* out_;
  std::map<std::string, Errors> errors_;
  int open_ = 0;
};

void write_random_pairs(Random& random, const Hulls& hulls, PairWriter& writer) {
  struct Regime {
    const char* name;
    Real gap;
    bool is_rounded;
  };
  const std::vector<Regime> regimes{{"far", 0.7L, true},    {"near", 0.01L, true},      {"near", 1e-5L, false},
                                    {"touching", 0, false}, {"shallow", -1e-5L, false}, {"shallow", -0.01L, true},
                                    {"deep", -0.1L, true},  {"deep", -0.25L, true}};
  for (const auto& [i, j] : pairs_of_kinds()) {
    const bool is_easy = i == Kind::Sphere || j == Kind::Sphere;
    for (int repeat = 0; repeat < (is_easy ? 1 : 2); ++repeat) {
      for (const Regime& regime : regimes) {
        Solid A = make_solid(i, random, hulls), B = make_solid(j, random, hulls);
        for (std::size_t k = 0; k < 3; ++k) A.p[k] = random.part(-64, 64, 64), B.p[k] = random.part(-8, 8, 64);
        Separation s = find_separation(A, B);
        for (int pass = 0; pass < 2; ++pass) {  // along the normal to where the regime wants it
          for (std::size_t k = 0; k < 3; ++k) {
            const Real x = A.p[k] + (regime.gap - s.distance) * s.normal[Eigen::Index(k)];
            A.p[k] = regime.is_rounded ? rounded(x) : double(x);
          }
          s = find_separation(A, B);
          if (std::abs(s.distance - regime.gap) < 0.01L * std::abs(regime.gap) + 1e-15L) break;
        }
        writer.write(regime.name, A, B, s);
      }
    }
  }
}

Vec half_size(const Solid& s) {
  const auto& d = s.size;
  switch (s.kind) {
    case Kind::Box:
      return Vec(d[0], d[1], d[2]) / 2;
    case Kind::Sphere:
      return Vec::Constant(d[0]);
    case Kind::Capsule:
      return {d[0], d[0], d[1] / 2 + d[0]};
    case Kind::Convex:
      return Vec::Constant(0.25L);
    case Kind::Ellipsoid:
      return {d[0], d[1], d[2]};
    default:
      return {d[0], d[0], d[1] / 2};
  }
}

/// With axes along each other, turned by whole quarters: faces in one plane, parallel edges, corner on corner, to rounding.
void write_aligned_pairs(Random& random, const Hulls& hulls, PairWriter& writer) {
  for (const auto& [i, j] : pairs_of_kinds()) {
    if (i == Kind::Sphere || j == Kind::Sphere) continue;
    for (int placement = 0; placement < 4; ++placement) {
      Solid A = make_solid(i, random, hulls), B = make_solid(j, random, hulls);
      const int turns = random.whole(0, 3);
      A.q = product(B.q, {turns == 2 ? 0 : 1, 0, 0, turns == 0 ? 0 : turns == 3 ? -1 : 1});
      const Vec half_a = half_size(A), half_b = half_size(B), size = half_a + half_b;
      const Vec turned = turns % 2 == 0 ? size : Vec(half_a[1] + half_b[0], half_a[0] + half_b[1], size[2]);
      const Vec offset = placement == 0   ? Vec(0, 0, turned[2])                        // face on face
                         : placement == 1 ? Vec(0.125L, 0, 0)                           // deep
                         : placement == 2 ? Vec(turned[0], turned[1], 0)                // edge on edge
                                          : Vec(turned + Vec(0.125L, 0.125L, 0.125L));  // corner to corner
      for (std::size_t k = 0; k < 3; ++k) B.p[k] = random.part(-64, 64, 64);
      const Vec moved = B.rotation() * offset;
      for (std::size_t k = 0; k < 3; ++k) A.p[k] = double(B.p[k] + moved[Eigen::Index(k)]);
      Separation s = find_separation(A, B);
      if (std::abs(s.distance) < 1e-9L) s.normal_is_unique = false;  // rounding chose it
      writer.write("aligned", A, B, s);
    }
  }
}

// ---- faces ----

/// A face to lie on another one: a polygon around the origin of the plane z = 0 (of the pair), the solid above it.
struct Lying {
  Solid solid;
  std::array<int, 4> turn;                    // from its frame to the plane's, then by
  std::array<int, 2> spin;                    // (cos, sin) of half the angle, not normalised
  double height = 0;                          // of its origin above the plane
  std::vector<std::array<double, 2>> border;  // before the spin; two points: a line
};

Lying make_lying(int kind, Random& random, Hulls& hulls) {
  Lying l;
  l.spin = {random.whole(1, 9), random.whole(-9, 9)};
  Solid& s = l.solid;
  const auto length = [&](int low, int high) { return random.part(low, high, 64); };
  if (kind == 0) {  // box on its lower side
    s.kind = Kind::Box;
    s.size = {length(20, 64), length(20, 64), length(20, 64)};
    const double x = s.size[0] / 2, y = s.size[1] / 2;
    l.turn = {1, 0, 0, 0}, l.height = s.size[2] / 2;
    l.border = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  } else if (kind == 1 || kind == 4) {  // pyramid with a base of 3 to 8 corners, or 8
    s.kind = Kind::Convex;
    const int corners = kind == 4 ? 8 : random.whole(3, 8);
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * 3.14159265358979 * i / corners + 0.1 * random.part(-1, 1, 2),
                   r = random.part(28, 32, 64);
      l.border.push_back(
          {double(std::lround(64 * r * std::cos(angle))) / 64, double(std::lround(64 * r * std::sin(angle))) / 64});
    }
    Polygon ring;
    for (const auto& x : l.border) ring.push_back({x[0], x[1]});
    if (!ring.is_simple() || !ring.is_convex()) return make_lying(kind, random, hulls);
    for (const auto& x : l.border) s.points.push_back({x[0], x[1], 0});
    s.points.push_back({0.0625, -0.03125, 0.5});
    s.hull = int(hulls.size());
    hulls.push_back(s.points);
    l.turn = {1, 0, 0, 0}, l.height = 0;
  } else {  // capsule or cylinder on its side: its axis z along x of the plane
    s.kind = kind == 2 ? Kind::Capsule : Kind::Cylinder;
    s.size = {length(8, 16), length(20, 64), 0};
    l.turn = {1, 0, 1, 0}, l.height = s.size[0];
    l.border = {{-s.size[1] / 2, 0}, {s.size[1] / 2, 0}};
  }
  return l;
}

/// The border in the plane, turned and moved; the lower solid is seen from below, so mirrored.
std::vector<PlaneKernel::Point_2> placed_border(const Lying& l, const std::array<double, 2>& at, bool mirrored) {
  using Number = PlaneKernel::FT;
  const Number c = l.spin[0], s = l.spin[1], n = c * c + s * s;
  const Number cosine = (c * c - s * s) / n, sine = 2 * c * s / n;
  std::vector<PlaneKernel::Point_2> out;
  for (const auto& x : l.border) {
    const Number y = mirrored ? -x[1] : x[1];
    out.emplace_back(cosine * x[0] - sine * y + at[0], sine * x[0] + cosine * y + at[1]);
  }
  if (mirrored) std::reverse(out.begin(), out.end());
  return out;
}

/// Area of the common part of two polygons and its corners, or length of a line's part inside a polygon.
std::pair<int, double> common_part(const std::vector<PlaneKernel::Point_2>& upper,
                                   const std::vector<PlaneKernel::Point_2>& lower) {
  const Polygon frame(lower.begin(), lower.end());
  if (upper.size() == 2) {
    PlaneKernel::FT begin = 0, end = 1;  // cut by each side of the frame
    for (auto e = frame.edges_begin(); e != frame.edges_end(); ++e) {
      const auto height = [&](const PlaneKernel::Point_2& x) {
        return CGAL::determinant(e->to_vector(), x - e->source());
      };
      const PlaneKernel::FT h = height(upper[0]), t = height(upper[1]);
      if (h < 0 && t < 0) return {0, 0};
      if (h < 0) begin = std::max(begin, h / (h - t));
      if (t < 0) end = std::min(end, h / (h - t));
    }
    if (begin >= end) return {0, 0};
    return {2, CGAL::to_double(end - begin) * std::sqrt(CGAL::to_double(CGAL::squared_distance(upper[0], upper[1])))};
  }
  std::vector<CGAL::Polygon_with_holes_2<PlaneKernel>> parts;
  CGAL::intersection(Polygon(upper.begin(), upper.end()), frame, std::back_inserter(parts));
  if (parts.empty()) return {0, 0};
  return {int(parts[0].outer_boundary().size()), CGAL::to_double(parts[0].outer_boundary().area())};
}

/// Extent of points in the plane with unit normal n: area of their hull, or the largest distance if `is_line`.
double extent_of(const std::vector<btVector3>& points, const Vec& n, bool is_line) {
  const Vec t = n.unitOrthogonal(), u = n.cross(t);
  std::vector<std::array<Real, 2>> flat;
  for (const btVector3& x : points) {
    const Vec v(x.x(), x.y(), x.z());
    flat.push_back({t.dot(v), u.dot(v)});
  }
  Real largest = 0;
  if (is_line) {
    for (auto& x : flat)
      for (auto& y : flat) largest = std::max(largest, std::hypot(x[0] - y[0], x[1] - y[1]));
    return double(largest);
  }
  std::sort(flat.begin(), flat.end());
  std::vector<std::array<Real, 2>> ring;
  const auto turn = [](auto& a, auto& b, auto& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  };
  for (int side = 0; side < 2; ++side) {
    const std::size_t base = ring.size();
    for (auto& x : flat) {
      while (ring.size() >= base + 2 && turn(ring[ring.size() - 2], ring.back(), x) <= 0) ring.pop_back();
      ring.push_back(x);
    }
    if (!ring.empty()) ring.pop_back();
    std::reverse(flat.begin(), flat.end());
  }
  Real area = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto &x = ring[i], &y = ring[(i + 1) % ring.size()];
    area += (x[0] * y[1] - x[1] * y[0]) / 2;
  }
  return double(area);
}

void write_faces(Random& random, Hulls& hulls, std::vector<std::string>& lines) {
  std::map<std::string, std::array<double, 4>>
      sums;  // per kinds: count, least part that Bullet covers, sum of it, more than 4 corners
  for (const auto& [upper_kind, lower_kind] :
       std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {1, 1}, {4, 4}, {2, 0}, {3, 0}}) {
    const int trials = upper_kind == 4 ? 4 : 16;
    for (int trial = 0; trial < trials; ++trial) {
      Lying upper = make_lying(upper_kind, random, hulls), lower = make_lying(lower_kind, random, hulls);
      const int far = upper_kind == 4 ? 2 : 24;
      const std::array<double, 2> at{random.part(-far, far, 64), random.part(-far, far, 64)};
      const auto [corners, extent] = common_part(placed_border(upper, at, false), placed_border(lower, {0, 0}, true));
      if (corners == 0 || extent < 0.01) {
        --trial;
        continue;
      }
      const double gap = trial % 4 == 0 ? 0 : trial % 4 == 1 ? 1e-3 : trial % 4 == 2 ? -1e-3 : -1e-6;
      const std::array<int, 4> pose = random.quaternion();
      const std::array<double, 3> origin{random.part(-64, 64, 64), random.part(-64, 64, 64), random.part(-64, 64, 64)};
      const Eigen::Quaternion<Real> R = Eigen::Quaternion<Real>(pose[0], pose[1], pose[2], pose[3]).normalized();
      const auto place = [&](Lying& l, const Vec& x, const std::array<int, 4>& flip) {
        l.solid.q = product(pose, product(flip, product({l.spin[0], 0, 0, l.spin[1]}, l.turn)));
        const Vec p = R * x;
        for (int k = 0; k < 3; ++k) l.solid.p[std::size_t(k)] = double(origin[std::size_t(k)] + p[k]);
      };
      lower.spin[1] = -lower.spin[1];  // the half turn about x mirrors the plane
      place(lower, Vec(0, 0, -lower.height), {0, 1, 0, 0});
      place(upper, Vec(at[0], at[1], upper.height + gap), {1, 0, 0, 0});
      const Vec n = R * Vec::UnitZ();
      const std::vector<btVector3> points = find_bullet_manifold(upper.solid, lower.solid);
      const double covered = extent_of(points, n, upper.border.size() == 2);
      auto& sum = sums[kKindNames[std::size_t(upper.solid.kind)] + " on " + kKindNames[std::size_t(lower.solid.kind)]];
      if (gap < 0) {
        sum[1] = sum[0] == 0 ? covered / extent : std::min(sum[1], covered / extent);
        sum[0] += 1, sum[2] += covered / extent, sum[3] += corners > 4;
      }
      char buffer[128];
      std::snprintf(buffer, sizeof buffer, "= %.17g %d %.17g %zu %.12g", gap, corners, extent, points.size(), covered);
      lines.push_back("face " + text_of(upper.solid) + " " + text_of(lower.solid));
      lines.push_back(buffer);
    }
  }
  for (const auto& [name, s] : sums)
    std::printf(
        "Bullet, %s, overlapping: %g manifolds, %g with more than 4 corners; covers on average %.3f of the exact "
        "extent, at least %.3f\n",
        name.c_str(), s[0], s[3], s[2] / s[0], s[1]);
}

}  // namespace
}  // namespace oracle

int main(int argc, char** argv) {
  using namespace oracle;
  if (argc != 2) return std::fprintf(stderr, "usage: make_convex_pairs FILE\n"), 2;
  Random random;
  auto hulls = make_hulls(random);
  const auto solid_hulls = hulls;
  std::vector<std::string> faces;
  write_faces(random, hulls, faces);
  std::FILE* out = std::fopen(argv[1], "w");
  if (!out) return std::perror(argv[1]), 1;
  for (const auto& hull : hulls) {
    std::fprintf(out, "hull %zu", hull.size());
    for (const auto& x : hull) std::fprintf(out, " %.17g %.17g %.17g", x[0], x[1], x[2]);
    std::fprintf(out, "\n");
  }
  for (const std::string& line : faces) std::fprintf(out, "%s\n", line.c_str());
  PairWriter writer(out);
  write_random_pairs(random, solid_hulls, writer);
  write_aligned_pairs(random, solid_hulls, writer);
  writer.print();
  return std::fclose(out);
}
