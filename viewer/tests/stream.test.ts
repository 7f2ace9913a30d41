// The reader against streams written by hand.
import { describe, expect, it } from "vitest";
import { Store } from "../src/store";
import { StreamError, StreamReader, unpredict } from "../src/stream";
import { channel, concat, crc32, f64, floatPlanes, framesRecord, headerRecord, MAGIC_BYTES, makeHeader, planes, predicted, record, text, u32 } from "./encode";

const ball = { name: "ball", mass: 1, com: [0, 0, 0] as [number, number, number], shapes: [{ type: "sphere", radius: 0.5 }] };
const half = Math.SQRT1_2;

function example(frames = 5) {
  const header = makeHeader({ bodies: [ball, { ...ball, name: "other" }], columns: [{ name: "p.x", unit: "m", group: "probe" }, { name: "e", unit: "J", group: "ledger" }] });
  const rows = Array.from({ length: frames }, (_, k) => ({
    time: 0.1 * k, poses: [[k, -2 * k, 0.5, 1, 0, 0, 0], [0, 0, 100 - k * k, half, 0, half, 0]], columns: [k / 3, 1e-12 * k],
  }));
  return { header, bytes: concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, rows.slice(0, 3)), framesRecord(header, 3, rows.slice(3)),
    record(4, text('{"time":0.2,"kind":"step_halved","message":"m"}')), record(99, text("from the future"))) };
}

function read(bytes: Uint8Array, piece = bytes.length): Store {
  const store = new Store();
  const reader = new StreamReader(store);
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
  return store;
}

