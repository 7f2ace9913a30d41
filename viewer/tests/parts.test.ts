// Clock, plots, numbers, geometry: the parts that need no browser.
import { readFileSync } from "node:fs";
import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { withTime } from "../src/address";
import { fittingDistance, moved, usualDirection } from "../src/camera";
import { captureTimes } from "../src/capture";
import { ContactArrows, FRICTION_COLOUR, NORMAL_COLOUR, typicalForce } from "../src/contacts";
import { DetailChooser } from "../src/detail";
import { counted, formatNumber, mapColour, niceStep, SERIES, SERIES_DARK, withUnit } from "../src/format";
import { planesOf } from "../src/ground";
import { gridSegments, guidePoints, sheetTriangles } from "../src/guides";
import { contactForce, inspect, meanAngularVelocity, meanVelocity } from "../src/inspector";
import { retryDelay } from "../src/live";
import { roomBeside } from "../src/livepanel";
import { activationColour, hangingPoints, pathColumn, pointsInWorld } from "../src/paths";
import { nextSpeed, Playback } from "../src/playback";
import { defaultGroups, INKS, legendText, plotGroups, plotRange, shortName, tickLabels, timeRange, turnedTo, zoomed } from "../src/plots";
import { toMatrix } from "../src/pose";
import { parseSettings } from "../src/settings";
import { inertiaBox, placeShape, principalAxes } from "../src/shapes";
import { commonFields, computeNormals, placeVertices, toCommonSteps } from "../src/soft";
import { Store } from "../src/store";
import { decodeBase64 } from "../src/sources";
import { type PathInfo, StreamReader } from "../src/stream";
import { endingsOf } from "../src/tree";
import { ledgerWarnings, marksOf } from "../src/warnings";
import { channel, concat, floatPlanes, framesRecord, headerRecord, MAGIC_BYTES, makeHeader, planes, u32 } from "./encode";

describe("Playback", () => {
  const clock = (times = [0, 1, 2, 3]) => new Playback(() => ({ start: times[0], end: times[times.length - 1], times }));
  it("plays at its speed, loops, or stops at the end", () => {
    const p = clock();
    p.play();
    p.speed = 2;
    p.advance(1);
    expect(p.time).toBe(2);
    p.advance(1);
    expect(p.time).toBe(1);
    p.loops = false;
    p.advance(10);
    expect([p.time, p.isPlaying]).toEqual([3, false]);
    p.play();
    expect(p.time).toBe(0);
  });
  it("steps from frame to frame, also from between", () => {
    const p = clock();
    p.time = 1.5;
    p.step(1);
    expect(p.time).toBe(2);
    p.time = 1.5;
    p.step(-1);
    expect(p.time).toBe(1);
    p.step(-5);
    expect(p.time).toBe(0);
    p.step(10);
    expect(p.time).toBe(3);
  });
  it("keeps to its span and its speeds", () => {
    const p = clock([2, 4]);
    p.seek(-1);
    expect(p.time).toBe(2);
    p.seek(9);
    expect(p.time).toBe(4);
    const steps = (direction: number) => Array.from({ length: 20 }).reduce<number>((speed) => nextSpeed(speed, direction), 1);
    expect([steps(1), steps(-1)]).toEqual([8, 0.05]);
    expect([nextSpeed(0.3, 1), nextSpeed(0.3, -1), nextSpeed(100, -1), nextSpeed(1, 1)]).toEqual([0.5, 0.1, 4, 2]); // of a live run: any
  });
});

describe("numbers", () => {
  it("are short and have units", () => {
    expect(formatNumber(0)).toBe("0");
    expect(formatNumber(1234.5678)).toBe("1235");
    expect(formatNumber(-0.0123456)).toBe("\u22120.01235");
    expect(formatNumber(6.2e-12)).toBe("6.200e\u221212");
    expect(withUnit(1.5, "N m")).toBe("1.500\u202fN\u202fm");
    expect(withUnit(2, "kg m^2/s", 1)).toBe("2\u202fkg\u202fm²/s");
    expect([0.7, 1, 3, 49, 0.02].map(niceStep)).toEqual([0.5, 1, 2, 20, 0.02]);
  });
  it("colours rise in lightness from dark to light", () => {
    const lightness = Array.from({ length: 21 }, (_, i) => mapColour(i / 20)).map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b);
    for (let i = 1; i < 21; ++i) expect(lightness[i]).toBeGreaterThan(lightness[i - 1]);
  });
});

