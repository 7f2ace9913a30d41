// Replays in a real browser: load, play, scrub, select, plots, cut off and damaged recordings, what is drawn, sizes of window, keyboard.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { Quaternion, Vector3 } from "three";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { concat, headerRecord, MAGIC_BYTES, makeHeader } from "../tests/encode";
import { ARM, ask, difference, FALLING, folder, launch, makePage, openPage, pageWith, PENDULUM, PULLED, RESTING, run, Server, SINEW, sinew, sinewIn, tidyUp, until, watchPage } from "./setup";

let browser: Browser;
const scene = join(folder, "hanging.yaml");
const recording = join(folder, "hanging.mcap");
const page = join(folder, "hanging.html");

beforeAll(async () => {
  browser = await launch();
  await makePage("hanging", PENDULUM);
});
afterEach(async () => tidyUp(browser));
afterAll(async () => browser?.close());

describe("a replay page", () => {
  it("loads, plays, steps, scrubs, selects, and ties plots to the time line", async () => {
    const { page: p } = await openPage(browser, `file://${page}`);
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

    // The small axes turn with the view: from above, x to the right and y up.
    await p.keyboard.press("3");
    await until(p, "v.isDrawn");
    const arms = await p.locator("#compass line").evaluateAll((all) => all.map((e) => [Number(e.getAttribute("x2")), Number(e.getAttribute("y2"))]));
    expect([arms[0][0] > 10, Math.abs(arms[0][1]) < 1, Math.abs(arms[1][0]) < 1, arms[1][1] < -10, Math.hypot(...arms[2]) < 1]).toEqual([true, true, true, true, true]);
    await p.keyboard.press("c");

    const plot = p.locator(".plot .u-over").first();
    const before = await p.locator(".time-cursor").first().getAttribute("style");
    const box = await plot.boundingBox();
    if (!box) throw new Error("no plot");
    await p.mouse.click(box.x + 0.3 * box.width, box.y + 20); // a time that is still shown when half of it is
    expect(await ask<number>(p, "v.time")).toBeCloseTo(0.6, 1);
    await until(p, `document.querySelector('.time-cursor').getAttribute('style') !== ${JSON.stringify(before)}`);

    // The wheel shows the time around the pointer, a key that around now; the page turns with the time; a double click shows all.
    const [start, end] = await ask<[number, number]>(p, "v.plotSpan");
    await p.mouse.move(box.x + 0.5 * box.width, box.y + 20);
    await p.mouse.wheel(0, -350);
    const half = 0.5 * Math.exp(-0.002 * 350) * (end - start);
    await until(p, `Math.abs(v.plotSpan[0] - ${0.5 * (start + end) - half}) < 0.02 && Math.abs(v.plotSpan[1] - ${0.5 * (start + end) + half}) < 0.02`);
    await p.mouse.click(box.x + 1, box.y + 20);
    expect(await ask<number>(p, "v.time")).toBeCloseTo(0.5 * (start + end) - half, 1); // the edge of the plot is where its time begins
    await p.locator("#slider").fill("1");
    await p.keyboard.press("z");
    expect(await ask<number>(p, "v.plotSpan[1] - v.plotSpan[0]")).toBeCloseTo(half, 6);
    await p.locator("#slider").fill("1.9");
    await until(p, "v.plotSpan[0] < 1.9 && v.plotSpan[1] > 1.9");
    await p.mouse.dblclick(box.x + 0.5 * box.width, box.y + 20);
    await until(p, `v.plotSpan[0] === ${start} && v.plotSpan[1] === ${end}`);
  });

  it("is small, and shows a recording cut off by a crash up to its last frame", async () => {
    expect(statSync(page).size).toBeLessThan(1.5e6);
    const bytes = readFileSync(recording);
    const cut = join(folder, "cut.mcap");
    const long = join(folder, "long.mcap");
    await sinew("run", scene, "--time", "200", "--record", long, "--quiet");
    const longBytes = readFileSync(long);
    writeFileSync(cut, longBytes.subarray(0, Math.floor(0.7 * longBytes.length)));
    const cutPage = join(folder, "cut.html");
    const done = await sinew("render", cut, "-o", cutPage);
    expect(done.err).toContain("cut off");
    const frames = Number(/(\d+) frames/.exec(done.out)?.[1]);
    expect(frames).toBeGreaterThan(100);
    const w = await openPage(browser, `file://${cutPage}#time=1e9`);
    await until(w.page, `v.frames === ${frames}`);
    expect(await w.page.locator("#badge").textContent()).toBe(`cut off: ${frames} whole frames`);
    expect(await ask<boolean>(w.page, "v.time > 1")).toBe(true);
    await w.page.context().close();

    const server = new Server(cut);
    const served = await openPage(browser, await server.ready());
    await served.page.locator("#badge", { hasText: `cut off: ${frames} whole frames` }).waitFor();
    await served.page.context().close();
    await server.stop();

    const damaged = Buffer.from(bytes);
    damaged[Math.floor(bytes.length / 2)] ^= 0xff;
    writeFileSync(cut, damaged);
    const refused = await sinew("render", cut, "-o", cutPage);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/damaged recording|cut\.mcap: /);
    expect((await sinew("view", cut)).code).toBe(2);
  });

  it("shows what a run had recorded when it was killed", async () => {
    const file = join(folder, "killed.mcap");
    const run = spawn(SINEW, ["run", scene, "--time", "100000", "--record", file, "--quiet"]);
    for (let size = 0; size < 200000; size = existsSync(file) ? statSync(file).size : 0) await new Promise((resolve) => setTimeout(resolve, 50));
    const ended = new Promise((resolve) => run.on("exit", resolve));
    run.kill("SIGKILL");
    await ended;
    const html = join(folder, "killed.html");
    const done = await sinew("render", file, "-o", html);
    expect([done.code, done.err]).toEqual([0, expect.stringContaining("cut off")]);
    const frames = Number(/(\d+) frames/.exec(done.out)?.[1]);
    const w = await openPage(browser, `file://${html}#time=1e9`);
    await until(w.page, `v.frames === ${frames} && v.frames > 100`);
    expect(await ask<number>(w.page, "v.time")).toBeGreaterThan(1);
  });

  it("draws again after the graphics processor was taken away", async () => {
    const { page: p } = await openPage(browser, `file://${page}#time=1`);
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
      await w.page.context().close();
    }
  });
});

