// How far the sliders of efforts go: enough to lift what a joint carries.
import * as THREE from "three";
import { effortUnit } from "./joints";
import { toMatrix } from "./pose";
import type { Store } from "./store";

const EARTH = 9.81; // m/s², where the scene has no gravity
const OVER = 2; // times the weight
const USUAL = 10; // N or N m, of what has no mass

/// The least 1, 2 or 5 times a power of ten that is not below `x`.
export function roundUp(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  return ([1, 2, 5].find((m) => m * power >= x * (1 - 1e-9)) ?? 10) * power;
}

/// Bodies that move with the child of a joint if all other joints stand still; of a loop all that hang on it.
function carriedBy(joint: number, store: Store): number[] {
  const joints = store.header?.joints ?? [];
  const found = [joints[joint].child];
  for (let i = 0; i < found.length; ++i) {
    for (const { parent, child } of joints) if (parent === found[i] && !found.includes(child)) found.push(child);
  }
  return found;
}

/// Greatest effort of each degree of freedom of a joint [N or N m], from where the bodies are in the first frame.
export function effortLimits(joint: number, store: Store): number[] {
  const { header } = store;
  const info = header?.joints[joint];
  if (!header || !info || store.frames === 0) return [];
  const place = (body: number, point: number[]) => new THREE.Vector3().fromArray(point).applyMatrix4(toMatrix(store.pose(0, body)));
  const anchor = place(info.child, info.frame_on_child ?? [0, 0, 0]);
  const gravity = Math.hypot(...header.gravity) || EARTH;
  let weight = 0; // N
  let arm = 0; // m, of the farthest of these weights
  for (const body of carriedBy(joint, store)) {
    const { mass, com, inertia } = header.bodies[body];
    weight += mass * gravity;
    const gyration = inertia && mass > 0 ? Math.sqrt((inertia[0] + inertia[1] + inertia[2]) / (2 * mass)) : 0;
    arm = Math.max(arm, place(body, com).distanceTo(anchor) + gyration);
  }
  const limit = (unit: string) => OVER * weight * (unit === "N" ? 1 : arm);
  return Array.from({ length: info.dof ?? 0 }, (_, k) => roundUp(limit(effortUnit(info, k)) || USUAL));
}
