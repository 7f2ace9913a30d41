"""Sinew's side of the comparison: makes scenes and runs them with the command line tool, as a user would."""

import csv
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import yaml


class Sinew:
    def __init__(self, program):
        self.program = str(program)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sinew_peers_"))

    def make(self, generator, **parameters):
        """File of a generated scene."""
        name = "_".join([generator] + [f"{key}{value}" for key, value in parameters.items()])
        path = self.folder / f"{name}.yaml"
        options = [word for key, value in parameters.items() for word in ("--param", f"{key}={value}")]
        path.write_text(subprocess.run([self.program, "make", generator, *options], check=True, capture_output=True, text=True).stdout)
        return path

    def run(self, scene, time, dt=None, tolerance=None, stepper=None, probes=False):
        """Report of one run, with `cpu_seconds` of its stepping, and, if asked, the last row of the `probes`."""
        report, table = self.folder / "report.json", self.folder / "probes.csv"
        command = [self.program, "run", str(scene), "--time", repr(time), "--threads", "1", "--quiet", "--report", str(report)]
        command += ["--dt", repr(dt)] if dt else []
        command += ["--set", f"stepper={stepper}"] if stepper else []
        command += ["--set", f"stepper.tolerance={tolerance}"] if tolerance else []
        command += ["--probes", str(table)] if probes else []
        report.unlink(missing_ok=True)
        subprocess.run(command, check=False, capture_output=True, cwd=self.folder)
        result = json.loads(report.read_text()) if report.exists() else {"status": "failed"}
        if probes and result["status"] == "completed":
            with open(table, newline="") as file:
                rows = list(csv.DictReader(file))
            result["probes"] = {key: float(value) for key, value in rows[-1].items()}
        return result

    def cost(self, scene, steps, dt, repeats=3, **options):
        """CPU seconds a step, the smallest of the repeats. And the report."""
        runs = [self.run(scene, steps * dt, dt, **options) for _ in range(repeats)]
        best = min(runs, key=lambda run: run["cpu_seconds"])
        return max(best["cpu_seconds"], 1e-9) / steps, best

    def version(self):
        return subprocess.run([self.program, "--version"], check=True, capture_output=True, text=True).stdout.strip()


def load(path):
    return yaml.load(pathlib.Path(path).read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def tip_of(run):
    """Place of the probe `tip` at the end of a run."""
    return np.array([run["probes"][f"tip.{axis} [m]"] for axis in "xyz"])