describe("a page that was cut off", () => {
  it("says so wherever it ends", async () => {
    const html = readFileSync(page);
    for (const size of [30000, Math.floor(0.6 * html.length), html.length - 200]) {
      writeFileSync(join(folder, "short.html"), html.subarray(0, size));
      const { page: p } = await openPage(browser, `file://${join(folder, "short.html")}`, { expected: /SyntaxError/ }); // of a script that was cut off
      await p.locator("#incomplete:visible", { hasText: "page is incomplete" }).waitFor({ timeout: 20000 });
      if (size === 30000) await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "incomplete.png") });
      await p.context().close();
    }
    const w = await openPage(browser, `file://${page}`);
    await until(w.page, "v.frames > 100");
    expect(await w.page.locator("#incomplete").count()).toBe(0);
    expect(await w.page.locator("#badge").textContent()).toMatch(/^replay/);
  });

  it("is loading as long as more of it may come, and says that it was cut off only at its end", async () => {
    const html = readFileSync(page);
    let go = (): void => undefined;
    for (const size of [html.length, html.length - 200]) {
      const server = createServer((_, answer) => {
        answer.writeHead(200, { "content-type": "text/html" });
        answer.write(html.subarray(0, 0.7 * html.length));
        go = () => answer.end(html.subarray(0.7 * html.length, size));
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const w = await watchPage(browser, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, /SyntaxError/);
      await w.page.locator("#incomplete:visible", { hasText: /^Loading …$/ }).waitFor();
      await w.page.waitForTimeout(2500);
      expect(await w.page.locator("#incomplete").textContent()).toBe("Loading …");
      go();
      if (size < html.length) await w.page.locator("#incomplete:visible", { hasText: "page is incomplete" }).waitFor();
      else await until(w.page, "v.frames > 100");
      await w.page.context().close();
      server.close();
    }
  });

  it("shows the frames that are left where only its recording was cut off", async () => {
    const html = readFileSync(page, "utf8");
    const place = html.indexOf('text/plain">') + 12;
    const end = html.indexOf("</script>", place);
    for (const size of [0.8, 0.800001, 0.800002, 0.800003].map((share, i) => Math.floor(share * (end - place)) + i)) { // also within a digit
      writeFileSync(join(folder, "short.html"), html.slice(0, place + size) + html.slice(end));
      const w = await openPage(browser, `file://${join(folder, "short.html")}`);
      await w.page.locator("#badge.trouble", { hasText: /^cut off: \d+ whole frames$/ }).waitFor();
      expect(await ask<number>(w.page, "v.frames")).toBeGreaterThan(50);
      await w.page.context().close();
    }
    writeFileSync(join(folder, "short.html"), html.slice(0, place + 40) + html.slice(end));
    const w = await openPage(browser, `file://${join(folder, "short.html")}`);
    await w.page.locator("#message:visible", { hasText: "cut off before its first frame" }).waitFor();
  });
});

