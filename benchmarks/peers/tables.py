"""What the pages of benchmarks/results share."""

import math
import os

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "sinew"
matplotlib.rcParams["svg.fonttype"] = "none"  # letters as text: small files

COLOURS = {"Sinew": "#0b6e99", "MuJoCo": "#c4572e", "Pinocchio": "#c4572e"}


def parent_of(shape, i):
    """Body that the i-th hangs from: the last, or, in a tree, one picked by the golden section, as tree_dynamics_benchmark.cpp does."""
    if shape == "chain" or i == 0:
        return i - 1
    turns = 0.6180339887498949 * i
    return int(i * (turns - math.floor(turns)))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def micro(seconds):
    return "-" if seconds is None else f"{seconds * 1e6:.3g}"


def verdict(reached):
    return "met" if reached else "**not met**"


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown processor")
    load = os.getloadavg()[0]
    busy = ": **a busy machine, on which CPU times come out up to twice too large, of either side**" if load > 1.5 else ""
    return f"{model}, {os.cpu_count()} cores, load {load:.1f} at the start{busy}"
