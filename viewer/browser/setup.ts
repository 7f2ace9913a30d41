// A Chromium that draws in software, the sinew program, and pages that notice every console error and every request to elsewhere.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { expect } from "vitest";

/// ms until something that should come is given up: a machine may be busy with other things.
const PATIENCE = 180000;

export const SINEW = process.env.SINEW ?? "../build/release/bin/sinew";
export const folder = mkdtempSync(join(tmpdir(), "sinew-browser-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export const PENDULUM = `sinew: 1
name: hanging
dt: 0.005
duration: 2
bodies:
  - {name: rod, shape: {type: box, size: [0.2, 0.2, 1]}, mass: 1, position: [0, 0, 1.5]}
  - {name: bob, shape: {type: sphere, radius: 0.2}, mass: 1, position: [0, 0, 0.8]}
joints:
  - {name: hinge, type: revolute, child: rod, anchor: [0, 0, 2], axis: [0, 1, 0]}
  - {name: ball, type: spherical, parent: rod, child: bob, anchor: [0, 0, 1]}
probes:
  - {name: angle, type: coordinate, joint: hinge}
  - {name: tip, type: position, body: bob}
`;

/// Two rods that fall from the horizontal and swing to the other side.
export const FALLING = `sinew: 1
name: falling
dt: 0.01
duration: 4
bodies:
  - {name: upper, shape: {type: box, size: [1, 0.1, 0.1]}, mass: 1, position: [0.5, 0, 0]}
  - {name: lower, shape: {type: box, size: [1, 0.1, 0.1]}, mass: 1, position: [1.5, 0, 0]}
joints:
  - {name: shoulder, type: revolute, child: upper, anchor: [0, 0, 0], axis: [0, 1, 0]}
  - {name: elbow, type: revolute, parent: upper, child: lower, anchor: [1, 0, 0], axis: [0, 1, 0]}
`;

/// A box at rest on a plane, and a door with stops.
export const RESTING = `sinew: 1
name: resting
dt: 0.01
duration: 1
world:
  - {type: plane, name: floor}
  - {type: box, name: wall, size: [0.1, 2, 1], position: [-1, 0, 0.5]}
contact: {friction: 0.5}
bodies:
  - {name: box, mass: 2, shape: {type: box, size: [0.5, 0.5, 0.5]}, position: [0, 0, 0.25]}
  - {name: door, mass: 1, shape: {type: box, size: [0.5, 0.05, 0.4]}, position: [1.25, 0, 0.5]}
joints:
  - {name: hinge, type: revolute, child: door, anchor: [1, 0, 0.5], axis: [0, 0, 1], lower: [-0.5], upper: [1.5]}
`;

/// A weight at rest on a rope, and an arm between a muscle and a spring.
export const PULLED = `sinew: 1
name: pulled
dt: 0.005
duration: 1
bodies:
  - {name: weight, mass: 1, shape: {type: sphere, radius: 0.1}, position: [1, 0, 0.99019]}
  - {name: arm, mass: 1, shape: {type: box, size: [0.6, 0.06, 0.06]}, position: [0.3, 0, 1]}
joints:
  - {name: elbow, type: revolute, child: arm, anchor: [0, 0, 1], axis: [0, -1, 0]}
forces:
  - {type: muscle, name: flexor, points: [{body: world, point: [0, 0, 1.3]}, {body: arm, point: [0.1, 0, 0.03]}], peak_force: 30, optimal_length: 0.3, tendon_length: 0.1,
     activation: {offset: 0.5}}
  - {type: cable, name: rope, points: [{body: world, point: [1, 0, 2]}, {body: weight}], stiffness: 1000, rest_length: 1}
  - {type: spring, name: back, body_a: arm, point_a: [0.2, 0, -0.03], point_b: [0.5, 0, 0.4], stiffness: 200, damping: 20, rest_length: 0.55}
`;

/// A strand without shapes that hangs at rest.
export const ROPE = `sinew: 1
name: rope
dt: 0.0025
duration: 2
strands:
  - {name: rope, from: {body: world, point: [0, 0, 2]}, length: 1, segments: 10, mass: 0.4, stiffness: 4000, damping: 40, radius: 0}
forces:
  - {type: damping, name: air, linear: 0.05}
probes:
  - {name: middle, type: position, body: rope.5}
`;

/// An arm that turns, reaches out and nods: one joint of three members, driven.
export const ARM = `sinew: 1
name: arm
dt: 0.005
duration: 2
bodies:
  - {name: arm, mass: 1, shape: {type: box, size: [0.5, 0.12, 0.12]}, position: [0.65, 0, 1]}
joints:
  - name: reach
    type: composite_3
    child: arm
    parent_frame: {position: [0, 0, 1]}
    child_frame: {position: [-0.25, 0, 0]}
    lower: [-1.5, -0.1, -0.9]
    upper: [1.5, 0.4, 0.9]
    joints: [{type: revolute}, {type: prismatic, axis: [1, 0, 0], position: [0.4, 0, 0]}, {type: revolute, axis: [0, 1, 0]}]
forces:
  - {type: servo, joint: reach, stiffness: [20, 200, 30], damping: [3, 20, 3], target: [1.2, 0.3, 0.6]}
probes:
  - {name: turned, type: coordinate, joint: reach}
`;

export function launch(): Promise<Browser> {
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({
    executablePath: process.env.SINEW_BROWSER ?? "/usr/bin/chromium",
    timeout: PATIENCE,
    args: [...root, "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-background-networking", "--disable-component-update"],
  });
}

/// Runs a scene; its page, beside the recording of that name.
export async function makePage(name: string, scene: string, ...options: string[]): Promise<string> {
  const [yaml, mcap, html] = ["yaml", "mcap", "html"].map((ending) => join(folder, `${name}.${ending}`));
  writeFileSync(yaml, scene);
  expect((await sinew("run", yaml, "--record", mcap, "--quiet", ...options)).err).toBe("");
  expect((await sinew("render", mcap, "-o", html)).code).toBe(0);
  return html;
}

export interface Done {
  code: number;
  out: string;
  err: string;
}
/// Runs it to its end. Never blocks: a test that is stuck is still told so.
export function sinew(...args: string[]): Promise<Done> {
  return sinewIn({}, ...args);
}
/// With other variables in its environment; undefined: without.
export function sinewIn(environment: Record<string, string | undefined>, ...args: string[]): Promise<Done> {
  return run(SINEW, args, { ...process.env, ...environment });
}
export function run(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<Done> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], timeout: 2 * PATIENCE });
    const done: Done = { code: -1, out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (done.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (done.err += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...done, code: code ?? -1 }));
  });
}

/// What no page may have at the end of its test: tidyUp() asserts it of all.
export interface Watched {
  page: Page;
  errors: string[]; // of the console and of scripts
  elsewhere: string[]; // requests to other places than the page's own
  expected?: RegExp; // errors from now on that the test is about
}
const watchedPages: Watched[] = [];

function watch(page: Page, url: string): Watched {
  const watched: Watched = { page, errors: [], elsewhere: [] };
  const note = (text: string) => { if (!watched.expected?.test(text)) watched.errors.push(text); };
  const ask = (asked: string) => { if (!/^(data|blob):/.test(asked) && new URL(asked).host !== new URL(url).host) watched.elsewhere.push(asked); };
  page.setDefaultTimeout(PATIENCE);
  page.on("console", (m) => { if (m.type() === "error" || (m.type() === "warning" && !/GPU stall|GL Driver|software WebGL/i.test(m.text()))) note(m.text()); });
  page.on("pageerror", (e) => note(String(e)));
  page.on("request", (r) => ask(r.url()));
  page.on("websocket", (socket) => ask(socket.url()));
  watchedPages.push(watched);
  return watched;
}

interface PageOptions {
  width?: number;
  height?: number;
  reducedMotion?: "reduce";
  expected?: RegExp;
}
export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 800, height: options.height ?? 480 }, reducedMotion: options.reducedMotion ?? "no-preference", colorScheme: "light" });
  const watched = watch(await context.newPage(), url);
  watched.expected = options.expected;
  await watched.page.goto(`${url}${url.includes("#") ? "&" : "#"}quality=low`);
  return watched;
}

/// A page that is still on its way: does not wait for its end.
export async function watchPage(browser: Browser, url: string, expected: RegExp): Promise<Watched> {
  const watched = watch(await (await browser.newContext()).newPage(), url);
  watched.expected = expected;
  await watched.page.goto(`${url}#quality=low`, { waitUntil: "commit" });
  return watched;
}

/// Evaluates an expression about window.sinewViewer, called v.
export function ask<T>(page: Page, expression: string): Promise<T> {
  return page.evaluate(`(() => { const v = window.sinewViewer; return ${expression}; })()`) as Promise<T>;
}
/// Waits until it holds. Asked from outside: the page's policy allows no evaluation inside.
export async function until(page: Page, expression: string): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!(await page.evaluate(`(() => { const v = window.sinewViewer; return Boolean(v && (${expression})); })()`))) {
    if (Date.now() > end) throw new Error(`never came true: ${expression}; ${await page.evaluate("JSON.stringify({t: window.sinewViewer.time, s: window.sinewViewer.status})")}`);
    await page.waitForTimeout(100);
  }
}

