// Accessibility in a real browser: everything by keyboard, names for all controls, contrast in dark and light, reduced motion, a phone, units.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { concat, framesRecord, headerRecord, MAGIC_BYTES, makeHeader, record, text } from "../tests/encode";
import { ask, folder, launch, makePage, openPage, pageWith, PENDULUM, PULLED, RESTING, Server, tidyUp, until } from "./setup";

let browser: Browser;
const page = join(folder, "hanging.html");

beforeAll(async () => {
  browser = await launch();
  await makePage("hanging", PENDULUM);
});
afterEach(async () => tidyUp(browser));
afterAll(async () => browser?.close());

/// Texts that stand out less than 4.5 to 1 from what is behind them, in the theme that is shown (WCAG AA); nothing but a panel may be behind a text.
function paleTexts(p: Page): Promise<string[]> {
  return p.evaluate(() => {
    const rgba = (c: string) => (c.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (c: number[]) => c.slice(0, 3).map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)).reduce((s, x, i) => s + x * [0.2126, 0.7152, 0.0722][i], 0);
    const pale: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const e = node.parentElement;
      if (!e || !node.textContent?.trim() || e.closest("script, style, option") || !e.checkVisibility() || e.getClientRects().length === 0) continue;
      let under: HTMLElement | null = e;
      const isClear = (x: HTMLElement) => (rgba(getComputedStyle(x).backgroundColor)[3] ?? 1) === 0;
      while (under && isClear(under) && under.id !== "stage") under = under.parentElement;
      if (!under || under.id === "stage") { pale.push(`${node.textContent}: straight on the picture`); continue; }
      const [a, b] = [luminance(rgba(getComputedStyle(e).color)), luminance(rgba(getComputedStyle(under).backgroundColor))].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      if (!(ratio >= 4.5) || (rgba(getComputedStyle(under).backgroundColor)[3] ?? 1) < 1) pale.push(`${node.textContent}: ${ratio.toFixed(2)}`);
    }
    return pale;
  });
}

/// Visible controls; each has a number in data-control.
function numberControls(p: Page): Promise<{ count: number; nameless: string[] }> {
  return p.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>("button, select, input, summary, canvas[tabindex]")].filter((e) => e.checkVisibility() && e.getClientRects().length > 0);
    all.forEach((e, i) => (e.dataset.control = String(i)));
    const name = (e: HTMLElement) => e.getAttribute("aria-label") || e.textContent?.trim() || e.title || e.closest("label")?.textContent?.trim();
    return { count: all.length, nameless: all.filter((e) => !name(e)).map((e) => e.outerHTML) };
  });
}
/// The numbers of those that the Tab key reaches, from the start of the page once round.
async function reachedByTab(p: Page, count: number): Promise<Set<string>> {
  await p.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const reached = new Set<string>();
  for (let i = 0; i < count + 5; ++i) {
    await p.keyboard.press("Tab");
    reached.add(await p.evaluate(() => (document.activeElement as HTMLElement).dataset.control ?? ""));
  }
  reached.delete("");
  return reached;
}

