"""Forward and inverse dynamics of hinge chains and trees beside Pinocchio's ABA and RNEA:
python benchmarks/peers/tree_dynamics.py build/release/bin (about a minute; make bench-peers).

The trees are those of benchmarks/tree_dynamics_benchmark.cpp. Both programs take turns, size by size, and the smallest CPU times count."""

import argparse
import datetime
import json
import math
import os
import pathlib
import subprocess
import time as clock

import numpy as np
import pinocchio as pin

from sinew_side import Sinew
from tables import COLOURS, machine, micro, parent_of, save, table, verdict
import matplotlib.pyplot as plt

SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
KINDS = tuple((task, shape) for task in ("forward", "inverse") for shape in ("chain", "tree"))


def make_model(shape, joints):
    def wave(phase, i):
        return np.array([math.sin(phase + i), math.sin(phase + 2 * i + 1), math.sin(phase + 3 * i + 2)])

    model = pin.Model()
    for i in range(joints):
        place = pin.SE3(pin.exp3(wave(2, i)), 0.5 * wave(1, i))
        joint = model.addJoint(parent_of(shape, i) + 1, pin.JointModelRZ(), place, f"joint {i}")
        inertia = pin.Inertia(1 + 0.5 * math.sin(i), 0.3 * wave(0, i), np.diag(0.2 + 0.05 * wave(3, i)))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    return model


def fits_in_memory(joints):
    """pin.Data holds four dense tensors of joints³ numbers."""
    return 4 * 8 * joints**3 < 0.4 * os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