export class Server {
  process: ChildProcess;
  url = "";
  output = "";
  static readonly started: Server[] = [];
  constructor(...args: string[]) {
    this.process = spawn(SINEW, ["view", ...args], { stdio: ["ignore", "pipe", "pipe"] });
    Server.started.push(this);
  }
  ready(): Promise<string> {
    return new Promise((resolve, reject) => {
      const take = (data: Buffer) => {
        this.output += data.toString();
        const found = /http:\/\/\S+/.exec(this.output);
        if (found) resolve((this.url = found[0]));
      };
      this.process.stdout?.on("data", take);
      this.process.stderr?.on("data", take);
      this.process.on("exit", (code) => reject(new Error(`sinew view ended with ${code}: ${this.output}`)));
    });
  }
  stop(): Promise<void> {
    return new Promise((resolve) => {
      if (this.process.exitCode !== null) return resolve();
      this.process.removeAllListeners("exit");
      this.process.on("exit", () => resolve());
      this.process.kill("SIGINT");
    });
  }
}

/// After every test: no page had errors on its console or asked for anything elsewhere. Before that ends what a test that failed has left: pages that
/// draw in software would starve the next.
export async function tidyUp(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await context.close();
  for (const server of Server.started.splice(0)) await server.stop();
  for (const { errors, elsewhere } of watchedPages.splice(0)) expect({ errors, elsewhere }).toEqual({ errors: [], elsewhere: [] });
}