describe("colours of plots", () => {
  const digits = (hex: string) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
  const linear = (hex: string) => digits(hex).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const times = (m: number[][], v: number[]) => m.map((row) => row.reduce((sum, x, i) => sum + x * v[i], 0));
  const contrast = (a: string, b: string) => {
    const [x, y] = [a, b].map((c) => times([[0.2126, 0.7152, 0.0722]], linear(c))[0]).sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const PAPERS = { light: ["#f6f8fa", "#ffffff"], dark: ["#1b2026", "#14181d"] }; // --panel, --paper of style.css

  it("all stand out from their paper, in light and dark (WCAG 2.1, 1.4.11: 3 to 1)", () => {
    const style = readFileSync("src/style.css", "utf8");
    for (const paper of Object.values(PAPERS).flat()) expect(style).toContain(paper);
    for (const paper of PAPERS.light) for (const c of [...SERIES, INKS.light.ink]) expect(contrast(c, paper), `${c} on ${paper}`).toBeGreaterThan(3);
    for (const paper of PAPERS.dark) for (const c of [...SERIES_DARK, INKS.dark.ink]) expect(contrast(c, paper), `${c} on ${paper}`).toBeGreaterThan(3);
    expect(contrast(INKS.dark.ink, "#1b2026")).toBeGreaterThan(7); // numbers at the axes
    expect(contrast(INKS.light.ink, "#f6f8fa")).toBeGreaterThan(7);
  });
  it("can be told apart, also without one kind of cones", () => {
    // Machado, Oliveira and Fernandes (2009), whole loss; distances in CIELAB, of which 2.3 is just seen side by side.
    const eyes = {
      all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
      protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
      deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
      tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
    };
    const lab = (c: number[]) => {
      const xyz = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], c.map((x) => Math.min(Math.max(x, 0), 1)));
      const [x, y, z] = [xyz[0] / 0.9505, xyz[1], xyz[2] / 1.089].map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116));
      return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
    };
    for (const palette of [SERIES, SERIES_DARK]) {
      for (const [eye, matrix] of Object.entries(eyes)) {
        const seen = palette.map((c) => lab(times(matrix, linear(c))));
        seen.forEach((a, i) => seen.slice(0, i).forEach((b, j) => expect(Math.hypot(...a.map((x, k) => x - b[k])), `${palette[i]}, ${palette[j]}, ${eye}`).toBeGreaterThan(12)));
      }
    }
  });
  it("are those of `sinew plot`", () => {
    const table = /kColours\{\{([\s\S]*?)\}\};/.exec(readFileSync("../apps/plot/plot.cpp", "utf8"))?.[1] ?? "";
    const rows = [...table.matchAll(/\{([\d., ]+)\}?/g)].map(([, row]) => row.split(",").map(Number));
    expect(rows.length).toBe(SERIES.length);
    SERIES.forEach((c, i) => digits(c).forEach((x, k) => expect(rows[i][k]).toBeCloseTo(x, 2)));
  });
});

describe("plots", () => {
  const columns = [["tip.x", "m", "probe"], ["tip.y", "m", "probe"], ["angle", "rad", "probe"], ["energy.total", "J", "ledger"], ["energy.kinetic", "J", "ledger"], ["energy.error", "J", "ledger"], ["joint_error", "m", "ledger"]]
    .map(([name, unit, group]) => ({ name, unit, group: group as "probe" | "ledger" }));
  it("put together what belongs together", () => {
    const groups = plotGroups(columns);
    expect(groups.map((g) => [g.title, g.columns])).toEqual([["tip", [0, 1]], ["angle", [2]], ["energy", [3, 4]], ["energy.error", [5]], ["joint_error", [6]]]);
    expect(defaultGroups(groups, columns).map((g) => g.title)).toEqual(["energy", "tip"]);
    const contact = ["touching", "penetration", "complementarity"].map((n, i) => ({ name: `contact.${n}`, unit: ["", "m", "N m"][i], group: "ledger" as const }));
    const more = plotGroups([...columns, ...contact]);
    expect(more.slice(-3).map((g) => g.title)).toEqual(["contact.touching", "contact.penetration", "contact.complementarity"]);
    expect(defaultGroups(more, [...columns, ...contact]).at(-1)?.title).toBe("contact.penetration");
  });
});

describe("axes of plots", () => {
  it("leave room, also around a number that never changes", () => {
    expect(plotRange(0, 0)).toEqual([-1, 1]);
    expect(plotRange(-50, -50)).toEqual([-55, -45]);
    const [low, high] = plotRange(2, 3);
    expect([low < 2, high > 3, high - low < 1.5]).toEqual([true, true, true]);
  });
  it("do not repeat the title in the legend", () => {
    expect([shortName("energy.total", "energy"), shortName("biceps.tension", "tension"), shortName("angle", "angle")]).toEqual(["total", "biceps", "angle"]);
  });
});

