// Writes a viewer stream with two soft bodies to the path given. viewer/tests/encoder.test.ts reads it with the page's own reader, and knows the
// formulas: frame k of vertex v is at (v / 10, sin(v + k), k / 10) [m] and moves at v + k / 2 [m/s]; the first body is strained by v / 100.
#include <cmath>
#include <exception>
#include <fstream>
#include <iostream>

#include "sinew/io/viewer_stream.h"

namespace {

constexpr int kVertices = 12, kFrames = 9, kFirstBlock = 5;

sinew::ViewerSoftMesh make_strip(const std::string& name, double fastest) {
  sinew::ViewerSoftMesh mesh{.name = name};
  for (int v = 0; v + 2 < kVertices; ++v) mesh.triangles.push_back({v, v + 1, v + 2});
  for (int v = 0; v < kVertices; ++v) {
    for (const double x : {v / 10.0, std::sin(v), 0.0}) mesh.rest.push_back(static_cast<float>(x));
  }
  mesh.lower = {0, -1, 0};
  mesh.upper = {2, 1, 1};
  mesh.fields = {{"speed", "m/s", 0, fastest}};
  return mesh;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_soft_stream FILE\n";
    return 2;
  }
  try {
    sinew::ViewerLayout layout;
    layout.header.scene_name = "two strips";
    layout.soft_meshes = {make_strip("slow", 20), make_strip("fast", 40)};
    layout.soft_meshes[0].fields.push_back({"strain", "", 0, 0.2});
    sinew::ViewerEncoder encoder(layout);
    std::string bytes = encoder.make_opening();
    std::vector<float> vertices(3 * kVertices), speeds(kVertices), strains(kVertices);
    for (int k = 0; k < kFrames; ++k) {
      for (std::size_t v = 0; v < kVertices; ++v) {
        const auto number = static_cast<double>(v);
        vertices[3 * v] = static_cast<float>(number / 10);
        vertices[3 * v + 1] = static_cast<float>(std::sin(number + k));
        vertices[3 * v + 2] = static_cast<float>(k / 10.0);
        speeds[v] = static_cast<float>(number + k / 2.0);
        strains[v] = static_cast<float>(number / 100);
      }
      encoder.add_frame({.time = k / 60.0, .vertices = {vertices, vertices}, .fields = {{speeds, strains}, {speeds}}});
      if (k + 1 == kFirstBlock) bytes += encoder.take_block(0, true);
    }
    bytes += encoder.take_block(kFirstBlock, false);
    std::ofstream(argv[1], std::ios::binary) << bytes;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
  return 0;
}
