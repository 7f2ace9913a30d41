"""The page benchmarks/results/peers.md and its plot."""

import datetime
import math

from tables import COLOURS, micro, save, table, verdict
import matplotlib.pyplot as plt


def settings_table(rows):
    head = ["who", "method", "dt [s]", "CPU s per simulated s", "closure error [m]", "energy error [J]", "tip error [m]"]
    return table(head, [[row["who"], row["method"], row["dt"], f"{row['cpu']:.3g}"] +
                        (["reset (NaN)", "-", "-"] if row.get("reset") else
                         [f"{row['closure']:.1e}", f"{row['energy']:.1e}", f"{row['tip']:.1e}"]) for row in rows])


def best_run(rows):
    """MuJoCo's best: of its runs with the smallest closure and the smallest energy error, the one that leaves Sinew the smaller gain."""
    done = [row for row in rows if row["who"] == "MuJoCo" and not row.get("reset")]
    best = [min(done, key=lambda row: row[key]) for key in ("closure", "energy")] if done else []
    return min(best, key=lambda row: row["cpu"] / (cheapest_as_good(rows, row) or {"cpu": math.inf})["cpu"], default=None)


def cheapest_as_good(rows, than, method=""):
    """Sinew's cheapest run, of this method, with closure and energy errors at most those of `than`."""
    good = [row for row in rows if row["who"] == "Sinew" and row["method"].startswith(method) and row["closure"] <= than["closure"] and row["energy"] <= than["energy"]]
    return min(good, key=lambda row: row["cpu"], default=None)


def segment_bars(segments):
    rows = []
    for count, (_, runs) in segments.items():
        best = best_run(runs)
        ours = cheapest_as_good(runs, best) if best else None
        gain = best["cpu"] / ours["cpu"] if ours else math.nan
        theirs = summary(best) if best else "none"
        mine = summary(ours) if ours else "no setting tried is as good"
        rows.append((count, theirs, mine, gain))
    return rows


def summary(row):
    return f"{row['method']}, dt {row['dt']}: {row['closure']:.1e} m, {row['energy']:.1e} J, {row['cpu']:.3g} s/s"


def variational_gain(runs):
    """The same ratio with our variational stepper alone; NaN if no setting tried is as good."""
    best = best_run(runs)
    ours = cheapest_as_good(runs, best, "variational") if best else None
    return best["cpu"] / ours["cpu"] if ours else math.nan


def bars(results):
    rows = []
    for joint, chain in results["chains"].items():
        worst = max(chain, key=lambda row: row["three"] / row["n"])
        per_link = worst["three"] / worst["n"]
        rows.append([f"a link costs at most 5 µs a step of three Newton iterations, n to 1000, {joint}",
                     f"worst {micro(per_link)} µs (n = {worst['n']}; extrapolated from {worst['newton']:.2f} and {worst['newton_2']:.2f} "
                     f"iterations; upper bound {micro(max(row['bound'] / row['n'] for row in chain))} µs)"
                     + ("" if chain[-1]["n"] == 1000 else f"; measured to n = {chain[-1]['n']} only"),
                     verdict(per_link <= 5e-6) if per_link > 5e-6 or chain[-1]["n"] == 1000 else "open"])
    for count in (5, 10, 20, 50):
        if count not in results["segments"]:
            rows.append([f"{count} four-link segments: MuJoCo's best errors at least 10 times cheaper", "not measured", "open"])
    for count, _, _, gain in segment_bars(results["segments"]):
        if count >= 5:
            alone = variational_gain(results["segments"][count][1])
            text = "MuJoCo's best errors not reached" if math.isnan(gain) else f"{gain:.2g} times cheaper"
            text += ", with the variational stepper " + ("not reached" if math.isnan(alone) else f"{alone:.2g} times")
            rows.append([f"{count} four-link segments: MuJoCo's best errors at least 10 times cheaper", text, verdict(gain >= 10)])
    for joint, start in (("revolute", 200), ("spherical", 50)):
        pairs = [row for row in results["chains"].get(joint, []) if row["n"] >= start and row["euler"]]
        text = "; ".join(f"n = {row['n']}: {micro(row['sinew'])} against {micro(row['euler'])} µs" for row in pairs)
        rows.append([f"from {start} {joint} joints on a step is cheaper than MuJoCo's Euler step", text or "not measured",
                     verdict(all(row["sinew"] < row["euler"] for row in pairs)) if pairs else "open"])
    factor = 0.001 / results["quadruped"][0]["step"]
    rows.append(["quadruped with exact rigid contacts at least 5 times faster than real time at dt = 0.001",
                 f"{factor:.2g} times real time, {micro(results['quadruped'][0]['step'])} µs a step", verdict(factor >= 5)])
    return table(["bar", "measured", ""], rows)


