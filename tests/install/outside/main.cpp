// A user's program: builds a pendulum, simulates it, and checks the answers.
#include <cmath>
#include <cstdio>
#include <string>

#include "sinew/core/version.h"
#include "sinew/io/scene_reader.h"
#include "sinew/simulation/simulation.h"

// The layout the library was compiled with: a 32-byte alignment here would mean that EIGEN_MAX_ALIGN_BYTES did not reach us.
static_assert(alignof(Eigen::Vector4d) == 16);

int main() {
  using namespace sinew;
  SceneDescription pendulum = read_scene_text(
      "sinew: 1\n"
      "bodies:\n"
      "  - {name: rod, mass: 1, inertia: [1/12, 1/12, 1e-3], position: [0.5, 0, 0], orientation: {axis: [0, 1, 0], "
      "angle: -90deg}}\n"
      "joints:\n"
      "  - {name: hinge, type: revolute, child: rod, anchor: [0, 0, 0], axis: [0, 1, 0]}\n",
      "pendulum");
  pendulum.dt = 0.001;
  Simulation simulation(make_scene(pendulum));
  for (int i = 0; i < 500; ++i) {
    if (!simulation.step().report.ok()) return 1;
  }
  const double fallen =
      simulation.state().joint_q[0];  // a thin rod let go at pi/2 is at -0.09035 rad after half a second
  const bool is_right = std::abs(fallen - (3.14159265358979 / 2 + 0.0903520899559723)) < 1e-4;

  std::string message;
  try {
    read_scene_text("sinew: 1\ngravty: 1\n", "scene.yaml");
  } catch (const Error& error) {
    message = error.what();
  }
  const bool is_told = message.find("scene.yaml:2:1 gravty") == 0;
  std::printf("sinew %s, revision %s, %s, %s: %s\n", kVersion.data(), kGitRevision.data(), kCompiler.data(),
              kSimd.data(), is_right && is_told ? "right" : "wrong");
  return is_right && is_told ? 0 : 1;
}
