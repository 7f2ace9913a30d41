// How far a joint may go: coordinates of simple joints from poses, and the range between stops as an arc or a bar.
import * as THREE from "three";
import type { JointInfo } from "./stream";

export interface Range {
  lower: number; // may be infinite
  upper: number;
  isAngle: boolean;
}

/// The stops of the first degree of freedom, if the joint turns about or slides along its z axis and has any.
export function rangeOf(joint: JointInfo): Range | null {
  if (!["revolute", "prismatic", "helical"].includes(joint.type)) return null;
  const lower = joint.lower?.[0] ?? -Infinity;
  const upper = joint.upper?.[0] ?? Infinity;
  return lower === -Infinity && upper === Infinity ? null : { lower, upper, isAngle: joint.type !== "prismatic" };
}

export function toMatrix(frame: ArrayLike<number>): THREE.Matrix4 {
  return new THREE.Matrix4().compose(
    new THREE.Vector3(frame[0], frame[1], frame[2]), new THREE.Quaternion(frame[4], frame[5], frame[6], frame[3]), new THREE.Vector3(1, 1, 1));
}

/// Angle about or way along z from the frame on the parent to that on the child, both in the world; an angle lies between -π and π.
export function coordinateOf(A: THREE.Matrix4, B: THREE.Matrix4, isAngle: boolean): number {
  const X = A.clone().invert().multiply(B).elements;
  return isAngle ? Math.atan2(X[1], X[0]) : X[14];
}

/// Segments to draw, in the frame on the parent: the range between finite stops, and a mark at each.
export function rangeSegments(range: Range, reach: number): [THREE.Vector3, THREE.Vector3][] {
  const place = (q: number, r: number) => (range.isAngle ? new THREE.Vector3(r * Math.cos(q), r * Math.sin(q), 0) : new THREE.Vector3(0.5 * r, 0, q));
  const segments: [THREE.Vector3, THREE.Vector3][] = [];
  for (const stop of [range.lower, range.upper]) if (Number.isFinite(stop)) segments.push([place(stop, 0.75 * reach), place(stop, 1.25 * reach)]);
  if (segments.length === 2) {
    const count = range.isAngle ? Math.min(Math.ceil((range.upper - range.lower) / 0.13), 200) : 1;
    const at = (i: number) => place(range.lower + ((range.upper - range.lower) * i) / count, reach);
    for (let i = 0; i < count; ++i) segments.push([at(i), at(i + 1)]);
  }
  return segments;
}
