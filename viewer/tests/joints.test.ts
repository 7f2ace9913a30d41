// Joints: motions, axes, stops, members of chains; and what the mouse takes.
import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { formatNumber } from "../src/format";
import { inspect } from "../src/inspector";
import { axisOf, coordinateOf, effortUnit, framesOf, framesOfMotions, measuringFrame, motionsOf, needleOf, poseAlong, rangeOf, rangeSegments } from "../src/joints";
import { particlesOf } from "../src/particles";
import { nearestPath } from "../src/pick";
import { toMatrix } from "../src/pose";
import { Store } from "../src/store";
import { type JointInfo, type PathInfo, StreamReader } from "../src/stream";
import { channel, concat, floatPlanes, framesRecord, headerRecord, MAGIC_BYTES, makeHeader } from "./encode";

describe("joints", () => {
  const hinge = { name: "hinge", type: "revolute", parent: -1, child: 0, lower: [-0.5], upper: [null], frame_on_parent: [1, 2, 3, 1, 0, 0, 0], frame_on_child: [0, 0, 0, 1, 0, 0, 0] };
  const framesAt = (type: string, B: THREE.Matrix4) => ({ motions: motionsOf({ ...hinge, type }), frames: framesOf({ ...hinge, type }, () => B) as NonNullable<ReturnType<typeof framesOf>> });

  it("have stops, open where there is none", () => {
    expect(rangeOf(hinge, 0)).toEqual({ lower: -0.5, upper: Infinity });
    expect(rangeOf(hinge, 1)).toBeNull();
    expect(rangeOf({ ...hinge, lower: [null] }, 0)).toBeNull();
  });
  it("have their stops drawn where they stop", () => {
    const arc = rangeSegments({ lower: -0.5, upper: 1 }, true, 2, 0.13);
    expect(arc.length).toBe(2 + Math.ceil(1.5 / 0.13));
    const ends = [arc[2][0], arc.at(-1)?.[1] as THREE.Vector3];
    expect(ends.map((p) => Math.atan2(p.y, p.x))).toEqual([expect.closeTo(-0.5, 12), expect.closeTo(1, 12)]);
    for (let i = 3; i < arc.length; ++i) expect(arc[i][0].distanceTo(arc[i - 1][1])).toBeLessThan(1e-12);
    expect(rangeSegments({ lower: -Infinity, upper: 1 }, false, 2, 0.13).map(([a]) => a.z)).toEqual([1]);
  });
  it("say where they stand", () => {
    const half = 0.3;
    const { motions, frames } = framesAt("parallel_axes", toMatrix([1.5, 2.25, 3.125, Math.cos(half), 0, 0, Math.sin(half)]));
    expect(motions.map((m) => Number(coordinateOf(m, frames).toFixed(12)))).toEqual([0.5, 0.25, 0.125, 2 * half]);
  });
  it.each([[0, 0], [0.4, -0.7], [-2, 1.1]])("of universal joints turn about z of the parent by %f, then about x of the child by %f", (first, second) => {
    const B = new THREE.Matrix4().makeRotationZ(first).multiply(new THREE.Matrix4().makeRotationX(second)).premultiply(toMatrix(hinge.frame_on_parent));
    const { motions, frames } = framesAt("universal", B);
    expect(motions.map((m) => coordinateOf(m, frames))).toEqual([expect.closeTo(first, 12), expect.closeTo(second, 12)]);
    expect(axisOf(motions[0], frames).dot(axisOf(motions[1], frames))).toBeCloseTo(0, 12);
    motions.forEach((motion, i) => { // the needle stands at the angle in the frame the stops are drawn in
      const X = measuringFrame(motion, frames);
      expect(X.determinant()).toBeCloseTo(1, 12);
      const angle = [first, second][i];
      const expected = new THREE.Vector3(Math.cos(angle), Math.sin(angle), 0).applyMatrix4(X).sub(new THREE.Vector3().setFromMatrixPosition(X));
      expect(needleOf(motion, frames).distanceTo(expected)).toBeLessThan(1e-12);
    });
  });
  it("have efforts with the unit of their motion", () => {
    const units = (type: string, dof: number) => Array.from({ length: dof }, (_, k) => effortUnit({ ...hinge, type }, k));
    expect(units("cylindrical", 2)).toEqual(["N", "N m"]);
    expect(units("planar", 3)).toEqual(["N", "N", "N m"]);
    expect(units("floating", 6)).toEqual(["N", "N", "N", "N m", "N m", "N m"]);
    expect(units("spherical", 3)).toEqual(["N m", "N m", "N m"]);
    expect([0, 1, 2].map((k) => effortUnit(ARM, k))).toEqual(["N m", "N", "N m"]);
  });

  // A hinge about z, 0.2 m out a slider along x, then a screw about y with 0.3 m a turn: the end by drawing it, the axes by turning them by hand.
  const ARM: JointInfo = { ...hinge, type: "composite_3", dof: 3, lower: [-1, null, null], upper: [1, 0.5, null], members: [
    { type: "revolute", frame: [0, 0, 0, 1, 0, 0, 0], axis: [0, 0, 1] },
    { type: "prismatic", frame: [0.2, 0, 0, 1, 0, 0, 0], axis: [1, 0, 0] },
    { type: "helical", frame: [0, 0, 0, 1, 0, 0, 0], axis: [0, 1, 0], pitch: 0.3 }] };
  it.each([[[0, 0, 0]], [[0.7, 0.4, -0.5]], [[2 * Math.PI + 0.3, -0.1, 1]]])("of a chain have an axis for every member, turning with it: %j", (q) => {
    const A = toMatrix(hinge.frame_on_parent);
    const frames = framesOfMotions(ARM, { A, B: new THREE.Matrix4() }, q);
    const motions = motionsOf(ARM);
    expect(motions.map((m) => m.isTurn)).toEqual([true, false, true]);
    const [c, s] = [Math.cos(q[0]), Math.sin(q[0])];
    const axes = motions.map((m, k) => axisOf(m, frames[k]).toArray());
    [[0, 0, 1], [c, s, 0], [-s, c, 0]].forEach((axis, k) => axis.forEach((x, i) => expect(axes[k][i]).toBeCloseTo(x, 12)));
    const out = 0.2 + q[1];
    const up = (0.3 * q[2]) / (2 * Math.PI);
    const end = new THREE.Vector3().setFromMatrixPosition(frames[2].B);
    expect(end.distanceTo(new THREE.Vector3(1 + c * out - s * up, 2 + s * out + c * up, 3))).toBeLessThan(1e-12);
    motions.forEach((m, k) => expect(Math.sin((coordinateOf(m, frames[k]) - q[k]) / 2)).toBeCloseTo(0, 12)); // angles up to whole turns
  });
  // A rail of a quarter circle about z, turning with it, two control frames long with two samples a span; then a slider along its x, and its stops.
  const quarter = (i: number) => (i * Math.PI) / 8;
  const RAIL = { rows: 1, columns: 5, per_span: 2, closed: [false, false] as [boolean, boolean], poses: [0, 1, 2, 3, 4].flatMap((i) => [Math.cos(quarter(i)), Math.sin(quarter(i)), 0, Math.cos(quarter(i) / 2), 0, 0, Math.sin(quarter(i) / 2)]) };
  const TRAM: JointInfo = { ...hinge, type: "composite_2", dof: 2, lower: [0, null], upper: [2, null], members: [
    { type: "spline_curve", frame: [0, 0, 1, 1, 0, 0, 0], axis: [0, 0, 1], along: RAIL },
    { type: "prismatic", frame: [0, 0, 0, 1, 0, 0, 0], axis: [1, 0, 0] }] };
  it("of a chain follow a rail between its samples, and the members after it with it", () => {
    const A = toMatrix(hinge.frame_on_parent);
    for (const u of [0, 0.5, 1.5, 2]) {
      const frames = framesOfMotions(TRAM, { A, B: new THREE.Matrix4() }, [u, 0.5]);
      const angle = (u * Math.PI) / 4;
      const end = new THREE.Vector3().setFromMatrixPosition(frames[1].B);
      expect(end.distanceTo(new THREE.Vector3(1 + 1.5 * Math.cos(angle), 2 + 1.5 * Math.sin(angle), 4))).toBeLessThan(1e-12);
    }
    const between = new THREE.Vector3().setFromMatrixPosition(poseAlong(RAIL, 0.75));
    expect(between.length()).toBeCloseTo(Math.cos(Math.PI / 16), 12); // the middle of a chord
    expect(new THREE.Vector3().setFromMatrixPosition(poseAlong(RAIL, 3)).distanceTo(new THREE.Vector3(0, 1, 0))).toBeLessThan(1e-12); // its open end
    expect(motionsOf(TRAM).map((m, k) => [m.name, effortUnit(TRAM, k)])).toEqual([["first, parameter", "J"], ["second, travel", "N"]]);
  });
  it("of a chain follow a surface by two parameters, round where it is closed", () => {
    const grid = { rows: 3, columns: 2, per_span: 1, closed: [true, false] as [boolean, boolean], poses: [0, 2, 0].flatMap((x) => [0, 4].flatMap((y) => [x, y, 0, 1, 0, 0, 0])) };
    const at = (u: number, v: number) => new THREE.Vector3().setFromMatrixPosition(poseAlong(grid, u, v)).toArray();
    expect(at(0.5, 0.25)).toEqual([1, 1, 0]);
    expect(at(2.5, 0.25)).toEqual([1, 1, 0]);
    expect(at(-0.5, 2)).toEqual([1, 4, 0]);
    const member = (along?: typeof grid) => ({ type: "spline_surface", frame: [0, 0, 0, 1, 0, 0, 0], axis: [0, 0, 1] as [number, number, number], along });
    const frames = framesOfMotions({ ...hinge, type: "composite_2", members: [member(grid), member()] }, { A: new THREE.Matrix4(), B: new THREE.Matrix4() }, [0.5, 0.5]);
    expect(new THREE.Vector3().setFromMatrixPosition(frames[1].B).toArray()).toEqual([1, 2, 0]);
  });
  it("of a chain go on from frame to frame in the store, and stand in the inspector", () => {
    const header = makeHeader({ bodies: [{ name: "b", mass: 1, com: [0, 0, 0], shapes: [] }], joints: [hinge, ARM, { ...ARM, name: "other", members: ARM.members?.slice(0, 1) }], channels: [{ id: 4, kind: "coordinates" }] });
    const store = new Store();
    const poses = [[0, 0, 0, 1, 0, 0, 0]];
    const columns = [[3, 3.5], [0.1, 0.3], [0, 0.5], [7, 8]]; // coordinate by coordinate
    new StreamReader(store).push(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, [{ time: 0, poses }, { time: 1, poses }], [channel(4, floatPlanes(columns.flat()))])));
    expect(store.coordinatesAt(0, 1)).toEqual([3, 0.1, 0].map((x) => Math.fround(x)));
    expect(store.coordinatesAt(0.5, 1)).toEqual([expect.closeTo(3.25, 6), expect.closeTo(0.2, 6), expect.closeTo(0.25, 6)]);
    expect(store.coordinatesAt(1, 2)).toEqual([8]);
    const rows = new Map(inspect(store, 1, { kind: "joint", index: 1 }).rows);
    expect(rows.get("first, angle (−π to π)")).toBe(`${formatNumber(3.5 - 2 * Math.PI)}\u202frad`);
    expect(rows.get("second, travel")).toBe("0.3000\u202fm");
    expect(rows.get("second, travel, upper stop")).toBe("0.5000\u202fm");
  });
});