describe("time of plots", () => {
  it("is zoomed around what the pointer is at, and never beyond the recording", () => {
    expect(zoomed(null, 0.5, 4, 0, 10)).toEqual([2, 7]); // 4 stays at two fifths
    expect(zoomed([2, 7], 0.5, 7, 0, 10)).toEqual([4.5, 7]);
    expect(zoomed([2, 7], 1.8, 2, 0, 10)).toEqual([1, 10]);
    expect(zoomed([2, 7], 3, 4, 0, 10)).toBe(null);
    expect(zoomed(null, 2, 4, 0, 10)).toBe(null);
    expect(zoomed(null, 0.5, 0, 0, 0)).toBe(null); // one frame
    const [low, high] = zoomed(null, 1e-9, 5, 0, 10) ?? [0, 0];
    expect(high - low).toBeCloseTo(1e-3, 9);
  });
  it("turns the page when the time leaves it", () => {
    const page: [number, number] = [2, 4];
    expect(turnedTo(page, 3, 0, 10)).toBe(page);
    expect(turnedTo(page, 5, 0, 10)).toEqual([4.8, 6.8]);
    expect(turnedTo(page, 10, 0, 10)).toEqual([8, 10]);
    expect(turnedTo(page, 1, 0, 10)).toEqual([0, 2]);
  });
});

describe("shapes", () => {
  it("have the size they are given", () => {
    const box = placeShape({ type: "box", size: [1, 2, 3], position: [4, 5, 6] }, new Map());
    const bounds = new THREE.Box3().setFromObject(new THREE.Mesh(box?.geometry(32).applyMatrix4(box.local)));
    expect(bounds.min.toArray()).toEqual([3.5, 4, 4.5]);
    expect(bounds.max.toArray()).toEqual([4.5, 6, 7.5]);
    const capsule = placeShape({ type: "capsule", radius: 0.5, length: 2 }, new Map());
    const round = new THREE.Box3().setFromObject(new THREE.Mesh(capsule?.geometry(32).applyMatrix4(capsule.local)));
    expect(round.max.z).toBeCloseTo(1.5, 6);
    expect(round.max.x).toBeCloseTo(0.5, 6);
    const cone = placeShape({ type: "cone", radius: 1, height: 2 }, new Map());
    const tip = new THREE.Box3().setFromObject(new THREE.Mesh(cone?.geometry(32).applyMatrix4(cone.local)));
    expect(tip.min.z).toBeCloseTo(0, 10);
    expect(tip.max.z).toBeCloseTo(2, 10);
    expect(placeShape({ type: "from the future" }, new Map())).toBeNull();
  });
  it("find principal axes: A v = λ v", () => {
    const m = [3, 2, 4, 0.5, -0.3, 0.7];
    const { moments, axes } = principalAxes(m);
    const A = [[m[0], m[3], m[4]], [m[3], m[1], m[5]], [m[4], m[5], m[2]]];
    for (let i = 0; i < 3; ++i) {
      const v = new THREE.Vector3().setFromMatrixColumn(axes, i).toArray();
      for (let r = 0; r < 3; ++r) expect(A[r][0] * v[0] + A[r][1] * v[1] + A[r][2] * v[2]).toBeCloseTo(moments[i] * v[r], 10);
    }
    expect(axes.determinant()).toBeCloseTo(1, 10);
  });
  it("the inertia box of a box is that box", () => {
    const [x, y, z, mass] = [0.3, 0.5, 0.7, 2];
    const inertia = [(mass / 12) * (y * y + z * z), (mass / 12) * (x * x + z * z), (mass / 12) * (x * x + y * y), 0, 0, 0];
    const scale = new THREE.Vector3().setFromMatrixScale(inertiaBox({ name: "b", mass, com: [1, 2, 3], inertia, shapes: [] }) as THREE.Matrix4);
    expect(scale.x).toBeCloseTo(x, 10);
    expect(scale.y).toBeCloseTo(y, 10);
    expect(scale.z).toBeCloseTo(z, 10);
  });
  it("normals of a flat sheet point up", () => {
    const out = new Float32Array(12);
    computeNormals(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0), Uint32Array.of(0, 1, 2, 1, 3, 2), out);
    for (let i = 0; i < 12; i += 3) expect([out[i], out[i + 1], out[i + 2] > 0]).toEqual([0, 0, true]);
  });
});

describe("camera", () => {
  it("is as near as the corners of the box allow, whatever the direction and the window", () => {
    const box = new THREE.Box3(new THREE.Vector3(-1, -7, 0), new THREE.Vector3(2, 7, 1));
    const centre = box.getCenter(new THREE.Vector3());
    for (const direction of [usualDirection(box.getSize(new THREE.Vector3())), new THREE.Vector3(0, -1, 0.02), new THREE.Vector3(0, -0.001, 1)]) {
      for (const aspect of [0.5, 1, 2]) {
        const camera = new THREE.PerspectiveCamera(40, aspect, 0.01, 1000);
        camera.up.set(0, 0, 1);
        camera.position.copy(centre).addScaledVector(direction.clone().normalize(), fittingDistance(box, direction, 40, aspect, 1));
        camera.lookAt(centre);
        camera.updateMatrixWorld();
        let farthest = 0;
        for (let c = 0; c < 8; ++c) {
          const corner = new THREE.Vector3(c & 1 ? 2 : -1, c & 2 ? 7 : -7, c & 4 ? 1 : 0).project(camera);
          farthest = Math.max(farthest, Math.abs(corner.x), Math.abs(corner.y));
        }
        expect(farthest).toBeCloseTo(1, 6);
      }
    }
  });
});

