#include "sinew/io/scene_docs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/expression.h"
#include "sinew/io/scene_reader.h"
#include "sinew/io/scene_tables.h"

namespace sinew {
namespace {

constexpr std::string_view kExample = R"(sinew: 1
name: pendulum with a motor
duration: 20
dt: 0.01
stepper: {type: variational, tolerance: 1e-10}

bodies:
  - name: rod
    shape: {type: box, size: [0.02, 0.02, 1], density: 2700}
    position: [0.5, 0, 0]
    orientation: {axis: [0, 1, 0], angle: 90deg}
  - name: ball
    shape: {type: sphere, radius: 1/20, mass: 0.4}
    position: [1, 0, 0]

joints:
  - {name: hinge, type: revolute, child: rod, anchor: [0, 0, 0], axis: [0, 1, 0]}
  - name: weld
    type: fixed
    parent: rod
    child: ball
    anchor: [1, 0, 0]

forces:
  - type: actuator
    joint: hinge
    effort: 0.2
    signal: {offset: 0, amplitude: 1, frequency: 2}

probes:
  - {name: tip, type: position, body: ball}
  - {name: angle, type: coordinate, joint: hinge}
  - {name: energy, type: ledger, entry: energy.total}
)";

constexpr std::string_view kWrongExample = R"(sinew: 1
gravty: [0, 0, -9.81]
bodies:
  - name: rod
    shape: {type: box, size: [0.02, 0.02, 0], density: 2700 kg}
  - name: ball
    shape: {type: sphere, radius: 2*(0.1}
    orientation: {quaternion: [1, 1, 0, 0]}
joints:
  - {name: hinge, type: revolut, child: rod, anchor: [0, 0]}
)";

constexpr std::string_view kWrongNames = R"(sinew: 1
bodies:
  - name: rod
    shape: {type: box, size: [0.02, 0.02, 1]}
joints:
  - {name: hinge, type: revolute, child: rood, anchor: [0, 0, 0]}
)";

std::string messages_of(std::string_view wrong_scene) {
  try {
    read_scene_text(wrong_scene, "scene.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr std::string_view kIntroduction =
    R"md(<!-- Made by `sinew schema --markdown > docs/scene_format.md` from the field declarations the reader uses; do not edit. -->
# Scene format

A scene file is YAML (or JSON, which is YAML). It says what exists, how it is connected and for how long to simulate it. Units are SI,
frames right-handed, z is up. Bodies, joints and probes have names, and are referred to by them. `sinew check SCENE` reads a file and tells
every error in it; `sinew schema` prints a JSON Schema that editors understand.

```yaml
{example}```

Things that hold everywhere:

- An unknown key, or a key given twice, is an error.
- A list of one item may be written as the item alone: `effort: 2` is `effort: [2]`. Where the items have a name (body, shape, joint, probe),
  that name may then be the key: `shape: {{...}}` is `shapes: [{{...}}]`.
- Where a `type` is chosen and nothing else needs to be said, its name is enough: `stepper: variational` is `stepper: {{type: variational}}`.
- A body gets its mass from its shapes (`density` or `mass` at each shape, or one of them at the body), or from `mass` and `inertia`.
- A joint is placed by `anchor`, a point of the world at t = 0, or by a frame on each of the two bodies.
- Mesh files end in `.obj` or `.stl` (text or binary) and are looked for beside the scene file.
- Files with more than {depth} levels of nesting, or above {size} MiB, are refused.

## Numbers

Wherever a number is expected, an expression may stand: `1/2`, `-sqrt(3)/2`, `2*pi`, `(1 + 2)^2`. A number followed by `deg` is an angle in
degrees: `90deg` is `pi/2`. Operators: `+ - * / ^` and parentheses; `^` binds strongest and to the right. Functions: {functions}. The result
must be finite. The key `expression` of a signal takes the same with the time `t` in s, a `law` with coordinate `q`, rate `v` and `t`. In a list in brackets, an expression with a comma
needs quotes: `["atan2(1, 2)", 0, 0]`.

## Changes from the command line

`sinew run SCENE --set path=value` changes the scene before it is read. In brackets stands the name of an item, or its number from 0; the
value is YAML. Keys that are not in the file are added.

```
--set dt=1e-3
--set stepper.tolerance=1e-12
--set bodies[1].mass=2
--set "joints[hinge].axis=[0, 1, 0]"
```

## Errors

All errors of a file are told at once, each with file, line and column, the path, what was expected and what was got:

```
{values}
```

Names and choices are checked too, where reading left no doubt about them:

```
{names}
```
)md";

constexpr std::string_view kOrientations = R"md(
One of

```yaml
orientation: {quaternion: [1, 0, 0, 0]}               # w, x, y, z
orientation: {axis: [0, 0, 1], angle: 30deg}          # right-handed turn about an axis
orientation: {euler: [10deg, 20deg, 30deg], order: xyz}
```

A quaternion may differ from length 1 by 1e-6 and is normalised; one farther off is an error. Euler angles are intrinsic: `order: xyz` turns
about x, then about the new y, then about the newest z. Angles about fixed axes are the same sequence read backwards: roll, pitch and yaw
about fixed x, y, z are `{euler: [yaw, pitch, roll], order: zyx}`.
)md";

}  // namespace

std::string_view example_scene() { return kExample; }

std::string make_scene_format_page() {
  std::string page =
      fmt::format(fmt::runtime(kIntroduction), fmt::arg("example", kExample), fmt::arg("depth", kMaxYamlDepth),
                  fmt::arg("size", kMaxYamlBytes >> 20), fmt::arg("values", messages_of(kWrongExample)),
                  fmt::arg("names", messages_of(kWrongNames)),
                  fmt::arg("functions", fmt::format("`{}`", fmt::join(expression_functions(), "`, `"))));
  std::string tables = TableWriter().write_all<SceneDescription>();
  const std::string heading = fmt::format("\n## {}\n", OrientationDescription::kName);
  const std::size_t at = tables.find(heading);
  tables.insert(at + heading.size(), kOrientations);
  return page + tables;
}

}  // namespace sinew
