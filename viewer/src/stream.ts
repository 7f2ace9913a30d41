// Reads the viewer stream (docs/viewer_stream.md): records come in any pieces, frames come out as plain arrays.
import { decompress } from "fzstd";

const MAGIC = "SNWVIEW\u0001";
const VERSION = 1;

export type Vec3 = [number, number, number];

export interface ShapeInfo {
  type: string;
  name?: string; // of shapes of the world
  position?: Vec3;
  orientation?: [number, number, number, number]; // w, x, y, z
  size?: Vec3;
  radii?: Vec3;
  radius?: number;
  length?: number;
  height?: number;
  mesh?: number;
}
export interface BodyInfo {
  name: string;
  mass: number;
  com: Vec3;
  inertia?: number[]; // xx, yy, zz, xy, xz, yz about the centre of mass, body axes
  shapes: ShapeInfo[];
}
/// Points that the child's joint frame keeps to, row by row; a rail has one row.
export interface GuideInfo {
  rows: number;
  columns: number;
  points: number[]; // x, y, z each, in the joint frame on the parent
}
/// Poses along a spline from its first control frame on, row by row; of a rail one row.
export interface AlongInfo {
  rows: number;
  columns: number;
  per_span: number; // from one control frame to the next
  closed: [boolean, boolean]; // whether the last row, column is the first again
  poses: number[]; // x, y, z, w, x, y, z each
}
/// One coordinate in the chain of a composite joint: a screw, or a parameter of a spline.
export interface MemberInfo {
  type: string; // "revolute", "prismatic", "helical", "spline_curve", "spline_surface"
  frame: number[]; // x, y, z, w, x, y, z in the frame that the one before it moves
  axis: Vec3; // unit, in this frame
  pitch?: number; // helical: advance per turn [m]
  along?: AlongInfo; // splines; not of the second parameter of a surface, which the first one moves by, too
}
export interface JointInfo {
  name: string;
  type: string;
  parent: number; // -1: world
  child: number;
  dof?: number;
  frame_on_parent?: number[]; // x, y, z, w, x, y, z
  frame_on_child?: number[];
  guide?: GuideInfo;
  members?: MemberInfo[];
  lower?: (number | null)[]; // stops per degree of freedom [rad or m]; null: none
  upper?: (number | null)[];
}
export interface ColumnInfo {
  name: string;
  unit: string;
  group: "probe" | "ledger" | "path";
}
/// A muscle, cable, spring or strand, straight from point to point.
export interface PathInfo {
  name: string;
  kind: string; // "muscle", "cable", "spring", "chain", "rope"
  points: { body: number; point: Vec3 }[]; // in the frame of the body; -1: world
}
export interface FieldInfo {
  name: string;
  unit: string;
  range: [number, number];
}
export interface ChannelInfo {
  id: number;
  kind: string;
  name?: string;
  mesh?: number;
  vertices?: number;
  box?: [Vec3, Vec3];
  fields?: FieldInfo[];
}
export interface StreamHeader {
  format: string;
  version: number;
  sinew_version: string;
  scene: string;
  dt: number;
  frame_interval: number;
  gravity: Vec3;
  live: boolean;
  truncated: boolean;
  position_quantum: number;
  scene_dt?: number; // s, live: of the scene as it was written
  steppers?: string[];
  inputs?: string[]; // live: what may be set between 0 and 1, as activations of muscles
  world?: ShapeInfo[]; // shapes that never move
  bodies: BodyInfo[];
  joints: JointInfo[];
  columns: ColumnInfo[];
  paths?: PathInfo[];
  trails?: string[]; // probes whose columns .x, .y, .z are places in the world
  channels: ChannelInfo[];
}
export interface MeshData {
  id: number;
  vertices: Float32Array;
  triangles: Uint32Array;
}
export interface StreamEvent {
  time: number;
  kind: string;
  message: string;
}
export interface Contacts {
  count: number;
  numbers: Float32Array; // 10 per contact: position, normal, force, gap
  bodies: Int32Array; // 2 per contact
}
export interface SoftFrame {
  vertices: Uint16Array; // quantised in the channel's box
  fields: Uint8Array; // field by field, quantised in the field's range
}
export interface FrameBlock {
  first: number;
  count: number;
  times: Float64Array;
  poses: Float32Array; // count × bodies × 7
  columns: Float32Array; // count × columns
  contacts: Contacts[];
  coordinates: Float32Array; // count × coordinates of joints with members
  soft: Map<number, SoftFrame[]>; // by channel
}

export class StreamError extends Error {}

export interface StreamSink {
  onHeader(header: StreamHeader): void;
  onMesh(mesh: MeshData): void;
  onFrames(block: FrameBlock): void;
  onEvent(event: StreamEvent): void;
}

