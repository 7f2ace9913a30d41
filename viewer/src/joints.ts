// What joints can do: their motions by type (docs/joints.md), where these have their axes, where they stand and stop, all from poses.
import * as THREE from "three";
import { toMatrix } from "./pose";
import type { AlongInfo, JointInfo, MemberInfo } from "./stream";

export interface Motion {
  name: string;
  isTurn: boolean; // about the axis; else along it
  axis: 0 | 1 | 2; // x, y, z
  isOnChild: boolean; // whose joint frame the axis is at rest in
  isParameter?: boolean; // of a spline, neither
  tint: number; // number of its colour: that of its axis, or of the member of a chain
}

const slide = (name: string, axis: 0 | 1 | 2, tint: number = axis): Motion => ({ name, isTurn: false, axis, isOnChild: false, tint });
const turn = (name: string, tint = 2): Motion => ({ name, isTurn: true, axis: 2, isOnChild: false, tint });
const ORDINALS = ["first", "second", "third", "fourth", "fifth"];
const TRAVEL = slide("travel", 2);
const ANGLE = turn("angle");
const [X, Y, Z] = [slide("x", 0), slide("y", 1), slide("z", 2)];

const MOTIONS: Record<string, Motion[]> = {
  revolute: [ANGLE], prismatic: [TRAVEL], helical: [ANGLE], cylindrical: [TRAVEL, ANGLE],
  universal: [turn("first angle"), { name: "second angle", isTurn: true, axis: 0, isOnChild: true, tint: 0 }],
  planar_translation: [X, Y], planar: [X, Y, ANGLE], translation: [X, Y, Z], parallel_axes: [X, Y, Z, ANGLE],
  point_on_line: [TRAVEL], point_on_plane: [X, Y], floating: [X, Y, Z],
};

function memberMotion({ type }: MemberInfo, k: number): Motion {
  if (type.startsWith("spline")) return { ...slide(`${ORDINALS[k]}, parameter`, 2, k), isParameter: true };
  return type === "prismatic" ? slide(`${ORDINALS[k]}, travel`, 2, k) : turn(`${ORDINALS[k]}, angle`, k);
}

/// The scalar motions of a joint, in the order of its degrees of freedom, those of its members one after the other; rotations of balls have none.
export function motionsOf(joint: JointInfo): Motion[] {
  return joint.members?.map(memberMotion) ?? MOTIONS[joint.type] ?? [];
}

export function unitOf(motion: Motion): string {
  return motion.isParameter ? "" : motion.isTurn ? "rad" : "m";
}

/// Unit of the effort along a degree of freedom.
export function effortUnit(joint: JointInfo, degree: number): string {
  const motion = motionsOf(joint)[degree];
  if (motion) return motion.isParameter ? "J" : motion.isTurn ? "N m" : "N";
  if (joint.type.startsWith("composite")) return "N m or N"; // its members are not known
  return joint.type === "rope" && degree === 0 ? "N" : "N m";
}

export interface Frames {
  A: THREE.Matrix4; // on the parent, in the world
  B: THREE.Matrix4; // on the child
}

/// Both joint frames in the world, if they are known; `poseOf` gives the pose of a body.
export function framesOf(joint: JointInfo, poseOf: (body: number) => THREE.Matrix4): Frames | null {
  if (!joint.frame_on_parent || !joint.frame_on_child) return null;
  const A = toMatrix(joint.frame_on_parent);
  if (joint.parent >= 0) A.premultiply(poseOf(joint.parent));
  return { A, B: toMatrix(joint.frame_on_child).premultiply(poseOf(joint.child)) };
}

/// Where a spline leads at parameters u, v, u alone of a rail: between the sampled poses, straight and by the shortest turn; beyond an open end, as there.
export function poseAlong({ rows, columns, per_span, closed, poses }: AlongInfo, u: number, v = 0): THREE.Matrix4 {
  const place = (parameter: number, count: number, isClosed: boolean) => {
    const end = count - 1;
    const at = isClosed ? (((parameter * per_span) % end) + end) % end : Math.min(Math.max(parameter * per_span, 0), end);
    const before = Math.min(Math.floor(at), Math.max(end - 1, 0));
    return { before, after: Math.min(before + 1, end), share: at - before };
  };
  const sample = (row: number, column: number) => {
    const [x, y, z, w, ...xyz] = poses.slice(7 * (row * columns + column), 7 * (row * columns + column + 1));
    return { p: new THREE.Vector3(x, y, z), q: new THREE.Quaternion(xyz[0], xyz[1], xyz[2], w) };
  };
  const mix = (a: ReturnType<typeof sample>, b: ReturnType<typeof sample>, share: number) => ({ p: a.p.lerp(b.p, share), q: a.q.slerp(b.q, share) });
  const row = place(rows > 1 ? u : 0, rows, closed[0]);
  const column = place(rows > 1 ? v : u, columns, closed[1]);
  const inRow = (r: number) => mix(sample(r, column.before), sample(r, column.after), column.share);
  const { p, q } = mix(inRow(row.before), inRow(row.after), row.share);
  return new THREE.Matrix4().compose(p, q, new THREE.Vector3(1, 1, 1));
}

