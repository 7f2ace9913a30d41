// How far the sliders of efforts go: enough to lift what a joint carries.
import * as THREE from "three";
import { effortUnit } from "./joints";
import { toMatrix } from "./pose";
import type { Store } from "./store";
import type { JointInfo } from "./stream";

const EARTH = 9.81; // m/s², where the scene has no gravity
const OVER = 2; // times the weight
const USUAL = 10; // N or N m, of what has no mass

/// The least 1, 2 or 5 times a power of ten that is not below `x`.
export function roundUp(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  return ([1, 2, 5].find((m) => m * power >= x * (1 - 1e-9)) ?? 10) * power;
}

/// Bodies that move with the child of each joint if all other joints stand still; of a loop all that hang on it.
function* carriedBy(joints: JointInfo[], bodyCount: number): Generator<number[]> {
  const children: number[][] = Array.from({ length: bodyCount }, () => []);
  for (const { parent, child } of joints) children[parent]?.push(child);
  const seenBy = new Int32Array(bodyCount).fill(-1); // the joint that found a body last
  for (const [j, { child }] of joints.entries()) {
    const found = [child];
    seenBy[child] = j;
    for (let i = 0; i < found.length; ++i) {
      for (const next of children[found[i]]) {
        if (seenBy[next] === j) continue;
        seenBy[next] = j;
        found.push(next);
      }
    }
    yield found;
  }
}

/// Greatest effort of each degree of freedom of every joint [N or N m], from where the bodies are in the first frame.
export function effortLimits(store: Store): number[][] {
  const { header } = store;
  if (!header || store.frames === 0) return [];
  const gravity = Math.hypot(...header.gravity) || EARTH;
  const frames = header.bodies.map((_, body) => toMatrix(store.pose(0, body)));
  const centres = header.bodies.map(({ com }, body) => new THREE.Vector3(...com).applyMatrix4(frames[body]));
  const gyrations = header.bodies.map(({ mass, inertia }) => (inertia && mass > 0 ? Math.sqrt((inertia[0] + inertia[1] + inertia[2]) / (2 * mass)) : 0)); // m
  const limits: number[][] = [];
  for (const bodies of carriedBy(header.joints, header.bodies.length)) {
    const joint = header.joints[limits.length];
    const anchor = new THREE.Vector3().fromArray(joint.frame_on_child ?? [0, 0, 0]).applyMatrix4(frames[joint.child]);
    let weight = 0; // N
    let arm = 0; // m, of the farthest of these weights
    for (const body of bodies) {
      weight += header.bodies[body].mass * gravity;
      arm = Math.max(arm, centres[body].distanceTo(anchor) + gyrations[body]);
    }
    const limit = (unit: string) => OVER * weight * (unit === "N" ? 1 : arm);
    limits.push(Array.from({ length: joint.dof ?? 0 }, (_, k) => roundUp(limit(effortUnit(joint, k)) || USUAL)));
  }
  return limits;
}