describe("detail", () => {
  const take = (chooser: DetailChooser, time: number, count: number) => { for (let i = 0; i < count; ++i) { chooser.took(time); chooser.fit(); } };
  it("falls step by step where pictures take long, and leaves time for others", () => {
    const chooser = new DetailChooser("fine");
    chooser.took(5000); // shaders are made
    take(chooser, 15, 50);
    expect([chooser.now, chooser.interval, chooser.pixels(3), chooser.pixels(1)]).toEqual(["fine", 0, 2, 1]);
    let pictures = 0;
    for (; chooser.now === "fine"; ++pictures) take(chooser, 200, 1);
    expect(pictures).toBeLessThan(10);
    expect([chooser.now, chooser.pixels(3)]).toEqual(["plain", 1]);
    take(chooser, 40, 60); // bearable
    expect(chooser.now).toBe("plain");
    expect(chooser.interval).toBeCloseTo(80, 0);
    take(chooser, 400, 30);
    expect([chooser.now, chooser.interval, chooser.pixels(3)]).toEqual(["coarse", 100, 0.5]);
    take(chooser, 400, 300);
    expect(chooser.now).toBe("coarse");
  });
  it("comes back where it was something else that took the time, but not for ever to and fro", () => {
    const chooser = new DetailChooser("fine");
    const seen = new Set<string>();
    for (let i = 0; i < 6; ++i) {
      take(chooser, 200, 12);
      seen.add(chooser.now);
      take(chooser, 16, 300);
      seen.add(chooser.now);
    }
    expect([...seen].sort()).toEqual(["coarse", "fine", "plain"]);
    expect(chooser.now).toBe("coarse");
  });
});

describe("camera by keys", () => {
  it("turns about z, rises, and comes nearer", () => {
    const from = new THREE.Vector3(3, 0, 4);
    expect(moved(from, Math.PI / 2, 0, 1).distanceTo(new THREE.Vector3(0, 3, 4))).toBeLessThan(1e-12);
    expect(moved(from, 0, 0.1, 1).z).toBeGreaterThan(4);
    expect(moved(from, 0, 0, 0.5).length()).toBeCloseTo(2.5, 12);
    expect(moved(from, 0, 9, 1).x).toBeGreaterThan(0.05); // not past the pole
  });
});

