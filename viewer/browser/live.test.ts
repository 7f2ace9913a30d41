// Live runs in a real browser: streaming, control, mouse, two tabs, restart of the server.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ask, coloursAt, FALLING, folder, launch, openPage, PENDULUM, PULLED, RESTING, ROPE, Server, tidyUp, until } from "./setup";

let browser: Browser;
const scene = join(folder, "live.yaml");
beforeAll(async () => {
  browser = await launch();
  writeFileSync(scene, PENDULUM);
});
afterEach(async () => tidyUp(browser));
afterAll(async () => browser?.close());

const angle = (p: Page) => ask<number>(p, "v.latest('angle')");
async function slide(p: Page, key: string, value: number): Promise<void> {
  await p.locator(`[data-live="${key}"]`).evaluate((e: HTMLInputElement, x) => { e.value = String(x); e.dispatchEvent(new Event("input")); }, value);
}

describe("a live run", () => {
  it("streams, obeys, is pulled by the mouse, serves two tabs, and is found again after a restart", async () => {
    let server = new Server(scene);
    const url = await server.ready();
    const port = new URL(url).port;
    const w = await openPage(browser, url, { width: 800, height: 520 });
    const { page: p } = w;
    await until(p, "v.frames > 5 && v.time > 0.05");
    expect(Math.abs(await angle(p))).toBeLessThan(1e-6); // hangs at rest

    // The mouse pulls the bob aside: the hinge turns, and the ledger books the work.
    const at = await ask<{ x: number; y: number }>(p, "v.screenPosition(1)");
    await p.mouse.move(at.x, at.y);
    await p.mouse.down();
    await p.mouse.move(at.x + 60, at.y - 10, { steps: 4 });
    await until(p, "Math.abs(v.latest('angle')) > 0.05");
    expect(Math.abs(await ask<number>(p, "v.latest('work.mouse')"))).toBeGreaterThan(1e-3);
    await p.mouse.up();

    await p.locator("#live-run").click();
    await until(p, "v.status.running === false");
    const stopped = await ask<number>(p, "v.status.time");
    await p.locator("#live-step").click();
    await until(p, `Math.abs(v.status.time - ${stopped} - 0.005) < 1e-9`);
    await p.locator("#live-reset").click();
    await until(p, "v.status.time === 0 && v.frames === 1");
    await slide(p, "gravity", 2);
    await until(p, "v.status.gravity[2] === 2");
    await slide(p, "dt", Math.log10(0.002));
    await until(p, "Math.abs(v.status.dt - 0.002) < 1e-9");
    await p.locator("#live-settings > summary").click(); // folded in a small window
    await p.getByLabel("stepper").selectOption("reduced");
    await until(p, "v.status.stepper === 'reduced' && v.status.trouble === ''");
    await slide(p, "effort 0", 3);
    await until(p, "v.status.efforts[0] === 3");

    const second = await openPage(browser, url, { width: 800, height: 520 });
    await until(second.page, "v.frames > 0 && v.status && v.status.running === false");
    await second.page.keyboard.press("Space");
    await until(p, "v.status.running === true && v.time > 0.1");
    await until(second.page, "v.status.running === true && v.time > 0.1");
    expect(Math.abs(await angle(p))).toBeGreaterThan(1e-3); // the effort turns the hinge
    // A tab that is closed while it pulls lets go, and disturbs nobody.
    await p.locator("#live-run").click();
    await until(p, "v.status.running === false");
    await p.locator("#live-reset").click();
    await until(second.page, "v.status.time === 0 && v.time === 0 && v.isDrawn");
    const held = await ask<{ x: number; y: number }>(second.page, "v.screenPosition(1)");
    await second.page.mouse.move(held.x, held.y);
    await second.page.mouse.down();
    await second.page.mouse.move(held.x + 30, held.y, { steps: 3 });
    await p.locator("#live-run").click();
    await until(p, "v.latest('work.mouse') !== 0");
    await second.page.context().close();
    let [then, work] = [0, NaN];
    for (let calm = 0; calm < 2; ) { // the work stays the same while time goes on
      const [time, now] = await ask<[number, number]>(p, "[v.time, v.latest('work.mouse')]");
      if (time > then + 0.1) {
        calm = now === work ? calm + 1 : 0;
        [then, work] = [time, now];
      }
      await p.waitForTimeout(100);
    }

    w.expected = /WebSocket connection|ERR_CONNECTION/;
    await server.stop();
    await p.locator("#badge", { hasText: "connection lost" }).waitFor();
    await p.locator("#live-state.trouble", { hasText: "no connection" }).waitFor();
    expect(await p.locator("#live-run").evaluate((e: HTMLButtonElement) => [e.textContent, e.disabled])).toEqual(["play", true]);
    expect(await p.locator("#play").getAttribute("aria-label")).toBe("play");
    await p.setViewportSize({ width: 390, height: 700 }); // whole on a phone, too
    expect(await p.locator("#badge").evaluate((e) => [e.textContent, e.scrollWidth <= e.clientWidth, e.getBoundingClientRect().right <= innerWidth])).toEqual(["connection lost: trying again", true, true]);
    await p.setViewportSize({ width: 800, height: 520 });
    server = new Server(scene, "--port", port);
    await server.ready();
    await p.locator("#badge", { hasText: /^live$/ }).waitFor();
    await until(p, "v.frames > 5 && v.time > 0.05 && v.status.running");
    // Another scene in its place is shown from the start: its own camera and plots.
    const seen = await ask<number[]>(p, "v.camera");
    await server.stop();
    const other = join(folder, "other_live.yaml");
    writeFileSync(other, PULLED);
    server = new Server(other, "--port", port);
    await server.ready();
    await until(p, "v.header.scene === 'pulled' && v.frames > 5");
    expect(await ask(p, "v.camera")).not.toEqual(seen);
  });

  it("has sliders that are dragged, stepped by keys and found again as they were", async () => {
    const server = new Server(scene);
    const { page: p } = await openPage(browser, await server.ready(), { width: 1280, height: 720 });
    await until(p, "v.time > 0.3 && v.status");
    await p.locator("#live summary", { hasText: "efforts" }).click();
    const camera = await ask(p, "v.camera");
    const frames = await ask<number>(p, "v.frames");

    // Dragged by the mouse from where it is to the end; steps on the way are taken as they come.
    const slider = p.locator('[data-live="gravity"]');
    const box = await slider.boundingBox();
    if (!box) throw new Error("no slider");
    const y = box.y + box.height / 2;
    const thumb = 8; // px, half of it
    const at = (g: number) => box.x + thumb + ((g + 20) / 40) * (box.width - 2 * thumb);
    await p.mouse.move(at(-9.81), y);
    await p.mouse.down();
    const seen = new Set<number>();
    for (let g = -9; g <= 20; ++g) {
      await p.mouse.move(at(g), y);
      await p.waitForTimeout(40);
      seen.add(await ask<number>(p, "v.status.gravity[2]"));
    }
    await p.mouse.move(at(20) + 40, y);
    await until(p, "v.status.gravity[2] === 20");
    await p.mouse.up();
    expect(seen.size).toBeGreaterThan(3);
    expect(await ask<number[]>(p, "v.header.gravity")).toEqual([0, 0, 20]);

    // By keys, one after the other: the focus stays, and time is not scrubbed.
    const focused = () => p.evaluate(() => document.activeElement?.getAttribute("data-live") ?? document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.id);
    expect(await focused()).toBe("gravity");
    for (let i = 0; i < 10; ++i) await p.keyboard.press("ArrowLeft", { delay: 30 });
    await until(p, "Math.abs(v.status.gravity[2] - 19.9) < 1e-9");
    expect(await focused()).toBe("gravity");
    expect(await ask(p, "v.status.running && v.status.trouble === ''")).toBe(true);

    // The step goes from a tenth to ten times the scene's, however often it is changed.
    await p.locator('[data-live="dt"]').focus();
    for (const [key, dt] of [["End", 0.05], ["Home", 0.0005], ["End", 0.05]] as const) {
      await p.keyboard.press(key);
      await until(p, `Math.abs(v.status.dt - ${dt}) < 1e-9 && Math.abs(v.header.dt - ${dt}) < 1e-9`);
      await p.keyboard.press(key);
    }
    expect(await focused()).toBe("dt");
    await p.getByLabel("stepper").focus();
    const before = await ask<string>(p, "v.status.stepper");
    for (let i = 0; i < 2; ++i) {
      const now = await ask<string>(p, "v.status.stepper");
      await p.keyboard.press("ArrowDown");
      await until(p, `v.status.stepper !== '${now}' || v.status.trouble !== ''`);
      expect(await focused()).toBe("stepper");
    }
    expect(await ask(p, "v.status.stepper")).not.toBe(before);

    // What was open is open, the camera is where it was, and plots go back to before the first change.
    expect(await p.locator("#live details", { hasText: "efforts" }).last().evaluate((d: HTMLDetailsElement) => d.open)).toBe(true);
    expect(await ask(p, "v.camera")).toEqual(camera);
    expect(await ask<number>(p, "v.frames")).toBeGreaterThan(frames + 20);
    expect(await ask<number>(p, "v.plotSpan[0]")).toBe(0);

    // Reset keeps what was set; a button brings back what the scene says, and goes on from where it is.
    await slide(p, "effort 0", 3);
    await until(p, "v.status.efforts[0] === 3");
    await p.locator("#live-reset").focus();
    await p.keyboard.press("Enter");
    await until(p, "v.time < 0.3 && Math.abs(v.status.gravity[2] - 19.9) < 1e-9");
    expect(await focused()).toBe("live-reset");
    await until(p, "v.time > 0.3");
    await p.locator("#live-restore").click();
    await until(p, `v.status.gravity[2] === -9.81 && v.status.dt === 0.005 && v.status.stepper === '${before}' && v.status.efforts.every((x) => x === 0)`);
    expect(await ask<number>(p, "v.time")).toBeGreaterThan(0.3);
    await p.locator("#live-state", { hasText: "running" }).waitFor();
    await p.locator("[data-item='joint:ball']").click();
    await p.keyboard.press("x"); // at a joint, its child is pulled
    expect(await ask(p, "v.pull")).toBe(1);
    await p.keyboard.press("x");
    expect(await ask(p, "v.pull")).toBe(null);
  });

  it("keeps the pull of one tab when another one closes", async () => {
    const server = new Server(scene);
    const url = await server.ready();
    const { page: p } = await openPage(browser, url);
    await until(p, "v.time > 0.1 && v.pictures > 2");
    const at = await ask<{ x: number; y: number }>(p, "v.screenPosition(1)");
    await p.mouse.move(at.x, at.y);
    await p.mouse.down();
    await p.mouse.move(at.x + 60, at.y - 10, { steps: 4 });
    await until(p, "v.latest('angle') !== 0 && v.time > 2"); // held, and at rest by then
    const idle = await openPage(browser, url);
    await until(idle.page, "v.frames > 5");
    const held = await angle(p);
    expect(Math.abs(held)).toBeGreaterThan(0.05);
    await idle.page.context().close();
    const then = await ask<number>(p, "v.time");
    await until(p, `v.time > ${then} + 1.5`);
    expect(Math.abs((await angle(p)) - held)).toBeLessThan(0.2 * Math.abs(held));
    await p.mouse.up();
    const free = await ask<number>(p, "v.time");
    await until(p, `v.time > ${free} + 0.2 && Math.abs(v.latest('angle') - ${held}) > ${0.3 * Math.abs(held)}`); // it does swing when it is let go
  });

  it("waits for someone to start it if motion is to be reduced", async () => {
    const server = new Server(scene);
    const url = await server.ready();
    const { page: p } = await openPage(browser, url, { reducedMotion: "reduce" });
    await until(p, "v.frames === 1 && v.status");
    await p.waitForTimeout(600);
    expect(await ask(p, "[v.status.running, v.status.time, v.time]")).toEqual([false, 0, 0]);
    await p.locator("#live-run").click();
    await until(p, "v.status.running && v.time > 0.1");
    await p.locator("#live-run").click();
    await until(p, "v.status.running === false");
    const other = await openPage(browser, url); // someone has decided: a page that opens does not start it
    await until(other.page, "v.frames > 0 && v.status");
    await other.page.waitForTimeout(600);
    expect(await ask(other.page, "v.status.running")).toBe(false);
  });

  it("leaves the scene its place on a phone, with the settings open", async () => {
    const server = new Server(scene);
    const { page: p } = await openPage(browser, await server.ready(), { width: 390, height: 844 });
    await until(p, "v.time > 0.1 && v.status");
    await p.locator("#live-run").click();
    await until(p, "v.status.running === false && v.isDrawn");
    const folded = await ask<number[]>(p, "v.camera");
    await p.locator("#live-settings > summary").click();
    await until(p, `v.camera[1] < ${folded[1]} - 0.5 && v.isDrawn`); // draws back by itself
    await p.waitForTimeout(1000);
    const [panel, view] = [await p.locator("#live").boundingBox(), await p.locator("#view").boundingBox()];
    if (!panel || !view) throw new Error("no panel");
    expect(panel.height).toBeLessThan(0.45 * view.height);
    for (const [y, z] of [[0, 2], [-0.1, 2], [0, 0.6]]) { // the top of the rod, the lowest point of the bob
      const at = await ask<{ x: number; y: number }>(p, `v.screenPlace([0, ${y}, ${z}])`);
      expect(at.x > view.x && at.x < view.x + view.width && at.y > panel.y + panel.height && at.y < view.y + view.height, `${z} m`).toBe(true);
    }
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "live_phone.png") });
  });

  it("leaves the scene its place on a netbook", async () => {
    const square = join(folder, "square_live.yaml");
    const corners = [[-1, 0, -1], [1, 0, -1], [-1, 0, 1], [1, 0, 1]];
    writeFileSync(square, `sinew: 1\nname: square\ngravity: [0, 0, 0]\nbodies:\n${corners.map((c, i) => `  - {name: b${i}, mass: 1, shape: {type: sphere, radius: 0.2}, position: [${c}]}\n`).join("")}`);
    const server = new Server(square);
    const { page: p } = await openPage(browser, await server.ready(), { width: 1024, height: 600 });
    await until(p, "v.time > 0.1 && v.status");
    await p.locator("#live-run").click();
    await until(p, "v.status.running === false && v.isDrawn");
    await p.waitForTimeout(1000);
    const [panel, view] = [await p.locator("#live").boundingBox(), await p.locator("#view").boundingBox()];
    if (!panel || !view) throw new Error("no panel");
    for (const place of corners) {
      const at = await ask<{ x: number; y: number }>(p, `v.screenPlace(${JSON.stringify(place)})`);
      expect(at.x > view.x && at.x < view.x + view.width && at.y > view.y && at.y < view.y + view.height, `${place}`).toBe(true);
      expect(at.x > panel.x + panel.width || at.y > panel.y + panel.height, `${place} under the panel`).toBe(true);
    }
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "live_netbook.png") });
  });

  it("sets the activation of muscles, which change their colour and pull, and gives it back to the scene", async () => {
    const muscled = join(folder, "muscled_live.yaml");
    writeFileSync(muscled, PULLED);
    const server = new Server(muscled);
    const { page: p } = await openPage(browser, await server.ready(), { width: 1000, height: 620 });
    await until(p, "v.time > 0.1 && v.status && v.status.inputs.length === 1");
    expect(await ask<string[]>(p, "v.header.inputs")).toEqual(["flexor"]);
    expect(await ask<number>(p, "v.latest('flexor.activation')")).toBe(0.5);
    expect(await p.locator("#live").getByLabel("flexor", { exact: true }).isVisible()).toBe(true);
    await slide(p, "input 0", 1);
    await until(p, "v.status.inputs[0] === 1 && v.latest('flexor.activation') === 1");
    const pull = await ask<number>(p, "v.latest('flexor.tension')");
    await slide(p, "input 0", 0);
    await until(p, "v.latest('flexor.activation') === 0");
    expect(await ask<number>(p, "v.latest('flexor.tension')")).toBeLessThan(0.5 * pull);
    await p.locator("#live-release").click();
    await until(p, "v.latest('flexor.activation') === 0.5");

    // While paused it shows at once, at the same time.
    await p.locator("#live-run").click();
    await until(p, "v.status.running === false");
    const [frames, time] = await ask<[number, number]>(p, "[v.frames, v.status.time]");
    const belly = await ask<number[]>(p, "v.pathPoints(0)").then(([x, y, z, a, b, c]) => [(x + a) / 2, (y + b) / 2, (z + c) / 2]);
    const colourAt = async (activation: number) => {
      await slide(p, "input 0", activation);
      await until(p, `v.latest('flexor.activation') === ${activation} && v.isDrawn`);
      return (await coloursAt(p, [belly]))[0];
    };
    const [relaxed, active] = [await colourAt(0), await colourAt(1)];
    expect(relaxed[2] - relaxed[0], `relaxed: ${relaxed}`).toBeGreaterThan(10); // grey-blue
    expect(active[0] - active[2], `active: ${active}`).toBeGreaterThan(100); // red
    await slide(p, "input 0", 0.25);
    await until(p, "v.latest('flexor.activation') === 0.25");
    expect(await ask<[number, number]>(p, "[v.frames, v.status.time]")).toEqual([frames, time]);
    await p.locator("[data-item='path:flexor']").click();
    await p.locator("#inspector", { hasText: /activation0\.2500/ }).waitFor();
    await p.locator("#live-release").click();
    await until(p, "v.latest('flexor.activation') === 0.5");
    await slide(p, "dt", Math.log10(0.002)); // it goes on from where it is, at the same time
    await until(p, "Math.abs(v.status.dt - 0.002) < 1e-9");
    expect(await ask<[number, number]>(p, "[v.frames, v.status.time]")).toEqual([frames, time]);
    expect(await ask(p, "v.selection")).toEqual({ kind: "path", index: 0 });
  });

  it("pulls a particle of a strand by the mouse, and what is selected by keys", async () => {
    const hanging = join(folder, "rope_live.yaml");
    writeFileSync(hanging, ROPE);
    const server = new Server(hanging);
    const { page: p } = await openPage(browser, await server.ready(), { width: 900, height: 600 });
    await until(p, "v.time > 0.1 && v.pictures > 2");
    expect(await ask(p, "v.header.bodies.every((b) => b.shapes.length === 0)")).toBe(true); // nothing but a thin line
    const particle = await ask<number>(p, "v.header.bodies.findIndex((b) => b.name === 'rope.5')");
    const aside = "Math.hypot(v.latest('middle.x'), v.latest('middle.y'))";
    expect(await ask<number>(p, aside)).toBeLessThan(1e-3);
    const at = await ask<{ x: number; y: number }>(p, `v.screenPosition(${particle})`);
    await p.mouse.move(at.x + 3, at.y); // beside it, within reach
    await p.mouse.down();
    expect(await ask(p, "v.pull")).toBe(particle);
    await p.mouse.move(at.x + 90, at.y, { steps: 5 });
    await until(p, `${aside} > 0.15`);
    expect(await ask<number>(p, "v.latest('work.mouse')")).toBeGreaterThan(0.01);
    // Its neighbours come along, the fixed end does not: it is the strand that bends.
    const [x4, x5, x1] = await ask<number[]>(p, `[${particle - 1}, ${particle}, 0].map((i) => Math.hypot(...v.posesAt(v.time).slice(7 * i, 7 * i + 2)))`);
    expect(x4).toBeGreaterThan(0.3 * x5);
    expect(x1).toBeLessThan(0.5 * x5);
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "pulled_strand.png") });
    await p.mouse.up();
    expect(await ask(p, "v.pull")).toBe(null);
    await until(p, `${aside} < 0.1`); // it swings back

    // A click on the line selects the strand; X takes it in its middle, arrows pull, X lets go.
    await p.locator("#live-run").click();
    await until(p, "v.status.running === false");
    await p.locator("#live-reset").click();
    await until(p, "v.status.time === 0 && v.time === 0 && v.isDrawn");
    const line = await ask<{ x: number; y: number }>(p, `v.screenPosition(${particle})`);
    await p.mouse.click(line.x + 2, line.y);
    await until(p, "v.selection && v.selection.kind === 'path' && v.selection.index === 0");
    await p.locator("#inspector", { hasText: /kindstrand.*length.*m.*tension.*N/ }).waitFor();
    await p.locator("#view").focus();
    await p.keyboard.press("x");
    expect(await ask(p, "v.pull")).toBe(particle + 1); // of ten particles the sixth
    for (let i = 0; i < 8; ++i) await p.keyboard.press("ArrowRight");
    await p.keyboard.press("Space");
    await until(p, `v.status.running && ${aside} > 0.1`);
    await p.keyboard.press("x");
    expect(await ask(p, "v.pull")).toBe(null);
    await p.keyboard.press("Escape");
    expect(await ask(p, "v.selection")).toBe(null);
  });

  it("keeps what moves in the picture, beside the panel, unless someone has turned the camera", async () => {
    const falling = join(folder, "falling_live.yaml");
    writeFileSync(falling, FALLING);
    const server = new Server(falling);
    const { page: p } = await openPage(browser, await server.ready(), { width: 1280, height: 720 });
    await until(p, "v.frames > 0 && v.isDrawn && v.status");
    const panel = await p.locator("#live").boundingBox();
    const view = await p.locator("#view").boundingBox();
    if (!panel || !view) throw new Error("no panel");
    const isSeen = ({ x, y }: { x: number; y: number }) => x > panel.x + panel.width && x < view.x + view.width && y > view.y && y < view.y + view.height;
    await until(p, "v.time > 2"); // at the start it reached to the right, meanwhile down and to the left
    await p.keyboard.press("Space");
    await until(p, "v.status.running === false");
    const lowest = await ask<number>(p, "v.groundHeight");
    expect(lowest).toBeLessThanOrEqual(-2);
    let last: number[] = [];
    for (let now = await ask<number[]>(p, "v.camera"); String(now) !== String(last) || !(await ask(p, "v.isDrawn")); now = await ask<number[]>(p, "v.camera")) { // until it has settled
      last = now;
      await p.waitForTimeout(300);
    }
    for (const time of [0, 0.5, 0.8, 1.2, 1.6, 1.9]) { // all that there was is in the picture
      await p.locator("#slider").fill(String(time));
      await until(p, `Math.abs(v.time - ${time}) < 1e-9 && v.isDrawn`);
      for (const body of [0, 1]) expect(isSeen(await ask(p, `v.screenPosition(${body})`)), `body ${body} at ${time} s`).toBe(true);
    }

    // The same anew: camera and ground stay. Turned by hand it stays as well, whatever moves.
    const settled = await ask<number[]>(p, "v.camera");
    await p.locator("#live-reset").click();
    await until(p, "v.status.time === 0 && v.frames === 1 && v.isDrawn");
    expect([await ask(p, "v.camera"), await ask(p, "v.groundHeight")]).toEqual([settled, lowest]);
    await p.reload();
    await until(p, "v.frames > 0 && v.isDrawn && v.status");
    await p.keyboard.press("e");
    const turned = await ask<number[]>(p, "v.camera");
    await p.keyboard.press("Space");
    await until(p, "v.time > 1.2");
    expect(await ask(p, "v.camera")).toEqual(turned);
  });

  it("shows the contacts of now", async () => {
    const resting = join(folder, "resting_live.yaml");
    writeFileSync(resting, RESTING);
    const server = new Server(resting);
    const w = await openPage(browser, await server.ready());
    await until(w.page, "v.time > 0.1 && v.contactsAt(v.time).bodies.length >= 8");
    const numbers = await ask<number[]>(w.page, "v.contactsAt(v.time).numbers");
    expect(numbers.filter((_, i) => i % 10 === 8).reduce((a, b) => a + b, 0)).toBeCloseTo(2 * 9.81, 2);
  });
});
