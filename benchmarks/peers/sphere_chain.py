"""Chains of spheres that fall on a floor, Sinew's exact contact beside MuJoCo's defaults:
python benchmarks/peers/sphere_chain.py build/release/bin (about five minutes; make bench-peers)."""

import argparse
import datetime
import os
import pathlib
import time as clock

import mujoco

import mujoco_side as mj
from sinew_side import Sinew, load
from tables import machine, micro, table

SIZES = (1, 2, 5, 10, 15, 20, 25, 30, 40, 44, 45, 50, 75, 100, 200)
TIME, DT = 10.0, 0.01
SETTINGS = [("Euler", DT), ("implicitfast", DT), ("Euler", 0.002)]  # the first is the default, as in the source
DEEP = 0.1  # m: the violation the source names


def build(scene):
    """The chain with contacts between spheres and floor only, as in the scene."""
    model, _ = mj.build(scene)
    spheres = model.geom_type == mujoco.mjtGeom.mjGEOM_SPHERE
    model.geom_contype[spheres] = 0
    return model


def measure(model, integrator, dt):
    """A run of MuJoCo: CPU seconds of stepping, deepest violation of a contact, when and why it was reset."""
    mj.configure(model, integrator, dt)
    data = mujoco.MjData(model)
    row = {"cpu": 0.0, "depth": 0.0, "deep_at": None, "reset_at": None}
    for i in range(round(TIME / dt)):
        start = clock.process_time()
        mujoco.mj_step(model, data)
        row["cpu"] += clock.process_time() - start
        if mj.was_reset(data):
            row["reset_at"] = (i + 1) * dt
            return row
        deepest = -min((contact.dist for contact in data.contact), default=0.0)
        row["depth"] = max(row["depth"], deepest)
        if deepest > DEEP and row["deep_at"] is None:
            row["deep_at"] = (i + 1) * dt
    return row


def cell(row):
    if row["reset_at"] is not None:
        return f"reset (NaN) at {row['reset_at']:.2f} s, {1e3 * row['depth']:.3g} mm before"
    return f"{1e3 * row['depth']:.3g} mm"


def reach(rows, setting, good):
    """Number of spheres up to which all runs of a setting are good."""
    sizes = []
    for n in SIZES:
        if not good(rows[n][setting]):
            break
        sizes.append(n)
    return sizes[-1] if sizes else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=pathlib.Path, help="folder of sinew")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("benchmarks/results"))
    arguments = parser.parse_args()
    sinew = Sinew((arguments.programs / "sinew").resolve())
    out = arguments.out.resolve()
    os.chdir(sinew.folder)  # where MuJoCo writes its log
    about = f"{sinew.version()}; MuJoCo {mujoco.__version__} (wheel mujoco-core); {machine()}."
    ours, theirs = {}, {}
    for n in SIZES:
        path = sinew.make("sphere_chain", spheres=n)
        ours[n] = sinew.run(path, TIME, DT)
        model = build(load(path))
        theirs[n] = {setting: measure(model, *setting) for setting in SETTINGS}
        print(n, ours[n]["status"], ours[n]["contact"]["max_penetration"], {key: cell(row) for key, row in theirs[n].items()}, flush=True)
    default = SETTINGS[0]
    names = [f"MuJoCo {integrator}, dt {dt}" for integrator, dt in SETTINGS]
    deep = [n for n in SIZES if theirs[n][default]["depth"] >= DEEP or theirs[n][default]["reset_at"] is not None]
    text = [f"# Chains of spheres on a floor, beside MuJoCo\n\nMade by `make bench-peers` on {datetime.date.today()}. {about}\n",
            "The scene of [002-fig8b](../../docs/reproduce/002-fig8b.md), `sinew make sphere_chain --param spheres=n`: spheres of 0.25 m and 1 kg, "
            "spherical joints where they touch, a zigzag that falls on a floor from 0.25 m above it, friction 0.3, contacts with the floor only, "
            f"{TIME:g} s. MuJoCo gets the same masses, joints, friction and start; its contact parameters are its defaults. Deepest violation of a "
            "contact over all steps, and CPU time of stepping per step.\n",
            "The source says of MuJoCo with default parameters at dt = 0.01: 10 cm and more with more than 20 spheres, failure with more than 44. "
            f"Here, at its default (Euler, dt = {DT}): below {100 * DEEP:g} cm up to "
            f"{reach(theirs, default, lambda row: row['reset_at'] is None and row['depth'] < DEEP)} spheres, not reset up to "
            f"{reach(theirs, default, lambda row: row['reset_at'] is None)} of {SIZES[-1]}; "
            + (f"{100 * DEEP:g} cm and more, or reset, with {', '.join(map(str, deep))}.\n" if deep else f"never {100 * DEEP:g} cm.\n"),
            table(["spheres", "Sinew, dt 0.01"] + names,
                  [[n, f"{1e3 * ours[n]['contact']['max_penetration']:.1g} mm" if ours[n]["status"] == "completed" else ours[n]["status"]]
                   + [cell(theirs[n][setting]) for setting in SETTINGS] for n in SIZES]),
            "µs a step, of runs that were not reset:\n",
            table(["spheres", "Sinew, dt 0.01"] + names,
                  [[n, micro(ours[n]["cpu_seconds"] / (TIME / DT))]
                   + [micro(None if theirs[n][setting]["reset_at"] else theirs[n][setting]["cpu"] / (TIME / setting[1])) for setting in SETTINGS]
                   for n in SIZES])]
    out.mkdir(parents=True, exist_ok=True)
    (out / "sphere_chain.md").write_text("\n".join(text))


if __name__ == "__main__":
    main()