describe("contacts", () => {
  const header = makeHeader({ bodies: [0, 1].map((i) => ({ name: `b${i}`, mass: 1, com: [0, 0, 0] as [number, number, number], shapes: [] })), channels: [{ id: 3, kind: "contacts" }] });
  const store = new Store();
  // b0 on the world with 20 N and friction 3 N, b1 on b0 with 10 N; one frame in ten is an impact of 1000 N.
  const numbers = Array.from({ length: 10 }, (_, k) => [0, 0, 0, 0, 0, 1, 3, 0, k === 5 ? 1000 : 20, -1e-6, 0, 0, 1, 0, 0, 1, 0, 0, 10, 0]).flat();
  const pose = [0, 0, 0, 1, 0, 0, 0];
  new StreamReader(store).push(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, Array.from({ length: 10 }, (_, k) => ({ time: k, poses: [pose, pose] })), [
    channel(3, concat(u32(...new Array(10).fill(2)), floatPlanes(numbers), planes(new Array(10).fill([0xffffffff, 0, 0, 1]).flat()))),
  ])));
  it("sum up to the force on a body", () => {
    expect(contactForce(store, 0, 0)).toEqual({ touching: 2, near: 0, force: [3, 0, 10] });
    expect(contactForce(store, 0, 1)).toEqual({ touching: 1, near: 0, force: [0, 0, 10] });
    const rows = new Map(inspect(store, 0, { kind: "body", index: 0 }).rows);
    expect(rows.get("sum of contact forces")).toBe("3.000, 0, 10.00\u202fN");
  });
  it("touch as many as the ledger says, those that press most; the others are near", () => {
    const ledger = { ...header, columns: [{ name: "contact.touching", unit: "", group: "ledger" as const }] };
    const near = new Store();
    const forces = [[1e-9, 2e-9, 1e-9], [5, 1e-7, 20]]; // N: above each other and falling, then two of them lie
    const frames = forces.map((_, time) => ({ time, poses: [pose, pose], columns: [2 * time] }));
    const numbers = forces.flat().flatMap((force) => [0, 0, 0, 0, 0, 1, 0, 0, force, 0]);
    new StreamReader(near).push(concat(MAGIC_BYTES, headerRecord(ledger), framesRecord(ledger, 0, frames, [channel(3, concat(u32(3, 3), floatPlanes(numbers), planes(forces.flat().flatMap((_, i) => [0xffffffff, i % 3 === 1 ? 1 : 0]))))])));
    const counts = (frame: number, selection: Parameters<typeof inspect>[2]) => { const rows = new Map(inspect(near, frame, selection).rows); return [rows.get("contacts touching"), rows.get("contacts near")]; };
    expect([counts(0, null), counts(0, { kind: "body", index: 0 })]).toEqual([["0", "3"], ["0", "2"]]);
    expect([counts(1, null), counts(1, { kind: "body", index: 0 }), counts(1, { kind: "body", index: 1 })]).toEqual([["2", "1"], ["2", "0"], ["0", "1"]]);
  });
  it("have arrows of the usual force, not of one impact", () => {
    expect(typicalForce(store)).toBeCloseTo(Math.hypot(3, 20), 4);
  });
  it("have arrows along the normal and along friction, as long as these forces are", () => {
    const normal = new THREE.Vector3(0.48, 0.6, 0.64);
    const along = [new THREE.Vector3(0.8, 0, -0.6), new THREE.Vector3(-0.36, 0.8, -0.48)]; // friction: perpendicular to it
    const forces = [[10, 2, 1], [20, 4, 2], [20, 0, -9]].map(([n, a, b]) => [normal.clone().multiplyScalar(n), along[0].clone().multiplyScalar(a).addScaledVector(along[1], b)]); // N
    const slope = new Store();
    const contact = ([n, t]: THREE.Vector3[]) => [1, 2, 3, ...normal.toArray(), ...n.clone().add(t).toArray(), 0];
    new StreamReader(slope).push(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, forces.map((_, time) => ({ time, poses: [pose, pose] })), [
      channel(3, concat(u32(1, 1, 1), floatPlanes(forces.flatMap(contact)), planes(forces.flatMap(() => [0xffffffff, 0])))),
    ])));
    const arrows = new ContactArrows();
    arrows.build(5);
    forces.forEach((expected, frame) => {
      arrows.update(slope, frame, true);
      const [shafts, heads] = arrows.group.children.map((pool) => pool.children[0] as THREE.InstancedMesh);
      expect([shafts.count, heads.count]).toEqual([2, 2]);
      const [at, colour] = [new THREE.Matrix4(), new THREE.Color()];
      expected.forEach((force, i) => { // from the start of the shaft to the end of the head
        shafts.getMatrixAt(i, at);
        const start = new THREE.Vector3().setFromMatrixPosition(at);
        heads.getMatrixAt(i, at);
        const way = new THREE.Vector3(0, 0, 1).applyMatrix4(at).sub(start);
        expect(start.distanceTo(new THREE.Vector3(1, 2, 3))).toBeLessThan(1e-6);
        expect(way.distanceTo(force.clone().multiplyScalar(arrows.scale)), `frame ${frame}: ${way.toArray()}`).toBeLessThan(1e-5);
        shafts.getColorAt(i, colour);
        expect(colour.getHexString()).toBe([NORMAL_COLOUR, FRICTION_COLOUR][i].getHexString());
      });
    });
    expect(arrows.scale).toBeCloseTo((0.35 * 5) / Math.hypot(20, 9), 5); // the largest force, a third of the scene
    arrows.update(slope, 0, false);
    for (const pool of arrows.group.children) expect((pool.children[0] as THREE.InstancedMesh).count).toBe(0);
  });
  it("happen on planes of the world", () => {
    const [plane] = planesOf([{ type: "box" }, { type: "plane", position: [0, 0, 2], orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] }]);
    expect(new THREE.Vector3().setFromMatrixColumn(plane, 2).distanceTo(new THREE.Vector3(1, 0, 0))).toBeLessThan(1e-12);
  });
});

