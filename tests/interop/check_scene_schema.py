"""Validates scenes against `sinew schema` with the package jsonschema, which knows nothing of our reader: every scene of scenes/ and the
example of docs/scene_format.md must pass, and scenes with one mistake must not.

usage: check_scene_schema.py SINEW SOURCE_DIR
"""

import copy
import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import yaml

GOOD = [
    ("stepper", "variational"),
    ("stepper", {"max_iterations": 7}),
    ("joints", None),
    ("gravity", ["0", "-sqrt(2)/2", "1/3"]),
]
WRONG = [
    ("gravty", [0, 0, -9.81]),
    ("stepper", "variatonal"),
    ("dt", 0),
    ("gravity", [0, 0]),
    ("max_step_halvings", 1.5),
    ("bodies.0.mass", -1),
    ("bodies.0.shape.radius", 1),
    ("joints.0.type", "revolut"),
    ("joints.0.child", ["rod"]),
    ("forces.0.jont", "hinge"),
    ("probes.0.type", None),
    ("sinew", 2),
]


def changed(scene, path, value):
    scene = copy.deepcopy(scene)
    *parents, last = path.split(".")
    place = scene
    for step in parents:
        place = place[int(step) if step.isdigit() else step]
    place[last] = value
    return scene


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads(subprocess.run([program, "schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    page = (source / "docs" / "scene_format.md").read_text(encoding="utf-8")
    example = yaml.safe_load(re.search(r"```yaml\n(.*?)```", page, re.DOTALL).group(1))
    scenes = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted((source / "scenes").glob("*.yaml"))}
    scenes["docs/scene_format.md"] = example

    failures = []
    for name, scene in scenes.items():
        failures += [f"{name}: {error.json_path}: {error.message}" for error in validator.iter_errors(scene)]
    for path, value in GOOD:
        if not validator.is_valid(changed(example, path, value)):
            failures.append(f"{path} = {value!r} should pass")
    for path, value in WRONG:
        if validator.is_valid(changed(example, path, value)):
            failures.append(f"{path} = {value!r} should not pass")
    print("\n".join(failures) if failures else f"schema: {len(scenes)} scenes pass, {len(WRONG)} mistakes do not")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
