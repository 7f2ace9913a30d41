// How far the sliders of efforts go.
import { describe, expect, it } from "vitest";
import { effortLimits, roundUp } from "../src/efforts";
import { Store } from "../src/store";
import { StreamReader, type StreamHeader } from "../src/stream";
import { concat, framesRecord, headerRecord, MAGIC_BYTES, makeHeader } from "./encode";

const IDENTITY = [0, 0, 0, 1, 0, 0, 0];
const block = (name: string, mass: number) => ({ name, mass, com: [0, 0, 0] as [number, number, number], inertia: [0, 0, 0, 0, 0, 0], shapes: [] });

/// A slider that carries an arm, which hangs 2 m beside its hinge: 30 kg, 10 kg of which are the arm's.
function crane(change: Partial<StreamHeader> = {}): Store {
  const header = makeHeader({
    gravity: [0, 0, -10], bodies: [block("carriage", 20), block("arm", 10)],
    joints: [
      { name: "rail", type: "prismatic", parent: -1, child: 0, dof: 1, frame_on_parent: IDENTITY, frame_on_child: IDENTITY },
      { name: "hinge", type: "revolute", parent: 0, child: 1, dof: 1, frame_on_parent: IDENTITY, frame_on_child: [-2, 0, 0, 1, 0, 0, 0] },
    ],
    ...change,
  });
  const store = new Store();
  new StreamReader(store).push(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, [{ time: 0, poses: [[0, 0, 0, 1, 0, 0, 0], [2, 0, 0, 1, 0, 0, 0]] }])));
  return store;
}

describe("sliders of efforts", () => {
  it("lift twice what a joint carries", () => {
    const store = crane();
    expect(effortLimits(store)[0]).toEqual([1000]); // N: 2 · 30 kg · 10 m/s² = 600
    expect(effortLimits(store)[1]).toEqual([500]); // N m: 2 · 10 kg · 10 m/s² · 2 m = 400
  });
  it("reach far in large scenes and are fine in small ones", () => {
    const scaled = (factor: number) => effortLimits(crane({ bodies: [block("carriage", 20 * factor), block("arm", 10 * factor)] }))[0][0];
    expect([scaled(1e3), scaled(1e-6)].map((x) => Number(x.toPrecision(6)))).toEqual([1e6, 1e-3]);
  });
  it("are there without gravity and without mass", () => {
    expect(effortLimits(crane({ gravity: [0, 0, 0] }))[0]).toEqual([1000]);
    expect(effortLimits(crane({ bodies: [block("carriage", 0), block("arm", 0)] }))[1]).toEqual([10]);
  });
  it("end at round numbers", () => {
    expect([0.0013, 1, 1.01, 2, 4.9, 501].map(roundUp).map((x) => Number(x.toPrecision(6)))).toEqual([0.002, 1, 2, 2, 5, 1000]);
  });
});
