// Writes viewer streams by hand, by the rules of docs/viewer_stream.md, so that the reader is tested against something else than itself.
import type { ChannelInfo, StreamHeader } from "../src/stream";

export function concat(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
export const u32 = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer);
export const f64 = (...values: number[]) => new Uint8Array(Float64Array.from(values).buffer);
export const text = (s: string) => new TextEncoder().encode(s);

export function planes(words: ArrayLike<number>): Uint8Array {
  const out = new Uint8Array(4 * words.length);
  for (let i = 0; i < words.length; ++i) for (let b = 0; b < 4; ++b) out[b * words.length + i] = Math.floor((words[i] >>> 0) / 256 ** b) % 256;
  return out;
}
export const floatPlanes = (values: number[]) => planes(new Uint32Array(Float32Array.from(values).buffer));

/// Integers [quantity][frame] to residuals in zigzag.
export function predicted(rows: number[][]): Uint8Array {
  const words: number[] = [];
  for (const x of rows) {
    x.forEach((value, k) => {
      const r = BigInt.asIntN(32, BigInt(value) - (k === 0 ? 0n : k === 1 ? BigInt(x[0]) : 2n * BigInt(x[k - 1]) - BigInt(x[k - 2])));
      words.push(Number(BigInt.asUintN(32, r >= 0n ? 2n * r : -2n * r - 1n)));
    });
  }
  return planes(words);
}

/// Bit by bit, from the polynomial.
export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) {
    c ^= byte;
    for (let k = 0; k < 8; ++k) c = (c >>> 1) ^ (c & 1 ? 0xedb88320 : 0);
  }
  return ~c >>> 0;
}
export function record(type: number, payload: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(type, 0, 0, 0), u32(payload.length, crc32(payload)), payload);
}
export const MAGIC_BYTES = text("SNWVIEW\u0001");

export function makeHeader(change: Partial<StreamHeader> = {}): StreamHeader {
  const channels: ChannelInfo[] = [{ id: 0, kind: "time" }, { id: 1, kind: "bodies" }, { id: 2, kind: "columns" }];
  return {
    format: "sinew viewer stream", version: 1, sinew_version: "test", scene: "by hand", dt: 0.01, frame_interval: 0.1, gravity: [0, 0, -9.81],
    live: false, truncated: false, position_quantum: 2 ** -10, bodies: [], joints: [], columns: [], ...change, channels: [...channels, ...(change.channels ?? [])],
  };
}
export const headerRecord = (header: StreamHeader) => record(1, text(JSON.stringify(header)));
export const channel = (id: number, data: Uint8Array) => concat(u32(id, data.length), data);

export interface HandFrame {
  time: number;
  poses: number[][]; // per body: x, y, z, w, x, y, z
  columns?: number[];
}

export function framesRecord(header: StreamHeader, first: number, frames: HandFrame[], more: Uint8Array[] = []): Uint8Array {
  const rows: number[][] = [];
  for (let b = 0; b < header.bodies.length; ++b) {
    for (let c = 0; c < 7; ++c) rows.push(frames.map((f) => Math.round(f.poses[b][c] / (c < 3 ? header.position_quantum : 1 / 32767))));
  }
  const columns: number[] = [];
  for (let c = 0; c < header.columns.length; ++c) for (const f of frames) columns.push(f.columns?.[c] ?? 0);
  return record(3, concat(
    u32(first, frames.length), channel(0, f64(...frames.map((f) => f.time))), channel(1, predicted(rows)), channel(2, floatPlanes(columns)), ...more));
}