def losses(results):
    """Where MuJoCo was better, found in the numbers."""
    lines = []
    for joint, chain in results["chains"].items():
        lost = [row for row in chain if row["euler"] and row["sinew"] > row["euler"]]
        if lost:
            lines.append(f"- Short chains, {joint}: up to n = {lost[-1]['n']} MuJoCo's Euler step is cheaper, "
                         f"{lost[0]['sinew'] / lost[0]['euler']:.1f} times at n = {lost[0]['n']}.")
    done = [row for row in results["hinges"] if not row.get("reset")]
    for row in (row for row in done if row["who"] == "MuJoCo" and row["method"] == "RK4"):
        ours = min((mine for mine in done if mine["who"] == "Sinew" and mine["tip"] <= row["tip"]), key=lambda mine: mine["cpu"], default=None)
        if ours is None or ours["cpu"] > row["cpu"]:
            lines.append(f"- Ten hinges to a tip error of {row['tip']:.1e} m: MuJoCo's RK4 {row['cpu']:.2g} s per simulated s, Sinew " +
                         (f"{ours['cpu']:.2g}." if ours else "does not reach it with the settings tried."))
    for count, theirs, mine, gain in segment_bars(results["segments"]):
        if not gain >= 10:
            lines.append(f"- {count} segments: MuJoCo {theirs}; Sinew {mine}.")
        alone = variational_gain(results["segments"][count][1])
        if not alone >= 10:
            lines.append(f"- {count} segments with the variational stepper alone: " + (
                "MuJoCo's best errors are not reached with the settings tried." if math.isnan(alone) else
                f"{alone:.2g} times cheaper than MuJoCo's best; what is more is the reduced stepper's."))
    ours, theirs = results["quadruped"][1], [row for row in results["quadruped"] if row["who"] == "MuJoCo"]
    fastest = min(theirs, key=lambda row: row["step"])
    if fastest["step"] < ours["step"]:
        lines.append(f"- Quadruped: MuJoCo's {fastest['method']} step is {ours['step'] / fastest['step']:.1f} times cheaper "
                     f"(with {fastest['penetration'] * 1e3:.2g} mm penetration against {ours['penetration'] * 1e3:.1g} mm).")
    for scene in dict.fromkeys(row["scene"] for row in results["stacks"]):
        rows = [row for row in results["stacks"] if row["scene"] == scene]
        cheapest = min(rows[1:], key=lambda row: row["step"])
        if cheapest["step"] < rows[0]["step"]:
            lines.append(f"- {scene.capitalize()}: a MuJoCo step ({cheapest['method']}) is {rows[0]['step'] / cheapest['step']:.1f} times "
                         f"cheaper; its top moved {cheapest['drift'] * 1e3:.2g} mm, ours {rows[0]['drift'] * 1e3:.1g} mm.")
    return "\n".join(lines) + "\n"


def plot(results, path):
    panels = [("10 hinges: tip error [m]", results["hinges"], "tip")] if results["hinges"] else []
    for count in [20 if 20 in results["segments"] else max(results["segments"])] if results["segments"] else []:
        panels += [(f"{count} segments: {key} error", results["segments"][count][1], key) for key in ("energy", "closure")]
    figure, axes = plt.subplots(1, max(len(panels), 1), figsize=(13, 4), squeeze=False)
    for axis, (title, rows, key) in zip(axes[0], panels):
        groups = {}
        for row in rows:
            if not row.get("reset") and row[key] > 0:
                groups.setdefault((row["who"], row["method"].split(", tolerance")[0]), []).append((row["cpu"], row[key]))
        for i, ((who, method), points) in enumerate(sorted(groups.items())):
            axis.loglog(*zip(*sorted(points)), marker="osD^vx*P"[i % 8], color=COLOURS[who], alpha=0.8, label=f"{who} {method}",
                        linestyle="-" if who == "Sinew" else "--")
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("CPU seconds per simulated second")
        axis.grid(True, alpha=0.3)
        axis.legend(fontsize=6)
    save(figure, path)