describe("a joint", () => {
  it("is selected by a click on it", async () => {
    const { page: p } = await openPage(browser, `file://${page}#time=0`, { width: 1000, height: 700 });
    await until(p, "v.frames > 100 && v.isDrawn");
    const at = await ask<{ x: number; y: number }>(p, "v.screenPlace([0, 0, 2.05])"); // where it stands out of the rod
    await p.mouse.click(at.x, at.y);
    await p.locator("#inspector h2", { hasText: "hinge" }).waitFor();
    expect(await ask(p, "v.selection")).toEqual({ kind: "joint", index: 0 });
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "joint_clicked.png") });
    await p.locator("#show-menu > summary").click();
    await p.locator("[data-layer=joints]").click(); // what is not drawn is not hit
    await p.keyboard.press("Escape");
    await p.keyboard.press("Escape");
    await until(p, "v.isDrawn");
    await p.mouse.click(at.x, at.y);
    expect(await ask(p, "v.selection && v.selection.kind === 'joint'")).not.toBe(true);
  });
});

describe("what is drawn", () => {
  it("changes with every layer that is shown or hidden", async () => {
    const html = await makePage("layers", FALLING + "probes:\n  - {name: tip, type: position, body: lower}\n");
    const { page: p } = await openPage(browser, `file://${html}#time=0.5&camera=1.2,-2.5,0.6,0.9,0,-0.5`);
    await until(p, "v.frames > 100 && v.isDrawn");
    for (const [layer, least] of [["bodies", 0.01], ["joints", 0.001], ["frames", 0.002], ["coms", 0.0002], ["inertia", 0.004], ["trails", 0.001], ["grid", 0.05], ["wireframe", 0.01]] as const) {
      expect(await difference(p, layer), layer).toBeGreaterThan(least);
    }
    expect(await difference(p, "shadows")).toBe(0); // none where drawing is to be quick
  });

  it("has shadows where the graphics are good", async () => {
    const { page: p } = await openPage(browser, `file://${page}#time=0&quality=high`, { width: 400, height: 300 });
    await until(p, "v.frames > 100 && v.isDrawn");
    expect(await ask(p, "v.detail")).toBe("fine");
    expect(await difference(p, "shadows")).toBeGreaterThan(0.001);
  });
});

