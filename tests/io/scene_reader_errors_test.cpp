// Every kind of mistake in a scene file, with the exact place and words.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

#include "io/scene_test_text.h"

#include "sinew/simulation/simulation.h"

namespace sinew {
namespace {

Lines with(const std::string& more) { return errors_of(small_scene(more)); }

TEST(SceneErrors, GoodSceneHasNone) { EXPECT_EQ(errors_of(small_scene()), Lines{}); }

TEST(SceneErrors, UnknownKeysAreSuggested) {
  EXPECT_EQ(with("gravty: [0, 0, -9.81]\n"),
            (Lines{"s.yaml:7:1 gravty: unknown key 'gravty' (did you mean 'gravity'?)"}));
  EXPECT_EQ(errors_of("sinew: 1\nbody: {nmae: a, mass: 1, inertia: [1, 1, 1]}\n"),
            (Lines{"s.yaml:2:8 bodies[0].nmae: unknown key 'nmae' (did you mean 'name'?)"}));
  EXPECT_EQ(with("stepper: {type: variational, x: 1}\n"),
            (Lines{"s.yaml:7:30 stepper.x: unknown key 'x' (known: type, tolerance, max_iterations, order, "
                   "contact_tolerance, max_contact_iterations, friction_directions, sleep_speed, sleep_time)"}));
}

TEST(SceneErrors, OptionsOfAStepperMustFitEachOther) {
  EXPECT_EQ(with("stepper: {type: variational, order: 4, sleep_speed: 0.1, friction_directions: 2}\n"),
            (Lines{"s.yaml:7:53 stepper.sleep_speed: expected 0 unless the order is 2: order 4 is for smooth motion",
                   "s.yaml:7:79 stepper.friction_directions: expected 0, or 3 to 16, got 2"}));
}

TEST(SceneErrors, KeysOfAnotherTypeAreUnknown) {
  EXPECT_EQ(with("body: {name: a, shape: {type: sphere, radius: 1, size: [1, 1, 1], mass: 1}}\n").front(),
            "s.yaml:7:1 body: expected 'bodies' or 'body', got both");
  EXPECT_EQ(errors_of("sinew: 1\nbody: {name: a, shape: {type: sphere, radius: 1, size: 2, mass: 1}}\n"),
            (Lines{"s.yaml:2:50 bodies[0].shapes[0].size: unknown key 'size' (known: type, radius, density, mass, "
                   "position, orientation, material, collides, group, mask)"}));
}

TEST(SceneErrors, MissingKeys) {
  EXPECT_EQ(errors_of("dt: 0.1\n"), (Lines{"s.yaml:1:1 sinew: missing key 'sinew' (version of the scene format: 1)"}));
  EXPECT_EQ(errors_of("sinew: 1\nbodies:\n  - mass: 1\n    inertia: [1, 1, 1]\n"),
            (Lines{"s.yaml:3:5 bodies[0].name: missing key 'name' (unique name; `world` is reserved)"}));
  EXPECT_EQ(errors_of("sinew: 1\nbody: {name: a, shape: {type: box, mass: 1}}\n"),
            (Lines{"s.yaml:2:24 bodies[0].shapes[0].size: missing key 'size' (full side lengths along x, y, z, m)"}));
  EXPECT_EQ(
      with("forces:\n  - {body: rod}\n"),
      (Lines{
          "s.yaml:8:5 forces[0].type: missing key 'type' (known: wrench, actuator, spring, joint_spring, servo, law, "
          "cable, chain, muscle, damping, drag)"}));
  EXPECT_EQ(with("forces: [wrench]\n"), (Lines{"s.yaml:7:10 forces[0].body: missing key 'body' (body it acts on)"}));
}

TEST(SceneErrors, ExpressionsOfTimePointAtTheirMistake) {
  const auto hinge = [](const std::string& motion) {
    return errors_of(
        "sinew: 1\nbody: {name: rod, mass: 1, inertia: [1, 1, 1]}\njoints:\n"
        "  - {name: h, type: revolute, child: rod, anchor: [0, 0, 0], motion: " +
        motion + "}\n");
  };
  EXPECT_EQ(hinge("{position: {expression: \"0.3*sin(2*t)\"}}"), Lines{});
  const Lines unknown = hinge("{position: {expression: \"0.3*sin(2*x)\"}}");
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_TRUE(
      unknown[0].starts_with("s.yaml:4:105 joints[0].motions[0].position.expression: expected a number or t, got 'x'"))
      << unknown[0];
  EXPECT_EQ(hinge("{position: {expression: \"sin(t\"}}"),
            (Lines{"s.yaml:4:100 joints[0].motions[0].position.expression: expected ')', got the end in 'sin(t'"}));
}

TEST(SceneErrors, UnknownTypesAreSuggested) {
  EXPECT_EQ(with("stepper: variatonal\n"),
            (Lines{"s.yaml:7:10 stepper.type: expected a known word, got 'variatonal' (did you mean 'variational'?)"}));
  EXPECT_EQ(errors_of("sinew: 1\nbody: {name: a, shape: {type: cube, size: [1, 1, 1], mass: 1}}\n"),
            (Lines{"s.yaml:2:31 bodies[0].shapes[0].type: expected a known word, got 'cube' (known: box, "
                   "sphere, cylinder, capsule, cone, ellipsoid, mesh, convex)"}));
}

TEST(SceneErrors, DuplicateKeys) {
  EXPECT_EQ(with("dt: 0.1\ndt: 0.2\n"),
            (Lines{"s.yaml:8:1 dt: expected each key once, got 'dt' again (first in line 7)"}));
  EXPECT_EQ(errors_of("sinew: 1\nbody: {name: a, mass: 1, inertia: [1, 1, 1], mass: 2}\n"),
            (Lines{"s.yaml:2:46 body.mass: expected each key once, got 'mass' again (first in line 2)"}));
}

TEST(SceneErrors, WrongKindsOfValue) {
  EXPECT_EQ(with("dt: [1]\n"), (Lines{"s.yaml:7:5 dt: expected a number (s), got a list of 1"}));
  EXPECT_EQ(with("dt:\n"), (Lines{"s.yaml:7:1 dt: expected a number (s), got nothing"}));
  EXPECT_EQ(with("dt: fast\n"),
            (Lines{"s.yaml:7:5 dt: expected a number, got 'fast' (give a number in s, without the unit)"}));
  EXPECT_EQ(with("name: [a]\n"), (Lines{"s.yaml:7:7 name: expected text, got a list of 1"}));
  EXPECT_EQ(with("assemble: yes\n"), (Lines{"s.yaml:7:11 assemble: expected true or false, got 'yes'"}));
  EXPECT_EQ(with("max_step_halvings: 1.5\n"),
            (Lines{"s.yaml:7:20 max_step_halvings: expected a whole number, got '1.5'"}));
  EXPECT_EQ(with("max_step_halvings: 1e10\n"),
            (Lines{"s.yaml:7:20 max_step_halvings: expected a whole number, got '1e10'"}));
  EXPECT_EQ(with("forces: 3\n"),
            (Lines{"s.yaml:7:9 forces[0].type: expected a known word, got '3' (known: wrench, "
                   "actuator, spring, joint_spring, servo, law, cable, chain, muscle, damping, drag)"}));
  EXPECT_EQ(with("forces: [[1]]\n"),
            (Lines{"s.yaml:7:10 forces[0]: expected a map with the key 'type', got a list of 1"}));
  EXPECT_EQ(with("probes: [a]\n"),
            (Lines{"s.yaml:7:10 probes[0]: expected a map (a named quantity to record), got 'a'"}));
}

TEST(SceneErrors, WrongSizes) {
  EXPECT_EQ(with("gravity: [0, 0]\n"),
            (Lines{"s.yaml:7:10 gravity: expected a list of 3 numbers (m/s^2), got a list of 2"}));
  EXPECT_EQ(with("gravity: 9.81\n"), (Lines{"s.yaml:7:10 gravity: expected a list of 3 numbers (m/s^2), got '9.81'"}));
  EXPECT_EQ(with("gravity: {x: 1}\n"),
            (Lines{"s.yaml:7:10 gravity: expected a list of 3 numbers (m/s^2), got a map with the key 'x'"}));
  EXPECT_EQ(
      errors_of("sinew: 1\nbody: {name: a, mass: 1, inertia: [1, 2]}\n"),
      (Lines{
          "s.yaml:2:35 bodies[0].inertia: expected 3 numbers (the diagonal) or 3 rows of 3 numbers, got a list of 2"}));
  EXPECT_EQ(errors_of("sinew: 1\nbody: {name: a, mass: 1, inertia: [[1, 2, 3], [1, 2], 3]}\n"),
            (Lines{"s.yaml:2:47 bodies[0].inertia[1]: expected a list of 3 numbers (kg m^2), got a list of 2",
                   "s.yaml:2:55 bodies[0].inertia[2]: expected a list of 3 numbers (kg m^2), got '3'"}));
}

TEST(SceneErrors, Ranges) {
  EXPECT_EQ(with("dt: 0\n"), (Lines{"s.yaml:7:5 dt: expected a number above 0 (s), got '0'"}));
  EXPECT_EQ(with("duration: -1\n"), (Lines{"s.yaml:7:11 duration: expected a number of at least 0 (s), got '-1'"}));
  EXPECT_EQ(with("max_step_halvings: 21\n"),
            (Lines{"s.yaml:7:20 max_step_halvings: expected a whole number from 0 to 20, got '21'"}));
  EXPECT_EQ(errors_of("sinew: 2\n"), (Lines{"s.yaml:1:8 sinew: expected 1, got '2'"}));
  EXPECT_EQ(errors_of("sinew: 1\nbody: {name: a, shape: {type: box, size: [1, -1, 0], mass: 1}}\n"),
            (Lines{"s.yaml:2:46 bodies[0].shapes[0].size[1]: expected a number above 0 (m), got '-1'",
                   "s.yaml:2:50 bodies[0].shapes[0].size[2]: expected a number above 0 (m), got '0'"}));
}

TEST(SceneErrors, NumbersMustBeFinite) {
  EXPECT_EQ(with("dt: .inf\n"), (Lines{"s.yaml:7:5 dt: expected a number, got '.inf'"}));
  EXPECT_EQ(with("dt: .nan\n"), (Lines{"s.yaml:7:5 dt: expected a number, got '.nan'"}));
  EXPECT_EQ(with("dt: 1e999\n"), (Lines{"s.yaml:7:5 dt: expected a number a double can hold, got '1e999'"}));
}

TEST(SceneErrors, ExpressionsPointAtTheirColumn) {
  EXPECT_EQ(with("dt: 1/0\n"), (Lines{"s.yaml:7:7 dt: expected a divisor other than 0 in '1/0'"}));
  EXPECT_EQ(with("dt: '2*(1+3'\n"), (Lines{"s.yaml:7:12 dt: expected ')', got the end in '2*(1+3'"}));
  EXPECT_EQ(with("dt: 10 ms\n"), (Lines{"s.yaml:7:8 dt: expected an operator or the end, got 'ms' in '10 ms' (give a "
                                        "number in s, without the unit)"}));
  EXPECT_EQ(with("gravity: [0, 0, -sqr(2)]\n"),
            (Lines{"s.yaml:7:18 gravity[2]: expected a number, got 'sqr' (did you mean 'sqrt'?) in '-sqr(2)' (give a "
                   "number in m/s^2, without the unit)"}));
}

TEST(SceneErrors, DirectionsAndOrientations) {
  EXPECT_EQ(errors_of(small_scene(), {"joints[0].axis=[0,0,0]"}),
            (Lines{"--set joints[0].axis=[0,0,0] joints[0].axis: expected a direction, got a vector of length 0"}));
  const auto orientation = [](const std::string& text) {
    return errors_of("sinew: 1\nbody: {name: a, mass: 1, inertia: [1, 1, 1], orientation: " + text + "}\n");
  };
  const std::string where = "s.yaml:2:59 bodies[0].orientation: ";
  EXPECT_EQ(orientation("[1, 0, 0, 0]"), (Lines{where + "expected {quaternion: [w, x, y, z]}, {axis: [x, y, z], angle: "
                                                        "a} or {euler: [a, b, c], order: xyz}, got a list of 4"}));
  EXPECT_EQ(orientation("{quaternion: [1, 1, 1, 1]}"),
            (Lines{where + "expected a quaternion [w, x, y, z] of length 1, got length 2; divide it by its length"}));
  EXPECT_EQ(orientation("{quaternion: [0, 0, 0, 0]}"),
            (Lines{where + "expected a quaternion [w, x, y, z] of length 1, got length 0; divide it by its length"}));
  EXPECT_EQ(orientation("{axis: [0, 0, 1]}"), (Lines{where + "expected 'axis' with 'angle', got 'axis' alone"}));
  EXPECT_EQ(orientation("{}"),
            (Lines{where + "expected 'quaternion', or 'axis' and 'angle', or 'euler', got none of them"}));
  EXPECT_EQ(orientation("{euler: [0, 0, 0], angle: 1}"),
            (Lines{where + "expected 'quaternion', or 'axis' and 'angle', or 'euler', got more than one of them"}));
  EXPECT_EQ(orientation("{euler: [0, 0, 0], order: xxz}"),
            (Lines{"s.yaml:2:85 bodies[0].orientation.order: expected a known word, got 'xxz' (did you mean 'xyz'?)"}));
  EXPECT_EQ(orientation("{quaternion: [1, 0, 0]}"),
            (Lines{"s.yaml:2:72 bodies[0].orientation.quaternion: expected a list of 4 numbers, got a list of 3"}));
}

TEST(SceneErrors, NamesAndChoicesHaveTheirPlace) {
  EXPECT_EQ(with("probes:\n  - {name: p, type: pose, body: rood}\n"),
            (Lines{"s.yaml:8:33 probes[0].body: expected the name of a body, got 'rood' (did you mean 'rod'?)"}));
  EXPECT_EQ(errors_of("sinew: 1\nbodies:\n  - name: a\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n"),
            (Lines{"s.yaml:3:5 bodies[0]: expected 'shapes' with 'density' or 'mass', or 'mass' and 'inertia', got a "
                   "body without mass",
                   "s.yaml:4:12 bodies[1].name: expected a unique name, got 'a', the name of bodies[0]"}));
  EXPECT_EQ(errors_of("sinew: 1\nbody:\n  name: a\n  shape: {type: sphere, radius: 1}\n"),
            (Lines{"s.yaml:4:10 bodies[0].shapes[0]: expected 'density' or 'mass', here or at the body, got neither"}));
}

TEST(SceneErrors, AllAtOnceInTheOrderOfTheFile) {
  EXPECT_EQ(errors_of("sinew: 1\n"
                      "dt: -1\n"
                      "bodies:\n"
                      "  - {name: a, mass: 1, inertia: [1, 1, 1], colour: red}\n"
                      "  - {name: b, mass: 1, inertia: [1, 1, 5]}\n"
                      "joints:\n"
                      "  - {name: j, type: revolute, axsi: [1, 0, 0], parent: a, child: c, anchor: [0, 0, 0]}\n")
                .size(),
            5u);
}

TEST(SceneErrors, WhatFollowsFromAnErrorIsNotToldAgain) {
  EXPECT_EQ(
      errors_of(
          "sinew: 1\nbodys:\n  - {name: rod}\njoints:\n  - {name: j, type: fixed, child: rod, anchor: [0, 0, 0]}\n"),
      (Lines{"s.yaml:2:1 bodys: unknown key 'bodys' (did you mean 'bodies'?)"}));
  EXPECT_EQ(errors_of("sinew: 1\nbodies:\n  - {name: rod, mas: 1, inertia: [1, 1, 1]}\n"),
            (Lines{"s.yaml:3:17 bodies[0].mas: unknown key 'mas' (did you mean 'mass'?)"}));
}

TEST(SceneErrors, NamesAreCheckedBesideOtherErrors) {
  EXPECT_EQ(with("forces:\n  - {type: wrench, frce: [1, 0, 0], body: rood}\n"),
            (Lines{"s.yaml:8:20 forces[0].frce: unknown key 'frce' (did you mean 'force'?)",
                   "s.yaml:8:43 forces[0].body: expected the name of a body, got 'rood' (did you mean 'rod'?)"}));
  EXPECT_EQ(errors_of("sinew: 1\nbodies:\n  - {nam: rod, mass: 1, inertia: [1, 1, 1]}\n"
                      "joints:\n  - {name: j, type: fixed, child: rod, anchor: [0, 0, 0]}\n"),
            (Lines{"s.yaml:3:6 bodies[0].nam: unknown key 'nam' (did you mean 'name'?)"}));
}

TEST(SceneErrors, ManyErrorsAreCutWithTheirNumber) {
  std::string text = "sinew: 1\n";
  for (int i = 0; i < 1000; ++i) text += fmt::format("x{}: 1\n", i);
  const Lines lines = errors_of(text);
  ASSERT_EQ(lines.size(), 51u);
  EXPECT_EQ(lines.back(), "s.yaml: and 950 more errors");
}

TEST(SceneErrors, NotAScene) {
  EXPECT_EQ(errors_of(""), (Lines{"s.yaml:1:1: expected a scene (a map that begins with 'sinew: 1'), got nothing"}));
  EXPECT_EQ(errors_of("# only a comment\n"),
            (Lines{"s.yaml:1:1: expected a scene (a map that begins with 'sinew: 1'), got nothing"}));
  EXPECT_EQ(errors_of("- 1\n- 2\n"),
            (Lines{"s.yaml:1:1: expected a scene (a map that begins with 'sinew: 1'), got a list of 2"}));
  EXPECT_EQ(errors_of("hello"),
            (Lines{"s.yaml:1:1: expected a scene (a map that begins with 'sinew: 1'), got 'hello'"}));
  EXPECT_EQ(errors_of("sinew: 1\n---\nsinew: 1\n"),
            (Lines{"s.yaml:3:1: expected one YAML document, got a second one"}));
}

TEST(SceneErrors, Overrides) {
  const auto set = [](const std::string& text) { return errors_of(small_scene(), {text}); };
  EXPECT_EQ(set("bodies[0].shape.densty=1"), (Lines{"--set bodies[0].shape.densty=1 bodies[0].shapes[0].densty: "
                                                    "unknown key 'densty' (did you mean 'density'?)"}));
  EXPECT_EQ(set("dtt=1"), (Lines{"--set dtt=1 dtt: unknown key 'dtt' (did you mean 'dt'?)"}));
  EXPECT_EQ(
      set("joints[hinje].axis=[0,1,0]"),
      (Lines{"--set joints[hinje].axis=[0,1,0]: expected the name of an item, got 'hinje' (did you mean 'hinge'?)"}));
  EXPECT_EQ(set("bodies[3].mass=1"),
            (Lines{"--set bodies[3].mass=1: expected a number below 1 in 'bodies[3]', got 3"}));
  EXPECT_EQ(set("joinst[0].axis=1"),
            (Lines{"--set joinst[0].axis=1: expected a list of the scene, got 'joinst' (did you mean 'joints'?)"}));
  EXPECT_EQ(set("dt"), (Lines{"--set dt: expected path=value, such as bodies[0].mass=2"}));
  EXPECT_EQ(set("=1"), (Lines{"--set =1: expected path=value, such as bodies[0].mass=2"}));
  EXPECT_EQ(set("dt="), (Lines{"--set dt= dt: expected a number (s), got nothing"}));
  EXPECT_EQ(
      set("bodies..mass=1"),
      (Lines{"--set bodies..mass=1: expected a path such as bodies[0].mass, got an empty step in 'bodies..mass'"}));
  EXPECT_EQ(set("bodies.mass=1"), (Lines{"--set bodies.mass=1: expected a map around 'bodies.mass', got a list of 1; "
                                         "items of a list are chosen by [number] or [name]"}));
}

TEST(SceneErrors, Files) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "sinew_scene_files";
  std::filesystem::create_directories(folder);
  const auto message = [](const std::filesystem::path& path) -> std::string {
    try {
      read_scene_file(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::File);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(folder / "none.yaml"),
            (folder / "none.yaml").string() + ": expected a file that can be read: No such file or directory");
  EXPECT_EQ(message(folder), folder.string() + ": expected a file, got a directory");
  std::ofstream(folder / "good.yaml") << small_scene();
  EXPECT_EQ(read_scene_file(folder / "good.yaml", {"dt=1"}).dt, 1);
}

TEST(SceneErrors, WhatTurnsUpWhenTheSceneIsBuiltHasItsPlace) {
  const auto path = std::filesystem::path(testing::TempDir()) / "sinew_apart.yaml";
  std::ofstream(path)
      << "sinew: 1\n"
         "body: {name: a, mass: 1, inertia: [1, 1, 1]}\n"
         "joints:\n"
         "  - {name: j, type: spherical, child: a, parent_frame: {position: [0, 0, 1]}, child_frame: {}}\n";
  try {
    read_scene(path);
    FAIL() << "the joint is 1 m apart";
  } catch (const Error& error) {
    ASSERT_EQ(error.diagnostics().size(), 1u);
    EXPECT_EQ(error.diagnostics()[0].where, path.string() + ":4:5 joints[0]");
  }
  EXPECT_NO_THROW(read_scene(path, {"assemble=true"}));
}

TEST(SceneErrors, LawsHaveTheirPlaces) {
  const auto path = std::filesystem::path(testing::TempDir()) / "sinew_law.yaml";
  const auto errors_with = [&](const std::string& law) -> Lines {
    std::ofstream(path) << small_scene("forces:\n  - {type: law, " + law + "}\n");
    Lines lines;
    try {
      read_scene(path);
    } catch (const Error& error) {
      for (const Diagnostic& d : error.diagnostics()) lines.push_back(d.text().substr(path.string().size() + 1));
    }
    return lines;
  };
  EXPECT_EQ(errors_with("joint: hinge, potential: \"q^2\", effort: \"-v\""), Lines{});
  EXPECT_EQ(errors_with("joint: hinge, potential: \"q^2*v\""),
            (Lines{"8:47 forces[0].potential[0]: expected a number or q, got 'v' in 'q^2*v'"}));
  EXPECT_EQ(errors_with("joint: hinge, effort: -damping*v"),
            (Lines{"8:40 forces[0].effort[0]: expected a number, q, v or t, got 'damping' in '-damping*v'"}));
  EXPECT_EQ(errors_with("joint: hnge, effort: -v"),
            (Lines{"8:24 forces[0].joint: expected the name of a joint, got 'hnge' (did you mean 'hinge'?)"}));
  EXPECT_EQ(
      errors_with("joint: hinge, effort: [-v, -q]"),
      (Lines{"8:39 forces[0].effort: expected 1 expression(s), one per degree of freedom of joint 'hinge', got 2"}));
  EXPECT_EQ(errors_with("points: [{body: rod}, {body: world}], potential: [q, q]"),
            (Lines{"8:66 forces[0].potential: expected 1 expression, for the length of the path, got 2"}));
  EXPECT_EQ(errors_with("joint: hinge, points: [{body: rod}, {body: world}], potential: q"),
            (Lines{"8:5 forces[0]: expected 'joint' or 'points', got both"}));
  EXPECT_EQ(errors_with("potential: q"), (Lines{"8:5 forces[0]: expected 'joint' or 'points', got neither of them"}));
  EXPECT_EQ(errors_with("joint: hinge"),
            (Lines{"8:5 forces[0]: expected 'potential' or 'effort' or both, got neither of them"}));
  EXPECT_EQ(
      errors_with("points: [{body: rod}], potential: q"),
      (Lines{"8:25 forces[0].points: expected points on two different bodies, or on a body and the world, got fewer"}));
}

TEST(SceneErrors, MeshFiles) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "sinew_scene_meshes";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "bad.obj") << "v 0 0 0\nv 1 0 zero\n";
  std::ofstream(folder / "open.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::ofstream(folder / "tet.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const std::string scene = (folder / "s.yaml").string();
  const auto text = [](const std::string& file) {
    return "sinew: 1\nbody: {name: a, density: 6, shape: {type: mesh, file: " + file + "}}\n";
  };
  const SceneDescription read = read_scene_text(text("tet.obj"), scene);
  const auto& mesh = std::get<Mesh>(read.bodies[0].shapes[0].shape);
  EXPECT_NEAR(mesh.volume(), 1.0 / 6, 1e-15);
  EXPECT_TRUE(mesh.file.empty());
  const auto message = [&](const std::string& file) -> std::string {
    try {
      read_scene_text(text(file), scene);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string where = scene + ":2:55 bodies[0].shapes[0].file: ";
  EXPECT_EQ(message("bad.obj"),
            where + (folder / "bad.obj").string() + ":2: expected 3 finite coordinates, got 'zero'");
  EXPECT_EQ(message("none.obj"),
            where + (folder / "none.obj").string() + ": expected a file that can be read: No such file or directory");
  EXPECT_NE(message("open.obj").find(":2:36 bodies[0].shapes[0]: "), std::string::npos) << message("open.obj");
}

TEST(SceneErrors, SurfacesOfTheWorldHaveTheirPlace) {
  const auto with = [](const std::string& shape) { return errors_of(small_scene("world:\n  - {" + shape + "}\n")); };
  const std::string vertices = "type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], triangles: ";
  EXPECT_EQ(with(vertices + "[[0, 1, 2], [2, 1, 3]]"), Lines{});  // an open surface
  const Lines turned = with(vertices + "[[0, 1, 2], [1, 2, 3]]");
  ASSERT_EQ(turned.size(), 1u);
  EXPECT_TRUE(
      turned[0].starts_with("s.yaml:8:85 world[0].triangles: expected each edge in each direction once, got "
                            "edge 1-2"))
      << turned[0];
  EXPECT_EQ(with("type: heightfield, size_x: 1, size_y: 1, columns: 3, heights: [0, 0, 0, 0]"),
            (Lines{"s.yaml:8:68 world[0].heights: expected two or more whole rows of 3 heights, got 4 heights"}));
  const Lines flat = with("type: convex, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]");
  ASSERT_EQ(flat.size(), 1u);
  EXPECT_TRUE(flat[0].starts_with("s.yaml:8:5 world[0]: expected")) << flat[0];
}

TEST(SceneErrors, MeshesOnBodiesThatCollideHaveTheirPlace) {
  const std::string body =
      "sinew: 1\n"
      "bodies:\n"
      "  - {name: a, mass: 1, shape: {type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
      "triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}}\n";
  EXPECT_EQ(errors_of(body), Lines{});  // nothing collides
  EXPECT_NO_THROW(Simulation(make_scene(read_scene_text(body, "s.yaml"))));
  const Lines lines = errors_of(body + "world: {type: plane}\n");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(
      lines[0].starts_with("s.yaml:3:31 bodies[0].shapes[0]: expected convex shapes on a body that collides, "
                           "got a mesh: use type: convex"))
      << lines[0];
  EXPECT_EQ(errors_of(body + "world: {type: plane}\n", {"bodies[0].shape.collides=false"}), Lines{});
}

// What motions contradict is found when the scene is built, by joints and constraints that it knows by name only.
TEST(SceneErrors, MotionsThatCannotBeHaveTheirPlace) {
  const auto path = std::filesystem::path(testing::TempDir()) / "sinew_motion.yaml";
  const auto where = [&](const std::string& joints) -> std::string {
    std::ofstream(path) << "sinew: 1\n"
                           "stepper: reduced\n"
                           "bodies:\n"
                           "  - {name: a, mass: 1, inertia: [1, 1, 1]}\n"
                           "  - {name: b, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                           "joints:\n" +
                               joints;
    try {
      read_scene(path);
    } catch (const Error& error) {
      return error.diagnostics().front().where.substr(path.string().size());
    }
    return "";
  };
  const std::string driven = "anchor: [0, 0, 0], motion: {velocity: {offset: 1}}}\n";
  const std::string first = "  - {name: j, type: revolute, child: a, ",
                    second = "  - {name: k, type: revolute, child: ";
  EXPECT_EQ(where(first + driven + second + "b, " + driven +
                  "constraints:\n  - {name: g, type: gear, joint_a: j, joint_b: k}\n"),
            ":10:5 constraints[0]");
  EXPECT_EQ(where(first + driven + second + "a, " + driven), ":8:5 joints[1]");
  EXPECT_EQ(where(first + "anchor: [0, 0, 0], motion: {position: {expression: sqrt(t)}}}\n"),
            ":7:79 joints[0].motions[0].position");
}

// What is wrong with a chain is told at the line of its joint: what was expected, what is there, what to do.
TEST(SceneErrors, ChainsOfTheWrongSize) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "chain_of_the_wrong_size.yaml";
  const auto error_of = [&](const std::string& type, const std::string& members) -> std::string {
    std::ofstream(file)
        << "sinew: 1\nbody: {name: rod, mass: 1, inertia: [1, 1, 1]}\njoints:\n  - name: chain\n    type: " << type
        << "\n    child: rod\n    anchor: [0, 0, 0]\n    joints: [" << members << "]\n";
    try {
      read_scene(file);
    } catch (const Error& error) {
      const std::string text = error.diagnostics().front().text();
      const std::string place = file.string() + ":4:5 joints[0]: ";
      EXPECT_EQ(text.substr(0, place.size()), place);
      return text.substr(std::min(place.size(), text.size()));
    }
    return "";
  };
  EXPECT_EQ(error_of("composite_3", "universal, cylindrical"),
            "expected members with 3 degrees of freedom in all, got 4 (universal 2, cylindrical 2): take type: "
            "composite_4, or "
            "type: composite, which counts them");
  EXPECT_EQ(error_of("composite", "planar, spherical"),
            "expected members with 1 to 5 degrees of freedom in all, got 6 (planar 3, spherical 3): take type: "
            "floating for a body "
            "that moves freely, or leave members out");
  EXPECT_EQ(error_of("composite", "fixed"),
            "expected members with 1 to 5 degrees of freedom in all, got 0 (fixed 0): take type: fixed for a chain "
            "that does not "
            "move");
  EXPECT_EQ(error_of("composite", "revolute, cylindrical"),
            "expected members that each add a motion, got 3 degrees of freedom (revolute 1, cylindrical 2) of which "
            "some do what "
            "others do: leave them out");
  EXPECT_EQ(error_of("composite", "translation, universal"), "");
}

TEST(SceneErrors, MembersOfUnknownTypeAreSuggested) {
  const Lines lines = errors_of(
      "sinew: 1\nbody: {name: rod, mass: 1, inertia: [1, 1, 1]}\njoints:\n"
      "  - {name: chain, type: composite, child: rod, anchor: [0, 0, 0], joints: [revolut, planar]}\n");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("s.yaml:4:76 joints[0].joints[0]"), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("did you mean 'revolute'?"), std::string::npos) << lines[0];
}

}  // namespace
}  // namespace sinew