describe("muscles, cables and springs", () => {
  const muscle: PathInfo = { name: "biceps", kind: "muscle", points: [{ body: -1, point: [0, 0, 2] }, { body: 0, point: [1, 0, 0] }] };
  const column = (name: string, unit: string) => ({ name, unit, group: "path" as const });
  const header = makeHeader({
    bodies: [{ name: "arm", mass: 1, com: [0, 0, 0], shapes: [] }], paths: [muscle],
    columns: [{ name: "contact.touching", unit: "", group: "ledger" }, column("biceps.length", "m"), column("biceps.tension", "N"), column("biceps.activation", "")],
  });
  const store = new Store();
  const half = Math.SQRT1_2;
  new StreamReader(store).push(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, [
    { time: 0, poses: [[0, 0, 1, half, 0, 0, half]], columns: [0, Math.sqrt(2), 12.5, 0.25] }, { time: 1, poses: [[0, 0, 1, 1, 0, 0, 0]], columns: [1, 1, 0, 1] }])));

  it("run through points of bodies", () => {
    const [a, b] = pointsInWorld(muscle, [toMatrix(store.pose(0, 0))]);
    expect(a.toArray()).toEqual([0, 0, 2]);
    expect(b.distanceTo(new THREE.Vector3(0, 1, 1))).toBeLessThan(1e-4); // a quarter turn about z
    expect(a.distanceTo(b)).toBeCloseTo(store.value(0, pathColumn(header, muscle, "length")), 4);
  });
  it("have their numbers in the inspector", () => {
    const rows = Object.fromEntries(inspect(store, 0, { kind: "path", index: 0 }).rows);
    expect(rows).toMatchObject({ kind: "muscle", length: "1.414\u202fm", tension: "12.50\u202fN", activation: "0.2500", "point 2, on arm": "1.000, 0, 0\u202fm" });
  });
  it("ropes that are slack hang through, as long as they are", () => {
    const down = new THREE.Vector3(0, 0, -1);
    for (const [b, length] of [[[0.6, 0, 0.2], 1], [[0, 0, -0.5], 0.8], [[0.1, 0.2, 1], 1.5]] as [[number, number, number], number][]) {
      const [a, end] = [new THREE.Vector3(0, 0, 0), new THREE.Vector3(...b)];
      const points = hangingPoints(a, end, length, down, []);
      expect(points.slice(1).reduce((sum, p, i) => sum + p.distanceTo(points[i]), 0)).toBeCloseTo(length, 5);
      expect([points[0].distanceTo(a), points[points.length - 1].distanceTo(end)]).toEqual([0, 0]);
      for (const [k, p] of points.slice(1, -1).entries()) expect(p.z).toBeLessThan(((k + 1) / (points.length - 1)) * end.z);
    }
  });
  it("are plotted by quantity", () => {
    const more = [...header.columns, column("rope.length", "m"), column("rope.tension", "N")];
    expect(plotGroups(more).map((g) => [g.title, g.columns.length])).toEqual([["contact.touching", 1], ["length", 2], ["tension", 2], ["biceps.activation", 1]]);
  });
  it("are darker the more active they are, and never only by hue", () => {
    const luminance = (a: number) => { const c = activationColour(a); return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b; };
    for (let i = 0; i < 10; ++i) expect(luminance((i + 1) / 10)).toBeLessThan(luminance(i / 10) - 0.02);
    expect(luminance(0)).toBeGreaterThan(4 * luminance(1));
  });
  it("a recording without contacts is known by its ledger", () => {
    expect(store.lacksContacts).toBe(true);
    const whole = new Store();
    whole.onHeader({ ...header, channels: [...header.channels, { id: 3, kind: "contacts" }] });
    expect(whole.lacksContacts).toBe(false);
  });
});

describe("warnings on the time line", () => {
  const ledger = [["energy.kinetic", "J"], ["energy.error", "J"], ["joint_error", "m"], ["contact.penetration", "m"]].map(([name, unit]) => ({ name, unit, group: "ledger" as const }));
  const header = makeHeader({ bodies: [{ name: "ball", mass: 2, com: [0, 0, 0], shapes: [] }], gravity: [0, 0, -10], columns: ledger });
  const warningsOf = (rows: number[][]) => {
    const store = new Store();
    new StreamReader(store).push(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, rows.map((columns, k) => ({ time: k, poses: [[0, 0, 0, 1, 0, 0, 0]], columns })))));
    return ledgerWarnings(store, 0.1).map((w) => [w.time, w.kind]);
  };
  it("come when a number of the ledger rises, once each time", () => {
    expect(warningsOf([[0, 0, 0, 0], [3, 0.04, 1e-6, 1e-9], [3, -0.049, 9e-6, 9e-5]])).toEqual([]);
    expect(warningsOf([[0, 0, 0, 0], [3, 0, 2e-5, 0], [3, 0, 3e-5, 0], [3, 0, 8e-6, 0], [3, 0, 2e-5, 0], [3, 0, 1e-9, 0], [3, 0, 2e-5, 0]])).toEqual([[1, "joint_open"], [6, "joint_open"]]);
    expect(warningsOf([[3, -0.06, 0, 2e-4]])).toEqual([[0, "penetration"], [0, "energy_error"]]); // 1 % of 3 J and of lifting 2 kg by 0.1 m
  });
  it("share a mark where they crowd", () => {
    const events = Array.from({ length: 1000 }, (_, k) => ({ time: k / 100, kind: "step_halved", message: `step ${k}` }));
    const marks = marksOf(events, 0, 10, 20);
    expect(marks.length).toBeLessThanOrEqual(20);
    for (let i = 1; i < marks.length; ++i) expect(marks[i].time - marks[i - 1].time).toBeGreaterThanOrEqual(0.5); // on a line of 20 marks none overlap
    expect(marks[0]).toMatchObject({ time: 0, text: "step halved at 0.000 s: step 0; 49 more until 0.490 s" });
    expect(marks[0].lines).toEqual([...[0, 1, 2, 3, 4, 5].map((k) => `step halved at 0.0${k}0 s: step ${k}`), "44 more until 0.490 s"]);
    expect(marksOf(events.slice(3, 4), 0, 10, 20)).toEqual([{ time: 0.03, text: "step halved at 0.030 s: step 3", lines: ["step halved at 0.030 s: step 3"] }]);
  });
});

