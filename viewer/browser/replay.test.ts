// Replays in a real browser: load, play, scrub, select, plots, cut off and damaged recordings, what is drawn, sizes of window, keyboard.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { PathInfo } from "../src/stream";
import { channel, concat, f64, floatPlanes, framesRecord, headerRecord, MAGIC_BYTES, makeHeader, planes, predicted, record, text, u32 } from "../tests/encode";
import { ask, folder, launch, openPage, PENDULUM, pageWith, PULLED, RESTING, Server, SINEW, sinew, sinewIn, tidyUp, until } from "./setup";

let browser: Browser;
const scene = join(folder, "hanging.yaml");
const recording = join(folder, "hanging.mcap");
const page = join(folder, "hanging.html");

beforeAll(async () => {
  browser = await launch();
  writeFileSync(scene, PENDULUM);
  const run = sinew("run", scene, "--record", recording, "--quiet");
  expect(run.err).toBe("");
  expect(sinew("render", recording, "-o", page).code).toBe(0);
});
afterEach(async () => tidyUp(browser));
afterAll(async () => browser?.close());


describe("a replay page", () => {
  it("loads, plays, steps, scrubs, selects, and ties plots to the time line", async () => {
    const w = await openPage(browser, `file://${page}`);
    const { page: p } = w;
    await until(p, "v.frames > 100");
    await until(p, "v.time > 0.05"); // it plays by itself
    await p.keyboard.press("Space");
    expect(await ask(p, "v.isPlaying")).toBe(false);

    await p.keyboard.press("Home");
    await p.keyboard.press("ArrowRight");
    expect(await ask<number>(p, "v.time")).toBeCloseTo(0.015, 6); // one frame: 3 steps of 0.005 s are nearest to 1/60 s
    await p.keyboard.press("ArrowLeft");
    expect(await ask<number>(p, "v.time")).toBe(0);
    await p.keyboard.press("l"); // no loop: it stops at the end; fast
    for (let i = 0; i < 3; ++i) await p.keyboard.press(".");
    await until(p, "document.getElementById('speed').value === '8'");
    await p.keyboard.press("Space");
    await until(p, "!v.isPlaying && v.time > 1.99");
    await p.keyboard.press("l");
    await p.keyboard.press("Space");
    await until(p, "v.isPlaying && v.time < 1.9"); // from the start again
    await p.locator("#speed").selectOption("0.25");
    await p.locator("#slider").fill("1.2");
    expect(await ask<number>(p, "v.time")).toBeCloseTo(1.2, 6);
    await p.locator("#clock", { hasText: "1.200" }).waitFor();

    await p.locator("[data-item='body:bob']").click();
    await until(p, "v.selection && v.selection.index === 1");
    await p.locator("#inspector h2", { hasText: "bob" }).waitFor();
    expect(await p.locator("#inspector").textContent()).toMatch(/mass.*1\.000\u202fkg/);
    await p.keyboard.press("Escape");
    const at = await ask<{ x: number; y: number }>(p, "v.screenPosition(0)");
    await p.mouse.click(at.x, at.y);
    await until(p, "v.selection && v.selection.kind === 'body' && v.selection.index === 0");
    await p.locator("[data-item='joint:hinge']").click();
    await until(p, "v.selection.kind === 'joint'");
    await p.locator("#inspector", { hasText: /angle \(−π to π\).*rad/ }).waitFor();
    const whole = await ask<number>(p, "v.drawCalls");
    await p.getByLabel("hide hinge").click();
    await p.getByLabel("hide ball").click();
    await until(p, `v.isDrawn && v.drawCalls < ${whole}`);
    await p.getByLabel("hide hinge").click();
    await p.getByLabel("follow ball").click();
    expect(await p.getByLabel("follow ball").getAttribute("aria-pressed")).toBe("true");
    await p.keyboard.press("c");
    expect(await p.getByLabel("follow ball").getAttribute("aria-pressed")).toBe("false");

    const plot = p.locator(".plot .u-over").first();
    const before = await p.locator(".time-cursor").first().getAttribute("style");
    const box = await plot.boundingBox();
    if (!box) throw new Error("no plot");
    await p.mouse.click(box.x + 0.25 * box.width, box.y + 20);
    expect(await ask<number>(p, "v.time")).toBeCloseTo(0.5, 1);
    await until(p, `document.querySelector('.time-cursor').getAttribute('style') !== ${JSON.stringify(before)}`);
    expect(w.errors).toEqual([]);
    expect(w.elsewhere).toEqual([]);
  });

  it("works by keyboard alone, in dark and light, with a help sheet", async () => {
    const w = await openPage(browser, `file://${page}#time=0`, { reducedMotion: "reduce" }); // no transitions: colours are measured right after they change
    const { page: p } = w;
    await until(p, "v.frames > 100");
    await p.keyboard.press("?");
    await p.locator("#help[open]").waitFor();
    await p.keyboard.press("Escape");
    await p.locator("#help[open]").waitFor({ state: "detached" });
    const theme = await p.locator("html").getAttribute("data-theme");
    await p.keyboard.press("t");
    expect(await p.locator("html").getAttribute("data-theme")).not.toBe(theme);
    const reached: string[] = [];
    for (let i = 0; i < 40; ++i) {
      await p.keyboard.press("Tab");
      reached.push(await p.evaluate(() => document.activeElement?.id || document.activeElement?.getAttribute("data-item") || document.activeElement?.getAttribute("aria-label") || ""));
    }
    for (const id of ["play", "slider", "speed", "theme", "view", "body:rod", "hide rod", "follow bob"]) expect(reached).toContain(id);
    await p.locator("[data-item='body:rod']").focus();
    await p.keyboard.press("Enter");
    await until(p, "v.selection && v.selection.index === 0");
    await p.keyboard.press("h");
    expect(await p.getByLabel("hide rod").getAttribute("aria-pressed")).toBe("true");
    await p.keyboard.press("f");
    expect(await p.getByLabel("follow rod").getAttribute("aria-pressed")).toBe("true");
    const camera = await ask<number[]>(p, "v.camera");
    for (const key of ["e", "u", "+"]) await p.keyboard.press(key);
    const turned = await ask<number[]>(p, "v.camera");
    expect(Math.hypot(...turned.slice(0, 3).map((x, i) => x - camera[i]))).toBeGreaterThan(0.1);
    const ratio = await p.evaluate(() => {
      const luminance = (c: string) => (c.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number).map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)).reduce((s, x, i) => s + x * [0.2126, 0.7152, 0.0722][i], 0);
      const worst = (theme: string) => {
        document.documentElement.dataset.theme = theme;
        return [...document.querySelectorAll<HTMLElement>("#inspector th, #inspector td, #tree .name, #tree small, #top h1, #badge, #clock, .legend .value")].filter((e) => e.textContent).map((e) => {
          let under: HTMLElement | null = e;
          while (under && /rgba\(0, 0, 0, 0\)/.test(getComputedStyle(under).backgroundColor)) under = under.parentElement;
          const [a, b] = [luminance(getComputedStyle(e).color), luminance(getComputedStyle(under ?? document.body).backgroundColor)].sort((x, y) => y - x);
          return (a + 0.05) / (b + 0.05);
        }).reduce((m, r) => Math.min(m, r), 99);
      };
      return [worst("light"), worst("dark")];
    });
    expect(Math.min(...ratio)).toBeGreaterThan(4.5); // WCAG AA
    expect(w.errors).toEqual([]);
  });

  it("fits a phone, and does not move by itself if motion is to be reduced", async () => {
    const w = await openPage(browser, `file://${page}`, { width: 390, height: 700, reducedMotion: "reduce" });
    const { page: p } = w;
    await until(p, "v.frames > 100");
    await p.waitForTimeout(300);
    expect(await ask(p, "[v.time, v.isPlaying]")).toEqual([0, false]);
    expect(await p.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await p.locator("#tree").isVisible()).toBe(false);
    const canvas = await p.locator("#view").boundingBox();
    expect(canvas?.width).toBeGreaterThan(380);
    await p.locator("#toggle-tree").click();
    await p.locator("[data-item='body:bob']").click();
    await until(p, "v.selection && v.selection.index === 1");
    expect(w.errors).toEqual([]);
  });

  it("is small, and shows a recording cut off by a crash up to its last frame", async () => {
    expect(statSync(page).size).toBeLessThan(1.5e6);
    const bytes = readFileSync(recording);
    const cut = join(folder, "cut.mcap");
    const long = join(folder, "long.mcap");
    sinew("run", scene, "--time", "200", "--record", long, "--quiet");
    const longBytes = readFileSync(long);
    writeFileSync(cut, longBytes.subarray(0, Math.floor(0.7 * longBytes.length)));
    const cutPage = join(folder, "cut.html");
    const done = sinew("render", cut, "-o", cutPage);
    expect(done.err).toContain("cut off");
    const frames = Number(/(\d+) frames/.exec(done.out)?.[1]);
    expect(frames).toBeGreaterThan(100);
    const w = await openPage(browser, `file://${cutPage}#time=1e9`);
    await until(w.page, `v.frames === ${frames}`);
    expect(await w.page.locator("#badge").textContent()).toBe(`cut off: ${frames} whole frames`);
    expect(await ask<boolean>(w.page, "v.time > 1")).toBe(true);
    expect(w.errors).toEqual([]);
    await w.page.context().close();

    const server = new Server(cut);
    const served = await openPage(browser, await server.ready());
    await served.page.locator("#badge", { hasText: `cut off: ${frames} whole frames` }).waitFor();
    await served.page.context().close();
    await server.stop();

    const damaged = Buffer.from(bytes);
    damaged[Math.floor(bytes.length / 2)] ^= 0xff;
    writeFileSync(cut, damaged);
    const refused = sinew("render", cut, "-o", cutPage);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/damaged recording|cut\.mcap: /);
    expect(sinew("view", cut).code).toBe(2);
  });

  it("shows what a run had recorded when it was killed", async () => {
    const file = join(folder, "killed.mcap");
    const run = spawn(SINEW, ["run", scene, "--time", "100000", "--record", file, "--quiet"]);
    for (let size = 0; size < 200000; size = existsSync(file) ? statSync(file).size : 0) await new Promise((resolve) => setTimeout(resolve, 50));
    const ended = new Promise((resolve) => run.on("exit", resolve));
    run.kill("SIGKILL");
    await ended;
    const html = join(folder, "killed.html");
    const done = sinew("render", file, "-o", html);
    expect([done.code, done.err]).toEqual([0, expect.stringContaining("cut off")]);
    const frames = Number(/(\d+) frames/.exec(done.out)?.[1]);
    const w = await openPage(browser, `file://${html}#time=1e9`);
    await until(w.page, `v.frames === ${frames} && v.frames > 100`);
    expect(await ask<number>(w.page, "v.time")).toBeGreaterThan(1);
    expect(w.errors).toEqual([]);
  });

  it("draws again after the graphics processor was taken away", async () => {
    const w = await openPage(browser, `file://${page}#time=1`);
    const { page: p } = w;
    await until(p, "v.frames > 100 && v.isDrawn");
    const changesWithTime = async () => {
      const picture = () => p.evaluate(() => (document.getElementById("view") as HTMLCanvasElement).toDataURL());
      const before = await picture();
      await p.keyboard.press("j");
      await until(p, "v.isDrawn");
      return (await picture()) !== before;
    };
    expect(await changesWithTime()).toBe(true);
    await p.evaluate(async () => {
      const canvas = document.getElementById("view") as HTMLCanvasElement;
      const extension = canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context");
      const event = (name: string) => new Promise((resolve) => canvas.addEventListener(name, resolve, { once: true }));
      const lost = event("webglcontextlost");
      extension?.loseContext();
      await lost;
      const restored = event("webglcontextrestored");
      setTimeout(() => extension?.restoreContext(), 100);
      await restored;
    });
    await until(p, "v.isDrawn");
    expect(await changesWithTime()).toBe(true);
  });

  it("says what is wrong with a damaged page instead of staying blank", async () => {
    const html = readFileSync(page, "utf8");
    const place = html.indexOf("text/plain\">") + 12;
    const cases: [string, string, RegExp][] = [
      ["magic.html", html.slice(0, place) + "AAAA" + html.slice(place + 4), /cannot be shown:[\s\S]*no viewer stream/],
      ["digits.html", html.slice(0, place) + "!!!!" + html.slice(place + 4), /data in this page is damaged/],
      ["body.html", html.slice(0, place + 2000) + "AAAAAAAAAAAA" + html.slice(place + 2012), /damaged|cannot/],
    ];
    for (const [name, content, message] of cases) {
      writeFileSync(join(folder, name), content);
      const w = await openPage(browser, `file://${join(folder, name)}`);
      await w.page.locator("#message:visible").waitFor();
      expect(await w.page.locator("#message").textContent()).toMatch(message);
      expect(w.errors).toEqual([]);
      await w.page.context().close();
    }
  });
});

