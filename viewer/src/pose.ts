// Poses as matrices.
import * as THREE from "three";

/// From x, y, z, w, x, y, z.
export function toMatrix(pose: ArrayLike<number>): THREE.Matrix4 {
  return new THREE.Matrix4().compose(
    new THREE.Vector3(pose[0], pose[1], pose[2]), new THREE.Quaternion(pose[4], pose[5], pose[6], pose[3]), new THREE.Vector3(1, 1, 1));
}