class Pinocchio:
    """Calls of one model from Python."""

    def __init__(self, shape, joints):
        self.model = make_model(shape, joints)
        self.data = self.model.createData()
        q, v, u = (np.sin(phase + 1.7 * np.arange(joints)) for phase in (0, 1, 2))
        self.calls = {"forward": lambda: pin.aba(self.model, self.data, q, v, u),
                      "inverse": lambda: pin.rnea(self.model, self.data, q, v, u)}

    def cost(self, task, repeats=5):
        call, best = self.calls[task], math.inf
        count = max(3, 10000 // max(self.model.nv, 1))
        for _ in range(repeats):
            start = clock.process_time()
            for _ in range(count):
                call()
            best = min(best, (clock.process_time() - start) / count)
        return best

    def checksum(self, task):
        return float(np.cos(np.arange(self.model.nv)) @ self.calls[task]())


def run_ours(program, task, shape, joints):
    """CPU seconds per call, and the checksum."""
    command = [program, f"--benchmark_filter=^{task}_{shape}/{joints}$", "--benchmark_min_time=0.02", "--benchmark_repetitions=5",
               "--benchmark_format=json"]
    runs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["benchmarks"]
    runs = [run for run in runs if run["run_type"] == "iteration"]
    return min(run["cpu_time"] for run in runs) * 1e-9, runs[0]["checksum"]


def measure(program, rounds):
    """Rows by (task, shape); and the overhead of a Python call by task, measured in two ways."""
    rows = {kind: {n: {"sinew": math.inf, "pinocchio": None} for n in SIZES} for kind in KINDS}
    empty = {"forward": math.inf, "inverse": math.inf}
    nothing = Pinocchio("chain", 0)
    for shape in ("chain", "tree"):
        for n in SIZES:
            peer = Pinocchio(shape, n) if fits_in_memory(n) else None
            for _ in range(rounds):
                for task in ("forward", "inverse"):
                    row = rows[task, shape][n]
                    cost, checksum = run_ours(program, task, shape, n)
                    row["sinew"] = min(row["sinew"], cost)
                    empty[task] = min(empty[task], nothing.cost(task, 1))
                    if peer:
                        row["pinocchio"] = min(row["pinocchio"] or math.inf, peer.cost(task))
                        theirs = peer.checksum(task)
                        if abs(theirs - checksum) > 1e-9 * max(1, abs(theirs)):
                            raise SystemExit(f"{task} {shape} {n}: checksums {checksum!r} and {theirs!r} differ")
            print(shape, n, {task: rows[task, shape][n] for task in ("forward", "inverse")}, flush=True)
    return rows, empty


def intercept(rows):
    """Time at n = 0 on the line through n = 1 and n = 10: what a call costs beside its joints."""
    one, ten = rows[1]["pinocchio"], rows[10]["pinocchio"]
    return one - (ten - one) / 9


def slope(rows, first):
    sizes = [n for n in SIZES if n >= first]
    return float(np.polyfit(np.log(sizes), np.log([rows[n]["sinew"] for n in sizes]), 1)[0])


def page(rows, empty, about):
    overhead = {kind: max(empty[kind[0]], intercept(rows[kind])) for kind in KINDS}
    ratios = {kind: {n: row["sinew"] / (row["pinocchio"] - overhead[kind]) for n, row in rows[kind].items() if row["pinocchio"]}
              for kind in KINDS}
    bars = []
    for kind in KINDS:
        title = f"{kind[0]} dynamics, {kind[1]}"
        steepness = slope(rows[kind], 10)
        bars.append([f"{title}: slope of log time over log n ≤ 1.05 (n = 10 to 1000)", f"{steepness:.3f}; {slope(rows[kind], 1):.3f} from n = 1",
                     verdict(steepness <= 1.05)])
        sized = {n: ratio for n, ratio in ratios[kind].items() if n >= 10}
        worst = max(sized, key=sized.get)
        bars.append([f"{title}: at most 1.0 × the wheel's time", f"worst {sized[worst]:.2f} (n = {worst}), {min(sized.values()):.2f} at best, n = 10 to {max(sized)}",
                     verdict(sized[worst] <= 1)])
    per_hinge = min(rows["forward", "chain"][n]["sinew"] / n for n in SIZES if n >= 10)
    bars.append(["aim: 0.2 µs per hinge, forward dynamics (Pinocchio's best build)", f"{micro(per_hinge)} µs (chain), "
                 f"{micro(min(rows['forward', 'tree'][n]['sinew'] / n for n in SIZES if n >= 10))} µs (tree)", verdict(per_hinge <= 0.2e-6)])
    text = [f"# Recursive dynamics beside Pinocchio\n\nMade by `make bench-peers` on {datetime.date.today()}. {about}\n",
            "Time of one call that starts from q and v: forward dynamics (articulated bodies) beside `pinocchio.aba`, inverse dynamics beside "
            "`pinocchio.rnea`, hinges about general axes with general inertias under gravity. Sinew also takes a wrench on every body; its "
            "time includes writing gravity there. Both take turns, size by size; CPU times of one thread, the smallest of all rounds. "
            "Results agree to 1e-9 at every size, else the run fails. A tree hangs joint i on joint ⌊i frac(0.618 i)⌋.\n",
            "Sinew is timed in C++. Pinocchio is called from Python, and the wheel is a baseline build (SSE2), Sinew's release uses what the "
            "machine has (see above). What a Python call costs beside its joints is measured in two ways, below; the larger is taken off before "
            "the ratio, which favours Pinocchio. The bars are judged from n = 10 on: below, that overhead is much of what is measured. `pin.Data` "
            "holds four dense n × n × n tensors, 32 GB at n = 1000: sizes for which this machine had not the memory are marked -.\n",
            table(["overhead of a call from Python [µs]", "call on an empty model", "intercept of n = 1 and 10"],
                  [[f"{task}, {shape}", micro(empty[task]), micro(intercept(rows[task, shape]))] for task, shape in KINDS]),
            "![time per joint](tree_dynamics.svg)\n", "## Bars\n", table(["bar", "measured", ""], bars)]
    for task, shape in KINDS:
        kind = task, shape
        text += [f"## {task.capitalize()} dynamics, {shape}\n",
                 table(["n", "Sinew [µs]", "per joint", "Pinocchio, from Python [µs]", "less overhead [µs]", "per joint", "ratio"],
                       [[n, micro(row["sinew"]), micro(row["sinew"] / n), micro(row["pinocchio"])] +
                        ([micro(row["pinocchio"] - overhead[kind]), micro((row["pinocchio"] - overhead[kind]) / n),
                          f"{ratios[kind][n]:.2f}"] if row["pinocchio"] else ["-"] * 3)
                        for n, row in rows[kind].items()])]
    return "\n".join(text)


def plot(rows, path):
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
    for axis, task, peer in zip(axes, ("forward", "inverse"), ("ABA", "RNEA")):
        for shape, line in (("chain", "-"), ("tree", "--")):
            data = rows[task, shape]
            axis.loglog(SIZES, [data[n]["sinew"] / n * 1e6 for n in SIZES], line, marker="o", color=COLOURS["Sinew"], label=f"Sinew, {shape}")
            known = [n for n in SIZES if data[n]["pinocchio"]]
            axis.loglog(known, [data[n]["pinocchio"] / n * 1e6 for n in known], line, marker="s", color=COLOURS["Pinocchio"],
                        label=f"Pinocchio {peer} from Python, {shape}")
        axis.set_title(f"{task} dynamics")
        axis.set_xlabel("joints")
        axis.grid(True, which="both", alpha=0.3)
        axis.legend(fontsize=8)
    axes[0].set_ylabel("CPU time per joint [µs]")
    save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=pathlib.Path, help="folder of sinew and tree_dynamics_benchmark")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("benchmarks/results"))
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    about = f"{Sinew(arguments.programs / 'sinew').version()}; Pinocchio {pin.__version__} (wheel pin), NumPy {np.__version__}; {machine()}."
    rows, empty = measure((arguments.programs / 'tree_dynamics_benchmark').resolve(), arguments.rounds)
    (arguments.out / "tree_dynamics.md").write_text(page(rows, empty, about))
    plot(rows, arguments.out / "tree_dynamics.svg")


if __name__ == "__main__":
    main()
