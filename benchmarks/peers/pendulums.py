"""Work and precision on trees: pendulums of 2 to 200 hinges with tilted axes, in a chain and branched, Sinew's reduced stepper beside
MuJoCo's RK4: python benchmarks/peers/pendulums.py build/release/bin (about ten minutes; make bench-peers)."""

import argparse
import datetime
import math
import os
import pathlib

import mujoco
import numpy as np
import yaml

import mujoco_side as mj
from sinew_side import Sinew, tip_of
from tables import COLOURS, machine, parent_of, save, table, verdict
import matplotlib.pyplot as plt
from matplotlib.ticker import NullFormatter

SIZES = (2, 5, 10, 20, 50, 100, 200)
SHAPES = ("chain", "tree")
TIME = 2.0
OUTER_STEP = 0.1  # Sinew chooses its own steps within
TOLERANCES = (1e-3, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12)
MUJOCO_STEPS = (0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)
EQUAL = 1.01  # errors that differ by less are equal: the same method at the same step rounds differently
OURS = [(f"tolerance {tolerance:g}", f"{{type: reduced, tolerance: {tolerance}}}") for tolerance in TOLERANCES]
OURS += [(f"RK4, substep {h:g}", f"{{type: reduced, integrator: runge_kutta_4, substep: {h}}}") for h in MUJOCO_STEPS[:4]]


def make_scene(shape, joints):
    """Rods of 1 m and 1 kg along x, each from the end of its parent, released from rest; axes across, tilted differently, so that they leave
    the plane and siblings part."""
    bodies, hinges, depths = [], [], []
    for i in range(joints):
        parent = parent_of(shape, i)
        depths.append(depths[parent] + 1 if i else 0)
        tilt = 0.8 * (i % 3 - 1) if shape == "chain" else 0.8 * math.sin(i)
        bodies.append({"name": f"rod{i}", "shapes": [{"type": "box", "size": [1.0, 0.1, 0.1], "mass": 1.0}],
                       "position": [depths[i] + 0.5, 0.0, 0.0]})
        hinges.append({"name": f"hinge{i}", "type": "revolute", "parent": f"rod{parent}" if i else "world", "child": f"rod{i}",
                       "anchor": [float(depths[i]), 0.0, 0.0], "axis": [0.0, math.cos(tilt), math.sin(tilt)]})
    tip = {"name": "tip", "type": "position", "body": f"rod{joints - 1}", "point": [0.5, 0.0, 0.0]}
    return {"sinew": 1, "name": f"pendulum_{shape}{joints}", "bodies": bodies, "joints": hinges, "probes": [tip]}


def run_ours(sinew, path, stepper):
    return sinew.run(path, TIME, OUTER_STEP, stepper=stepper, probes=True)


def measure(sinew, shape, joints, repeats):
    """Rows of both, run by turns; errors are against Sinew at tolerance 1e-14."""
    scene = make_scene(shape, joints)
    path = sinew.folder / f"{scene['name']}.yaml"
    path.write_text(yaml.safe_dump(scene))
    reference = tip_of(run_ours(sinew, path, "{type: reduced, tolerance: 1e-14}"))
    model, _ = mj.build(scene)
    tip = model.body(f"rod{joints - 1}").id, np.array([0.5, 0, 0])
    ours, theirs = {}, {}
    for turn in range(repeats):
        for setting, stepper in OURS:
            run = run_ours(sinew, path, stepper)
            if run["status"] != "completed":
                continue
            row = ours.setdefault(setting, {"who": "Sinew", "setting": setting, "cost": math.inf})
            row.update(cost=min(row["cost"], run["cpu_seconds"] / TIME), energy=run["energy"]["max_abs_error"],
                       tip=float(np.linalg.norm(tip_of(run) - reference)))
        for dt in MUJOCO_STEPS:
            if turn and theirs.get(dt, {"cost": 1})["cost"] * TIME > 0.5:
                continue  # long enough to trust one run
            mj.configure(model, "RK4", dt)
            cost = mj.measure(model, [], TIME, samples=1).cpu / TIME  # without energy: it is not needed to step
            row = theirs.setdefault(dt, {"who": "MuJoCo", "setting": f"RK4, dt {dt:g}", "cost": math.inf})
            row["cost"] = min(row["cost"], cost)
    for dt, row in theirs.items():
        mj.configure(model, "RK4", dt, energy=True)
        run = mj.measure(model, [], TIME, samples=20, tip=tip)
        row.update(energy=run.energy, tip=float(np.linalg.norm(run.tip - reference)) if run.completed else math.nan)
    rows = list(ours.values()) + [row for row in theirs.values() if not math.isnan(row["tip"])]
    for row in rows:
        print(shape, joints, row, flush=True)
    return rows