describe("warnings of a run", () => {
  it("are marks on the time line, with their text", async () => {
    const overlapping = await makePage("overlapping", `sinew: 1
name: overlapping
duration: 0.5
world: {type: plane}
bodies:
  - {name: a, mass: 1, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 0.5]}
  - {name: b, mass: 1, shape: {type: sphere, radius: 0.5}, position: [0, 0, 0.8]}
`);
    // Turns by 5 rad a step; all that the stepper takes is 2.
    const halved = await makePage("halved", `sinew: 1
name: halved
dt: 0.01
duration: 0.3
bodies:
  - {name: rod, shape: {type: box, size: [1, 0.1, 0.1]}, mass: 1, position: [0.5, 0, 0], angular_velocity: [0, 500, 0], velocity: [0, 0, -250]}
joints:
  - {name: hinge, type: revolute, child: rod, anchor: [0, 0, 0], axis: [0, 1, 0]}
`);
    for (const [html, kind, text] of [[overlapping, "start_warning", /^start warning at 0\.000 s: 'a' and 'b' overlap by 0\.\d+ m at the start/], [halved, "step_halved", /^step halved at 0\.010 s: step 1 was halved \d times: body 'rod' turns at 500/]] as const) {
      const { events } = JSON.parse((await sinew("export", html.replace(".html", ".mcap"), "--json")).out) as { events: { kind: string; time: number; message: string }[] };
      const event = events.find((e) => e.kind === kind);
      const { page: p } = await openPage(browser, `file://${html}#time=0.1`);
      await until(p, "v.frames > 5 && v.isDrawn");
      const labels = await p.locator("#markers button").evaluateAll((marks) => marks.map((m) => m.getAttribute("aria-label") ?? ""));
      expect(labels).toContainEqual(expect.stringMatching(text));
      const mark = labels.findIndex((label) => text.test(label));
      expect(labels[mark]).toContain(event?.message);
      await p.locator("#markers button").nth(mark).click();
      expect(await ask<number>(p, "v.time")).toBeCloseTo(event?.time ?? NaN, 9);
    }
  });
});

describe("the address", () => {
  it("has the time that someone goes to, and is followed when it is changed", async () => {
    const { page: p } = await openPage(browser, `file://${page}#time=0.5&show=frames`);
    await until(p, "v.frames > 100 && v.time === 0.5");
    await p.locator("#slider").fill("1.25");
    const hash = () => p.evaluate(() => location.hash);
    for (const end = Date.now() + 60000; !(await hash()).includes("time=1.25") && Date.now() < end; ) await p.waitForTimeout(50);
    expect(await hash()).toBe("#time=1.25&show=frames&quality=low");
    const theme = await p.locator("html").getAttribute("data-theme");
    const other = theme === "dark" ? "light" : "dark";
    await p.evaluate((to) => (location.hash = `#time=0.75&show=coms&select=bob&theme=${to}`), other);
    await until(p, `v.time === 0.75 && v.selection && v.selection.index === 1 && document.documentElement.dataset.theme === '${other}'`);
    expect(await p.locator("[data-layer=frames]").isChecked()).toBe(false);
    expect(await p.locator("[data-layer=coms]").isChecked()).toBe(true);
    await p.keyboard.press("Space"); // while it plays the address is left alone
    await until(p, "v.isPlaying && v.time > 0.9");
    expect(await hash()).toContain("time=0.75");
  });
});