/// What each key of the help sheet changes. Would catch a key that is promised and does nothing, and one that is bound and not tested.
async function pressAll(url: string, isLive: boolean): Promise<void> {
  const body = "[data-item='body:rod']";
  const layer = (name: string) => `document.querySelector('[data-layer=${name}]').checked`;
  const isClosed = (id: string) => `document.getElementById('${id}').classList.contains('closed')`;
  const pressed = (name: string) => `document.querySelector('[aria-label="${name}"]').getAttribute('aria-pressed')`;
  const focus = "document.activeElement.outerHTML", speed = isLive ? "v.status.speed" : "document.getElementById('speed').value", select = "v.selection && v.selection.index", camera = "v.camera";
  const effects: Record<string, string> = {
    space: isLive ? "v.status.running" : "v.isPlaying", "←": "v.time", "→": "v.time", Home: "v.time", End: "v.time", ",": speed, ".": speed, ...(isLive ? {} : { L: pressed("loop") }),
    J: layer("joints"), R: layer("frames"), M: layer("coms"), I: layer("inertia"), P: layer("trails"), K: layer("contacts"), S: layer("paths"), G: layer("grid"), W: layer("wireframe"),
    "1": camera, "2": camera, "3": camera, C: camera, Q: camera, E: camera, U: camera, O: camera, "+": camera, "-": camera, H: pressed("hide rod"), F: pressed("follow rod"), X: "v.pull",
    Tab: focus, Enter: select, Esc: select, B: isClosed("tree"), N: isClosed("inspector"), D: isClosed("plots"), Z: "v.plotSpan", T: "document.documentElement.dataset.theme", "?": "document.getElementById('help').open",
  };
  const names: Record<string, string> = { space: "Space", "←": "ArrowLeft", "→": "ArrowRight", Esc: "Escape" };
  const { page: p } = await openPage(browser, url);
  await until(p, `v.frames > ${isLive ? 20 : 100} && v.isDrawn`);
  if (isLive) {
    await p.locator("#live-run").click(); // stands still: nothing but the keys changes anything
    await until(p, "v.status.running === false");
  }
  const middle = isLive ? (await ask<number>(p, "v.time / 2")).toFixed(2) : "1"; // the page rounds what is filled in
  await p.locator("#view").focus();
  await p.keyboard.press("?");
  const rows = await p.locator("#help section").evaluateAll((all) => all.filter((s) => !/mouse/.test(s.querySelector("h3")?.textContent ?? "")).flatMap((s) => [...s.querySelectorAll("tr")].map((row) => ({ keys: [...row.querySelectorAll("kbd")].map((k) => k.textContent ?? ""), text: row.textContent ?? "" }))));
  await p.keyboard.press("Escape");
  const keys = rows.flatMap((row) => row.keys);
  expect(keys.sort()).toEqual(Object.keys(effects).sort());
  const press = async (on: typeof p, key: string, isShifted: boolean) => {
    const before = JSON.stringify(await ask(on, effects[key]) ?? null);
    await on.keyboard.press(`${isShifted ? "Shift+" : ""}${names[key] ?? key}`);
    await until(on, `JSON.stringify((${effects[key]}) ?? null) !== ${JSON.stringify(before)}`).catch(() => { throw new Error(`${key} does nothing`); });
  };
  for (const { keys, text } of rows) {
    for (const key of keys.filter((k) => k !== "X" || isLive)) {
      await p.locator("#slider").fill(middle);
      if (isLive && key === "space") await p.keyboard.press("End"); // to the present, which it stops and lets go on
      if (key === "C") await p.keyboard.press("e");
      if (/^(H|F|X|Esc)$/.test(key) && (await ask(p, select)) === null) await p.locator(body).click();
      if (key === "Enter") { await p.keyboard.press("Escape"); await p.locator(body).focus(); }
      else await p.locator("#view").focus();
      await press(p, key, false);
      if (key === "X") await p.keyboard.press("x");
      if (key === "space" || key === "?") await p.keyboard.press(key === "?" ? "Escape" : "Space");
      if (isLive && key === "space") await until(p, "v.status.running === false");
      if (/\(shift/.test(text)) await press(p, key, true);
    }
  }
}

describe("by keyboard", () => {
  it("works alone, with a help sheet", async () => {
    const { page: p } = await openPage(browser, `file://${page}#time=0`);
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
    // Esc closes what is open first, and gives the focus back; what is selected stays.
    await p.locator("#show-menu > summary").focus();
    await p.keyboard.press("Enter");
    await p.locator("[data-layer=frames]").focus();
    await p.keyboard.press("Escape");
    expect(await p.locator("#top details[open]").count()).toBe(0);
    expect(await p.evaluate(() => document.activeElement?.matches("#show-menu > summary"))).toBe(true);
    expect(await ask(p, "v.selection")).toEqual({ kind: "body", index: 0 });
    await p.keyboard.press("h");
    expect(await p.getByLabel("hide rod").getAttribute("aria-pressed")).toBe("true");
    await p.keyboard.press("f");
    expect(await p.getByLabel("follow rod").getAttribute("aria-pressed")).toBe("true");
    const camera = await ask<number[]>(p, "v.camera");
    for (const key of ["e", "u", "+"]) await p.keyboard.press(key);
    const turned = await ask<number[]>(p, "v.camera");
    expect(Math.hypot(...turned.slice(0, 3).map((x, i) => x - camera[i]))).toBeGreaterThan(0.1);
    for (const key of ["E", "U"]) await p.keyboard.press(`Shift+${key}`);
    const moved = await ask<number[]>(p, "v.camera");
    const ways = [0, 3].map((at) => [0, 1, 2].map((i) => moved[at + i] - turned[at + i]));
    expect(Math.hypot(...ways[0])).toBeGreaterThan(0.1); // camera and target, alike
    for (let i = 0; i < 3; ++i) expect(ways[0][i]).toBeCloseTo(ways[1][i], 9);
  });

  it("does something with every key of the help sheet, in a replay and in a live run", async () => {
    const live = join(folder, "keys_live.yaml");
    writeFileSync(live, PENDULUM);
    for (const isLive of [false, true]) await pressAll(isLive ? await new Server(live).ready() : `file://${page}#time=1`, isLive);
  });

  it("reaches every control, each with a name, and opens menus", async () => {
    const live = join(folder, "access_live.yaml");
    writeFileSync(live, PULLED);
    const server = new Server(live);
    const { page: p } = await openPage(browser, await server.ready(), { width: 1100, height: 900 });
    await until(p, "v.time > 0.1 && v.status");
    await p.keyboard.press("Space");
    await until(p, "v.status.running === false");
    await p.locator("#live summary", { hasText: "efforts" }).focus();
    await p.keyboard.press("Enter");
    for (const menu of ["#show-menu", "#plot-menu"]) {
      await p.locator(`${menu} > summary`).focus();
      await p.keyboard.press("Enter");
      await p.locator(`${menu}[open]`).waitFor();
    }
    const { count, nameless } = await numberControls(p);
    expect(count).toBeGreaterThan(60);
    expect(nameless).toEqual([]);
    expect((await reachedByTab(p, count)).size).toBe(count);
    // A checkbox of a menu by space; Esc closes both menus.
    await p.locator("[data-layer=frames]").focus();
    await p.keyboard.press("Space");
    expect(await p.locator("[data-layer=frames]").isChecked()).toBe(true);
    await p.keyboard.press("Escape");
    expect(await p.locator("#top details[open]").count()).toBe(0);
    // Sliders of the panel by arrows.
    await p.locator('[data-live="gravity"]').focus();
    const before = await ask<number>(p, "v.status.gravity[2]");
    await p.keyboard.press("ArrowRight");
    await until(p, `v.status.gravity[2] > ${before}`);
  });
});

describe("contrast", () => {
  it("of every text is 4.5 or more, in dark and light, of all panels, menus and sheets", async () => {
    const contact = await makePage("access_contact", RESTING, "--contacts");
    const muscle = await makePage("access_muscle", PULLED, "--contacts");
    const live = join(folder, "access_contrast.yaml");
    writeFileSync(live, PENDULUM);
    const server = new Server(live);
    for (const url of [`file://${contact}#time=0.5&select=box`, `file://${muscle}#time=0.5&select=flexor&hide=bodies`, await server.ready()]) {
      const { page: p } = await openPage(browser, url, { width: 1100, height: 800, reducedMotion: "reduce" }); // no transitions: colours are measured right after they change
      await until(p, "v.frames > 0 && v.isDrawn");
      await p.locator("#top details").evaluateAll((menus) => menus.forEach((d) => ((d as HTMLDetailsElement).open = true)));
      for (const theme of ["light", "dark"]) {
        if ((await p.locator("html").getAttribute("data-theme")) !== theme) await p.keyboard.press("t");
        expect(await paleTexts(p), theme).toEqual([]);
        await p.keyboard.press("?");
        await p.locator("#help[open]").waitFor();
        expect(await paleTexts(p), `${theme}, help`).toEqual([]);
        await p.keyboard.press("Escape");
        // What has the focus is seen by its outline: 3 to 1 for graphics.
        await p.locator("#theme").focus();
        await p.keyboard.press("Tab");
        expect(await p.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)).toBe("solid");
      }
      await p.context().close();
    }
  });
});