def pairs(rows):
    """(their row, our cheapest row with tip and energy errors at most as large, or None)"""
    mine = [row for row in rows if row["who"] == "Sinew"]
    for row in rows:
        if row["who"] == "MuJoCo":
            good = [other for other in mine if other["tip"] <= EQUAL * row["tip"] and other["energy"] <= EQUAL * row["energy"]]
            yield row, min(good, key=lambda other: other["cost"], default=None)


def page(results, about):
    bars, lost = [], []
    for (shape, joints), rows in results.items():
        gains = {theirs["setting"]: theirs["cost"] / ours["cost"] if ours else 0.0 for theirs, ours in pairs(rows)}
        text = ", ".join(f"{gain:.2g} ({setting})" if gain else f"not reached ({setting})" for setting, gain in gains.items())
        bars.append([shape, joints, text, verdict(min(gains.values()) >= 1) if joints >= 5 else "no bar"])
        for theirs, ours in pairs(rows):
            if ours is None or ours["cost"] > theirs["cost"]:
                lost.append(f"- {shape.capitalize()} of {joints} joints to a tip error of {theirs['tip']:.1e} m: MuJoCo {1e3 * theirs['cost']:.3g} ms per simulated s, "
                            "Sinew " + (f"{1e3 * ours['cost']:.3g}." if ours else "not with the settings tried."))
    text = [f"# Pendulums: work and precision beside MuJoCo's RK4\n\nMade by `make bench-peers` on {datetime.date.today()}. {about}\n",
            f"Rods and hinges with tilted axes, in a chain, or branched (every rod hangs from the end of one before it, picked at random), released from horizontal rest, {TIME:g} s. Sinew: the reduced stepper (Dormand-Prince, "
            f"adaptive within steps of {OUTER_STEP} s, or classical Runge-Kutta in substeps of fixed length). MuJoCo: RK4, `mj_step` in one batch, energy off while timing. Both take turns. "
            "Costs are CPU times of stepping, the smallest of the turns; Sinew's are those of `sinew run` with its ledger. Tip errors at the end "
            "are against Sinew at tolerance 1e-14; energy errors are the largest of 20 samples.\n",
            "![work and precision](pendulums.svg)\n",
            "## Bar: cheaper at equal error from 5 joints on\n\nTimes cheaper than each of MuJoCo's runs, with tip and energy errors at most "
            f"{EQUAL:g} times as large.\n",
            table(["shape", "joints", "times cheaper", ""], bars), "## Where we lose\n", "\n".join(lost) + "\n" if lost else "Nowhere here.\n"]
    for (shape, joints), rows in results.items():
        text += [f"## {shape.capitalize()} of {joints} joints\n", table(["who", "setting", "ms per simulated s", "tip error [m]", "energy error [J]"],
                                                [[row["who"], row["setting"], f"{1e3 * row['cost']:.3g}", f"{row['tip']:.1e}",
                                                  f"{row['energy']:.1e}"] for row in rows])]
    return "\n".join(text)


def plot(results, path):
    figure, axes = plt.subplots(4, 4, figsize=(14, 14))
    for axis, ((shape, joints), rows) in zip(axes.flat, results.items()):
        for who, marker in (("Sinew", "o"), ("MuJoCo", "s")):
            for method, style in (("tolerance", "-"), ("RK4", "--" if who == "Sinew" else "-")):
                points = [(1e3 * row["cost"], row["tip"]) for row in rows if row["who"] == who and row["setting"].startswith(method)]
                if points:
                    axis.loglog(*zip(*points), style, marker=marker, color=COLOURS[who],
                                label=f"{who} {'RK4' if method == 'RK4' else 'adaptive'}")
        axis.set_title(f"{shape} of {joints} joints")
        axis.set_xlabel("ms per simulated s")
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.grid(True, alpha=0.3)
    for axis in axes[:, 0]:
        axis.set_ylabel("tip error [m]")
    axes[0, 0].legend(fontsize=8)
    for axis in axes.flat[len(results):]:
        axis.axis("off")
    save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=pathlib.Path, help="folder of sinew")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("benchmarks/results"))
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    arguments = parser.parse_args()
    sinew = Sinew((arguments.programs / "sinew").resolve())
    out = arguments.out.resolve()
    os.chdir(sinew.folder)  # where MuJoCo writes its log
    about = f"{sinew.version()}; MuJoCo {mujoco.__version__} (wheel mujoco-core), NumPy {np.__version__}; {machine()}."
    results = {}
    for shape, joints in ((shape, joints) for shape in SHAPES for joints in arguments.sizes):
        results[shape, joints] = measure(sinew, shape, joints, arguments.turns)
        (out / "pendulums.md").write_text(page(results, about))
        plot(results, out / "pendulums.svg")


if __name__ == "__main__":
    main()
