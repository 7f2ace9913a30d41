// Soft bodies: surfaces whose vertices move, coloured by one of their fields.
import * as THREE from "three";
import { mapColour } from "./format";
import type { Store } from "./store";
import type { ChannelInfo, SoftFrame, Vec3 } from "./stream";

interface SoftMesh {
  index: number; // among the soft bodies
  channel: ChannelInfo;
  mesh: THREE.Mesh;
  triangles: Uint32Array;
}

const TABLE = new Float32Array(3 * 256); // red, green, blue of each step of a field
for (let i = 0; i < 256; ++i) new THREE.Color().setRGB(...(mapColour(i / 255) as [number, number, number]), THREE.SRGBColorSpace).toArray(TABLE, 3 * i);

export class SoftMeshes {
  readonly group = new THREE.Group();
  field = 0;
  private meshes: SoftMesh[] = [];

  build(store: Store): void {
    for (const { mesh } of this.meshes) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
    this.group.clear();
    this.meshes = [];
    for (const [index, channel] of store.softBodies.entries()) {
      const data = store.meshes.get(channel.mesh ?? -1);
      if (!data) continue;
      const geometry = new THREE.BufferGeometry();
      const n = data.vertices.length;
      geometry.setAttribute("position", new THREE.BufferAttribute(data.vertices.slice(), 3));
      geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(n), 3));
      geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(n).fill(0.8), 3));
      geometry.setIndex(new THREE.BufferAttribute(data.triangles, 1));
      const material = new THREE.MeshStandardMaterial({ vertexColors: true, side: THREE.DoubleSide, roughness: 0.7 });
      const mesh = new THREE.Mesh(geometry, material);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.group.add(mesh);
      this.meshes.push({ index, channel, mesh, triangles: data.triangles });
    }
  }

  get fields() {
    return this.meshes[0]?.channel.fields ?? [];
  }

  /// Where a soft body is, from the vertices that were placed last.
  placeOf(index: number): THREE.Vector3 | null {
    const position = this.meshes.find((m) => m.index === index)?.mesh.geometry.attributes.position;
    if (!position) return null;
    const sum = new THREE.Vector3();
    const vertex = new THREE.Vector3();
    for (let v = 0; v < position.count; ++v) sum.add(vertex.fromBufferAttribute(position, v));
    return sum.divideScalar(position.count);
  }

  setWireframe(on: boolean): void {
    for (const { mesh } of this.meshes) (mesh.material as THREE.MeshStandardMaterial).wireframe = on;
  }

  /// Vertices move straight from frame to frame; fields are those of the nearer one.
  update(store: Store, time: number, hidden: Set<number>): void {
    const { frame, share } = store.between(time);
    for (const { index, channel, mesh, triangles } of this.meshes) {
      mesh.visible = !hidden.has(index);
      const frames = store.soft.get(channel.id);
      const a = frames?.[frame];
      if (!frames || !a || !channel.box) continue;
      const b = frames[frame + 1] ?? a;
      const soft = share < 0.5 ? a : b;
      const position = mesh.geometry.attributes.position.array as Float32Array;
      placeVertices(a.vertices, b.vertices, share, channel.box, position);
      computeNormals(position, triangles, mesh.geometry.attributes.normal.array as Float32Array);
      if (channel.fields && channel.fields.length > 0) {
        const colour = mesh.geometry.attributes.color.array as Float32Array;
        const n = position.length / 3;
        const first = Math.min(this.field, channel.fields.length - 1) * n;
        for (let v = 0; v < n; ++v) {
          const step = 3 * soft.fields[first + v];
          for (let c = 0; c < 3; ++c) colour[3 * v + c] = TABLE[step + c];
        }
      }
      for (const name of ["position", "normal", "color"]) mesh.geometry.attributes[name].needsUpdate = true;
    }
  }
}

/// Mean of all vertices of a frame [m].
export function centreOf({ vertices }: SoftFrame, [lower, upper]: [Vec3, Vec3]): Vec3 {
  const sum = [0, 0, 0];
  for (let i = 0; i < vertices.length; ++i) sum[i % 3] += vertices[i];
  return [0, 1, 2].map((c) => lower[c] + (((upper[c] - lower[c]) / 65535) * sum[c] * 3) / vertices.length) as Vec3;
}

/// From steps of the box to metres, `share` of the way from a to b.
export function placeVertices(a: Uint16Array, b: Uint16Array, share: number, [lower, upper]: [Vec3, Vec3], out: Float32Array): void {
  for (let c = 0; c < 3; ++c) {
    const step = (upper[c] - lower[c]) / 65535;
    for (let i = c; i < out.length; i += 3) out[i] = lower[c] + step * (a[i] + share * (b[i] - a[i]));
  }
}

/// Normals of vertices: sum of the triangles' normals, weighted by area. The shader normalises.
export function computeNormals(p: Float32Array, triangles: Uint32Array, out: Float32Array): void {
  out.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    out[a] += nx, out[a + 1] += ny, out[a + 2] += nz;
    out[b] += nx, out[b + 1] += ny, out[b + 2] += nz;
    out[c] += nx, out[c + 1] += ny, out[c + 2] += nz;
  }
}