/// Width and height of a PNG.
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe("sinew render", () => {
  it("draws a picture of the size, at the time and in the theme that are asked for", async () => {
    const moving = join(folder, "moving.mcap");
    await makePage("moving", FALLING);
    const draw = async (name: string, ...options: string[]) => {
      const file = join(folder, `${name}.png`);
      const done = await sinew("render", moving, "--png", file, "--size", "320x200", ...options);
      expect([done.code, done.err]).toEqual([0, ""]);
      return readFileSync(file);
    };
    const [picture, same, later, dark] = [await draw("one", "--time", "0.5"), await draw("two", "--time", "0.5"), await draw("later", "--time", "1"), await draw("dark", "--time", "0.5", "--theme", "dark")];
    expect(sizeOf(picture)).toEqual([320, 200]);
    expect(picture.length).toBeGreaterThan(3000); // not blank
    expect(picture.equals(same)).toBe(true);
    for (const other of [later, dark]) expect(picture.equals(other)).toBe(false);
  });

  it("works from a temporary folder of any name, and has nothing to draw where there are no frames", async () => {
    const odd = join(folder, "a#b %41é");
    mkdirSync(odd);
    const file = join(folder, "odd.png");
    expect(await sinewIn({ TMPDIR: odd }, "render", recording, "--png", file, "--size", "320x200")).toMatchObject({ code: 0, err: "" });
    expect(sizeOf(readFileSync(file))).toEqual([320, 200]);
    expect(readdirSync(odd)).toEqual([]);
    const header = makeHeader({ bodies: [{ name: "drum", mass: 1, com: [0, 0, 0], shapes: [{ type: "cylinder", radius: 0.5, length: 1 }] }] });
    const { page: p } = await openPage(browser, pageWith(concat(MAGIC_BYTES, headerRecord(header)), "no_frames.html"));
    await p.locator("#message:visible", { hasText: "This recording has no frames." }).waitFor();
    await until(p, "v.isDrawn");
    expect(await difference(p, "bodies")).toBe(0);
  });

  it("draws pictures of all times, and says what a film or a picture needs if it is not there", async () => {
    const frames = join(folder, "frames");
    expect((await sinew("render", recording, "--frames", frames, "--fps", "2", "--size", "320x200")).err).toBe("");
    const names = readdirSync(frames).sort();
    expect(names).toEqual(["frame_00000.png", "frame_00001.png", "frame_00002.png", "frame_00003.png", "frame_00004.png"]); // 2 s, both ends
    const png = readFileSync(join(frames, names[2]));
    expect(sizeOf(png)).toEqual([320, 200]);
    expect(png.length).toBeGreaterThan(3000); // not blank

    const film = join(folder, "film.mp4");
    const withoutFilm = await sinewIn({ PATH: folder }, "render", recording, "--mp4", film);
    expect([withoutFilm.code, withoutFilm.err]).toEqual([2, expect.stringMatching(/install the package `ffmpeg`/)]);
    const withoutBrowser = await sinewIn({ PATH: folder, SINEW_BROWSER: undefined }, "render", recording, "--png", join(folder, "film.png"));
    expect([withoutBrowser.code, withoutBrowser.err]).toEqual([2, expect.stringMatching(/install the package `chromium`/)]);
    expect(existsSync(film)).toBe(false);
  });

  it("leaves no pictures of an earlier, longer film among those of a later one", async () => {
    const frames = join(folder, "films");
    const film = join(folder, "later.mp4");
    expect((await sinew("render", recording, "--frames", frames, "--fps", "8", "--size", "160x100")).err).toBe("");
    expect(readdirSync(frames).length).toBe(17);
    expect((await sinew("render", recording, "--frames", frames, "--fps", "4", "--size", "160x100", "--mp4", film)).err).toBe("");
    expect(readdirSync(frames).length).toBe(9);
    const probe = await run("ffprobe", ["-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", film]);
    expect(probe.out.trim()).toBe("9");
  });

  it("draws many pictures in parts, as it would draw them at once", async () => {
    const [whole, parts] = [join(folder, "few"), join(folder, "many")];
    expect((await sinew("render", recording, "--frames", whole, "--fps", "1", "--size", "2000x1250", "--view", "quality=low&hide=grid")).err).toBe("");
    expect((await sinew("render", recording, "--frames", parts, "--fps", "10", "--size", "2000x1250", "--view", "quality=low&hide=grid")).err).toBe(""); // 21 pictures of 2.5 million pixels: two parts
    expect([readdirSync(whole).length, readdirSync(parts).length]).toEqual([3, 21]);
    for (const k of [0, 1, 2]) expect(readFileSync(join(parts, `frame_000${k}0.png`)).equals(readFileSync(join(whole, `frame_0000${k}.png`)))).toBe(true);
  });

  it("makes films", async () => {
    const films = [join(folder, "film.mp4"), join(folder, "film.webm")];
    const done = await sinew("render", recording, "--mp4", films[0], "--webm", films[1], "--fps", "5", "--size", "321x201", "--theme", "dark");
    expect([done.code, done.err]).toEqual([0, ""]);
    for (const film of films) {
      const probe = await run("ffprobe", ["-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0", film]);
      expect(probe.out.trim()).toBe("322,202,11"); // even sizes, 2 s and both ends
    }
  });
});