describe("window and motion", () => {
  it("fits a phone, and does not move by itself if motion is to be reduced", async () => {
    const { page: p } = await openPage(browser, `file://${page}`, { width: 390, height: 700, reducedMotion: "reduce" });
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
    expect(await p.evaluate(() => getComputedStyle(document.getElementById("play") as Element).transitionDuration)).toBe("0s");
  });

  it("keeps every button of a phone on the screen and large enough for a finger, and opens menus within it", async () => {
    for (const [width, height] of [[390, 844], [360, 640], [844, 390]]) {
      const { page: p } = await openPage(browser, `file://${page}#time=0.5`, { width, height });
      await until(p, "v.frames > 100");
      for (const menu of ["#show-menu", "#plot-menu"]) {
        await p.locator(`${menu} > summary`).click();
        const outside = await p.locator(`${menu} > div`).evaluate((e) => { const b = e.getBoundingClientRect(); return b.left < 0 || b.right > innerWidth || b.bottom > innerHeight; });
        expect(outside, `${menu} at ${width} px`).toBe(false);
        await p.keyboard.press("Escape");
      }
      const wrong = await p.evaluate(() => [...document.querySelectorAll<HTMLElement>("#top button, #top summary, #transport button, #transport select")].filter((e) => e.checkVisibility() && e.getClientRects().length > 0).filter((e) => {
        const b = e.getBoundingClientRect();
        return b.left < 0 || b.right > innerWidth + 0.5 || b.top < 0 || b.bottom > innerHeight + 0.5 || b.width < 24 || b.height < 24; // WCAG 2.2, 2.5.8
      }).map((e) => e.id || e.textContent));
      expect(wrong, `${width} px`).toEqual([]);
      const view = await p.locator("#view").boundingBox();
      expect(view?.height, `${width} px`).toBeGreaterThan(0.35 * height);
      await p.context().close();
    }
  });
});

