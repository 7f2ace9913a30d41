// Pages with streams written by hand, in a real browser: what no scene brings yet, and sizes that no test would wait for.
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { FieldInfo, PathInfo } from "../src/stream";
import { channel, concat, f64, floatPlanes, framesRecord, headerRecord, MAGIC_BYTES, makeHeader, planes, predicted, record, text, u32 } from "../tests/encode";
import { thousandBodies, twistingBar } from "../tests/large";
import { ask, coloursAt, difference, folder, launch, LIVE_STATUS, openLive, openPage, pageWith, tidyUp, until } from "./setup";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(async () => tidyUp(browser));
afterAll(async () => browser?.close());

const PATHS: PathInfo[] = [
  { name: "biceps", kind: "muscle", points: [{ body: -1, point: [-0.8, 0, 1.2] }, { body: 0, point: [-0.3, 0, 0.3] }] },
  { name: "rope", kind: "cable", points: [{ body: -1, point: [0.9, 0, 0] }, { body: -1, point: [0.9, 0, 1] }, { body: 0, point: [0.3, 0, 0.3] }] },
  { name: "suspension", kind: "spring", points: [{ body: 0, point: [0, -0.3, 0.3] }, { body: -1, point: [0, -0.8, 1.2] }] },
];

describe("what later recordings bring", () => {
  it("draws a soft body of 100 000 triangles, coloured by the field that is chosen", async () => {
    const { page: p } = await openPage(browser, `${pageWith(twistingBar(501, 100, 4), "bar.html")}#time=0.05`, { width: 1000, height: 620 });
    await until(p, "v.frames === 4 && v.drawCalls > 0");
    expect(await ask<number>(p, "v.triangles")).toBeGreaterThanOrEqual(100000);
    expect(await p.locator("#colour-bar").textContent()).toMatch(/speed \[m\/s\].*0.*3/);
    await p.getByLabel("field that colours").selectOption({ label: "stress [kPa]" });
    await until(p, "v.isDrawn");
    expect(await p.locator("#colour-bar").textContent()).toMatch(/80/);
    expect(await difference(p, "soft")).toBeGreaterThan(0.02);
    expect(await p.locator("#inspector").textContent()).toContain("soft body bar50100 vertices");
    await p.keyboard.press("Escape"); // closes the menu
    const view = await p.locator("#view").boundingBox();
    if (!view) throw new Error("no view");
    await p.mouse.click(view.x + view.width / 2, view.y + view.height / 2); // in the middle of the picture
    await until(p, "v.selection && v.selection.kind === 'soft' && v.selection.index === 0");
    await p.keyboard.press("Escape");
    await p.locator("[data-item='soft:bar']").click();
    await p.locator("#inspector", { hasText: /vertices50100.*triangles100000.*mean of vertices.*greatest stress7\d\.\d\d\u202fkPa/ }).waitFor();
    await p.getByLabel("hide bar").click();
    await until(p, "v.isDrawn && v.triangles < 100000");
    await p.getByLabel("hide bar").click();
    await p.getByLabel("follow bar").click();
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "twisting_bar.png") });
  });

  it("says that soft bodies cannot be pulled yet", async () => {
    const box: [[number, number, number], [number, number, number]] = [[-1, -1, 0], [1, 1, 1]];
    const header = makeHeader({ live: true, channels: [{ id: 16, kind: "soft_mesh", name: "sheet", mesh: 0, vertices: 4, box, fields: [] }] });
    const mesh = record(2, concat(u32(0, 4, 2), f64(-1, -1, 0), f64(2, 2, 1), planes([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]), planes([0, 1, 2, 2, 1, 3])));
    const places = [[0, 0], [1, 0], [0, 1], [1, 1]].flatMap(([x, y]) => [65535 * x, 65535 * y, 32768]).map((s) => [s]);
    const { page: p, said } = await openLive(browser, concat(MAGIC_BYTES, headerRecord(header), mesh), framesRecord(header, 0, [{ time: 0, poses: [] }], [channel(16, predicted(places))]), LIVE_STATUS);
    await p.locator("#live small", { hasText: "soft bodies cannot be pulled yet" }).waitFor();
    await until(p, "v.frames === 1 && v.isDrawn");
    const at = await ask<{ x: number; y: number }>(p, "v.screenPlace([0, 0, 0.5])");
    await p.mouse.click(at.x, at.y);
    expect(await ask(p, "v.selection")).toEqual({ kind: "soft", index: 0 });
    await p.keyboard.press("x");
    await p.mouse.move(at.x, at.y);
    await p.mouse.down();
    await p.mouse.move(at.x + 50, at.y, { steps: 3 });
    await p.mouse.up();
    expect(said.map((message) => message.do)).toEqual(["begin"]);
  });

  it("has a slider for every joint and muscle of a live run, however many there are", async () => {
    const count = 60;
    const all = Array.from({ length: count }, (_, i) => i);
    const header = makeHeader({
      live: true, inputs: all.map((i) => `muscle ${i}`), bodies: all.map((i) => ({ name: `link ${i}`, mass: 1, com: [0, 0, 0], shapes: [{ type: "sphere", radius: 0.1 }] })),
      joints: all.map((i) => ({ name: `hinge ${i}`, type: "revolute", parent: i - 1, child: i, dof: 1 })),
    });
    const { page: p, said } = await openLive(browser, concat(MAGIC_BYTES, headerRecord(header)), framesRecord(header, 0, [{ time: 0, poses: all.map((i) => [i, 0, 0, 1, 0, 0, 0]) }]), { ...LIVE_STATUS, efforts: all.map(() => 0), inputs: all.map(() => 0.5) });
    await until(p, "v.frames === 1 && v.isDrawn");
    await p.locator("#live summary", { hasText: "efforts" }).click();
    expect(await p.locator("#live-settings details > summary").allTextContents()).toEqual(["efforts at joints 60", "activation of muscles 60"]);
    for (const [kind, name] of [["effort", "hinge 59 [N m]"], ["input", "muscle 59"]]) {
      expect(await p.locator(`[data-live^="${kind} "]`).count()).toBe(count);
      const last = p.getByLabel(name, { exact: true });
      await last.focus(); // scrolls to it
      const isSeen = await last.evaluate((e) => { const b = e.getBoundingClientRect(); return e === document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2); });
      expect(isSeen, name).toBe(true);
      await p.keyboard.press("End");
      await expect.poll(() => said.at(-1)).toMatchObject({ do: kind, index: count - 1 });
    }
    expect(await p.locator("#live").evaluate((e) => e.scrollHeight)).toBeLessThan(1000); // lists scroll by themselves: what stands below is near
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "many_sliders.png") });
  });

  it("colours all soft bodies by one bar: the same value is the same colour", async () => {
    const square = (id: number, x: number) => record(2, concat(u32(id, 4, 2), f64(x, -1, 0), f64(1, 2, 1), planes([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]), planes([0, 1, 2, 2, 1, 3])));
    const speed = { name: "speed", unit: "m/s" };
    const soft = (id: number, mesh: number, fields: FieldInfo[]) => ({ id, kind: "soft_mesh", name: `s${mesh}`, mesh, vertices: 4, box: [[-1, -1, 0], [2, 1, 1]] as [[number, number, number], [number, number, number]], fields });
    const header = makeHeader({ channels: [soft(16, 0, [{ ...speed, range: [0, 1] }]), soft(17, 1, [{ ...speed, range: [0, 4] }]), soft(18, 2, [{ name: "strain", unit: "", range: [0, 1] }])] });
    // The squares of three bodies side by side, in steps of their box; the first two move at 1 m/s, of their ranges of 1 and 4 m/s.
    const data = (column: number, step: number) => predicted([[0, 0], [1, 0], [0, 1], [1, 1]].flatMap(([x, y]) => [(65535 * (column + x)) / 3, 65535 * y, 0].map((s) => [s, s])).concat([0, 1, 2, 3].map(() => [step, step])));
    const stream = concat(MAGIC_BYTES, headerRecord(header), square(0, -1), square(1, 0), square(2, 1),
      framesRecord(header, 0, [0, 1].map((time) => ({ time, poses: [] })), [channel(16, data(0, 255)), channel(17, data(1, 64)), channel(18, data(2, 255))]));
    const { page: p } = await openPage(browser, `${pageWith(stream, "squares.html")}#time=0&hide=grid`, { width: 1000, height: 620 });
    await until(p, "v.frames === 2 && v.isDrawn");
    await p.keyboard.press("3");
    await until(p, "v.isDrawn");
    const colours = () => coloursAt(p, [-0.5, 0.5, 1.5].map((x) => [x, 0, 0]));
    const apart = (a: number[], b: number[]) => Math.max(...a.map((x, c) => Math.abs(x - b[c])));
    const [first, second, third] = await colours();
    expect(apart(first, second)).toBeLessThan(8);
    expect(apart(first, third)).toBeGreaterThan(30);
    expect(Math.max(...third) - Math.min(...third)).toBeLessThan(12); // has no speed: grey
    expect(await p.locator("#colour-bar").textContent()).toMatch(/speed \[m\/s\].*04\.00/);
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "squares.png") });
    await p.getByLabel("field that colours").selectOption({ label: "strain [1]" });
    await until(p, "v.isDrawn");
    const [grey, , yellow] = await colours();
    expect([Math.max(...grey) - Math.min(...grey) < 12, yellow[0] - yellow[2] > 60]).toEqual([true, true]);
  });

  it("draws contacts, muscles, cables, springs and a soft mesh from a stream written by hand", async () => {
    const n = 21;
    const triangles: number[] = [];
    for (let i = 0; i + 1 < n; ++i) for (let j = 0; j + 1 < n; ++j) triangles.push(i * n + j, (i + 1) * n + j, i * n + j + 1, i * n + j + 1, (i + 1) * n + j, (i + 1) * n + j + 1);
    const header = makeHeader({
      scene: "contacts, muscles, cloth", paths: PATHS,
      columns: [{ name: "biceps.tension", unit: "N", group: "path" }, { name: "biceps.activation", unit: "", group: "path" }, { name: "rope.tension", unit: "N", group: "path" },
        { name: "joint_error", unit: "m", group: "ledger" }],
      bodies: [{ name: "box", mass: 1, com: [0, 0, 0], shapes: [{ type: "box", size: [0.6, 0.6, 0.6] }] }],
      channels: [
        { id: 3, kind: "contacts" },
        { id: 16, kind: "soft_mesh", name: "cloth", mesh: 0, vertices: n * n, box: [[-1, -1, 0], [1, 1, 2]], fields: [{ name: "speed", unit: "m/s", range: [0, 3] }, { name: "strain", unit: "", range: [0, 0.1] }] },
      ],
    });
    const frames = 20;
    const contacts: number[] = [];
    const rows: number[][] = Array.from({ length: 5 * n * n }, () => []);
    for (let k = 0; k < frames; ++k) {
      for (const [x, y] of [[-0.3, -0.3], [0.3, 0.3]]) contacts.push(x, y, 0, 0, 0, 1, 2, 0, 10 + k, -1e-4);
      for (let v = 0; v < n * n; ++v) {
        rows[3 * v].push(Math.round(65535 * (0.2 + 0.6 * Math.floor(v / n) / (n - 1))));
        rows[3 * v + 1].push(Math.round(65535 * (0.2 + 0.6 * (v % n) / (n - 1))));
        rows[3 * v + 2].push(Math.round(65535 * (0.7 + 0.08 * Math.sin(v / 9 + k / 4))));
        rows[3 * n * n + v].push(v % 256);
        rows[4 * n * n + v].push(k);
      }
    }
    const mesh = concat(u32(0, n * n, triangles.length / 3), f64(0, 0, 0), f64(1e-5, 1e-5, 1e-5), planes(new Array(3 * n * n).fill(0)), planes(triangles));
    const counts = (c: number[]) => u32(...Array.from({ length: frames }, () => c).flat());
    const stream = concat(MAGIC_BYTES, headerRecord(header), record(2, mesh),
      framesRecord(header, 0, Array.from({ length: frames }, (_, k) => ({ time: k / 10, poses: [[0, 0, 0.3, 1, 0, 0, 0]], columns: [10 * k, k / frames, 0, k === 5 ? 0.01 : 1e-12] })), [
        channel(3, concat(counts([2]), floatPlanes(contacts), planes(new Array(frames).fill([0xffffffff, 0, 0xffffffff, 0]).flat()))),
        channel(16, predicted(rows)),
      ]), record(4, text('{"time":1.5,"kind":"step_halved","message":"by hand"}')));
    const { page: p } = await openPage(browser, `${pageWith(stream, "hand.html")}#time=1.5`, { width: 800, height: 480 });
    await until(p, "v.frames === 20");
    for (const layer of ["contacts", "paths", "soft", "bodies"]) expect(await difference(p, layer), layer).toBeGreaterThan(0.001);
    const legend = await p.locator("#colour-bar").textContent();
    for (const entry of ["speed [m/s]", "muscle activation [1]", "cable, taut", "cable, slack", "spring"]) expect(legend).toContain(entry);
    await p.locator("[data-item='path:biceps']").click();
    await p.locator("#inspector", { hasText: /kindmuscle.*tension150\.0\u202fN.*activation0\.7500.*point 2, on box/ }).waitFor();
    await p.keyboard.press("Escape");
    await p.locator("#inspector", { hasText: /contacts touching2/ }).waitFor();
    expect(await p.locator("#markers button").evaluateAll((marks) => marks.map((m) => m.getAttribute("aria-label")))).toEqual([
      "joint open at 0.500 s: joint_error is 0.010\u202fm, more than 0.0001 of a body's size", "step halved at 1.500 s: by hand"]);
    await p.locator("#markers button").first().click();
    expect(await ask<number>(p, "v.time")).toBeCloseTo(0.5, 9);
    expect(await p.locator("#contact-scale").textContent()).toMatch(/^arrow of .*m: .*N$/);
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "by_hand.png") });
  });

  it("comes near to what it follows where the scene wanders far from its start", async () => {
    const bodies = ["walker", "foot"].map((name) => ({ name, mass: 1, com: [0, 0, 0] as [number, number, number], shapes: [{ type: "box", size: [0.4, 0.4, 0.4] as [number, number, number] }] }));
    const header = makeHeader({ scene: "walk", bodies });
    const frames = Array.from({ length: 30 }, (_, k) => ({ time: k / 10, poses: [0, 0.5].map((z) => [0.3 * k, 0, z + 0.2, 1, 0, 0, 0]) }));
    const { page: p } = await openPage(browser, `${pageWith(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, frames)), "walk.html")}#time=2`);
    await until(p, "v.frames === 30 && v.isDrawn");
    const distance = async () => { const c = await ask<number[]>(p, "v.camera"); return Math.hypot(c[0] - c[3], c[1] - c[4], c[2] - c[5]); };
    const whole = await distance();
    await p.getByLabel("follow walker").click();
    await until(p, "v.isDrawn && Math.abs(v.camera[3] - 6) < 0.01"); // looks at it
    expect(await distance()).toBeLessThan(0.5 * whole);
    await p.keyboard.press("c");
    await until(p, "v.isDrawn");
    expect(await distance()).toBeCloseTo(whole, 6);
  });

  it("draws a thousand bodies in a few calls", async () => {
    const w = await openPage(browser, `${pageWith(thousandBodies(3, 1), "thousand.html")}#time=0`);
    await until(w.page, "v.frames === 3 && v.drawCalls > 0");
    expect(await ask<number>(w.page, "v.drawCalls")).toBeLessThan(30);
  });
});
