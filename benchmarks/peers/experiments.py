"""The experiments. Each returns rows (dictionaries); times are CPU seconds, since the machine may be shared."""

import math
import time as clock

import mujoco
import numpy as np

import mujoco_side as mj
import sinew_side

SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
REDUCED_EULER = "{type: reduced, integrator: symplectic_euler}"
MUJOCO_LIMIT = {"revolute": 500, "spherical": 200}  # beyond, MuJoCo takes minutes to compile the model


def chains(sinew, joint, full=False, turns=5):
    """n links from horizontal rest. A second run with dt = 0.01 needs more Newton iterations; both give the cost of three:
    extrapolated on a line, and, as an upper bound, in proportion to the iterations of the second run. All take turns; minima count."""
    rows = []
    for n in SIZES:
        scene = sinew.make("chain", links=n, joint=joint)
        has_peer = full or n <= MUJOCO_LIMIT[joint]
        model = mj.build(sinew_side.load(scene))[0] if has_peer else None
        steps = max(3, int(min(20000, 4e6 / n**2.5)))
        costs = {}
        for _ in range(turns):
            def keep(key, cost):
                costs[key] = min(costs.get(key, math.inf), cost)
            cost, report = sinew.cost(scene, max(200, 100000 // n), 0.001, repeats=1, tolerance=1e-10)
            keep("sinew", cost)
            cost, report_2 = sinew.cost(scene, max(100, 20000 // n), 0.01, repeats=1, tolerance=1e-10)
            keep("sinew_2", cost)
            keep("reduced", sinew.cost(scene, max(500, 200000 // n), 0.001, repeats=1, stepper=REDUCED_EULER)[0])
            for key, integrator, count in (("euler", "Euler", steps), ("rk4", "RK4", max(3, steps // 4))):
                if has_peer and costs.get(key, 0) * count < 1:  # seconds: longer runs are not repeated
                    mj.configure(model, integrator, 0.001)
                    keep(key, mj.cost(model, count, repeats=1))
        iterations, iterations_2 = report["newton"]["mean"], report_2["newton"]["mean"]
        slope = max(costs["sinew_2"] - costs["sinew"], 0) / max(iterations_2 - iterations, 0.1)
        row = {"n": n, "euler": None, "rk4": None, **costs, "newton": iterations, "newton_2": iterations_2,
               "three": costs["sinew"] + slope * (3 - iterations), "bound": 3 * costs["sinew_2"] / iterations_2,
               "closure": report["joint_error"]["max"], "energy": report["energy"]["max_abs_error"] / (9.81 * n * n / 2)}
        rows.append(row)
        print("chain", joint, row, flush=True)
    return rows


def _tip(model, scene):
    probe = next(probe for probe in scene["probes"] if probe["name"] == "tip")
    return model.body(probe["body"]).id, np.array(probe["point"])


def variational(order, dt, tolerance=None):
    said, given = (f", tolerance {tolerance:g}", f", tolerance: {tolerance}") if tolerance else ("", "")
    return f"variational, order {order}{said}", f"{{type: variational, order: {order}{given}}}", dt


def reduced(tolerance, dt=0.05):
    return f"reduced, tolerance {tolerance:g}", f"{{type: reduced, tolerance: {tolerance}}}", dt


def work_precision(sinew, generator, time, sinew_settings, mujoco_settings, reference_dt, **parameters):
    """Cost against closure, energy and tip errors for many settings of both; of ours the cheaper of two runs.

    The tip's reference: Sinew of order 4 at a small step."""
    path = sinew.make(generator, **parameters)
    scene = sinew_side.load(path)
    reference = sinew_side.tip_of(sinew.run(path, time, reference_dt, stepper=variational(4, reference_dt)[1], probes=True))
    rows = []
    for method, stepper, dt in sinew_settings:
        runs = [sinew.run(path, time, dt, stepper=stepper, probes=True) for _ in range(2)]
        run = runs[0]
        if run["status"] == "completed":
            rows.append({"who": "Sinew", "method": method, "dt": dt, "cpu": min(run["cpu_seconds"] for run in runs) / time,
                         "closure": run["joint_error"]["max"], "energy": run["energy"]["max_abs_error"],
                         "tip": float(np.linalg.norm(sinew_side.tip_of(run) - reference))})
    for integrator, dt, stiffness in mujoco_settings:
        model, closures = mj.build(scene)
        mj.configure(model, integrator, dt, stiffness, energy=True, tolerance=None if stiffness is None else 1e-14)
        run = mj.measure(model, closures, time, tip=_tip(model, scene))
        label = integrator if stiffness is None else f"{integrator}, solref {stiffness:g} dt"
        rows.append({"who": "MuJoCo", "method": label, "dt": dt, "cpu": run.cpu / time, "closure": run.closure, "energy": run.energy,
                     "tip": float(np.linalg.norm(run.tip - reference)) if run.completed else math.nan,
                     "reset": not run.completed})
    for row in rows:
        print(generator, parameters, row, flush=True)
    return rows


def segments(sinew, count):
    time = 2.0 if count <= 20 else 1.0
    ours = [variational(2, dt) for dt in (0.02, 0.01, 0.004, 0.002, 0.001)] + [variational(4, dt) for dt in (0.02, 0.01, 0.005, 0.0025)]
    ours += [variational(2, dt, 1e-6) for dt in (0.02, 0.01)]  # as loose as MuJoCo's closures are
    ours += [reduced(tolerance) for tolerance in (1e-3, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-8, 1e-9)]
    ours += [reduced(tolerance, 0.2) for tolerance in (1e-6, 7e-7, 5e-7, 3e-7)]
    if count <= 5:  # the whole grid
        theirs = [(integrator, dt, stiffness) for integrator in ("implicitfast", "discrete", "RK4") for dt in (0.01, 0.002, 0.001)
                  for stiffness in (None, 2, 1)] + [("RK4", dt, s) for dt in (0.0005, 0.00025) for s in (1, 0.8)]
    else:  # what was good there
        theirs = [("implicitfast", 0.002, 2), ("discrete", 0.002, 1), ("RK4", 0.001, 1), ("RK4", 0.0005, 0.8)]
        theirs += [("RK4", 0.00025, 0.8)] if count <= 20 else []
    return time, work_precision(sinew, "four_link_segments", time, ours, theirs, 0.002, segments=count)


def quadruped(sinew, time=2.0, long_time=5.0):
    """A trot on flat ground at dt = 0.001; MuJoCo with sphere feet, the same servos as position actuators.

    Nothing balances the gait, and in MuJoCo the robot falls over in some runs of 5 s: both are compared over 2 s, when all still walk."""
    path = sinew.make("quadruped", pace=0.25, thigh_amplitude=-0.3, calf_amplitude=0.5, thigh_offset=0.9, calf_offset=-1.5)
    rows = []
    for duration in (long_time, time):
        cost, report = sinew.cost(path, round(duration / 0.001), 0.001, probes=True)
        rows.append({"who": "Sinew", "method": "variational, exact rigid contact", "time": duration, "step": cost,
                     "penetration": report["contact"]["max_penetration"], "walked": report["probes"]["trunk.x [m]"]})
    for method, stepper in (("reduced, sdirk2", "{type: reduced, integrator: sdirk2}"), ("maximal", "{type: maximal}")):
        cost, report = sinew.cost(path, round(time / 0.001), 0.001, stepper=stepper, probes=True)
        rows.append({"who": "Sinew", "method": f"{method}, exact rigid contact", "time": time, "step": cost,
                     "penetration": report["contact"]["max_penetration"], "walked": report["probes"]["trunk.x [m]"]})
    scene = sinew_side.load(path)
    for integrator in ("Euler", "implicitfast", "RK4"):
        model, _ = mj.build(scene)
        mj.configure(model, integrator, 0.001)
        best, depth = math.inf, 0.0
        for _ in range(3):
            data, spent = mujoco.MjData(model), 0.0
            for step in range(round(time / 0.001)):
                data.ctrl[:] = _targets(scene, step * 0.001)
                start = clock.process_time()
                mujoco.mj_step(model, data)
                spent += clock.process_time() - start
                depth = max(depth, -min(data.contact.dist, default=0.0))
            best = min(best, spent / round(time / 0.001))
        rows.append({"who": "MuJoCo", "method": integrator, "time": time, "step": best, "penetration": depth,
                     "walked": data.body("trunk").xpos[0]})
    for row in rows:
        print("quadruped", row, flush=True)
    return rows


def _targets(scene, time):
    values = []
    for servo in scene["forces"]:
        signal = servo.get("signal", {"offset": 1, "amplitude": 0})
        wave = signal.get("amplitude", 0) * math.sin(2 * math.pi * signal.get("frequency", 0) * time + signal.get("phase", 0))
        values.append(servo.get("target", [0])[0] * (signal.get("offset", 1) + wave) + servo.get("offset", [0])[0])
    return values


def stacks(sinew, time=10.0):
    """Towers of 20 cubes and a wall of 10 x 10 bricks at dt = 0.01: deepest penetration, and how far the highest box has moved."""
    rows = []
    for name, generator, parameters in (("tower, exact", "box_tower", {}), ("wall", "box_wall", {}),
                                        ("tower, perturbed", "box_tower", {"shift": 0.004, "turn": 0.0524})):
        path = sinew.make(generator, **parameters)
        scene = sinew_side.load(path)
        top = scene["bodies"][-1]
        run = sinew.run(path, time, 0.01, probes=True)
        end = np.array([run["probes"][f"top.{axis} [m]"] for axis in "xyz"])
        rows.append({"scene": name, "who": "Sinew", "method": "dt 0.01", "step": run["cpu_seconds"] / run["steps"],
                     "penetration": run["contact"]["max_penetration"], "drift": float(np.linalg.norm(end - top["position"]))})
        for method, dt, cone in (("Euler", 0.01, 0), ("Euler", 0.002, 0), ("implicitfast, elliptic", 0.002, 1)):
            if generator == "box_wall" and dt < 0.01:
                continue  # minutes
            model, _ = mj.build(scene)
            mj.configure(model, method.split(",")[0], dt)
            model.opt.cone = cone
            data, spent, depth, steps = mujoco.MjData(model), 0.0, 0.0, round(time / dt)
            for _ in range(100):
                start = clock.process_time()
                mujoco.mj_step(model, data, nstep=steps // 100)
                spent += clock.process_time() - start
                depth = max(depth, -min(data.contact.dist, default=0.0))
            drift = np.linalg.norm(data.xpos[model.body(top["name"]).id] - top["position"])
            rows.append({"scene": name, "who": "MuJoCo", "method": f"{method}, dt {dt}", "step": spent / (steps // 100 * 100),
                         "penetration": depth, "drift": float(drift)})
    for row in rows:
        print("stack", row, flush=True)
    return rows
