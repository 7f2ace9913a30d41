// The rigid bodies: one InstancedMesh per kind of geometry.
import * as THREE from "three";
import { placeShape, type Placed } from "./shapes";
import type { MeshData, StreamHeader } from "./stream";

/// All shapes of one kind: the n-th belongs to the n-th body of the list.
interface Kind {
  mesh: THREE.InstancedMesh;
  bodies: number[];
  locals: THREE.Matrix4[];
}

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]; // Okabe and Ito's, which people with colour-blindness can tell apart
const OUTLINE_POINTS = 160;
const SIDES = 32; // of round shapes
const COARSE: [number, number][] = [[600, 12], [200, 16]]; // sides likewise, where there are more shapes than this
const HIDDEN = new THREE.Matrix4().makeScale(0, 0, 0);
const P = new THREE.Vector3();
const Q = new THREE.Quaternion();
const ONE = new THREE.Vector3(1, 1, 1);
const X = new THREE.Matrix4();

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
  reaches: number[] = []; // how far these are from its origin [m]
  readonly worldBoxes: THREE.Box3[] = []; // of the shapes that never move, planes apart
  typicalSize = 0.1; // median of the smallest extents [m]
  private kinds: Kind[] = [];

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
    const sides = COARSE.find(([many]) => sizes.length > many)?.[1] ?? SIDES;
    for (const list of kinds.values()) {
      const material = new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.05 });
      const mesh = new THREE.InstancedMesh(list[0].placed.geometry(sides), material, list.length);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      const outline = outlineOf(mesh.geometry);
      list.forEach(({ placed, body }, index) => {
        this.outlines[body].push(...outline.map((p) => p.clone().applyMatrix4(placed.local)));
        mesh.setColorAt(index, this.colourOf(body));
      });
      this.kinds.push({ mesh, bodies: list.map(({ body }) => body), locals: list.map(({ placed }) => placed.local) });
      this.group.add(mesh);
    }
    this.reaches = this.outlines.map((points) => points.reduce((most, p) => Math.max(most, p.length()), 0));
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
    const colour = new THREE.Color(COLOURS[body % COLOURS.length]);
    colour.lerp(new THREE.Color("#ffffff"), 0.18);
    return colour;
  }

  update(poses: Float32Array, hidden: Set<number>): void {
    const { world } = this;
    for (let i = 0; i < world.length; ++i) {
      const at = 7 * i;
      P.fromArray(poses, at);
      Q.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]);
      world[i].compose(P, Q, ONE);
    }
    for (const { mesh, bodies, locals } of this.kinds) {
      const numbers = mesh.instanceMatrix.array;
      for (let i = 0; i < bodies.length; ++i) (hidden.has(bodies[i]) ? HIDDEN : X.multiplyMatrices(world[bodies[i]], locals[i])).toArray(numbers, 16 * i);
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  select(body: number): void {
    for (const { mesh, bodies } of this.kinds) {
      bodies.forEach((owner, i) => {
        const colour = this.colourOf(owner);
        if (owner === body) colour.lerp(new THREE.Color("#ffe14d"), 0.9);
        mesh.setColorAt(i, colour);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  setWireframe(on: boolean): void {
    for (const { mesh } of this.kinds) (mesh.material as THREE.MeshStandardMaterial).wireframe = on;
  }

  pick(ray: THREE.Raycaster, hidden: Set<number>): { body: number; point: THREE.Vector3 } | null {
    for (const hit of ray.intersectObjects(this.group.children, false)) {
      const body = this.kinds.find((kind) => kind.mesh === hit.object)?.bodies[hit.instanceId ?? -1];
      if (body !== undefined && !hidden.has(body)) return { body, point: hit.point };
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
    this.kinds = [];
    this.world.length = this.outlines.length = this.worldBoxes.length = 0;
  }
}