describe("sinew render", () => {
  it("draws pictures of all times, and says what a film or a picture needs if it is not there", () => {
    const frames = join(folder, "frames");
    expect(sinew("render", recording, "--frames", frames, "--fps", "2", "--size", "320x200").err).toBe("");
    const names = readdirSync(frames).sort();
    expect(names).toEqual(["frame_00000.png", "frame_00001.png", "frame_00002.png", "frame_00003.png", "frame_00004.png"]); // 2 s, both ends
    const png = readFileSync(join(frames, names[2]));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([320, 200]);
    expect(png.length).toBeGreaterThan(3000); // not blank

    const film = join(folder, "film.mp4");
    const withoutFilm = sinewIn({ PATH: folder }, "render", recording, "--mp4", film);
    expect([withoutFilm.code, withoutFilm.err]).toEqual([2, expect.stringMatching(/install the package `ffmpeg`/)]);
    const withoutBrowser = sinewIn({ PATH: folder, SINEW_BROWSER: undefined }, "render", recording, "--png", film);
    expect([withoutBrowser.code, withoutBrowser.err]).toEqual([2, expect.stringMatching(/install the package `chromium`/)]);
    expect(existsSync(film)).toBe(false);
  });

  it.skipIf(!existsSync("/usr/bin/ffmpeg"))("makes films", () => {
    const films = [join(folder, "film.mp4"), join(folder, "film.webm")];
    const done = sinew("render", recording, "--mp4", films[0], "--webm", films[1], "--fps", "5", "--size", "321x201", "--theme", "dark");
    expect([done.code, done.err]).toEqual([0, ""]);
    for (const film of films) {
      const probe = spawnSync("ffprobe", ["-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0", film], { encoding: "utf8" });
      expect(probe.stdout.trim()).toBe("322,202,11"); // even sizes, 2 s and both ends
    }
  });
});

