// All frames the viewer knows, by number, and what can be looked up in them. A live run appends; beyond its limits the oldest half is let go.
import type { Item, Kind } from "./items";
import type { ChannelInfo, Contacts, FrameBlock, MeshData, SoftFrame, StreamEvent, StreamHeader, StreamSink } from "./stream";

class Growing {
  data: Float32Array;
  length = 0;
  constructor(capacity = 1024) {
    this.data = new Float32Array(capacity);
  }
  append(values: Float32Array): void {
    if (this.length + values.length > this.data.length) {
      const larger = new Float32Array(Math.max(2 * this.data.length, this.length + values.length));
      larger.set(this.data.subarray(0, this.length));
      this.data = larger;
    }
    this.data.set(values, this.length);
    this.length += values.length;
  }
  drop(count: number): void {
    this.data.copyWithin(0, count, this.length);
    this.length -= count;
  }
}

function sizeOf(block: FrameBlock): number {
  let bytes = block.times.byteLength + block.poses.byteLength + block.columns.byteLength + block.coordinates.byteLength;
  for (const { numbers, bodies } of block.contacts) bytes += numbers.byteLength + bodies.byteLength;
  for (const frames of block.soft.values()) for (const { vertices, fields } of frames) bytes += vertices.byteLength + fields.byteLength;
  return bytes;
}

export interface Trail {
  name: string;
  columns: [number, number, number];
}

export class Store implements StreamSink {
  header: StreamHeader | null = null;
  meshes = new Map<number, MeshData>();
  times: number[] = [];
  events: StreamEvent[] = [];
  contacts: Contacts[] = [];
  soft = new Map<number, SoftFrame[]>();
  revision = 0; // grows whenever frames or events change
  generation = 0; // grows with every header: a new scene, or the same after a reset
  private poses = new Growing();
  private columns = new Growing();
  private coordinates = new Growing(); // of joints with members
  private firstCoordinate: number[] = [0]; // by joint, and how many there are in all
  private bytes = 0; // of all frames

  /// Limits of a live run: frames, and bytes they take.
  constructor(private mostFrames = 36000, private mostBytes = 256e6) {}

  onHeader(header: StreamHeader): void {
    this.header = header;
    this.meshes.clear();
    this.firstCoordinate = [0];
    for (const [j, joint] of header.joints.entries()) this.firstCoordinate.push(this.firstCoordinate[j] + (joint.members?.length ?? 0));
    this.clearFrames();
    ++this.generation;
  }
  onMesh(mesh: MeshData): void {
    this.meshes.set(mesh.id, mesh);
  }
  onFrames(block: FrameBlock): void {
    const last = this.times.at(-1);
    if (last !== undefined && block.count > 0 && block.times[0] < last) this.clearFrames(); // a reset
    if (last !== undefined && block.count > 0 && block.times[0] === last) this.dropLast(); // the same moment anew: an input was set meanwhile
    for (const time of block.times) this.times.push(time);
    this.poses.append(block.poses);
    this.columns.append(block.columns);
    this.coordinates.append(block.coordinates);
    for (const c of block.contacts) this.contacts.push(c);
    this.bytes += sizeOf(block);
    for (const [id, frames] of block.soft) {
      const known = this.soft.get(id);
      if (known) known.push(...frames);
      else this.soft.set(id, frames);
    }
    if (this.header?.live && (this.frames > this.mostFrames || (this.bytes > this.mostBytes && this.frames > 1))) this.dropFirst(this.frames >> 1);
    ++this.revision;
  }
  onEvent(event: StreamEvent): void {
    this.events.push(event);
    ++this.revision;
  }

  get frames(): number {
    return this.times.length;
  }
  get start(): number {
    return this.times[0] ?? 0;
  }
  get end(): number {
    return this.times.at(-1) ?? 0;
  }
  /// What has this name; bodies first.
  find(name: string): Item | null {
    const lists: [Kind, { name?: string }[]][] = [
      ["body", this.header?.bodies ?? []], ["soft", this.softBodies], ["joint", this.header?.joints ?? []], ["path", this.header?.paths ?? []]];
    for (const [kind, list] of lists) {
      const index = list.findIndex((item) => item.name === name);
      if (index >= 0) return { kind, index };
    }
    return null;
  }
  get heaviest(): Item | null {
    const masses = this.header?.bodies.map((body) => body.mass) ?? [];
    return masses.length > 0 ? { kind: "body", index: masses.indexOf(Math.max(...masses)) } : null;
  }
  get softBodies(): ChannelInfo[] {
    return this.header?.channels.filter((c) => c.kind === "soft_mesh") ?? [];
  }
  get bodyCount(): number {
    return this.header?.bodies.length ?? 0;
  }