describe("a scene with contact", () => {
  it("shows contact forces, the shapes of the world and joint stops", async () => {
    const html = await makePage("resting", RESTING, "--contacts");
    const { page: p } = await openPage(browser, `file://${html}#time=0.8`);
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
  });

  it("says why there are no arrows in a recording without contacts", async () => {
    const html = await makePage("bare", RESTING);
    const w = await openPage(browser, `file://${html}#time=0.8`);
    await until(w.page, "v.frames > 30");
    await w.page.locator("#note:visible", { hasText: "recorded without contacts; run with --contacts" }).waitFor();
    expect(await w.page.locator("#inspector").textContent()).toContain("contactsnot recorded");
  });
});

describe("a scene with muscles and cables", () => {
  it("draws them where the bodies are, colours muscles by activation, and shows their numbers", async () => {
    const html = await makePage("pulled", PULLED);
    const { page: p } = await openPage(browser, `file://${html}#time=0.5&thickness=2`);
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
  });
});

describe("a joint of several members", () => {
  it("has an axis for each, which turns with it", async () => {
    const html = await makePage("arm", ARM);
    const { page: p } = await openPage(browser, `file://${html}#time=0`);
    await until(p, "v.frames > 30");
    let [least, most] = [Infinity, -Infinity];
    for (const time of [0, 0.25, 0.6, 1.9]) {
      await p.locator("#slider").fill(String(time));
      await until(p, `Math.abs(v.time - ${time}) < 1e-9 && v.isDrawn`);
      const [turning, reaching, nodding] = await ask<{ axis: number[]; at: number[] }[]>(p, "v.axesOf(0)");
      const pose = await ask<number[]>(p, `v.posesAt(${time})`);
      const q = new Quaternion(pose[4], pose[5], pose[6], pose[3]);
      const end = new Vector3(-0.25, 0, 0).applyQuaternion(q).add(new Vector3(...pose)); // of the joint, on the arm
      // By the pose of the arm alone: the hinge stands upright, the slider points from it to the end, the last axis is y of the arm.
      expect(new Vector3(...turning.axis).distanceTo(new Vector3(0, 0, 1))).toBeLessThan(1e-6);
      const way = end.clone().sub(new Vector3(0, 0, 1));
      expect(new Vector3(...reaching.axis).distanceTo(way.clone().normalize())).toBeLessThan(1e-3);
      expect(new Vector3(...nodding.axis).distanceTo(new Vector3(0, 1, 0).applyQuaternion(q))).toBeLessThan(1e-3);
      expect(new Vector3(...nodding.at).distanceTo(end)).toBeLessThan(1e-3);
      const angle = Math.atan2(way.y, way.x);
      [least, most] = [Math.min(least, angle), Math.max(most, angle)];
    }
    expect(most - least).toBeGreaterThan(0.8); // it did turn
    expect(await difference(p, "joints")).toBeGreaterThan(0.005);
    await p.locator("[data-item='joint:reach']").click();
    await p.locator("#inspector", { hasText: /first, angle.*rad.*second, travel.*m.*third, angle, upper stop0\.9000\u202frad/ }).waitFor();
  });
});

