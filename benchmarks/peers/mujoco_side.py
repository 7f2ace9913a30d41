"""MuJoCo's side of the comparison: the mechanism of a Sinew scene as an MjModel, and its runs.

A joint that would close a loop becomes a `connect` constraint at its anchor; all others span the tree of bodies."""

import math
import time as clock
from types import SimpleNamespace

import mujoco
import numpy as np

GEOM = {"box": mujoco.mjtGeom.mjGEOM_BOX, "sphere": mujoco.mjtGeom.mjGEOM_SPHERE}
INTEGRATOR = {"Euler": mujoco.mjtIntegrator.mjINT_EULER, "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
              "discrete": mujoco.mjtIntegrator.mjINT_DISCRETE, "RK4": mujoco.mjtIntegrator.mjINT_RK4}


def _turn(quaternion, vector):
    result = np.zeros(3)
    mujoco.mju_rotVecQuat(result, np.array(vector, float), quaternion)
    return result


def _relative(a, b):
    """a⁻¹ b"""
    inverse, result = np.zeros(4), np.zeros(4)
    mujoco.mju_negQuat(inverse, a)
    mujoco.mju_mulQuat(result, inverse, b)
    return result


def _pose(body):
    quaternion = body.get("orientation", {}).get("quaternion", [1, 0, 0, 0])
    return np.array(body.get("position", [0, 0, 0]), float), np.array(quaternion, float)


def _box_inertia(mass, size):
    x, y, z = (side * side for side in size)
    return [mass / 12 * moment for moment in (y + z, x + z, x + y)]


def _inertia(mass, shape):
    """Of a box or a sphere about its centre."""
    return _box_inertia(mass, shape["size"]) if "size" in shape else [0.4 * mass * shape["radius"] ** 2] * 3


def _add_body(parent, parent_pose, description, collides):
    position, quaternion = _pose(description)
    frame = _relative(parent_pose[1], quaternion)
    conjugate = parent_pose[1] * [1, -1, -1, -1]
    shapes = description["shapes"]
    mass = description.get("mass", shapes[0].get("mass"))
    inertia = np.array(description.get("inertia", _inertia(mass, shapes[0])), float)
    body = parent.add_body(name=description["name"], pos=_turn(conjugate, position - parent_pose[0]), quat=frame)
    body.explicitinertial, body.mass = True, mass
    body.ipos = description.get("center_of_mass", [0, 0, 0])
    if inertia.ndim == 1:
        body.inertia = inertia
    else:
        body.fullinertia = [inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 1], inertia[0, 2], inertia[1, 2]]
    for shape in shapes if collides else []:
        if shape.get("collides", True):
            size = [side / 2 for side in shape["size"]] if shape["type"] == "box" else [shape["radius"], 0, 0]
            # Parts of a robot (group 2, mask 1) touch the floor alone.
            geom = body.add_geom(type=GEOM[shape["type"]], size=size, pos=shape.get("position", [0, 0, 0]), mass=0)
            geom.contype, geom.conaffinity = (0, 1) if shape.get("group") == 2 else (1, 1)
    return body