  /// The last frame at or before `time` (0 if none).
  frameAt(time: number): number {
    let low = 0;
    let high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return Math.max(low, 0);
  }
  nearestFrame(time: number): number {
    const k = this.frameAt(time);
    return k + 1 < this.frames && this.times[k + 1] - time < time - this.times[k] ? k + 1 : k;
  }

  /// The frame at or before `time`, and how far `time` is on the way to the next (0 to 1).
  between(time: number): { frame: number; share: number } {
    const frame = this.frameAt(time);
    if (frame + 1 >= this.frames || time <= this.times[frame]) return { frame, share: 0 };
    return { frame, share: (time - this.times[frame]) / (this.times[frame + 1] - this.times[frame]) };
  }

  /// x, y, z, w, x, y, z of all bodies at `time`, between two frames: straight for positions, along the arc for rotations.
  posesAt(time: number, out: Float32Array): void {
    const { frame: k, share: s } = this.between(time);
    const n = 7 * this.bodyCount;
    const a = this.poses.data.subarray(k * n, (k + 1) * n);
    if (s === 0) {
      out.set(a);
      return;
    }
    const b = this.poses.data.subarray((k + 1) * n, (k + 2) * n);
    for (let i = 0; i < n; i += 7) {
      for (let c = 0; c < 3; ++c) out[i + c] = a[i + c] + s * (b[i + c] - a[i + c]);
      let dot = 0;
      for (let c = 3; c < 7; ++c) dot += a[i + c] * b[i + c];
      const sign = dot < 0 ? -1 : 1;
      const angle = Math.acos(Math.min(1, Math.abs(dot)));
      const sine = Math.sin(angle);
      const wa = sine < 1e-4 ? 1 - s : Math.sin((1 - s) * angle) / sine;
      const wb = sign * (sine < 1e-4 ? s : Math.sin(s * angle) / sine);
      for (let c = 3; c < 7; ++c) out[i + c] = wa * a[i + c] + wb * b[i + c];
    }
  }
  pose(frame: number, body: number): Float32Array {
    const at = (frame * this.bodyCount + body) * 7;
    return this.poses.data.subarray(at, at + 7);
  }
  value(frame: number, column: number): number {
    return this.columns.data[frame * (this.header?.columns.length ?? 0) + column];
  }
  column(column: number): Float64Array {
    return Float64Array.from({ length: this.frames }, (_, k) => this.value(k, column));
  }

  private get coordinateCount(): number {
    return this.firstCoordinate[this.firstCoordinate.length - 1];
  }
  /// Coordinates of the members of a joint at `time` [rad or m]; angles go on over whole turns.
  coordinatesAt(time: number, joint: number): number[] {
    const { frame, share } = this.between(time);
    const n = this.coordinateCount;
    const at = frame * n + this.firstCoordinate[joint];
    const { data } = this.coordinates;
    return (this.header?.joints[joint].members ?? []).map((_, k) => data[at + k] + (share > 0 ? share * (data[at + n + k] - data[at + k]) : 0));
  }

  /// Bodies touched each other or the world, but the recording does not say where.
  get lacksContacts(): boolean {
    const { header } = this;
    if (!header || header.channels.some((c) => c.kind === "contacts")) return false;
    const touching = header.columns.findIndex((c) => c.name === "contact.touching");
    return touching >= 0 && this.times.some((_, frame) => this.value(frame, touching) > 0);
  }

  /// The columns of the probes that leave a trail.
  trails(): Trail[] {
    const columns = this.header?.columns ?? [];
    const find = (name: string) => columns.findIndex((c) => c.group === "probe" && c.name === name);
    const all = (this.header?.trails ?? []).map((name): Trail => ({ name, columns: [find(`${name}.x`), find(`${name}.y`), find(`${name}.z`)] }));
    return all.filter((t) => t.columns.every((c) => c >= 0));
  }

  private clearFrames(): void {
    this.times = [];
    this.events = [];
    this.contacts = [];
    this.soft.clear();
    this.poses.length = 0;
    this.columns.length = 0;
    this.coordinates.length = 0;
    this.bytes = 0;
    ++this.revision;
  }
  private dropLast(): void {
    this.bytes *= 1 - 1 / this.frames;
    this.times.pop();
    this.contacts.length = Math.min(this.contacts.length, this.frames);
    for (const frames of this.soft.values()) frames.pop();
    this.poses.length -= 7 * this.bodyCount;
    this.columns.length -= this.header?.columns.length ?? 0;
    this.coordinates.length -= this.coordinateCount;
  }
  private dropFirst(count: number): void {
    this.bytes *= 1 - count / this.frames;
    this.times.splice(0, count);
    this.events = this.events.filter((event) => event.time >= this.start);
    this.contacts.splice(0, count);
    for (const frames of this.soft.values()) frames.splice(0, count);
    this.poses.drop(count * 7 * this.bodyCount);
    this.columns.drop(count * (this.header?.columns.length ?? 0));
    this.coordinates.drop(count * this.coordinateCount);
  }
}