describe("plots", () => {
  it("of residual, joint error, penetration, energy and any probe follow the cursor of the time line", async () => {
    const html = await makePage("plotted", RESTING + "probes:\n  - {name: swing, type: coordinate, joint: hinge}\n", "--contacts");
    const { page: p } = await openPage(browser, `file://${html}#time=0`, { width: 1300, height: 700 });
    await until(p, "v.frames > 30");
    await p.locator("#plot-menu > summary").click();
    for (const box of await p.locator("#plot-list input").all()) await box.setChecked(true); // every column there is
    const columns = await ask<{ name: string; unit: string }[]>(p, "v.header.columns");
    expect(await p.locator(".plot .value").count()).toBe(columns.length);
    // Legends take more lines and fewer, by their numbers and by the window: plots have what is left.
    const clipped = async () => {
      await p.waitForTimeout(300);
      return p.locator(".plot").evaluateAll((all) => all.map((e) => [".legend", ".plot-box", ".uplot"].map((s) => (e.querySelector(s) as Element).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom].map(Math.round)))
        .filter(([legend, box, plot]) => legend[1] > box[0] || plot[0] !== box[0] || Math.abs(plot[1] - box[1]) > 1 || box[1] > (document.getElementById("plots") as HTMLElement).getBoundingClientRect().bottom));
    };
    expect(await clipped()).toEqual([]);
    for (const name of ["solver.residual", "joint_error", "contact.penetration", "energy", "energy.error", "swing"]) expect(await p.getByRole("group", { name: `plot of ${name}`, exact: true }).count(), name).toBe(1);
    const [names, ...rows] = (await sinew("export", join(folder, "plotted.mcap"), "--csv")).out.trim().split("\n").map((line) => line.split(","));
    await p.keyboard.press("Escape");
    for (const frame of [5, 40]) {
      await p.keyboard.press("Home");
      for (let i = 0; i < frame; ++i) await p.keyboard.press("ArrowRight");
      const time = await ask<number>(p, "v.time");
      await until(p, `v.time === ${time} && document.getElementById('clock').textContent.startsWith('${time.toFixed(3)}')`);
      // Cursor: at the same share of every plot as the time is of the recording.
      const shares = await p.locator(".plot .u-over").evaluateAll((all) => all.map((e) => new DOMMatrix(getComputedStyle(e.querySelector(".time-cursor") as Element).transform).e / e.clientWidth));
      const end = await ask<number>(p, "v.header && Number(document.getElementById('slider').max)");
      for (const share of shares) expect(share).toBeCloseTo(time / end, 2);
      for (const name of ["solver.residual", "joint_error", "contact.penetration", "swing"]) { // numbers in the legend: those of the recording
        const shown = Number((await p.getByRole("group", { name: `plot of ${name}`, exact: true }).locator(".value").textContent())?.replace("\u2212", "-"));
        const exact = Number(rows[frame][names.findIndex((n) => n.startsWith(name))]);
        expect(Math.abs(shown - exact), name).toBeLessThanOrEqual(6e-4 * Math.abs(exact));
      }
      expect(await clipped(), `frame ${frame}`).toEqual([]);
    }
    await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, "legends.png") });
    for (const [width, height] of [[800, 600], [390, 844]]) {
      await p.setViewportSize({ width, height });
      expect(await clipped(), `${width} px`).toEqual([]);
    }
  });
});

describe("ten seconds of the quadruped", () => {
  it("in which it walks are a page below 5 MB, with its contacts", async () => {
    const gait = /^quadruped \| make (.*?) \|/m.exec(readFileSync("../docs/gallery/scenes.txt", "utf8"))?.[1].split(" ") ?? [];
    const [file, mcap, html] = ["yaml", "mcap", "html"].map((ending) => join(folder, `quadruped.${ending}`));
    writeFileSync(file, (await sinew("make", ...gait)).out);
    expect((await sinew("run", file, "--time", "10", "--record", mcap, "--contacts", "--quiet")).err).toBe("");
    expect((await sinew("render", mcap, "-o", html)).code).toBe(0);
    console.log(`quadruped, 10 s: ${(statSync(html).size / 1e6).toFixed(2)} MB`);
    expect(statSync(html).size).toBeLessThan(5e6);
    const w = await openPage(browser, `file://${html}#time=5`);
    await until(w.page, "v.frames > 500 && v.isDrawn");
    expect(await ask<number>(w.page, "v.header.bodies.length")).toBe(13);
    expect(await ask<number>(w.page, "Math.hypot(...v.posesAt(9.9).slice(0, 2))")).toBeGreaterThan(1); // m that its trunk has come
    expect(await difference(w.page, "bodies")).toBeGreaterThan(0.005);
  });
});

describe("joints on splines", () => {
  it.each([["spline_rail", 1], ["scapula", 17]])("draws what guides %s", async (name, rows) => {
    const mcap = join(folder, `${name}.mcap`);
    const html = join(folder, `${name}.html`);
    expect((await sinew("run", name, "--time", "0.1", "--record", mcap, "--quiet")).err).toBe("");
    expect((await sinew("render", mcap, "-o", html)).code).toBe(0);
    const w = await openPage(browser, `file://${html}#time=0`);
    await until(w.page, "v.frames > 3");
    expect(await ask(w.page, "v.header.joints[0].guide.rows")).toBe(rows);
    expect(await difference(w.page, "joints")).toBeGreaterThan(0.005); // the balls of the joints alone are less
  });
});
