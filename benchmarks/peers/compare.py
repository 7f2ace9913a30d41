"""Compares Sinew with MuJoCo: python benchmarks/peers/compare.py build/release/bin (about ten minutes; make bench-peers).

Writes peers.md and peers.svg into --out. --full times MuJoCo on the longest chains too, whose models take it minutes to compile."""

import argparse
import os
import pathlib

import mujoco
import numpy

import experiments
import page
from sinew_side import Sinew
from tables import machine


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=pathlib.Path, help="folder of sinew")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("benchmarks/results"))
    parser.add_argument("--full", action="store_true")
    arguments = parser.parse_args()
    sinew = Sinew((arguments.programs / "sinew").resolve())
    out = arguments.out.resolve()
    os.chdir(sinew.folder)  # where MuJoCo writes its log
    about = f"{sinew.version()}; MuJoCo {mujoco.__version__} (wheel mujoco-core), NumPy {numpy.__version__}; {machine()}."
    ours = [experiments.variational(order, dt) for order in (2, 4) for dt in (0.02, 0.01, 0.005, 0.002, 0.001)]
    ours += [experiments.reduced(tolerance, 0.1) for tolerance in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)]
    theirs = [(integrator, dt, None) for integrator in ("Euler", "implicitfast", "RK4") for dt in (0.01, 0.005, 0.002, 0.001, 0.0005)]
    results = {"quadruped": experiments.quadruped(sinew), "chains": {}, "hinges": [], "segments": {}, "stacks": []}
    out.mkdir(parents=True, exist_ok=True)
    for joint in ("revolute", "spherical"):
        results["chains"][joint] = experiments.chains(sinew, joint, arguments.full)
        page.write(results, about, out)  # after every part, so that an interrupted run leaves a page of what was measured
    results["hinges"] = experiments.work_precision(sinew, "chain", 2.0, ours, theirs, 0.0002, links=10, joint="revolute")
    for count in (1, 5, 10, 20, 50):
        results["segments"][count] = experiments.segments(sinew, count)
        page.write(results, about, out)
    results["stacks"] = experiments.stacks(sinew)
    page.write(results, about, out)
    print(page.bars(results))


if __name__ == "__main__":
    main()
