"""The four-bar linkage in joint coordinates, 60 s: cost, closure and energy error against the tolerance, beside Simbody's numbers:
python benchmarks/peers/four_bar.py build/release/bin (about a minute; make bench-peers)."""

import argparse
import datetime
import pathlib

from sinew_side import Sinew
from tables import machine, table, verdict

TIME = 60.0
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
SIMBODY_CLOSURE, SIMBODY_COST, SIMBODY_ENERGY = 1.4e-7, 17e-3, 5e-4  # m, s per simulated s, J: no wheel exists, measured once elsewhere


def raised_by_30_degrees(scene):
    """The scene starts with the crank 60° above the horizontal; the rods' own angles are from the vertical."""
    return scene.replace("angle: 30deg", "angle: OTHER").replace("60deg", "30deg").replace("OTHER", "60deg")


def measure(sinew, path, turns):
    rows = {}
    for _ in range(turns):
        for tolerance in TOLERANCES:
            run = sinew.run(path, TIME, 0.01, stepper=f"{{type: reduced, tolerance: {tolerance}}}")
            cost = run["cpu_seconds"] / TIME
            if tolerance not in rows or cost < rows[tolerance]["cost"]:
                rows[tolerance] = {"cost": cost, "closure": run["joint_error"]["max"], "energy": run["energy"]["max_abs_error"],
                                   "evaluations": run["integrator"]["mean_evaluations"]}
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=pathlib.Path, help="folder of sinew")
    parser.add_argument("--scene", type=pathlib.Path, default=pathlib.Path("scenes/four_bar.yaml"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("benchmarks/results"))
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    sinew = Sinew((arguments.programs / "sinew").resolve())
    text = [f"# A four-bar linkage in joint coordinates\n\nMade by `make bench-peers` on {datetime.date.today()}. {sinew.version()}; {machine()}.\n",
            f"{TIME:g} s of the reduced stepper (Dormand-Prince within dt = 0.01) on scenes/four_bar.yaml: `sinew run four_bar --set "
            "'stepper={type: reduced, tolerance: 1e-6}' --time 60 --report out/four_bar.json`. CPU time of stepping, with its ledger, "
            f"the smallest of {arguments.turns} turns. Simbody at accuracy 1e-6, measured once on such a machine (not in this "
            f"run, for want of a wheel): closure {SIMBODY_CLOSURE:g} m, energy error {SIMBODY_ENERGY:g} J, {1e3 * SIMBODY_COST:g} ms per simulated "
            "second. The linkage is a parallelogram and passes its flat, singular poses again and again: there rows are "
            "projected (docs/reduced.md), so that the error follows the tolerance.\n"]
    scene = arguments.scene.read_text()
    for title, content in (("crank 60° above the horizontal", scene), ("crank 30° above the horizontal", raised_by_30_degrees(scene))):
        path = sinew.folder / "four_bar.yaml"
        path.write_text(content)
        rows = measure(sinew, path, arguments.turns)
        good = [row for row in rows.values() if row["closure"] < SIMBODY_CLOSURE]
        best = min(good, key=lambda row: row["cost"])
        both = [row for row in good if row["energy"] <= SIMBODY_ENERGY]
        text += [f"## {title.capitalize()}\n",
                 table(["tolerance", "ms per simulated s", "closure error [m]", "energy error [J]", "evaluations a step"],
                       [[f"{tolerance:g}", f"{1e3 * row['cost']:.3g}", f"{row['closure']:.1e}", f"{row['energy']:.1e}", f"{row['evaluations']:.1f}"]
                        for tolerance, row in rows.items()]),
                 f"Bar, tighter and cheaper than Simbody: {best['closure']:.1e} m at {1e3 * best['cost']:.3g} ms, "
                 f"{verdict(best['cost'] < SIMBODY_COST)}. With its energy error too: " +
                 (f"{1e3 * min(row['cost'] for row in both):.3g} ms.\n" if both else "with none of these tolerances.\n")]
        print("\n".join(text[-3:]), flush=True)
    (arguments.out / "four_bar.md").write_text("\n".join(text))


if __name__ == "__main__":
    main()
