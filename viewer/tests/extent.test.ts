// How far scenes reach, of replays and of live runs.
import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { Bodies } from "../src/bodies";
import { Extent } from "../src/extent";
import { Store } from "../src/store";
import { StreamReader } from "../src/stream";
import { concat, framesRecord, headerRecord, MAGIC_BYTES, makeHeader } from "./encode";

/// Cubes with edges of 0.2 m; `places` of each by frame.
function sceneOf(...places: [number, number, number][][]) {
  const bodies = places.map((_, i) => ({ name: `cube${i}`, mass: 1, com: [0, 0, 0] as [number, number, number], shapes: [{ type: "box", size: [0.2, 0.2, 0.2] as [number, number, number] }] }));
  const header = makeHeader({ scene: "cubes", bodies, live: true });
  const store = new Store();
  const reader = new StreamReader(store);
  const frame = (k: number) => framesRecord(header, k, [{ time: k, poses: places.map((way) => [...way[k], 1, 0, 0, 0]) }]);
  const shapes = new Bodies();
  const extent = new Extent(store, shapes);
  return {
    extent, store,
    begin: (frames: number) => {
      reader.push(concat(MAGIC_BYTES, headerRecord(header), ...Array.from({ length: frames }, (_, k) => frame(k))));
      shapes.build(header, store.meshes);
      extent.measure(false);
    },
    goOn: (k: number) => { reader.push(frame(k)); return extent.takeIn(); },
  };
}
const boxOf = (a: number[], b: number[]) => new THREE.Box3(new THREE.Vector3(...a), new THREE.Vector3(...b));

describe("Extent", () => {
  it("of a replay holds all places, and puts the ground below them", () => {
    const { extent, begin } = sceneOf([[0, 0, 0], [1, 0, -1]], [[0.5, 0, 0.5], [0.5, 0, 0.5]]);
    begin(2);
    expect(extent.box.min.distanceTo(new THREE.Vector3(-0.1, -0.1, -1.1))).toBeLessThan(1e-3);
    expect(extent.box.max.distanceTo(new THREE.Vector3(1.1, 0.1, 0.6))).toBeLessThan(1e-3);
    expect(extent.groundHeight).toBeLessThanOrEqual(-1.1);
    expect(extent.groundHeight).toBeGreaterThan(-1.1 - extent.radius / 4);
  });

  it("of a live run grows with what comes, a little ahead, and only then", () => {
    const { extent, begin, goOn } = sceneOf([[0, 0, 0], [0.05, 0, 0], [1, 0, -1], [1, 0, -1.03]], [[1, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]]);
    begin(1);
    const [startBox, startRadius] = [extent.box.clone(), extent.radius];
    expect(extent.groundHeight).toBeGreaterThan(-0.3);
    expect(goOn(1)).toBe(false); // within
    expect(extent.box.equals(startBox)).toBe(true);
    expect(goOn(2)).toBe(true);
    expect(extent.box.containsBox(boxOf([0.9, -0.1, -1.1], [1.1, 0.1, -0.9]))).toBe(true);
    expect(extent.box.containsBox(startBox)).toBe(true);
    expect(extent.box.min.z).toBeCloseTo(-1.1 - 0.1 * startRadius, 2);
    expect(extent.groundHeight).toBeLessThanOrEqual(-1.1);
    expect(goOn(3)).toBe(false); // it had room left
  });

  it("of a live run leaves alone what goes away, and keeps what it had when the scene begins anew", () => {
    const { extent, begin, goOn } = sceneOf([[0, 0, 0], [0, 0, 1], [0, 0, -60]], [[1, 0, 0], [1, 0, 0], [1, 0, 0]]);
    begin(1);
    expect(goOn(1)).toBe(true);
    const grown = extent.box.clone();
    expect(goOn(2)).toBe(false);
    extent.measure(true);
    expect(extent.box.containsBox(grown)).toBe(true);
  });
});