describe("what the mouse takes", () => {
  const camera = new THREE.PerspectiveCamera(90, 2, 0.1, 100); // at the origin, looks along -z: at a distance of 10 m, 20 px a metre
  camera.updateMatrixWorld();
  const size = new THREE.Vector2(800, 400);
  const strand: PathInfo = { name: "s", kind: "chain", points: [{ body: -1, point: [-5, 0, -10] }, { body: 3, point: [0, 0, 0] }, { body: 4, point: [0, 0, 0] }] };
  const points = [new THREE.Vector3(-5, 0, -10), new THREE.Vector3(0, 0, -10), new THREE.Vector3(5, 0, -10)];
  const near = (x: number, y: number, reach = 8) => nearestPath([strand], () => points, camera, size, new THREE.Vector2(x, y), reach);

  it("is the nearer particle of a strand that passes within reach", () => {
    expect(near(430, 203)).toEqual({ path: 0, node: 1, depth: expect.closeTo(Math.hypot(1.5, 10), 9) });
    expect(near(480, 203)?.node).toBe(2);
    expect(near(320, 203)?.node).toBe(1); // the other end is on the world
    expect(near(430, 220)).toBeNull();
    expect(near(430, 220, 25)?.node).toBe(1);
    expect(near(530, 200)).toBeNull(); // beyond its end
    expect(nearestPath([strand], () => null, camera, size, new THREE.Vector2(430, 203), 8)).toBeNull(); // hidden
    expect(nearestPath([strand], () => points.map((p) => p.clone().negate()), camera, size, new THREE.Vector2(400, 200), 8)).toBeNull(); // behind the camera
  });
  it("particles are the bodies of strands on joints of their name that hold nothing", () => {
    const body = (name: string) => ({ name, mass: 1, com: [0, 0, 0] as [number, number, number], shapes: [] });
    const joint = (name: string, type: string, child: number, parent = -1) => ({ name, type, parent, child });
    const header = makeHeader({ bodies: ["boom", "load", "x", "s.1", "s.2"].map(body), joints: [joint("slew", "revolute", 0), joint("s.1", "translation", 3), joint("s.2", "translation", 4), joint("x", "translation", 2)], paths: [{ ...strand, points: [{ body: 0, point: [0, 0, 0] }, ...strand.points.slice(1)] }] });
    expect(particlesOf(header)).toEqual({ bodies: new Set([3, 4]), joints: new Set([1, 2]) });
  });
});