/// Share of the view's pixels that differ when a layer is shown and hidden.
async function difference(p: import("playwright-core").Page, layer: string): Promise<number> {
  const pixels = () => p.evaluate(() => {
    const canvas = document.getElementById("view") as HTMLCanvasElement;
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const pen = copy.getContext("2d") as CanvasRenderingContext2D;
    pen.drawImage(canvas, 0, 0);
    return [...pen.getImageData(0, 0, copy.width, copy.height).data].filter((_, i) => i % 4 === 1);
  });
  const flip = async () => {
    await p.locator("#show-menu").evaluate((d: HTMLDetailsElement) => (d.open = true));
    await p.locator(`[data-layer=${layer}]`).click();
    await until(p, "v.isDrawn");
    return pixels();
  };
  const a = await flip();
  const b = await flip();
  return a.filter((x, i) => Math.abs(x - b[i]) > 12).length / a.length;
}

describe("a scene with contact", () => {
  it("shows contact forces, the shapes of the world and joint stops", async () => {
    const file = join(folder, "resting.yaml");
    const mcap = join(folder, "resting.mcap");
    const html = join(folder, "resting.html");
    writeFileSync(file, RESTING);
    expect(sinew("run", file, "--record", mcap, "--contacts", "--quiet").err).toBe("");
    expect(sinew("render", mcap, "-o", html).code).toBe(0);
    const w = await openPage(browser, `file://${html}#time=0.8`);
    const { page: p } = w;
    await until(p, "v.frames > 30");
    expect(await p.locator("#note").isVisible()).toBe(false);
    expect(await ask<string[]>(p, "v.header.world.map((s) => s.name)")).toEqual(["floor", "wall"]);
    const { numbers, bodies } = await ask<{ numbers: number[]; bodies: number[] }>(p, "v.contactsAt(0.8)");
    let lift = 0;
    for (let i = 0; 2 * i < bodies.length; ++i) if (bodies[2 * i + 1] === 0) lift += numbers[10 * i + 8];
    expect(lift).toBeCloseTo(2 * 9.81, 3); // m g
    expect(await difference(p, "contacts")).toBeGreaterThan(0.001);
    await p.locator("[data-item='body:box']").click();
    await p.locator("#inspector", { hasText: /sum of contact forces.*19\.62/ }).waitFor();
    await p.locator("[data-item='joint:hinge']").click();
    await p.locator("#inspector", { hasText: /upper stop1\.500\u202frad/ }).waitFor();
    expect(await p.locator("#plots").textContent()).toContain("contact.penetration");
    expect(w.errors).toEqual([]);
    expect(w.elsewhere).toEqual([]);
  });

  it("says why there are no arrows in a recording without contacts", async () => {
    const file = join(folder, "bare.yaml");
    const mcap = join(folder, "bare.mcap");
    const html = join(folder, "bare.html");
    writeFileSync(file, RESTING);
    expect(sinew("run", file, "--record", mcap, "--quiet").err).toBe("");
    expect(sinew("render", mcap, "-o", html).code).toBe(0);
    const w = await openPage(browser, `file://${html}#time=0.8`);
    await until(w.page, "v.frames > 30");
    await w.page.locator("#note:visible", { hasText: "recorded without contacts; run with --contacts" }).waitFor();
    expect(await w.page.locator("#inspector").textContent()).toContain("contactsnot recorded");
    expect(w.errors).toEqual([]);
  });
});