const RECORD_HEAD = 12;
const LARGEST_RECORD = 1 << 30;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let c = i;
  for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});
/// CRC-32 as in zip and PNG.
export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; ++i) c = CRC_TABLE[(c ^ bytes[i]) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/// Four bytes per number, stored plane by plane.
function readPlanes(bytes: Uint8Array, start: number, n: number): Uint32Array {
  if (start < 0 || start + 4 * n > bytes.length) throw new StreamError("a block of the stream is too short");
  const words = new Uint32Array(n);
  for (let i = 0; i < n; ++i) {
    words[i] = bytes[start + i] | (bytes[start + n + i] << 8) | (bytes[start + 2 * n + i] << 16) | (bytes[start + 3 * n + i] << 24);
  }
  return words;
}

/// Undoes zigzag and prediction: `quantities` rows of `frames` integers.
export function unpredict(words: Uint32Array, quantities: number, frames: number): Int32Array {
  const out = new Int32Array(words.length);
  for (let i = 0; i < quantities; ++i) {
    let before = 0;
    let beforeThat = 0;
    for (let k = 0; k < frames; ++k) {
      const z = words[i * frames + k];
      const residual = (z >>> 1) ^ -(z & 1);
      const expected = k === 0 ? 0 : k === 1 ? before : 2 * before - beforeThat;
      const value = (residual + expected) | 0;
      out[i * frames + k] = value;
      beforeThat = before;
      before = value;
    }
  }
  return out;
}

const asFloats = (words: Uint32Array) => new Float32Array(words.buffer, words.byteOffset, words.length);

export class StreamReader {
  private pending = new Uint8Array(0);
  private hasMagic = false;
  private header: StreamHeader | null = null;

  constructor(private sink: StreamSink) {}

  /// Takes the next piece of the stream, of any size.
  push(piece: Uint8Array): void {
    let bytes = piece;
    if (this.pending.length > 0) {
      bytes = new Uint8Array(this.pending.length + piece.length);
      bytes.set(this.pending);
      bytes.set(piece, this.pending.length);
    }
    let at = 0;
    if (!this.hasMagic) {
      const n = Math.min(MAGIC.length, bytes.length);
      for (let i = 0; i < n; ++i) {
        if (bytes[i] !== MAGIC.charCodeAt(i)) {
          throw new StreamError(
            i === MAGIC.length - 1
              ? "this stream is of another version than this viewer can read"
              : "this is no viewer stream of Sinew: its first bytes are wrong",
          );
        }
      }
      if (bytes.length < MAGIC.length) {
        this.pending = bytes.slice();
        return;
      }
      this.hasMagic = true;
      at = MAGIC.length;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    while (bytes.length - at >= RECORD_HEAD) {
      const length = view.getUint32(at + 4, true);
      if (length > LARGEST_RECORD) throw new StreamError("the stream is damaged: a record of impossible length");
      if (bytes.length - at < RECORD_HEAD + length) break;
      const payload = bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length);
      if (crc32(payload) !== view.getUint32(at + 8, true)) throw new StreamError("the stream is damaged: a checksum does not match");
      this.take(bytes[at], bytes[at + 1], payload);
      at += RECORD_HEAD + length;
    }
    this.pending = bytes.slice(at);
  }

  /// True if everything that was pushed made whole records.
  get isComplete(): boolean {
    return this.hasMagic && this.pending.length === 0;
  }

  private take(type: number, flags: number, payload: Uint8Array): void {
    let body = payload;
    if (flags & 1) {
      try {
        const size = new DataView(payload.buffer, payload.byteOffset, 4).getUint32(0, true);
        body = decompress(payload.subarray(4), new Uint8Array(size));
      } catch {
        throw new StreamError("the stream is damaged: a record cannot be decompressed");
      }
    }
    if (type === 1) this.takeHeader(body);
    else if (this.header === null) throw new StreamError("the stream is damaged: its header is missing");
    else if (type === 2) this.sink.onMesh(readMesh(body));
    else if (type === 3) this.sink.onFrames(readFrames(body, this.header));
    else if (type === 4) this.sink.onEvent(JSON.parse(new TextDecoder().decode(body)) as StreamEvent);
  }

  private takeHeader(body: Uint8Array): void {
    let header: StreamHeader;
    try {
      header = JSON.parse(new TextDecoder().decode(body)) as StreamHeader;
    } catch {
      throw new StreamError("the stream is damaged: its header cannot be understood");
    }
    if (header.version !== VERSION) {
      throw new StreamError(`stream version ${header.version}, and this viewer reads version ${VERSION}: use the viewer that came with it`);
    }
    this.header = header;
    this.sink.onHeader(header);
  }
}

function readMesh(bytes: Uint8Array): MeshData {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const id = view.getUint32(0, true);
  const nv = view.getUint32(4, true);
  const nt = view.getUint32(8, true);
  const words = readPlanes(bytes, 60, 3 * nv);
  const vertices = new Float32Array(3 * nv);
  for (let i = 0; i < vertices.length; ++i) {
    vertices[i] = view.getFloat64(12 + 8 * (i % 3), true) + words[i] * view.getFloat64(36 + 8 * (i % 3), true);
  }
  const triangles = readPlanes(bytes, 60 + 12 * nv, 3 * nt);
  for (const v of triangles) if (v >= nv) throw new StreamError("the stream is damaged: a triangle names a missing vertex");
  return { id, vertices, triangles };
}

function readFrames(bytes: Uint8Array, header: StreamHeader): FrameBlock {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = view.getUint32(0, true);
  const count = view.getUint32(4, true);
  const nb = header.bodies.length;
  const nc = header.columns.length;
  const nq = header.joints.reduce((n, joint) => n + (joint.members?.length ?? 0), 0);
  const block: FrameBlock = {
    first, count, times: new Float64Array(count), poses: new Float32Array(count * nb * 7),
    columns: new Float32Array(count * nc), contacts: [], coordinates: new Float32Array(count * nq), soft: new Map(),
  };
  for (let at = 8; at < bytes.length; ) {
    const id = view.getUint32(at, true);
    const size = view.getUint32(at + 4, true);
    if (at + 8 + size > bytes.length) throw new StreamError("a block of the stream is too short");
    const data = bytes.subarray(at + 8, at + 8 + size);
    const dataView = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const channel = header.channels.find((c) => c.id === id);
    if (channel?.kind === "time") {
      for (let k = 0; k < count; ++k) block.times[k] = dataView.getFloat64(8 * k, true);
    } else if (channel?.kind === "bodies") {
      readPoses(data, count, nb, header.position_quantum, block.poses);
    } else if (channel?.kind === "columns") {
      readColumns(data, count, nc, block.columns);
    } else if (channel?.kind === "coordinates") {
      readColumns(data, count, nq, block.coordinates);
    } else if (channel?.kind === "contacts") {
      block.contacts = readContacts(data, dataView, count);
    } else if (channel?.kind === "soft_mesh") {
      block.soft.set(id, readSoft(data, count, channel));
    }
    at += 8 + size;
  }
  return block;
}

function readPoses(data: Uint8Array, count: number, bodies: number, quantum: number, out: Float32Array): void {
  const numbers = unpredict(readPlanes(data, 0, count * bodies * 7), bodies * 7, count);
  for (let i = 0; i < bodies; ++i) {
    for (let k = 0; k < count; ++k) {
      const to = (k * bodies + i) * 7;
      const from = i * 7 * count + k;
      for (let c = 0; c < 3; ++c) out[to + c] = numbers[from + c * count] * quantum;
      let norm = 0;
      for (let c = 3; c < 7; ++c) norm += numbers[from + c * count] ** 2;
      const scale = norm > 0 ? 1 / Math.sqrt(norm) : 0;
      for (let c = 3; c < 7; ++c) out[to + c] = numbers[from + c * count] * scale;
    }
  }
}

/// From column by column to frame by frame.
function readColumns(data: Uint8Array, count: number, columns: number, out: Float32Array): void {
  const floats = asFloats(readPlanes(data, 0, count * columns));
  for (let c = 0; c < columns; ++c) for (let k = 0; k < count; ++k) out[k * columns + c] = floats[c * count + k];
}

function readContacts(data: Uint8Array, view: DataView, count: number): Contacts[] {
  const counts = Array.from({ length: count }, (_, k) => view.getUint32(4 * k, true));
  const total = counts.reduce((a, b) => a + b, 0);
  const numbers = asFloats(readPlanes(data, 4 * count, 10 * total));
  const bodies = new Int32Array(readPlanes(data, 4 * count + 40 * total, 2 * total).buffer);
  let at = 0;
  return counts.map((n) => {
    const one = { count: n, numbers: numbers.slice(10 * at, 10 * (at + n)), bodies: bodies.slice(2 * at, 2 * (at + n)) };
    at += n;
    return one;
  });
}

function readSoft(data: Uint8Array, count: number, channel: ChannelInfo): SoftFrame[] {
  const nv = channel.vertices ?? 0;
  const nf = channel.fields?.length ?? 0;
  const width = 3 * nv + nf * nv;
  const numbers = unpredict(readPlanes(data, 0, count * width), width, count);
  return Array.from({ length: count }, (_, k) => {
    const vertices = new Uint16Array(3 * nv);
    const fields = new Uint8Array(nf * nv);
    for (let i = 0; i < 3 * nv; ++i) vertices[i] = numbers[i * count + k];
    for (let i = 0; i < nf * nv; ++i) fields[i] = numbers[(3 * nv + i) * count + k];
    return { vertices, fields };
  });
}
