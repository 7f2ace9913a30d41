// Geometry of the shapes a body can have, as unit solids that instances scale, so that a thousand bodies are a handful of draw calls.
import * as THREE from "three";
import type { BodyInfo, MeshData, ShapeInfo } from "./stream";

export interface Placed {
  key: string; // shapes with the same key share one geometry
  geometry: (sides: number) => THREE.BufferGeometry; // round ones have so many sides
  local: THREE.Matrix4; // in the body frame, with the scale of the unit solid
  size: number; // smallest extent [m]
}

const zAxis = (g: THREE.BufferGeometry) => g.rotateX(Math.PI / 2); // three's cylinders stand on y

const UNITS: Record<string, (sides: number) => THREE.BufferGeometry> = {
  box: () => new THREE.BoxGeometry(1, 1, 1),
  sphere: (sides) => new THREE.SphereGeometry(1, sides, Math.ceil(0.6 * sides)),
  cylinder: (sides) => zAxis(new THREE.CylinderGeometry(1, 1, 1, sides)),
  cone: (sides) => zAxis(new THREE.ConeGeometry(1, 1, sides).translate(0, 0.5, 0)),
};

function meshGeometry(mesh: MeshData): THREE.BufferGeometry {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.BufferAttribute(mesh.vertices, 3));
  indexed.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/// Nothing for a shape this viewer does not know.
export function placeShape(shape: ShapeInfo, meshes: Map<number, MeshData>): Placed | null {
  const p = shape.position ?? [0, 0, 0];
  const q = shape.orientation ?? [1, 0, 0, 0];
  const scale = new THREE.Vector3(1, 1, 1);
  let key = shape.type;
  let geometry = UNITS[shape.type];
  let size = 1;
  const r = shape.radius ?? 0;
  switch (shape.type) {
    case "box":
      scale.fromArray(shape.size ?? [1, 1, 1]);
      size = Math.min(scale.x, scale.y, scale.z);
      break;
    case "sphere":
      scale.setScalar(r);
      size = 2 * r;
      break;
    case "ellipsoid":
      key = "sphere";
      geometry = UNITS.sphere;
      scale.fromArray(shape.radii ?? [1, 1, 1]);
      size = 2 * Math.min(scale.x, scale.y, scale.z);
      break;
    case "cylinder":
      scale.set(r, r, shape.length ?? 1);
      size = Math.min(2 * r, shape.length ?? 1);
      break;
    case "cone":
      scale.set(r, r, shape.height ?? 1);
      size = Math.min(2 * r, shape.height ?? 1);
      break;
    case "capsule": {
      const ratio = Number(((shape.length ?? 0) / r).toPrecision(4));
      key = `capsule ${ratio}`;
      geometry = (sides) => zAxis(new THREE.CapsuleGeometry(1, ratio, Math.ceil(0.3 * sides), sides));
      scale.setScalar(r);
      size = 2 * r;
      break;
    }
    case "mesh": {
      const mesh = meshes.get(shape.mesh ?? -1);
      if (!mesh) return null;
      key = `mesh ${shape.mesh}`;
      geometry = () => meshGeometry(mesh);
      const box = new THREE.Box3().setFromArray(mesh.vertices as unknown as number[]);
      const extent = box.getSize(new THREE.Vector3());
      size = Math.min(extent.x, extent.y, extent.z) || extent.length();
      break;
    }
    default:
      return null;
  }
  const local = new THREE.Matrix4().compose(new THREE.Vector3(...p), new THREE.Quaternion(q[1], q[2], q[3], q[0]), scale);
  return { key, geometry, local, size };
}

/// Principal moments and axes of a symmetric matrix (xx, yy, zz, xy, xz, yz), by Jacobi's rotations.
export function principalAxes(m: number[]): { moments: number[]; axes: THREE.Matrix4 } {
  const a = [[m[0], m[3], m[4]], [m[3], m[1], m[5]], [m[4], m[5], m[2]]];
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 20; ++sweep) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(a[p][q]) < 1e-15 * (Math.abs(a[p][p]) + Math.abs(a[q][q]))) continue;
      const theta = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]);
      const c = Math.cos(theta);
      const s = Math.sin(theta);
      for (let k = 0; k < 3; ++k) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; ++k) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; ++k) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  }
  const axes = new THREE.Matrix4().set(
    v[0][0], v[0][1], v[0][2], 0, v[1][0], v[1][1], v[1][2], 0, v[2][0], v[2][1], v[2][2], 0, 0, 0, 0, 1);
  return { moments: [a[0][0], a[1][1], a[2][2]], axes };
}

/// The box of uniform density with the same mass and inertia:  x² = 6 (I_y + I_z − I_x)/m.
export function inertiaBox(body: BodyInfo): THREE.Matrix4 | null {
  if (!body.inertia || !(body.mass > 0)) return null;
  const { moments, axes } = principalAxes(body.inertia);
  const sum = moments[0] + moments[1] + moments[2];
  const side = (i: number) => Math.sqrt(Math.max((6 * (sum - 2 * moments[i])) / body.mass, 1e-12));
  return new THREE.Matrix4().makeTranslation(...body.com).multiply(axes).scale(new THREE.Vector3(side(0), side(1), side(2)));
}