describe("a scene with muscles and cables", () => {
  it("draws them where the bodies are, colours muscles by activation, and shows their numbers", async () => {
    const file = join(folder, "pulled.yaml");
    const mcap = join(folder, "pulled.mcap");
    const html = join(folder, "pulled.html");
    writeFileSync(file, PULLED);
    expect(sinew("run", file, "--record", mcap, "--quiet").err).toBe("");
    expect(sinew("render", mcap, "-o", html).code).toBe(0);
    const w = await openPage(browser, `file://${html}#time=0.5&thickness=2`);
    const { page: p } = w;
    await until(p, "v.frames > 30");
    expect(await ask<string[]>(p, "v.header.paths.map((x) => x.kind)")).toEqual(["muscle", "cable", "spring"]);
    expect(await difference(p, "paths")).toBeGreaterThan(0.001);
    expect(await p.locator("#colour-bar").textContent()).toMatch(/muscle activation \[1\].*cable, taut.*cable, slack.*spring/);
    await p.locator("[data-item='path:flexor']").click();
    await p.locator("#inspector", { hasText: /activation0\.5000/ }).waitFor();
    await p.locator("[data-item='path:rope']").click();
    await p.locator("#inspector", { hasText: /tension9\.810\u202fN/ }).waitFor(); // carries a weight of 1 kg
    await p.locator("#plot-menu").evaluate((d: HTMLDetailsElement) => (d.open = true));
    expect(await p.locator("#plot-list").textContent()).toMatch(/tension/);
    expect(w.errors).toEqual([]);
  });
});