/// The viewer's page with a stream written by hand.
export function pageWith(stream: Uint8Array, name: string): string {
  const viewer = readFileSync(process.env.SINEW_VIEWER ?? "../build/viewer/viewer.html", "utf8");
  const path = join(folder, name);
  writeFileSync(path, viewer.replace("<!--sinew-stream-->", () => `<script id="sinew-stream" type="text/plain">${Buffer.from(stream).toString("base64")}</script>`));
  return `file://${path}`;
}

/// What the server says of a live run that stands still.
export const LIVE_STATUS = { running: false, time: 0, dt: 0.01, gravity: [0, 0, -9.81], speed: 1, real_time: 1, stepper: "by hand", efforts: [] as number[], inputs: [] as number[], trouble: "" };

/// A live run written by hand: what it sends at the start, and all that the page says.
export async function openLive(browser: Browser, opening: Uint8Array, frames: Uint8Array, status: Record<string, unknown>): Promise<{ page: Page; said: Record<string, unknown>[] }> {
  const viewer = readFileSync(process.env.SINEW_VIEWER ?? "../build/viewer/viewer.html", "utf8");
  const { page } = watch(await (await browser.newContext({ viewport: { width: 1100, height: 700 } })).newPage(), "http://viewer.test/");
  const said: Record<string, unknown>[] = [];
  await page.route("http://viewer.test/", (route) => route.fulfill({ contentType: "text/html", body: viewer.replace("<!--sinew-stream-->", '<script id="sinew-source" type="application/json">{"source":"live"}</script>') }));
  await page.routeWebSocket("ws://viewer.test/ws", (socket) => {
    socket.onMessage((message) => said.push(JSON.parse(String(message))));
    for (const bytes of [opening, frames]) socket.send(Buffer.from(bytes));
    socket.send(JSON.stringify(status));
  });
  await page.goto("http://viewer.test/#quality=low");
  return { page, said };
}

/// The view as it is drawn: red, green, blue, opacity of each pixel, from 0 to 255.
async function picture(p: Page): Promise<{ width: number; height: number; bytes: Buffer }> {
  const drawn = await p.evaluate(() => {
    const { width, height } = document.getElementById("view") as HTMLCanvasElement;
    const pen = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
    pen.drawImage(document.getElementById("view") as HTMLCanvasElement, 0, 0);
    return { width, height, text: btoa(Array.from(pen.getImageData(0, 0, width, height).data, (x) => String.fromCharCode(x)).join("")) };
  });
  return { width: drawn.width, height: drawn.height, bytes: Buffer.from(drawn.text, "base64") };
}

/// Red, green and blue where places of the world are drawn.
export async function coloursAt(p: Page, places: number[][]): Promise<number[][]> {
  const { width, height, bytes } = await picture(p);
  const box = await p.locator("#view").boundingBox();
  if (!box) throw new Error("no view");
  const at = await ask<{ x: number; y: number }[]>(p, `${JSON.stringify(places)}.map((place) => v.screenPlace(place))`);
  return at.map(({ x, y }) => {
    const i = 4 * (Math.floor(((y - box.y) / box.height) * height) * width + Math.floor(((x - box.x) / box.width) * width));
    return [...bytes.subarray(i, i + 3)];
  });
}

/// Share of the view's pixels that differ when a layer is shown and hidden.
export async function difference(p: Page, layer: string): Promise<number> {
  const flip = async () => {
    await p.locator("#show-menu").evaluate((d: HTMLDetailsElement) => (d.open = true));
    await p.locator(`[data-layer=${layer}]`).click();
    await until(p, "v.isDrawn");
    return picture(p);
  };
  const [a, b] = [await flip(), await flip()];
  let count = 0;
  for (let i = 1; i < a.bytes.length; i += 4) if (Math.abs(a.bytes[i] - b.bytes[i]) > 12) ++count; // green
  return count / (a.width * a.height);
}