describe("inspector", () => {
  it("gives numbers with units", () => {
    const header = makeHeader({ bodies: [{ name: "ball", mass: 2, com: [1, 0, 0], shapes: [] }], columns: [{ name: "energy.total", unit: "J", group: "ledger" }] });
    const store = new Store();
    const half = Math.SQRT1_2;
    new StreamReader(store).push(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, [0, 1, 2].map((k) => ({ time: k, poses: [[3 * k, 0, 0, half, 0, 0, half]], columns: [7] })))));
    expect(meanVelocity(store, 1, 0)).toEqual([3, 0, 0]);
    const rows = new Map(inspect(store, 1, { kind: "body", index: 0 }).rows);
    expect(rows.get("mass")).toBe("2.000\u202fkg");
    expect(rows.get("speed of origin*")).toBe("3.000\u202fm/s");
    expect(rows.get("centre of mass")).toMatch(/^3\.000, 1\.000, 0/); // x of the body looks along y
    expect(new Map(inspect(store, 1, null).rows).get("energy.total")).toBe("7.000\u202fJ");
  });
});

describe("angular velocity", () => {
  it("is that of the turn between the frames around, in the world", () => {
    const header = makeHeader({ bodies: [{ name: "top", mass: 1, com: [0, 0, 0], shapes: [] }] });
    const store = new Store();
    const axis = new THREE.Vector3(2, -1, 2).normalize();
    const tilt = new THREE.Quaternion(0.5, 0.5, 0.5, 0.5);
    const at = (k: number) => new THREE.Quaternion().setFromAxisAngle(axis, 3 * 0.1 * k).multiply(tilt);
    const poses = (k: number) => [[0, 0, 0, at(k).w, at(k).x, at(k).y, at(k).z]];
    new StreamReader(store).push(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, [0, 1, 2].map((k) => ({ time: 0.1 * k, poses: poses(k) })))));
    const omega = new THREE.Vector3(...meanAngularVelocity(store, 1, 0));
    expect(omega.distanceTo(axis.multiplyScalar(3))).toBeLessThan(1e-3);
  });
});

describe("settings", () => {
  it("come from the address", () => {
    const s = parseSettings("#time=2.5&theme=dark&show=frames,coms,nonsense&hide=grid&camera=1,2,3,4,5,6&still=800x600&capture=640x360&fps=10");
    expect([s.time, s.theme, s.still?.height, s.shown.frames, s.shown.coms, s.shown.grid, s.shown.bodies]).toEqual([2.5, "dark", 600, true, true, false, true]);
    expect(s.camera).toEqual([1, 2, 3, 4, 5, 6]);
    expect(s.capture).toEqual({ width: 640, height: 360, fps: 10, speed: 1, first: 0, count: Infinity });
    expect(parseSettings("#capture=640x360&first=7&count=3").capture).toMatchObject({ first: 7, count: 3 });
    expect(parseSettings("").time).toBeUndefined();
  });
  it("times of pictures cover the recording", () => {
    expect(captureTimes(0, 1, 4, 1)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(captureTimes(1, 3, 2, 2).length).toBe(3);
  });
  it("attempts to reconnect become patient", () => {
    expect([0, 1, 2, 9].map(retryDelay)).toEqual([250, 500, 1000, 4000]);
  });
});

describe("Guides of joints", () => {
  it("are sheets of two triangles a cell, with a grid that has their edges", () => {
    expect(sheetTriangles(1, 9)).toEqual([]);
    const triangles = sheetTriangles(3, 4);
    expect(triangles.length).toBe(3 * 2 * 2 * 3);
    const points = guidePoints({ rows: 3, columns: 4, points: Array.from({ length: 12 }, (_, v) => [Math.floor(v / 4), v % 4, 0]).flat() });
    let area = 0;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => points[triangles[t + k]]);
      area += b.clone().sub(a).cross(c.clone().sub(a)).z / 2; // all the same way round
    }
    expect(Math.abs(area)).toBeCloseTo(2 * 3, 12);
    const length = (pairs: number[]) => pairs.reduce((sum, v, i) => (i % 2 ? sum + points[v].distanceTo(points[pairs[i - 1]]) : sum), 0);
    expect(length(gridSegments(3, 4))).toBe(2 * 3 + 2 * 2); // first and last row, first and last column
  });
});

describe("fields of soft bodies", () => {
  const speed = { name: "speed", unit: "m/s" };
  it("have one range for all bodies, by name and unit", () => {
    const soft = (...fields: { name: string; unit: string; range: [number, number] }[]) => ({ id: 0, kind: "soft_mesh", fields });
    const channels = [soft({ ...speed, range: [1, 3] }), soft({ name: "strain", unit: "", range: [0, 0.1] }, { ...speed, range: [-2, 2] }), soft()];
    expect(commonFields(channels)).toEqual([{ ...speed, range: [-2, 3] }, { name: "strain", unit: "", range: [0, 0.1] }]);
    expect(channels[0].fields[0].range).toEqual([1, 3]);
  });
  it("stand where their values are in it", () => {
    const [factor, offset] = toCommonSteps([1, 3], [-2, 3]);
    for (const value of [1, 1.7, 3]) {
      const step = (255 * (value - 1)) / 2;
      expect(factor * step + offset).toBeCloseTo((255 * (value + 2)) / 5, 9);
    }
    expect(toCommonSteps([2, 2], [2, 2])).toEqual([1, 0]); // the same everywhere
  });
});