const PATHS: PathInfo[] = [
  { name: "biceps", kind: "muscle", points: [{ body: -1, point: [-0.8, 0, 1.2] }, { body: 0, point: [-0.3, 0, 0.3] }] },
  { name: "rope", kind: "cable", points: [{ body: -1, point: [0.9, 0, 0] }, { body: -1, point: [0.9, 0, 1] }, { body: 0, point: [0.3, 0, 0.3] }] },
  { name: "suspension", kind: "spring", points: [{ body: 0, point: [0, -0.3, 0.3] }, { body: -1, point: [0, -0.8, 1.2] }] },
];

describe("joints on splines", () => {
  it.each([["spline_rail", 1], ["scapula", 17]])("draws what guides %s", async (name, rows) => {
    const mcap = join(folder, `${name}.mcap`);
    const html = join(folder, `${name}.html`);
    expect(sinew("run", name, "--time", "0.1", "--record", mcap, "--quiet").err).toBe("");
    expect(sinew("render", mcap, "-o", html).code).toBe(0);
    const w = await openPage(browser, `file://${html}#time=0`);
    await until(w.page, "v.frames > 3");
    expect(await ask(w.page, "v.header.joints[0].guide.rows")).toBe(rows);
    expect(await difference(w.page, "joints")).toBeGreaterThan(0.005); // the balls of the joints alone are less
    expect(w.errors).toEqual([]);
  });
});

/// Times are for the log: tests assert no speed.
async function report(p: import("playwright-core").Page, what: string, times: number): Promise<void> {
  const { place, draw, page } = await ask<{ place: number; draw: number; page: number }>(p, `v.measure(${times})`);
  console.log(`${what}: script ${place.toFixed(1)} ms a frame to place, ${page.toFixed(1)} ms for numbers and plots, ${draw.toFixed(1)} ms to hand ${await ask(p, "v.triangles")} triangles over (drawn by software here)`);
}

/// The surface of a bar that twists: rings of vertices along x, coloured by how fast they move and how far they are strained.
function twistingBar(rings: number, around: number, frames: number): Uint8Array {
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
  return concat(MAGIC_BYTES, headerRecord(header), record(2, mesh), framesRecord(header, 0, Array.from({ length: frames }, (_, k) => ({ time: k / 60, poses: [] })), [channel(16, predicted(rows))]));
}

