// The rigid bodies: one InstancedMesh per kind of geometry.
import * as THREE from "three";
import { placeShape, type Placed } from "./shapes";
import type { MeshData, StreamHeader } from "./stream";
import { SERIES } from "./format";

interface Instance {
  body: number;
  mesh: THREE.InstancedMesh;
  index: number;
  local: THREE.Matrix4;
}

const OUTLINE_POINTS = 160;
const SIDES = 32; // of round shapes
const COARSE_SIDES = 16; // where there are more than
const MANY = 200; // shapes
const HIDDEN = new THREE.Matrix4().makeScale(0, 0, 0);

/// Vertices of a geometry, no more than about OUTLINE_POINTS, evenly picked.
function outlineOf(geometry: THREE.BufferGeometry): THREE.Vector3[] {
  const vertices = geometry.attributes.position;
  const stride = Math.ceil(vertices.count / OUTLINE_POINTS);
  return Array.from({ length: Math.ceil(vertices.count / stride) }, (_, i) => new THREE.Vector3().fromBufferAttribute(vertices, i * stride));
}

export class Bodies {
  readonly group = new THREE.Group();
  readonly worldGroup = new THREE.Group();
  readonly world: THREE.Matrix4[] = [];
  readonly outlines: THREE.Vector3[][] = []; // points on the shapes of each body, in its frame
  readonly worldBoxes: THREE.Box3[] = []; // of the shapes that never move, planes apart
  typicalSize = 0.1; // median of the smallest extents [m]
  private instances: Instance[] = [];
  private selected = -1;

  build(header: StreamHeader, meshes: Map<number, MeshData>): void {
    this.dispose();
    const kinds = new Map<string, { placed: Placed; body: number }[]>();
    const sizes: number[] = [];
    header.bodies.forEach((body, i) => {
      this.world[i] = new THREE.Matrix4();
      this.outlines[i] = [];
      for (const shape of body.shapes) {
        const placed = placeShape(shape, meshes);
        if (!placed) continue;
        sizes.push(placed.size);
        const list = kinds.get(placed.key) ?? [];
        list.push({ placed, body: i });
        kinds.set(placed.key, list);
      }
    });
    this.typicalSize = sizes.sort((a, b) => a - b)[sizes.length >> 1] ?? 0.1;
    this.buildWorld(header, meshes);
    const sides = sizes.length > MANY ? COARSE_SIDES : SIDES;
    for (const list of kinds.values()) {
      const material = new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.05 });
      const mesh = new THREE.InstancedMesh(list[0].placed.geometry(sides), material, list.length);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      const outline = outlineOf(mesh.geometry);
      list.forEach(({ placed, body }, index) => {
        this.outlines[body].push(...outline.map((p) => p.clone().applyMatrix4(placed.local)));
        mesh.setColorAt(index, this.colourOf(body));
        this.instances.push({ body, mesh, index, local: placed.local });
      });
      this.group.add(mesh);
    }
  }

  /// Ground and walls: grey, at rest. Planes are the ground's (ground.ts).
  private buildWorld(header: StreamHeader, meshes: Map<number, MeshData>): void {
    for (const shape of header.world ?? []) {
      const placed = placeShape(shape, meshes);
      if (!placed) continue;
      const material = new THREE.MeshStandardMaterial({ color: "#a7afb8", roughness: 0.9, side: THREE.DoubleSide });
      const mesh = new THREE.Mesh(placed.geometry(SIDES), material);
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(placed.local);
      mesh.receiveShadow = mesh.castShadow = true;
      mesh.geometry.computeBoundingBox();
      this.worldBoxes.push(mesh.geometry.boundingBox?.clone().applyMatrix4(mesh.matrix) ?? new THREE.Box3());
      this.worldGroup.add(mesh);
    }
  }

  colourOf(body: number): THREE.Color {
    const colour = new THREE.Color(SERIES[body % 6]);
    colour.lerp(new THREE.Color("#ffffff"), 0.18);
    return colour;
  }

  update(poses: Float32Array, hidden: Set<number>): void {
    const p = new THREE.Vector3();
    const q = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    const matrix = new THREE.Matrix4();
    this.world.forEach((world, i) => {
      const at = 7 * i;
      p.set(poses[at], poses[at + 1], poses[at + 2]);
      q.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]);
      world.compose(p, q, one);
    });
    for (const { body, mesh, index, local } of this.instances) {
      mesh.setMatrixAt(index, hidden.has(body) ? HIDDEN : matrix.multiplyMatrices(this.world[body], local));
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  select(body: number): void {
    this.selected = body;
    for (const instance of this.instances) {
      const colour = this.colourOf(instance.body);
      if (instance.body === this.selected) colour.lerp(new THREE.Color("#ffe14d"), 0.9);
      instance.mesh.setColorAt(instance.index, colour);
      if (instance.mesh.instanceColor) instance.mesh.instanceColor.needsUpdate = true;
    }
  }

  setWireframe(on: boolean): void {
    for (const { mesh } of this.instances) (mesh.material as THREE.MeshStandardMaterial).wireframe = on;
  }

  pick(ray: THREE.Raycaster, hidden: Set<number>): { body: number; point: THREE.Vector3 } | null {
    for (const hit of ray.intersectObjects(this.group.children, false)) {
      const found = this.instances.find((i) => i.mesh === hit.object && i.index === hit.instanceId);
      if (found && !hidden.has(found.body)) return { body: found.body, point: hit.point };
    }
    return null;
  }

  dispose(): void {
    for (const child of this.group.children as THREE.InstancedMesh[]) {
      child.geometry.dispose();
      (child.material as THREE.Material).dispose();
      child.dispose();
    }
    for (const child of this.worldGroup.children as THREE.Mesh[]) {
      child.geometry.dispose();
      (child.material as THREE.Material).dispose();
    }
    this.worldGroup.clear();
    this.group.clear();
    this.instances = [];
    this.world.length = this.outlines.length = this.worldBoxes.length = 0;
  }
}
