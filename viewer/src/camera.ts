// Where to look from so that a box fills the view.
import * as THREE from "three";

/// What a panel covers of the view [px].
export interface Inset {
  left: number;
  top: number;
}
export const NO_INSET: Inset = { left: 0, top: 0 };

/// From the front right and above; a scene that is long along y is seen from the side, so that its length lies across the view.
export function usualDirection(size: THREE.Vector3): THREE.Vector3 {
  return size.y > 1.6 * size.x ? new THREE.Vector3(1, -0.45, 0.42) : new THREE.Vector3(0.5, -1, 0.42);
}

/// The camera's place relative to its target, turned about z and raised (radians) and nearer or farther; never quite above or below.
export function moved(offset: THREE.Vector3, turn: number, rise: number, factor: number): THREE.Vector3 {
  const polar = new THREE.Spherical().setFromVector3(new THREE.Vector3(offset.x, offset.z, -offset.y)); // three's sphere has y up
  polar.set(polar.radius * factor, Math.min(Math.max(polar.phi - rise, 0.02), Math.PI - 0.02), polar.theta + turn);
  const p = new THREE.Vector3().setFromSpherical(polar);
  return new THREE.Vector3(p.x, -p.z, p.y);
}

/// Distance from the box's centre along `direction` at which its corners just fit, times `margin`. Angles in degrees, vertical.
export function fittingDistance(box: THREE.Box3, direction: THREE.Vector3, fov: number, aspect: number, margin = 1.12): number {
  const forward = direction.clone().normalize().negate();
  const right = new THREE.Vector3().crossVectors(forward, new THREE.Vector3(0, 0, 1)).normalize();
  const up = new THREE.Vector3().crossVectors(right, forward);
  const tall = Math.tan((fov * Math.PI) / 360);
  const half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
  let distance = 1e-3;
  for (let corner = 0; corner < 8; ++corner) {
    const p = new THREE.Vector3(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z);
    const needed = Math.max(Math.abs(p.dot(right)) / (tall * aspect), Math.abs(p.dot(up)) / tall);
    distance = Math.max(distance, margin * needed - p.dot(forward));
  }
  return distance;
}