def write(results, about, folder):
    plot(results, folder / "peers.svg")
    text = [f"# Sinew and MuJoCo in one run\n\nMade by `make bench-peers` on {datetime.date.today()}. {about}\n",
            "Times are CPU times of one thread, for times per step the smallest of five turns, which both take in alternation. Sinew's are those "
            "of stepping in `sinew run`, with its ledger. The same "
            "scene file gives both mechanisms; a joint that closes a loop is a `connect` constraint in MuJoCo. `solref s dt` means a time "
            "constant of s steps, impedance 0.9999, solver tolerance 1e-14. Work-precision tables are one run of MuJoCo and the cheaper of two "
            "of Sinew a row, with energy computed at every step on both sides. MuJoCo's best run is that of smallest closure or of smallest "
            "energy error, whichever is the harder to beat.\n",
            "MuJoCo comes from the wheel `mujoco-core`, its C library and bindings: by its release notes 4.0.0, the newest wheel `mujoco`, "
            "factorises sparse constraint Hessians wrongly, and 4.0.1 is right. Chains beyond 500 hinges or 200 balls take it minutes to "
            "compile and are left to `compare.py --full`.\n",
            "![work and precision](peers.svg)\n", "## Bars\n", bars(results), "## Where we lose\n", losses(results)]
    for joint, chain in results["chains"].items():
        text += [f"## Chains, {joint} joints\n\nµs a step from horizontal rest, dt = 0.001, tolerance 1e-10; `three iterations` is extrapolated "
                 "with a run at dt = 0.01, of about two; the upper bound is 3/2 of the latter. Energy error over the timed steps, over g n²/2. "
                 "`reduced Euler` is the reduced stepper with symplectic Euler, the method of MuJoCo's Euler step.\n",
                 table(["n", "Sinew", "Newton", "per link", "per link, three iterations", "upper bound", "reduced Euler", "MuJoCo Euler",
                        "MuJoCo RK4", "joint error [m]", "energy error"],
                       [[row["n"], micro(row["sinew"]), f"{row['newton']:.2f}", micro(row["sinew"] / row["n"]),
                         micro(row["three"] / row["n"]), micro(row["bound"] / row["n"]), micro(row["reduced"]), micro(row["euler"]),
                         micro(row["rk4"]), f"{row['closure']:.0e}", f"{row['energy']:.0e}"] for row in chain])]
    check = min((row for row in results["hinges"] if row["who"] == "MuJoCo" and not row.get("reset")), key=lambda row: row["tip"], default=None)
    if check:
        text += ["## Ten hinges, 2 s: work and precision\n\nTip errors are against Sinew of order 4 at dt = 0.0002. Cross-check: MuJoCo's "
                 f"{check['method']} at dt = {check['dt']} ends {check['tip']:.1e} m from it.\n", settings_table(results["hinges"])]
    text += ["## Segments: MuJoCo's best against Sinew's cheapest that is as good\n",
             table(["segments", "MuJoCo's best", "Sinew", "times cheaper", "variational alone"],
                   [[count, theirs, mine, f"{gain:.2g}", f"{variational_gain(results['segments'][count][1]):.2g}"] for count, theirs, mine, gain in segment_bars(results["segments"])])]
    for count, (time, rows) in results["segments"].items():
        text += [f"### {count} segments, {time:g} s\n", settings_table(rows)]
    text += ["## Quadruped, dt = 0.001\n\nNothing balances the gait; in MuJoCo the robot falls over in some runs of 5 s, so both are "
             "compared over 2 s.\n",
             table(["who", "method", "simulated s", "µs a step", "times real time", "deepest penetration [m]", "walked [m]"],
                   [[row["who"], row["method"], row["time"], micro(row["step"]), f"{0.001 / row['step']:.2g}",
                     f"{row['penetration']:.1e}", f"{row['walked']:.2f}"]
                    for row in results["quadruped"]])]
    text += ["## Towers of 20 cubes and a wall of 10 × 10 bricks, 10 s\n",
             table(["scene", "who", "method", "µs a step", "deepest penetration [m]", "top moved by [m]"],
                   [[row["scene"], row["who"], row["method"], micro(row["step"]), f"{row['penetration']:.1e}", f"{row['drift']:.1e}"]
                    for row in results["stacks"]])]
    (folder / "peers.md").write_text("\n".join(text))