describe("marks of warnings", () => {
  it("are large enough for a finger, apart from each other, and tell what happened to whoever taps or focuses them", async () => {
    const header = makeHeader({ bodies: [{ name: "ball", mass: 1, com: [0, 0, 0], shapes: [{ type: "sphere", radius: 0.1 }] }] });
    const times = [0, 0.01, 0.02, 0.5, 0.98, 1, 1.01, 1.05, 1.1, 1.5, 2];
    const events = times.map((time, i) => record(4, text(JSON.stringify({ time, kind: "step_halved", message: `the ${i}th` }))));
    const stream = concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, [0, 1, 2].map((time) => ({ time, poses: [[time, 0, 0, 1, 0, 0, 0]] }))), ...events);
    for (const [width, height] of [[390, 844], [360, 640], [844, 390], [1280, 720]]) {
      const { page: p } = await openPage(browser, `${pageWith(stream, "marks.html")}#time=0.2`, { width, height });
      await until(p, "v.frames === 3 && v.isDrawn");
      const marks = p.locator("#markers button");
      await marks.first().waitFor();
      const boxes = await marks.evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON() as DOMRect));
      expect(boxes.length, `${width} px`).toBeGreaterThan(1);
      for (const box of boxes) expect([box.width >= 24, box.height >= 24, box.left >= 0, box.right <= width, box.bottom <= height]).toEqual([true, true, true, true, true]);
      for (let i = 1; i < boxes.length; ++i) expect(boxes[i].left, `${width} px`).toBeGreaterThanOrEqual(boxes[i - 1].right - 0.01);
      const slider = await p.locator("#slider").boundingBox();
      expect(boxes[0].bottom).toBeLessThanOrEqual((slider?.y ?? 0) + 12); // leaves the thumb to the finger
      for (const [i, box] of boxes.entries()) { // nothing lies above them
        const at = await p.evaluate(([x, y]) => [...document.querySelectorAll("#markers button")].indexOf(document.elementFromPoint(x, y) as Element), [(box.left + box.right) / 2, (box.top + box.bottom) / 2]);
        expect(at, `${width} px`).toBe(i);
      }
      await marks.last().click();
      const note = p.locator("#warning");
      await p.locator("#warning:visible", { hasText: "step halved at 2.000 s: the 10th" }).waitFor();
      expect(await ask<number>(p, "v.time")).toBeGreaterThan(0.9);
      const told = await note.boundingBox();
      expect(told && told.x >= 0 && told.x + told.width <= width && told.y >= 0).toBe(true);
      await p.locator("#play").focus();
      expect(await note.isVisible()).toBe(false);
      await marks.first().focus();
      expect(await note.textContent()).toContain("step halved at 0.010 s: the 1th");
      await p.keyboard.press("Escape");
      expect(await note.isVisible()).toBe(false);
      const view = await p.locator("#view").boundingBox();
      expect(view?.height, `${width} px`).toBeGreaterThan(0.3 * height);
      await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, `marks_${width}.png`) });
      await p.context().close();
    }
  });
});

