// What guides joints: rails as tubes, surfaces as translucent sheets with a grid, each at rest in the frame of its joint on the parent.
import * as THREE from "three";
import type { Hidden } from "./items";
import { toMatrix } from "./pose";
import type { GuideInfo, JointInfo, StreamHeader } from "./stream";

const COLOUR = new THREE.Color("#7b8694");
const SELECTED = new THREE.Color("#ffd21f");
const THICKNESS = 0.16; // of a rail, over the size of joints
const GRID_STEP = 4; // points between two lines of the grid
const SIDES = 8; // of a tube

interface Drawn {
  index: number;
  joint: JointInfo;
  rest: THREE.Matrix4; // on the parent
  group: THREE.Group;
  materials: (THREE.Material & { color: THREE.Color })[];
}

export function guidePoints(guide: GuideInfo): THREE.Vector3[] {
  return Array.from({ length: guide.points.length / 3 }, (_, i) => new THREE.Vector3().fromArray(guide.points, 3 * i));
}

/// Indices of the two triangles of every cell.
export function sheetTriangles(rows: number, columns: number): number[] {
  const triangles: number[] = [];
  for (let i = 0; i + 1 < rows; ++i) {
    for (let j = 0; j + 1 < columns; ++j) {
      const v = i * columns + j;
      triangles.push(v, v + columns, v + 1, v + 1, v + columns, v + columns + 1);
    }
  }
  return triangles;
}

/// Pairs of indices along every GRID_STEPth row and column, and along the last of each.
export function gridSegments(rows: number, columns: number): number[] {
  const isDrawn = (k: number, count: number) => k % GRID_STEP === 0 || k === count - 1;
  const pairs: number[] = [];
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < columns; ++j) {
      const v = i * columns + j;
      if (j + 1 < columns && isDrawn(i, rows)) pairs.push(v, v + 1);
      if (i + 1 < rows && isDrawn(j, columns)) pairs.push(v, v + columns);
    }
  }
  return pairs;
}

function makeRail(guide: GuideInfo, radius: number): THREE.Mesh {
  const points = guidePoints(guide);
  const isRing = points[0].distanceTo(points[points.length - 1]) < 1e-9;
  const path = new THREE.CatmullRomCurve3(isRing ? points.slice(1) : points, isRing);
  const mesh = new THREE.Mesh(new THREE.TubeGeometry(path, 2 * points.length, radius, SIDES, isRing), new THREE.MeshStandardMaterial({ roughness: 0.5 }));
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function makeSheet(guide: GuideInfo): [THREE.Mesh, THREE.LineSegments] {
  const position = new THREE.Float32BufferAttribute(guide.points, 3);
  const sheet = new THREE.BufferGeometry().setAttribute("position", position).setIndex(sheetTriangles(guide.rows, guide.columns));
  sheet.computeVertexNormals();
  const grid = new THREE.BufferGeometry().setAttribute("position", position).setIndex(gridSegments(guide.rows, guide.columns));
  const material = new THREE.MeshStandardMaterial({ side: THREE.DoubleSide, transparent: true, opacity: 0.35, depthWrite: false, roughness: 0.8 });
  return [new THREE.Mesh(sheet, material), new THREE.LineSegments(grid, new THREE.LineBasicMaterial())];
}

export class Guides {
  readonly group = new THREE.Group();
  private drawn: Drawn[] = [];

  build(header: StreamHeader | null, size: number): void {
    for (const { group, materials } of this.drawn) {
      for (const part of group.children as THREE.Mesh[]) part.geometry.dispose();
      for (const material of materials) material.dispose();
    }
    this.group.clear();
    this.drawn = [];
    header?.joints.forEach((joint, index) => {
      if (!joint.guide || !joint.frame_on_parent) return;
      const parts = joint.guide.rows > 1 ? makeSheet(joint.guide) : [makeRail(joint.guide, THICKNESS * size)];
      const group = new THREE.Group().add(...parts);
      group.matrixAutoUpdate = false;
      this.group.add(group);
      this.drawn.push({ index, joint, rest: toMatrix(joint.frame_on_parent), group, materials: parts.map((p) => p.material as THREE.MeshStandardMaterial) });
    });
  }

  update(world: THREE.Matrix4[], hidden: Hidden, isShown: boolean, selectedJoint: number): void {
    for (const { index, joint, rest, group, materials } of this.drawn) {
      group.visible = isShown && !hidden.joint.has(index) && !hidden.body.has(joint.child);
      if (joint.parent >= 0) group.matrix.multiplyMatrices(world[joint.parent], rest);
      else group.matrix.copy(rest);
      for (const material of materials) material.color.copy(index === selectedJoint ? SELECTED : COLOUR);
    }
  }
}
