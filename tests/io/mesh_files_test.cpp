// Mesh files: a tetrahedron in every format is the same solid; damaged files are refused with their line.
#include "sinew/io/mesh_files.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

#include "sinew/core/error.h"

namespace sinew {
namespace {

// Corners of the tetrahedron x, y, z ≥ 0, x + y + z ≤ 1: volume 1/6.
const std::vector<Vec3> kCorners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<Triangle> kFaces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

std::string text_stl() {
  std::string text = "solid tet\n";
  for (const Triangle& face : kFaces) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int i : face) {
      const Vec3& p = kCorners[static_cast<std::size_t>(i)];
      text += "   vertex " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\n";
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid tet\n";
}

std::string binary_stl(const std::string& title) {
  std::string bytes = title;
  bytes.resize(80, ' ');
  const auto put = [&](const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); };
  const auto count = static_cast<std::uint32_t>(kFaces.size());
  put(&count, 4);
  for (const Triangle& face : kFaces) {
    const float normal[3] = {0, 0, 0};
    put(normal, 12);
    for (const int i : face) {
      const Eigen::Vector3f p = kCorners[static_cast<std::size_t>(i)].cast<float>();
      put(p.data(), 12);
    }
    const std::uint16_t attribute = 0;
    put(&attribute, 2);
  }
  return bytes;
}

void expect_tetrahedron(const TriMesh& mesh) {
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_EQ(find_error(mesh), std::nullopt);
  EXPECT_NEAR(signed_volume(mesh), 1.0 / 6, 1e-15);
}

template <class Read>
std::string message_of(Read read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
std::string obj_error(const std::string& text) {
  return message_of([&] { read_obj(text, "a.obj"); });
}
std::string stl_error(const std::string& bytes) {
  return message_of([&] { read_stl(bytes, "a.stl"); });
}

TEST(MeshFiles, SameSolidInEveryFormat) {
  expect_tetrahedron(
      read_obj("# tet\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\ng x\nf 1 3 2\nf 1/1 2/1 4/2\nf 2//1 3//1 "
               "4//1\nf -4 -1 -2\n",
               "a.obj"));
  expect_tetrahedron(read_stl(text_stl(), "a.stl"));
  expect_tetrahedron(read_stl(binary_stl("a binary file"), "a.stl"));
  expect_tetrahedron(read_stl(binary_stl("solid, it says, but binary"), "a.stl"));
}

TEST(MeshFiles, WindowsLineEnds) {
  expect_tetrahedron(
      read_obj("v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nv 0 0 1\r\nf 1 3 2\r\nf 1 2 4\r\nf 2 3 4\r\nf 1 4 3\r\n", "a.obj"));
}

TEST(MeshFiles, PolygonsBecomeFansAndEqualVerticesOne) {
  const TriMesh cube = read_obj(
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv -0.0 0 0\n"
      "f 9 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
      "cube.obj");
  EXPECT_EQ(cube.vertices.size(), 8u);
  EXPECT_EQ(cube.triangles.size(), 12u);
  EXPECT_EQ(find_error(cube), std::nullopt);
  EXPECT_NEAR(signed_volume(cube), 1, 1e-15);
}

TEST(MeshFiles, ErrorsNameTheLine) {
  EXPECT_EQ(obj_error("v 0 0 0\nv 1 x 0\n"), "a.obj:2: expected 3 finite coordinates, got 'x'");
  EXPECT_EQ(obj_error("v 0 0\n"), "a.obj:1: expected 3 finite coordinates, got the end of the line");
  EXPECT_EQ(obj_error("v 0 0 nan\n"), "a.obj:1: expected 3 finite coordinates, got 'nan'");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 2 3\n"),
            "a.obj:2: expected a vertex number from 1 to 1 (vertices before this line), got '2'");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 0 1\n"),
            "a.obj:2: expected a vertex number from 1 to 1 (vertices before this line), got '0'");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 -9223372036854775808 1\n"),
            "a.obj:2: expected a vertex number from 1 to 1 (vertices before this line), got '-9223372036854775808'");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 1\n"), "a.obj:2: expected at least 3 vertices per face, got '2'");
  EXPECT_EQ(stl_error("solid\nfacet\nvertex 1 2\n"), "a.stl:3: expected 3 finite coordinates, got the end of the line");
  EXPECT_EQ(stl_error("solid\nvertex 1 2 3\nendloop\n"), "a.stl:3: expected 3 vertices per facet, got '1'");
  EXPECT_EQ(stl_error("solid\nwhat\n"), "a.stl:2: expected a line of an STL file, got 'what'");
  EXPECT_EQ(stl_error("short"), "a.stl: expected an STL file, got 5 bytes that are none");
  std::string cut = binary_stl("cut");
  cut.resize(cut.size() - 1);
  EXPECT_EQ(stl_error(cut), "a.stl: expected 4 triangles in 284 bytes, got 283 bytes");
}

TEST(MeshFiles, FilesByTheirEnding) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "sinew_mesh_files";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tet.STL", std::ios::binary) << binary_stl("x");
  expect_tetrahedron(read_mesh_file(folder / "tet.STL"));
  EXPECT_NE(message_of([&] {
              read_mesh_file(folder / "tet.ply");
            }).find("expected a mesh file ending in .obj or .stl, got '.ply'"),
            std::string::npos);
  std::ofstream(folder / "empty.obj") << "# nothing\n";
  EXPECT_NE(message_of([&] { read_mesh_file(folder / "empty.obj"); }).find("expected triangles, got none"),
            std::string::npos);
}

TEST(MeshFiles, DamagedFilesAreReadOrRefused) {
  std::mt19937 random(7);
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/2/3 2 4\nf 2 3 4\nf 1 4 3\n";
  for (const std::string& good : {obj, text_stl(), binary_stl("x")}) {
    for (int i = 0; i < 3000; ++i) {
      std::string bytes = good;
      for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
      if (i % 3 == 0) bytes.resize(random() % bytes.size());
      try {
        const TriMesh mesh = good == obj ? read_obj(bytes, "x") : read_stl(bytes, "x");
        for (const Triangle& t : mesh.triangles) {
          for (const int v : t) ASSERT_TRUE(v >= 0 && static_cast<std::size_t>(v) < mesh.vertices.size());
        }
      } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
  }
}

}  // namespace
}  // namespace sinew
