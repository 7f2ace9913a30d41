// What find_error accepts and what it says about the rest.
#include "sinew/geometry/tri_mesh.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "sinew/geometry/box.h"

namespace sinew {
namespace {

const TriMesh kTetrahedron = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                              {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};

// The message after `change` was done to a good mesh.
template <class Change>
std::string message_after(const Change& change) {
  TriMesh mesh = kTetrahedron;
  change(mesh);
  return find_error(mesh).value_or("");
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << "got: " << (text)

TEST(TriMesh, AcceptsATetrahedronAndABox) {
  EXPECT_EQ(message_after([](TriMesh&) {}), "");
  EXPECT_FALSE(find_error(Box{{1, 2, 3}}.triangulate(0)));
  EXPECT_DOUBLE_EQ(signed_volume(kTetrahedron), 1.0 / 6);
  EXPECT_DOUBLE_EQ(signed_volume(Box{{1, 2, 3}}.triangulate(0)), 6);
}

TEST(TriMesh, NamesTheOpenEdge) {
  // Without triangle 2 (vertices 1, 2, 3) the first edge without a partner is 2-1 of triangle 0.
  const std::string text = message_after([](TriMesh& m) { m.triangles.erase(m.triangles.begin() + 2); });
  EXPECT_SAYS(text, "open edge 2-1 of triangle 0");
  EXPECT_SAYS(text, "no triangle has the edge 1-2");
}

TEST(TriMesh, NamesTheEdgeOfATurnedTriangle) {
  const std::string text = message_after([](TriMesh& m) { std::swap(m.triangles[1][1], m.triangles[1][2]); });
  EXPECT_SAYS(text, "edge 1-0 in that direction in triangles 0 and 1");
}

TEST(TriMesh, NamesAnEdgeWhereMoreThanTwoTrianglesMeet) {
  const std::string text = message_after([](TriMesh& m) {
    m.vertices.push_back({1, 1, 1});
    m.triangles.insert(m.triangles.end(), {{0, 1, 4}, {1, 0, 4}});  // a fin on edge 0-1
  });
  EXPECT_SAYS(text, "triangles 1 and 4");
  EXPECT_SAYS(text, "more than two triangles");
}

TEST(TriMesh, NamesAnInsideOutSurface) {
  const std::string text = message_after([](TriMesh& m) {
    for (Triangle& t : m.triangles) std::swap(t[1], t[2]);
  });
  EXPECT_SAYS(text, "got a volume of -0.1666");
  EXPECT_SAYS(text, "inside out");
  EXPECT_SAYS(text, "edge 0-1 of triangle 0");
}

TEST(TriMesh, SurfacesMayBeOpenButNotTurnedNorForked) {
  const auto open_message = [](const auto& change) {
    TriMesh mesh = kTetrahedron;
    change(mesh);
    return find_surface_error(mesh).value_or("");
  };
  EXPECT_EQ(open_message([](TriMesh&) {}), "");
  EXPECT_EQ(open_message([](TriMesh& m) { m.triangles.pop_back(); }), "");
  EXPECT_EQ(open_message([](TriMesh& m) { m.triangles.resize(1); }), "");
  const std::string turned = open_message([](TriMesh& m) {
    m.triangles.pop_back();
    std::swap(m.triangles[1][1], m.triangles[1][2]);
  });
  EXPECT_SAYS(turned, "edge 1-0 in that direction in triangles 0 and 1");
  const std::string forked = open_message([](TriMesh& m) {
    m.vertices.push_back({1, 1, 1});
    m.triangles.push_back({0, 1, 4});  // a fin on edge 0-1, which has two triangles
  });
  EXPECT_SAYS(forked, "more than two triangles");
  EXPECT_SAYS(open_message([](TriMesh& m) { m.triangles.clear(); }), "got no triangles");
  EXPECT_SAYS(open_message([](TriMesh& m) { m.triangles[1][2] = 9; }), "got 9 in triangle 1");
  const std::string inside_out = open_message([](TriMesh& m) {
    for (Triangle& t : m.triangles) std::swap(t[1], t[2]);
  });
  EXPECT_SAYS(inside_out, "inside out");  // it is closed, so it is a solid
}

TEST(TriMesh, NamesBadEntries) {
  EXPECT_SAYS(message_after([](TriMesh& m) { m.triangles.clear(); }), "no triangles");
  EXPECT_SAYS(message_after([](TriMesh& m) { m.triangles[2][1] = 4; }), "from 0 to 3, got 4 in triangle 2");
  EXPECT_SAYS(message_after([](TriMesh& m) { m.triangles[2][1] = -1; }), "got -1 in triangle 2");
  EXPECT_SAYS(message_after([](TriMesh& m) { m.triangles[3] = {1, 2, 1}; }), "triangle 3, got 1, 2, 1");
  EXPECT_SAYS(message_after([](TriMesh& m) { m.vertices[1].y() = NAN; }), "vertex 1");
}

}  // namespace
}  // namespace sinew
