// What the C++ encoder writes of soft bodies, in the page's own reader: the stream of tests/viewer/write_soft_stream.cpp.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { placeVertices } from "../src/soft";
import { Store } from "../src/store";
import { StreamReader, type Vec3 } from "../src/stream";

const WRITER = process.env.SINEW_SOFT_STREAM ?? "../build/release/bin/write_soft_stream";
const VERTICES = 12;

function written(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "sinew-encoder-"));
  try {
    execFileSync(WRITER, [join(folder, "soft.stream")]);
    return readFileSync(join(folder, "soft.stream"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("a stream of soft bodies by the C++ encoder", () => {
  it("has the triangles, vertices and fields that were written, as exact as docs/viewer_stream.md says", () => {
    const store = new Store();
    const reader = new StreamReader(store);
    reader.push(written());
    expect(reader.isComplete).toBe(true);
    expect(store.times).toEqual(Array.from({ length: 9 }, (_, k) => k / 60));
    expect(store.softBodies.map(({ name, vertices, fields }) => [name, vertices, fields])).toEqual([
      ["slow", VERTICES, [{ name: "speed", unit: "m/s", range: [0, 20] }, { name: "strain", unit: "", range: [0, 0.2] }]],
      ["fast", VERTICES, [{ name: "speed", unit: "m/s", range: [0, 40] }]]]);
    for (const { id, mesh, box, fields } of store.softBodies) {
      const triangles = store.meshes.get(mesh ?? -1)?.triangles ?? new Uint32Array();
      expect([...triangles]).toEqual(Array.from({ length: VERTICES - 2 }, (_, v) => [v, v + 1, v + 2]).flat());
      const [lower, upper] = box as [Vec3, Vec3];
      const frames = store.soft.get(id) ?? [];
      expect(frames.length).toBe(9);
      frames.forEach((frame, k) => {
        const places = new Float32Array(3 * VERTICES);
        placeVertices(frame.vertices, frame.vertices, 0, [lower, upper], places);
        for (let v = 0; v < VERTICES; ++v) {
          const exact = [v / 10, Math.sin(v + k), k / 10];
          for (let c = 0; c < 3; ++c) expect(Math.abs(places[3 * v + c] - exact[c]), `vertex ${v}, frame ${k}`).toBeLessThan((0.51 * (upper[c] - lower[c])) / 65535);
          const values = [v + k / 2, v / 100];
          fields?.forEach(({ range: [low, high] }, f) => expect(Math.abs(low + ((high - low) * frame.fields[f * VERTICES + v]) / 255 - values[f])).toBeLessThan((0.51 * (high - low)) / 255));
        }
      });
    }
  });
});
