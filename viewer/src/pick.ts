// What is under a place of the window: a body, or a muscle, cable or strand that passes near it.
import * as THREE from "three";
import type { Item } from "./items";
import type { PathInfo } from "./stream";

export interface Grip {
  body: number;
  point: THREE.Vector3; // in its frame
  place: THREE.Vector3; // in the world
}
export interface Picked {
  item: Item;
  grip: Grip | null; // where it can be pulled
}
export interface NearPath {
  path: number;
  node: number; // the nearer of the two points it passes between, of those on bodies; -1: none
  depth: number; // distance from the camera [m]
}

/// The line nearest to a place of the window [px], not farther than `reach`; of points behind the camera none.
export function nearestPath(paths: PathInfo[], pointsOf: (path: number) => THREE.Vector3[] | null, camera: THREE.Camera, size: THREE.Vector2, at: THREE.Vector2, reach: number): NearPath | null {
  let found: NearPath | null = null;
  let nearest = reach;
  const eye = new THREE.Vector3().setFromMatrixPosition(camera.matrixWorld);
  paths.forEach((path, index) => {
    const points = pointsOf(index);
    if (!points) return;
    const onScreen = points.map((p) => {
      const q = p.clone().project(camera);
      return Math.abs(q.z) <= 1 ? new THREE.Vector2(((q.x + 1) / 2) * size.x, ((1 - q.y) / 2) * size.y) : null;
    });
    for (let k = 1; k < points.length; ++k) {
      const [a, b] = [onScreen[k - 1], onScreen[k]];
      if (!a || !b) continue;
      const way = b.clone().sub(a);
      const share = Math.min(Math.max(at.clone().sub(a).dot(way) / Math.max(way.lengthSq(), 1e-12), 0), 1);
      const distance = a.clone().addScaledVector(way, share).distanceTo(at);
      if (distance > nearest) continue;
      nearest = distance;
      const order = share < 0.5 ? [k - 1, k] : [k, k - 1];
      const node = order.find((i) => path.points[i].body >= 0) ?? -1;
      found = { path: index, node, depth: points[k - 1].clone().lerp(points[k], share).distanceTo(eye) };
    }
  });
  return found;
}