describe("what later recordings bring", () => {
  it("draws a soft body of 100 000 triangles, coloured by the field that is chosen", async () => {
    const w = await openPage(browser, `${pageWith(twistingBar(501, 100, 4), "bar.html")}#time=0.05`, { width: 1000, height: 620 });
    const { page: p } = w;
    await until(p, "v.frames === 4 && v.drawCalls > 0");
    expect(await ask<number>(p, "v.triangles")).toBeGreaterThanOrEqual(100000);
    expect(await p.locator("#colour-bar").textContent()).toMatch(/speed \[m\/s\].*0.*3/);
    await p.getByLabel("field that colours").selectOption({ label: "stress [kPa]" });
    await until(p, "v.isDrawn");
    expect(await p.locator("#colour-bar").textContent()).toMatch(/80/);
    expect(await difference(p, "soft")).toBeGreaterThan(0.02);
    expect(await p.locator("#inspector").textContent()).toContain("soft body bar50100 vertices");
    await p.locator("[data-item='soft:bar']").click();
    await p.locator("#inspector", { hasText: /vertices50100.*triangles100000.*mean of vertices.*greatest stress7\d\.\d\d\u202fkPa/ }).waitFor();
    await p.getByLabel("hide bar").click();
    await until(p, "v.isDrawn && v.triangles < 100000");
    await p.getByLabel("hide bar").click();
    await p.getByLabel("follow bar").click();
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "twisting_bar.png") });
    await report(p, "100 000 triangles", 20);
    expect(w.errors).toEqual([]);
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
    const w = await openPage(browser, `${pageWith(stream, "hand.html")}#time=1.5`, { width: 800, height: 480 });
    const { page: p } = w;
    await until(p, "v.frames === 20");
    for (const layer of ["contacts", "paths", "soft", "bodies"]) expect(await difference(p, layer), layer).toBeGreaterThan(0.001);
    const legend = await p.locator("#colour-bar").textContent();
    for (const entry of ["speed [m/s]", "muscle activation [1]", "cable, taut", "cable, slack", "spring"]) expect(legend).toContain(entry);
    await p.locator("[data-item='path:biceps']").click();
    await p.locator("#inspector", { hasText: /kindmuscle.*tension150\.0\u202fN.*activation0\.7500.*point 2, on box/ }).waitFor();
    await p.keyboard.press("Escape");
    await p.locator("#inspector", { hasText: /contacts2/ }).waitFor();
    expect(await p.locator("#markers button").evaluateAll((marks) => marks.map((m) => m.getAttribute("aria-label")))).toEqual([
      "joint open at 0.500 s: joint_error is 0.010\u202fm, more than 0.0001 of a body's size", "step halved at 1.500 s: by hand"]);
    await p.locator("#markers button").first().click();
    expect(await ask<number>(p, "v.time")).toBeCloseTo(0.5, 9);
    expect(await p.locator("#contact-scale").textContent()).toMatch(/^arrow of .*m: .*N$/);
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "by_hand.png") });
    expect(w.errors).toEqual([]);
  });

  it("draws a thousand bodies in a few calls", async () => {
    const bodies = Array.from({ length: 1000 }, (_, i) => ({ name: `b${i}`, mass: 1, com: [0, 0, 0] as [number, number, number],
      shapes: [i % 3 === 0 ? { type: "sphere", radius: 0.1 } : i % 3 === 1 ? { type: "box", size: [0.2, 0.1, 0.1] as [number, number, number] } : { type: "capsule", radius: 0.05, length: 0.1 }] }));
    const joints = bodies.slice(1).map((_, i) => ({
      name: `j${i}`, type: "revolute", parent: i, child: i + 1, dof: 1, frame_on_parent: [0.1, 0, 0, 1, 0, 0, 0], frame_on_child: [-0.1, 0, 0, 1, 0, 0, 0], lower: [-1], upper: [1] }));
    const header = makeHeader({ scene: "thousand", bodies, joints });
    const frames = [0, 1, 2].map((k) => ({ time: k, poses: bodies.map((_, i) => [0.3 * (i % 10), 0.3 * (Math.floor(i / 10) % 10), 0.3 * Math.floor(i / 100) + 0.1 * k + 0.2, 1, 0, 0, 0]) }));
    const w = await openPage(browser, `${pageWith(concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, frames)), "thousand.html")}#time=0`);
    await until(w.page, "v.frames === 3 && v.drawCalls > 0");
    expect(await ask<number>(w.page, "v.drawCalls")).toBeLessThan(30);
    await report(w.page, "1000 bodies, 999 hinges with stops", 20);
    expect(w.errors).toEqual([]);
  });
});