def build(scene, friction=0.5):
    """(MjModel, closures): closures are pairs of (body id, point in the body) that joints closing loops hold together."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.timestep = scene.get("dt", 0.01)
    collides = "contact" in scene
    if collides:
        spec.default.geom.friction = [scene["contact"].get("friction", friction), 0.005, 0.0001]
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    descriptions = {body["name"]: body for body in scene["bodies"]}
    poses = {name: _pose(body) for name, body in descriptions.items()}
    poses["world"] = (np.zeros(3), np.array([1.0, 0, 0, 0]))
    bodies, loops = {"world": spec.worldbody}, []
    joined = {joint["child"] for joint in scene.get("joints", [])}
    for name in descriptions:
        if name not in joined:
            bodies[name] = _add_body(spec.worldbody, poses["world"], descriptions[name], collides)
            bodies[name].add_freejoint()
    for joint in scene.get("joints", []):
        parent, child = joint.get("parent", "world"), joint["child"]
        if "anchor" in joint:
            anchor = np.array(joint["anchor"], float)
        else:
            anchor = poses[parent][0] + _turn(poses[parent][1], joint["parent_frame"]["position"])
        if child in bodies:
            loops.append((joint["name"], parent, child, anchor))
            continue
        bodies[child] = _add_body(bodies[parent], poses[parent], descriptions[child], collides)
        inverse = poses[child][1] * [1, -1, -1, -1]
        added = bodies[child].add_joint(name=joint["name"], pos=_turn(inverse, anchor - poses[child][0]))
        if joint["type"] == "revolute":
            added.type = mujoco.mjtJoint.mjJNT_HINGE
            # With an anchor the axis is in world axes and the angle starts at 0. Else both are those of the frames, which are the bodies' here.
            added.axis = _turn(inverse, joint["axis"]) if "anchor" in joint else joint["axis"]
            if "anchor" not in joint:
                turn = _relative(poses[parent][1], poses[child][1])
                added.ref = 2 * math.atan2(np.dot(turn[1:], joint["axis"]), turn[0])
        else:
            added.type = mujoco.mjtJoint.mjJNT_BALL
    closures = []
    for name, parent, child, anchor in loops:
        points = [_turn(poses[body][1] * [1, -1, -1, -1], anchor - poses[body][0]) for body in (parent, child)]
        equality = spec.add_equality(name=name, type=mujoco.mjtEq.mjEQ_CONNECT, name1=parent, name2=child,
                                     objtype=mujoco.mjtObj.mjOBJ_BODY)
        equality.data[:3] = points[0]
        closures.append((parent, points[0], child, points[1]))
    for force in scene.get("forces", []):
        actuator = spec.add_actuator(name=force["name"], target=force["joint"], trntype=mujoco.mjtTrn.mjTRN_JOINT)
        actuator.set_to_position(kp=force["stiffness"][0], kv=force["damping"][0])
    model = spec.compile()
    closures = [(model.body(a).id, p, model.body(b).id, q) for a, p, b, q in closures]
    return model, closures


def place(data, body, point):
    return data.xpos[body] + data.xmat[body].reshape(3, 3) @ point


def closure_error(data, closures):
    return max((np.linalg.norm(place(data, a, p) - place(data, b, q)) for a, p, b, q in closures), default=0.0)


def configure(model, integrator="Euler", dt=None, stiffness=None, energy=False, tolerance=None):
    """stiffness: None for the defaults, else the time constant of equality constraints in steps, with the hardest impedance."""
    model.opt.integrator = INTEGRATOR[integrator]
    model.opt.timestep = dt or model.opt.timestep
    if tolerance is not None:
        model.opt.tolerance = tolerance
    if stiffness is not None:
        model.eq_solref[:] = [stiffness * model.opt.timestep, 1]
        model.eq_solimp[:] = [0.9999, 0.9999, 0.001, 0.5, 2]
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_REFSAFE
    if energy:
        model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY


def cost(model, steps, repeats=3):
    """CPU seconds a step from rest, the smallest of the repeats; none if the simulation was reset (NaN)."""
    best = math.inf
    for _ in range(repeats):
        data = mujoco.MjData(model)
        start = clock.process_time()
        mujoco.mj_step(model, data, nstep=steps)
        best = min(best, (clock.process_time() - start) / steps)
    return best


def was_reset(data):
    kinds = mujoco.mjtWarning
    bad = (kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC)
    return any(data.warning[kind].number for kind in bad) or not np.all(np.isfinite(data.qpos))


def measure(model, closures, time, samples=100, tip=None):
    """A run of `time` seconds: CPU seconds of stepping, largest closure and energy errors of the samples, place of the tip at the end."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    initial, steps = sum(data.energy), round(time / model.opt.timestep)
    result = SimpleNamespace(cpu=0.0, closure=0.0, energy=0.0, completed=True, tip=None)
    done = 0
    for i in range(1, min(samples, steps) + 1):
        now = steps * i // min(samples, steps)
        start = clock.process_time()
        mujoco.mj_step(model, data, nstep=now - done)
        result.cpu += clock.process_time() - start
        done = now
        if was_reset(data):
            result.completed = False
            return result
        mujoco.mj_forward(model, data)
        result.closure = max(result.closure, closure_error(data, closures))
        result.energy = max(result.energy, abs(sum(data.energy) - initial))
    if tip is not None:
        result.tip = place(data, *tip)
    return result