describe("StreamReader", () => {
  it("undoes prediction, also where it wraps", () => {
    const rows = [[5, 5, 5, 5], [0, 1, 4, 9], [-2147483648, 2147483647, -1, 0], [1, -1, 1, -1]];
    const words = predicted(rows);
    const numbers = new Uint32Array(16);
    for (let i = 0; i < 16; ++i) numbers[i] = words[i] | (words[16 + i] << 8) | (words[32 + i] << 16) | (words[48 + i] << 24);
    expect([...unpredict(numbers, 4, 4)]).toEqual(rows.flat());
  });

  it.each([1, 7, 64, 1 << 20])("reads frames in pieces of %i bytes", (piece) => {
    const store = read(example().bytes, piece);
    expect(store.frames).toBe(5);
    expect(store.header?.bodies.length).toBe(2);
    expect([...store.pose(4, 0)].slice(0, 3)).toEqual([4, -8, 0.5]);
    expect(store.pose(3, 1)[2]).toBeCloseTo(91, 5);
    expect(store.pose(3, 1)[3]).toBeCloseTo(half, 4);
    expect(store.value(4, 0)).toBe(Math.fround(4 / 3));
    expect(store.value(2, 1)).toBe(Math.fround(2e-12));
    expect(store.events).toEqual([{ time: 0.2, kind: "step_halved", message: "m" }]);
  });

  it("shows every whole block of a stream that was cut off", () => {
    const { bytes } = example();
    const counts = new Set<number>();
    for (let end = MAGIC_BYTES.length; end <= bytes.length; end += 3) counts.add(read(bytes.subarray(0, end)).frames);
    expect([...counts].sort()).toEqual([0, 3, 5]);
  });

  it("says what is wrong", () => {
    const { bytes, header } = example();
    const wrong = bytes.slice();
    wrong[0] = 65;
    expect(() => read(wrong)).toThrow(/no viewer stream/);
    wrong.set(bytes);
    wrong[7] = 9;
    expect(() => read(wrong)).toThrow(/another version/);
    expect(() => read(concat(MAGIC_BYTES, headerRecord({ ...header, version: 7 })))).toThrow(/version 7/);
    expect(() => read(concat(MAGIC_BYTES, record(1, text("{"))))).toThrow(/header cannot be understood/);
    expect(() => read(concat(MAGIC_BYTES, record(3, u32(0, 0))))).toThrow(/header is missing/);
    expect(() => read(concat(MAGIC_BYTES, headerRecord(header), record(3, concat(u32(0, 2), channel(1, u32(1))))))).toThrow(StreamError);
    expect(() => read(concat(MAGIC_BYTES, Uint8Array.of(1, 0, 0, 0), u32(0xffffffff, 0)))).toThrow(/impossible length/);
    expect(() => read(concat(MAGIC_BYTES, Uint8Array.of(1, 1, 0, 0), u32(8, crc32(u32(9, 9))), u32(9, 9)))).toThrow(/decompressed/);
    wrong.set(bytes);
    wrong[100] ^= 1;
    expect(() => read(wrong)).toThrow(/checksum/);
    expect(crc32(text("123456789"))).toBe(0xcbf43926); // the check value of this polynomial
  });

  it("reads contacts, meshes and soft meshes", () => {
    const header = makeHeader({
      channels: [
        { id: 3, kind: "contacts" },
        { id: 9, kind: "not known yet" },
        { id: 16, kind: "soft_mesh", name: "cloth", mesh: 0, vertices: 3, box: [[0, 0, 0], [1, 1, 1]], fields: [{ name: "speed", unit: "m/s", range: [0, 2] }] },
      ],
    });
    const contacts = concat(u32(0, 1), floatPlanes([1, 2, 3, 0, 0, 1, 4, 5, 6, -1e-3]), planes([0xffffffff, 2]));
    const soft = predicted([...Array.from({ length: 9 }, (_, i) => [i, 65535]), [0, 255], [1, 2], [3, 4]]);
    const mesh = concat(u32(0, 3, 1), f64(0, 0, 0), f64(0.5, 0.5, 0.5), planes([0, 0, 0, 2, 0, 0, 0, 2, 0]), planes([0, 1, 2]));
    const store = read(concat(MAGIC_BYTES, headerRecord(header), record(2, mesh),
      framesRecord(header, 0, [{ time: 0, poses: [] }, { time: 1, poses: [] }], [channel(3, contacts), channel(9, text("?")), channel(16, soft)])));
    expect(store.contacts.map((c) => c.count)).toEqual([0, 1]);
    expect([...store.contacts[1].numbers].slice(0, 9)).toEqual([1, 2, 3, 0, 0, 1, 4, 5, 6]);
    expect([...store.contacts[1].bodies]).toEqual([-1, 2]);
    expect([...(store.meshes.get(0)?.vertices ?? [])]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect([...(store.soft.get(16)?.[0].vertices ?? [])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect([...(store.soft.get(16)?.[1].fields ?? [])]).toEqual([255, 2, 4]);
  });
});

describe("Store", () => {
  it("finds frames by time and moves along the arc between them", () => {
    const header = makeHeader({ bodies: [ball] });
    const store = read(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, [
      { time: 0, poses: [[0, 0, 0, 1, 0, 0, 0]] }, { time: 1, poses: [[2, 0, 0, half, 0, 0, half]] }, { time: 3, poses: [[2, 0, 0, -1, 0, 0, 0]] }])));
    expect([-1, 0, 0.99, 1, 2.9, 3, 9].map((t) => store.frameAt(t))).toEqual([0, 0, 0, 1, 1, 2, 2]);
    expect(store.nearestFrame(2.5)).toBe(2);
    const pose = new Float32Array(7);
    store.posesAt(0.5, pose);
    expect(pose[0]).toBeCloseTo(1, 5);
    expect(pose[3]).toBeCloseTo(Math.cos(Math.PI / 8), 4); // halfway through a quarter turn
    expect(pose[6]).toBeCloseTo(Math.sin(Math.PI / 8), 4);
    store.posesAt(2, pose); // q and -q are the same: 45 degrees, not 225
    expect(Math.abs(pose[3])).toBeCloseTo(Math.cos(Math.PI / 8), 4);
  });

  it("takes the same moment anew in place of the last frame", () => {
    const header = makeHeader({ bodies: [ball], columns: [{ name: "arm.activation", unit: "", group: "path" }], live: true, channels: [{ id: 3, kind: "contacts" }] });
    const store = new Store();
    const reader = new StreamReader(store);
    const frame = (time: number, activation: number) => framesRecord(header, 0, [{ time, poses: [[time, 0, 0, 1, 0, 0, 0]], columns: [activation] }]);
    reader.push(concat(MAGIC_BYTES, headerRecord(header), frame(0, 0.1), frame(1, 0.1), frame(1, 0.7)));
    expect(store.times).toEqual([0, 1]);
    expect([store.value(0, 0), store.value(1, 0)]).toEqual([expect.closeTo(0.1, 6), expect.closeTo(0.7, 6)]);
    expect(store.pose(1, 0)[0]).toBe(1);
    expect(store.contacts.length).toBeLessThanOrEqual(2);
  });

  it("keeps a live run of many bodies within its bytes, and lets go of events with their frames", () => {
    const header = makeHeader({ bodies: new Array(50).fill(ball), live: true });
    const store = new Store(1000, 50 * 28 * 20);
    const reader = new StreamReader(store);
    reader.push(concat(MAGIC_BYTES, headerRecord(header), record(4, text('{"time":3,"kind":"step_halved","message":""}'))));
    for (let k = 0; k < 100; ++k) reader.push(framesRecord(header, k, [{ time: k, poses: new Array(50).fill([k, 0, 0, 1, 0, 0, 0]) }]));
    expect(store.frames).toBeLessThanOrEqual(20);
    expect(store.frames).toBeGreaterThan(5);
    expect(store.pose(store.frames - 1, 49)[0]).toBe(99);
    expect(store.events).toEqual([]);
  });

  it("starts anew when time goes back, and forgets the oldest of a long live run", () => {
    const header = makeHeader({ bodies: [ball], live: true });
    const store = new Store(100);
    const reader = new StreamReader(store);
    reader.push(concat(MAGIC_BYTES, headerRecord(header)));
    for (let k = 0; k < 260; ++k) reader.push(framesRecord(header, k, [{ time: k, poses: [[k, 0, 0, 1, 0, 0, 0]] }]));
    expect(store.frames).toBeLessThanOrEqual(100);
    expect(store.end).toBe(259);
    expect(store.pose(store.frames - 1, 0)[0]).toBe(259);
    expect(store.pose(0, 0)[0]).toBe(store.start);
    reader.push(framesRecord(header, 0, [{ time: 0, poses: [[7, 0, 0, 1, 0, 0, 0]] }]));
    expect(store.frames).toBe(1);
  });

  it("sees which probes are trails", () => {
    const probe = (name: string, unit: string) => ({ name, unit, group: "probe" as const });
    const store = new Store();
    store.onHeader(makeHeader({ columns: [probe("v.x", "m/s"), probe("v.y", "m/s"), probe("v.z", "m/s"), probe("tip.x", "m"), probe("tip.y", "m"), probe("tip.z", "m"), probe("slide", "m")], trails: ["tip", "gone"] }));
    expect(store.trails()).toEqual([{ name: "tip", columns: [3, 4, 5] }]);
  });
});
