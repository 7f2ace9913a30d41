// Reads tests/contact/convex_pairs.txt, which tests/oracles/make_convex_pairs.cpp wrote and explains.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sinew/geometry/all_shapes.h"
#include "sinew/spatial/pose.h"

namespace sinew::test {

struct PlacedShape {
  std::string kind;
  Shape shape;
  Pose X;

  bool is_curved() const { return kind == "cylinder" || kind == "cone" || kind == "ellipsoid"; }
};

/// Two solids and their signed distance by CGAL, exact (to 1e-12 m for cylinders, cones, ellipsoids), and by Bullet.
struct ConvexPair {
  std::string name, regime;
  PlacedShape a, b;
  double distance = 0;
  Vec3 normal, point_a, point_b;  // normal from b towards a
  bool normal_is_unique = true, points_are_unique = true;
  bool has_bullet = false;
  double bullet = 0;

  bool is_curved() const { return a.is_curved() || b.is_curved(); }
};

/// A solid that lies on a face of another one: area of what they share, or length where it is a line.
struct FacePair {
  std::string name;
  PlacedShape upper, lower;
  double gap = 0;
  int corners = 0, bullet_points = 0;
  double extent = 0, bullet_extent = 0;

  bool is_line() const { return corners == 2; }
};

struct ConvexPairs {
  std::vector<ConvexPair> pairs;
  std::vector<FacePair> faces;
};

inline ConvexPairs read_convex_pairs() {
  std::ifstream file(std::string(SINEW_SOURCE_DIR) + "/tests/contact/convex_pairs.txt");
  std::vector<std::vector<Vec3>> hulls;
  ConvexPairs all;
  const auto vector = [](std::istream& in) {
    Vec3 x;
    in >> x[0] >> x[1] >> x[2];
    return x;
  };
  const auto placed = [&](std::istream& in) {
    PlacedShape s;
    in >> s.kind;
    double r = 0, l = 0;
    if (s.kind == "box") s.shape = Box{vector(in)};
    if (s.kind == "ellipsoid") s.shape = Ellipsoid{vector(in)};
    if (s.kind == "sphere") in >> r, s.shape = Sphere{r};
    if (s.kind == "capsule") in >> r >> l, s.shape = Capsule{r, l};
    if (s.kind == "cylinder") in >> r >> l, s.shape = Cylinder{r, l};
    if (s.kind == "cone") in >> r >> l, s.shape = Cone{r, l};
    if (s.kind == "convex") in >> l, s.shape = Convex{hulls.at(static_cast<std::size_t>(l))};
    Eigen::Vector4d q;
    in >> q[0] >> q[1] >> q[2] >> q[3];
    q.normalize();
    s.X.q = Quat(q[0], q[1], q[2], q[3]);
    s.X.p = vector(in);
    return s;
  };
  for (std::string line, answer; std::getline(file, line);) {
    std::istringstream in(line);
    std::string what, bullet;
    in >> what;
    if (what == "hull") {
      std::size_t count = 0;
      in >> count;
      hulls.emplace_back();
      while (hulls.back().size() < count) hulls.back().push_back(vector(in));
      continue;
    }
    std::getline(file, answer);
    std::istringstream says(answer.substr(1));
    if (what == "pair") {
      ConvexPair p;
      p.name = line;
      in >> p.regime;
      p.a = placed(in), p.b = placed(in);
      says >> p.distance;
      p.normal = vector(says), p.point_a = vector(says), p.point_b = vector(says);
      says >> p.normal_is_unique >> p.points_are_unique >> bullet;
      p.has_bullet = bullet != "-";
      if (p.has_bullet) p.bullet = std::stod(bullet);
      all.pairs.push_back(p);
    } else {
      FacePair f;
      f.name = line;
      f.upper = placed(in), f.lower = placed(in);
      says >> f.gap >> f.corners >> f.extent >> f.bullet_points >> f.bullet_extent;
      all.faces.push_back(f);
    }
  }
  return all;
}

}  // namespace sinew::test