describe("names in the tree", () => {
  it("are whole on a phone, and show their ends on a laptop", async () => {
    const names = ["front_left_hip_motor", "front_right_hip_motor", "front_right_knee_motor_b"];
    const body = (name: string) => ({ name, mass: 1, com: [0, 0, 0] as [number, number, number], shapes: [{ type: "sphere", radius: 0.1 }] });
    const header = makeHeader({ bodies: names.map(body), joints: names.map((name, child) => ({ name, type: "revolute", parent: -1, child, dof: 1 })), columns: names.map((name) => ({ name: `work.${name}`, unit: "J", group: "ledger" as const })) });
    const stream = concat(MAGIC_BYTES, headerRecord(header), framesRecord(header, 0, [0, 1].map((time) => ({ time, poses: names.map((_, i) => [i, 0, 0, 1, 0, 0, 0]) }))));
    for (const width of [390, 800, 1280]) {
      const { page: p } = await openPage(browser, `${pageWith(stream, "names.html")}#time=0`, { width, height: 700 });
      await until(p, "v.frames === 2");
      if (width === 390) await p.locator("#toggle-tree").click();
      const rows = await p.locator("#tree .name").evaluateAll((all) => all.map((name) => {
        const [start, end] = [...name.children] as HTMLElement[];
        const [row, last, type] = [name.parentElement as HTMLElement, end.getBoundingClientRect(), name.nextElementSibling?.getBoundingClientRect()];
        const box = row.getBoundingClientRect();
        return {
          text: name.textContent, end: end.textContent, isWhole: start.scrollWidth <= start.clientWidth, isEndSeen: last.right <= box.right + 0.5 && end.scrollWidth <= last.width + 1,
          hasType: !type || type.top >= box.bottom - 1 || type.right <= box.right + 0.5, // whole, or wrapped out of sight
        };
      }));
      expect(rows.map((row) => row.text)).toEqual([...names, ...names]);
      for (const row of rows) expect([row.text, row.isEndSeen, row.hasType]).toEqual([row.text, true, true]);
      expect(new Set(rows.map((row) => row.end)).size).toBe(names.length);
      if (width !== 800) expect(rows.filter((row) => !row.isWhole)).toEqual([]);
      await p.screenshot({ path: join(process.env.SINEW_SCREENSHOTS ?? folder, `names_${width}.png`) });

      // Names of numbers break between their words.
      const breaks = await p.locator("#inspector th").evaluateAll((all) => all.flatMap((cell) => {
        const text = cell.firstChild as Text;
        const range = document.createRange();
        const top = (i: number) => { range.setStart(text, i); range.setEnd(text, i + 1); return range.getBoundingClientRect().top; };
        const at = [...text.data].map((c, i) => ({ c, i })).filter(({ c }) => c !== "\u200b" && c !== " ");
        return at.slice(1).filter(({ i }, k) => top(i) > top(at[k].i) + 5).map(({ i }) => `${text.data.slice(0, i)}|${text.data.slice(i)}`).filter((s) => !/[._ \u200b]\|/.test(s));
      }));
      expect(breaks, `${width} px`).toEqual([]);
      await p.context().close();
    }
  });
});

describe("units", () => {
  it("stand at every number of the inspector, at plots, legends, the clock and the sliders of a live run", async () => {
    const bare = /^(parameters, (lower|upper) stops|bodies|joints|frames|contacts (touching|near)|degrees of freedom|vertices|triangles|quaternion w, x, y, z|axis \(z\), world|activation|contact\.(touching|pairs|.*iterations.*)|.*(iterations|residual|count|touching|sleeping|asleep|pairs).*)$/;
    const contact = await makePage("units_contact", RESTING, "--contacts");
    const muscle = await makePage("units_muscle", PULLED, "--contacts");
    for (const url of [contact, muscle, page]) {
      const { page: p } = await openPage(browser, `file://${url}#time=0.5`, { width: 1100, height: 800 });
      await until(p, "v.frames > 30");
      const items = await p.locator("#tree [data-item]").evaluateAll((all) => all.map((e) => e.getAttribute("data-item") ?? ""));
      for (const item of ["", ...items]) {
        if (item) await p.locator(`[data-item='${item}']`).click();
        if (item) await p.locator("#inspector h2", { hasText: item.split(":")[1] }).waitFor();
        const rows = await p.locator("#inspector tr").evaluateAll((all) => all.map((r) => [...r.children].map((c) => (c.textContent ?? "").replace(/\u200b/g, ""))));
        const withoutUnit = rows.filter(([name, text]) => /\d$/.test(text) && !bare.test(name));
        expect(withoutUnit, `${url} ${item}`).toEqual([]);
      }
      expect((await p.locator(".plot .legend strong").count())).toBeGreaterThan(0);
      for (const text of await p.locator(".plot .legend").allTextContents()) expect(text).toMatch(/\[.+\]/);
      for (const text of await p.locator("#plot-list label").allTextContents()) expect(text).toMatch(/\[.+\]$/);
      expect(await p.locator("#clock").textContent()).toMatch(/ s$/);
      expect(await p.locator("#scale").textContent()).toMatch(/grid .*\u202fm/);
      await p.context().close();
    }
  });
});
