// Soft bodies: surfaces whose vertices move, coloured by one of their fields.
import * as THREE from "three";
import { mapColour } from "./format";
import type { Store } from "./store";
import type { ChannelInfo, FieldInfo, SoftFrame, Vec3 } from "./stream";

/// The fields of all soft bodies, those of one name and unit as one with the range of all of them.
export function commonFields(channels: ChannelInfo[]): FieldInfo[] {
  const common: FieldInfo[] = [];
  for (const { name, unit, range } of channels.flatMap((channel) => channel.fields ?? [])) {
    const known = common.find((f) => f.name === name && f.unit === unit);
    if (known) known.range = [Math.min(known.range[0], range[0]), Math.max(known.range[1], range[1])];
    else common.push({ name, unit, range: [...range] });
  }
  return common;
}

/// Factor and offset from steps of the range `own` to steps of the range `common`.
export function toCommonSteps(own: [number, number], common: [number, number]): [number, number] {
  const width = common[1] - common[0];
  return width > 0 ? [(own[1] - own[0]) / width, ((STEPS - 1) * (own[0] - common[0])) / width] : [1, 0];
}

interface SoftMesh {
  index: number; // among the soft bodies
  channel: ChannelInfo;
  mesh: THREE.Mesh;
  triangles: Uint32Array;
  field: THREE.BufferAttribute | null; // steps of the field that colours, of the body's own range
  steps: { value: THREE.Vector2 }; // factor and offset from these to those of the colour bar
  hasField: { value: boolean }; // else it is grey
  coloured: Uint8Array | null; // what it was last taken from
}

const STEPS = 256; // of a field
const GREY = 0.8; // of what has no field
const TABLE = new Uint8Array(4 * STEPS); // red, green, blue, opacity of each
for (let i = 0; i < STEPS; ++i) TABLE.set([...mapColour(i / (STEPS - 1)).map((c) => Math.round(255 * c)), 255], 4 * i);
const MAP = new THREE.DataTexture(TABLE, STEPS, 1);
MAP.colorSpace = THREE.SRGBColorSpace;
MAP.needsUpdate = true;

/// Each vertex takes the colour of its field from the table: one byte a vertex goes to the graphics processor, not twelve.
function colouredByField(material: THREE.MeshStandardMaterial, steps: SoftMesh["steps"], hasField: SoftMesh["hasField"]): THREE.MeshStandardMaterial {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { colourMap: { value: MAP }, steps, hasField });
    shader.vertexShader = `uniform sampler2D colourMap;\nuniform vec2 steps;\nuniform bool hasField;\nattribute float field;\nvarying vec3 fieldColour;\n${shader.vertexShader}`.replace(
      "#include <begin_vertex>", `#include <begin_vertex>\nfieldColour = hasField ? texelFetch(colourMap, ivec2(int(steps.x * field + steps.y + 0.5), 0), 0).rgb : vec3(${GREY});`);
    shader.fragmentShader = `varying vec3 fieldColour;\n${shader.fragmentShader}`.replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb *= fieldColour;");
  };
  return material;
}

export class SoftMeshes {
  readonly group = new THREE.Group();
  field = 0; // of `fields`, that colours
  fields: FieldInfo[] = [];
  private meshes: SoftMesh[] = [];

  build(store: Store): void {
    for (const { mesh } of this.meshes) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
    this.group.clear();
    this.meshes = [];
    this.fields = commonFields(store.softBodies);
    this.field = Math.min(this.field, Math.max(this.fields.length - 1, 0));
    for (const [index, channel] of store.softBodies.entries()) {
      const data = store.meshes.get(channel.mesh ?? -1);
      if (!data) continue;
      const geometry = new THREE.BufferGeometry();
      const moving = (numbers: Float32Array | Uint8Array, size: number) => new THREE.BufferAttribute(numbers, size).setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute("position", moving(data.vertices.slice(), 3));
      geometry.setAttribute("normal", moving(new Float32Array(data.vertices.length), 3));
      geometry.setIndex(new THREE.BufferAttribute(data.triangles, 1));
      const material = new THREE.MeshStandardMaterial({ side: THREE.DoubleSide, roughness: 0.7 });
      const [steps, hasField] = [{ value: new THREE.Vector2(1, 0) }, { value: true }];
      const hasFields = (channel.fields?.length ?? 0) > 0;
      const field = hasFields ? moving(new Uint8Array(data.vertices.length / 3), 1) : null;
      if (field) geometry.setAttribute("field", field);
      else material.color.setScalar(GREY);
      const mesh = new THREE.Mesh(geometry, field ? colouredByField(material, steps, hasField) : material);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.group.add(mesh);
      this.meshes.push({ index, channel, mesh, triangles: data.triangles, field, steps, hasField, coloured: null });
    }
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

  /// The soft body that a ray meets first, and where.
  pick(ray: THREE.Raycaster): { soft: number; point: THREE.Vector3 } | null {
    const visible = this.meshes.filter(({ mesh }) => mesh.visible);
    for (const { mesh } of visible) mesh.geometry.boundingSphere = mesh.geometry.boundingBox = null; // its vertices have moved
    const hit = ray.intersectObjects(visible.map(({ mesh }) => mesh), false)[0];
    const soft = visible.find(({ mesh }) => mesh === hit?.object)?.index;
    return hit && soft !== undefined ? { soft, point: hit.point } : null;
  }

  setWireframe(on: boolean): void {
    for (const { mesh } of this.meshes) (mesh.material as THREE.MeshStandardMaterial).wireframe = on;
  }

  /// Vertices move straight from frame to frame; fields are those of the nearer one.
  update(store: Store, time: number, hidden: Set<number>): void {
    const { frame, share } = store.between(time);
    for (const soft of this.meshes) {
      const { channel, mesh, triangles } = soft;
      mesh.visible = !hidden.has(soft.index);
      const frames = store.soft.get(channel.id);
      const a = frames?.[frame];
      if (!frames || !a || !channel.box || !mesh.visible) continue;
      const b = frames[frame + 1] ?? a;
      const { position, normal } = mesh.geometry.attributes;
      placeVertices(a.vertices, b.vertices, share, channel.box, position.array as Float32Array);
      computeNormals(position.array as Float32Array, triangles, normal.array as Float32Array);
      position.needsUpdate = normal.needsUpdate = true;
      this.colour(soft, share < 0.5 ? a : b);
    }
  }
  private colour(soft: SoftMesh, { fields }: SoftFrame): void {
    if (!soft.field) return;
    const n = soft.field.count;
    const { name, unit, range } = this.fields[this.field];
    const own = soft.channel.fields?.findIndex((f) => f.name === name && f.unit === unit) ?? -1;
    soft.hasField.value = own >= 0;
    if (own < 0) return;
    soft.steps.value.set(...toCommonSteps(soft.channel.fields?.[own].range ?? range, range));
    const first = own * n;
    const steps = fields.subarray(first, first + n);
    const isSame = soft.coloured?.buffer === steps.buffer && soft.coloured.byteOffset === steps.byteOffset;
    if (isSame) return;
    soft.coloured = steps;
    soft.field.array.set(steps);
    soft.field.needsUpdate = true;
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