describe("ticks and legends", () => {
  it("have as many digits everywhere", () => {
    expect(tickLabels([0, 50, 100])).toEqual(["0", "50", "100"]);
    expect(tickLabels([-2.5, 0, 2.5, 5])).toEqual(["\u22122.5", "0.0", "2.5", "5.0"]);
    expect(tickLabels([0.001, 0.002, 0.003])).toEqual(["0.001", "0.002", "0.003"]);
    expect(tickLabels([0, 5e-13, 1e-12])).toEqual(["0.0e\u221212", "0.5e\u221212", "1.0e\u221212"]);
    expect(tickLabels([-200000, 0, 200000])).toEqual(["\u22122e5", "0e5", "2e5"]);
    expect(tickLabels([0])).toEqual(["0"]);
  });
  it("write rounding as 0, but not small numbers among their like", () => {
    expect([legendText(1.7e-17, "m", { min: -0.5, max: 0.5 }), legendText(1.7e-17, "m", { min: -2e-17, max: 2e-17 }), legendText(0.25, "m", { min: null, max: null })]).toEqual(["0", "1.700e\u221217", "0.2500"]);
    expect([legendText(7, "", { min: 0, max: 8 }), legendText(7.5, "", { min: 0, max: 8 }), legendText(7, "m", { min: 0, max: 8 })]).toEqual(["7", "7.500", "7.000"]);
  });
  it("of one moment are not a hundred seconds", () => {
    expect([timeRange(3, 3), timeRange(0, 2), timeRange(null, null)]).toEqual([[3, 4], [0, 2], [0, 1]]);
    expect([counted(1, "frame"), counted(0, "frame")]).toEqual(["1 frame", "0 frames"]);
  });
});

describe("the address", () => {
  it("has the time, and keeps what else it has", () => {
    expect([withTime("", 0.5), withTime("#show=frames&time=1&select=a%20b", 1 / 3), withTime("#time=2", 0)]).toEqual(["#time=0.5", "#time=0.333333&show=frames&select=a%20b", "#time=0"]);
  });
});

describe("the panel of a live run", () => {
  it("leaves the scene the larger part of the view, beside or below it", () => {
    expect(roomBeside({ left: 210, top: 130 }, 510, 320)).toEqual({ left: 0, top: 130 }); // a window of 1024 × 600
    expect(roomBeside({ left: 210, top: 268 }, 510, 320)).toEqual({ left: 210, top: 0 });
    expect(roomBeside({ left: 384, top: 300 }, 390, 700)).toEqual({ left: 0, top: 300 });
    expect(roomBeside({ left: 260, top: 400 }, 1280, 600)).toEqual({ left: 260, top: 0 });
  });
});

describe("ends of names", () => {
  it("tell them apart by whole words", () => {
    const ends = (...names: string[]) => { const n = endingsOf(names); return names.map((name, i) => name.slice(-n[i])); };
    expect(ends("front_left_hip_motor", "front_right_hip_motor", "front_right_knee_motor")).toEqual(["left_hip_motor", "right_hip_motor", "knee_motor"]);
    expect(ends("a", "b", "a")).toEqual(["a", "b", "a"]);
    expect(ends("left_link_of_the_long_chain", "right_link_of_the_long_chain")).toEqual(["f_the_long_chain", "f_the_long_chain"]); // too long to be seen everywhere
    expect(ends("strand.1", "strand.2", "strand.12")).toEqual(["strand.1", "strand.2", "strand.12"]);
  });
});

describe("text of a stream", () => {
  it("that was cut off counts as far as it is whole", () => {
    const whole = Buffer.from("0123456789abcdef").toString("base64");
    for (let length = 0; length <= whole.length; ++length) expect(Buffer.from(decodeBase64(whole.slice(0, length))).toString()).toBe(Buffer.from(whole.slice(0, length - (length % 4)), "base64").toString());
    expect(() => decodeBase64("!!!!")).toThrow();
  });
});

describe("Soft vertices", () => {
  it("lie in their box, on the straight way from frame to frame", () => {
    const out = new Float32Array(6);
    placeVertices(Uint16Array.of(0, 0, 65535, 65535, 0, 0), Uint16Array.of(65535, 0, 65535, 0, 0, 0), 0.25, [[-1, 2, 0], [1, 4, 8]], out);
    expect([...out].map((x) => Number(x.toFixed(5)))).toEqual([-0.5, 2, 8, 0.5, 2, 0]);
  });
});