const Z_UNIT = new THREE.Vector3(0, 0, 1);

// The second parameter of a surface adds nothing to the first.
function screwMotion(type: string, q: number, pitch = 0): THREE.Matrix4 {
  if (type.startsWith("spline")) return new THREE.Matrix4();
  if (type === "prismatic") return new THREE.Matrix4().setPosition(0, 0, q);
  return new THREE.Matrix4().makeRotationZ(q).setPosition(0, 0, (pitch * q) / (2 * Math.PI));
}

/// The frames that the members of a joint move in at coordinates q: each as a joint of its own, with its axis along z.
///   A_k = A F_1 exp(ξ_1 q_1) … F_k,  B_k = A_k exp(ξ_k q_k)   [Sueda, (2.48)]
export function memberFrames(members: MemberInfo[], A: THREE.Matrix4, q: number[]): Frames[] {
  const before = A.clone(); // where the member before ends
  return members.map(({ type, frame, axis, pitch, along }, k) => {
    const align = new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion().setFromUnitVectors(Z_UNIT, new THREE.Vector3(...axis)));
    const start = before.clone().multiply(toMatrix(frame)).multiply(align);
    const end = start.clone().multiply(along ? poseAlong(along, q[k], q[k + 1]) : screwMotion(type, q[k], pitch));
    before.copy(end).multiply(align.transpose());
    return { A: start, B: end };
  });
}

/// For each motion of a joint the frames it goes on between.
export function framesOfMotions(joint: JointInfo, frames: Frames, q: number[]): Frames[] {
  return joint.members ? memberFrames(joint.members, frames.A, q) : motionsOf(joint).map(() => frames);
}

/// Angle [rad, between -π and π] or way [m] of B from A.
export function coordinateOf(motion: Motion, { A, B }: Frames): number {
  const e = A.clone().invert().multiply(B).elements;
  if (!motion.isTurn) return e[12 + motion.axis];
  return motion.isOnChild ? Math.atan2(e[6], e[10]) : Math.atan2(e[1], e[0]);
}

/// Unit vector along the axis, in the world.
export function axisOf(motion: Motion, { A, B }: Frames, out = new THREE.Vector3()): THREE.Vector3 {
  return out.setFromMatrixColumn(motion.isOnChild ? B : A, motion.axis);
}

const along = new THREE.Vector3();
const zero = new THREE.Vector3(); // where a turn is 0
const across = new THREE.Vector3();

/// The frame a motion is measured in: z along its axis; of a turn, x where the angle is 0.
export function measuringFrame(motion: Motion, { A, B }: Frames, out = new THREE.Matrix4()): THREE.Matrix4 {
  axisOf(motion, { A, B }, along);
  if (motion.isOnChild) zero.setFromMatrixColumn(A, 2).cross(along);
  else zero.setFromMatrixColumn(A, (motion.axis + 1) % 3);
  across.crossVectors(along, zero);
  return out.makeBasis(zero, across, along).copyPosition(motion.isTurn ? B : A);
}

/// Where a turn stands, as a direction across its axis, in the world.
export function needleOf(motion: Motion, { B }: Frames): THREE.Vector3 {
  return new THREE.Vector3().setFromMatrixColumn(B, motion.isOnChild ? 1 : 0);
}

export interface Range {
  lower: number; // may be infinite
  upper: number;
}

/// The stops of a degree of freedom, if it has any.
export function rangeOf(joint: JointInfo, degree: number): Range | null {
  const lower = joint.lower?.[degree] ?? -Infinity;
  const upper = joint.upper?.[degree] ?? Infinity;
  return lower === -Infinity && upper === Infinity ? null : { lower, upper };
}

/// Segments to draw in the measuring frame: the range between finite stops, arcs in steps of `step` [rad], and a mark at each.
export function rangeSegments({ lower, upper }: Range, isTurn: boolean, reach: number, step: number): [THREE.Vector3, THREE.Vector3][] {
  const place = (q: number, r: number) => (isTurn ? new THREE.Vector3(r * Math.cos(q), r * Math.sin(q), 0) : new THREE.Vector3(0.5 * r, 0, q));
  const segments: [THREE.Vector3, THREE.Vector3][] = [];
  for (const stop of [lower, upper]) if (Number.isFinite(stop)) segments.push([place(stop, 0.75 * reach), place(stop, 1.25 * reach)]);
  if (segments.length === 2) {
    const count = isTurn ? Math.min(Math.ceil((upper - lower) / step), 200) : 1;
    const at = (i: number) => place(lower + ((upper - lower) * i) / count, reach);
    for (let i = 0; i < count; ++i) segments.push([at(i), at(i + 1)]);
  }
  return segments;
}
