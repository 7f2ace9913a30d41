// Large streams written by hand: the surface of a bar that twists, and a heap of bodies that sways on its hinges. For tests and for the benchmark.
import { channel, concat, f64, floatPlanes, framesRecord, headerRecord, MAGIC_BYTES, makeHeader, planes, predicted, record, u32 } from "./encode";

/// Rings of vertices along x, coloured by how fast they move and how far they are strained. 2 (rings - 1) around triangles.
export function twistingBar(rings: number, around: number, frames: number, interval = 1 / 60): Uint8Array {
  const n = rings * around;
  const triangles: number[] = [];
  const rows: number[][] = Array.from({ length: 5 * n }, () => []);
  for (let i = 0; i < rings; ++i) {
    for (let j = 0; j < around; ++j) {
      const v = i * around + j;
      const next = i * around + ((j + 1) % around);
      if (i + 1 < rings) triangles.push(v, next, v + around, next, next + around, v + around);
      const corner = (2 * Math.PI * j) / around;
      const reach = 0.5 / Math.max(Math.abs(Math.cos(corner)), Math.abs(Math.sin(corner)));
      for (let k = 0; k < frames; ++k) {
        const angle = corner + (1.5 * Math.PI * (k / (frames - 1)) * i) / (rings - 1);
        rows[3 * v].push(Math.round(65535 * (i / (rings - 1))));
        rows[3 * v + 1].push(Math.round(65535 * (0.5 + 0.5 * reach * Math.cos(angle))));
        rows[3 * v + 2].push(Math.round(65535 * (0.5 + 0.5 * reach * Math.sin(angle))));
        rows[3 * n + v].push(Math.round((255 * i) / (rings - 1)));
        rows[4 * n + v].push(Math.round(255 * Math.min(1, 1.4 * reach * (k / (frames - 1)))));
      }
    }
  }
  const header = makeHeader({ scene: "twisting bar", channels: [
    { id: 16, kind: "soft_mesh", name: "bar", mesh: 0, vertices: n, box: [[-2, -1, 0], [2, 1, 2]], fields: [{ name: "speed", unit: "m/s", range: [0, 3] }, { name: "stress", unit: "kPa", range: [0, 80] }] }] });
  const mesh = concat(u32(0, n, triangles.length / 3), f64(0, 0, 0), f64(1, 1, 1), planes(new Uint32Array(3 * n)), planes(triangles));
  return concat(MAGIC_BYTES, headerRecord(header), record(2, mesh), framesRecord(header, 0, Array.from({ length: frames }, (_, k) => ({ time: k * interval, poses: [] })), [channel(16, predicted(rows))]));
}

const SIDE = 10; // bodies along each edge of the heap

/// A thousand bodies of three shapes, hinges with stops from each to the next, two contacts each, and columns to plot.
export function thousandBodies(frames: number, interval: number): Uint8Array {
  const count = SIDE ** 3;
  const bodies = Array.from({ length: count }, (_, i) => ({ name: `b${i}`, mass: 1, com: [0, 0, 0] as [number, number, number],
    shapes: [i % 3 === 0 ? { type: "sphere", radius: 0.1 } : i % 3 === 1 ? { type: "box", size: [0.2, 0.1, 0.1] as [number, number, number] } : { type: "capsule", radius: 0.05, length: 0.1 }] }));
  const joints = bodies.slice(1).map((_, i) => ({
    name: `j${i}`, type: "revolute", parent: i, child: i + 1, dof: 1, frame_on_parent: [0.1, 0, 0, 1, 0, 0, 0], frame_on_child: [-0.1, 0, 0, 1, 0, 0, 0], lower: [-1], upper: [1] }));
  const columns = ["energy.kinetic", "energy.potential", "energy.total", "energy.error"].map((name) => ({ name, unit: "J", group: "ledger" as const }));
  const header = makeHeader({ scene: "thousand bodies", bodies, joints, columns, channels: [{ id: 3, kind: "contacts" }] });
  const contacts: number[] = [];
  const pairs: number[] = [];
  const place = (i: number, sway: number) => [0.3 * (i % SIDE) + 0.1 * sway * Math.sin(0.1 * i), 0.3 * (Math.floor(i / SIDE) % SIDE), 0.3 * Math.floor(i / SIDE ** 2) + 0.1 * sway + 0.2];
  const made = Array.from({ length: frames }, (_, k) => {
    const phase = (2 * Math.PI * k) / frames;
    const sway = Math.sin(phase);
    for (let i = 0; i < 2 * count; ++i) {
      const [x, y, z] = place(i >> 1, sway);
      contacts.push(x + (i & 1 ? 0.05 : -0.05), y, z - 0.1, 0, 0, 1, 0.5 * Math.sin(i), 0.5 * Math.cos(i), 4 + sway, -1e-5);
      pairs.push(0xffffffff, i >> 1);
    }
    const half = 0.5 * sway;
    return { time: k * interval, columns: [1 + sway, 1 - sway, 2, 1e-3 * sway], poses: bodies.map((_, i) => [...place(i, sway), Math.cos(half), 0, 0, Math.sin(half)]) };
  });
  const counts = new Uint32Array(frames).fill(2 * count);
  return concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, made, [channel(3, concat(u32(...counts), floatPlanes(contacts), planes(pairs)))]));
}
