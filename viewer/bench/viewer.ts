// How fast the viewer is: plays large recordings in a headless Chromium and counts pictures a second and the processor's time a picture, at several sizes of the
// window, with and without shadows, and as the viewer chooses where drawing is slow. Every scene also plays with its draw calls left out: what is left is
// all that the viewer itself does.
//   npm run bench [-- --page FILE]     SINEW_BROWSER: another browser; SINEW_GL: another of its ANGLE back ends (swiftshader, gl-egl, vulkan, ...)
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium, type Browser, type CDPSession, type Page } from "playwright-core";
import { thousandBodies, twistingBar } from "../tests/large";

const SIZES = [[640, 360], [1280, 720], [1920, 1080]];
const WARM_UP = 2500; // ms
const CHOOSING = 8000; // ms until the viewer has found how much it draws
const PLAYING = 5000; // ms that are measured

interface Counts {
  pictures: number;
  calls: number;
  uploaded: number; // bytes
}
interface Measured extends Counts {
  seconds: number;
  script: number; // s of the page's thread
  layout: number;
  drawing: number; // s of the browser's graphics process, all threads
  detail: string;
}

/// Runs in the page before its own scripts: counts what goes to the graphics processor; draw calls can be left out.
function countCommands(leavesOut: boolean): void {
  const counts = { calls: 0, uploaded: 0 };
  Object.assign(window, { benchCounts: counts });
  const methods = WebGL2RenderingContext.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced", "drawRangeElements"]) {
    const draw = methods[name];
    methods[name] = function (...args) {
      ++counts.calls;
      return leavesOut ? undefined : draw.apply(this, args);
    };
  }
  for (const name of ["bufferData", "bufferSubData"]) {
    const upload = methods[name];
    methods[name] = function (...args) {
      const [data, length] = name === "bufferData" ? [args[1], args[4]] : [args[2], args[4]];
      if (ArrayBuffer.isView(data)) counts.uploaded += length ? Number(length) * ((data as Float32Array).BYTES_PER_ELEMENT ?? 1) : data.byteLength;
      return upload.apply(this, args);
    };
  }
}

const read = (page: Page) => page.evaluate(() => ({ ...(window as unknown as { benchCounts: Counts }).benchCounts, pictures: (window as unknown as { sinewViewer: Counts }).sinewViewer.pictures }));
async function clocks(devtools: CDPSession): Promise<{ script: number; layout: number }> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name: string) => metrics.find((m) => m.name === name)?.value ?? 0;
  return { script: of("ScriptDuration"), layout: of("LayoutDuration") + of("RecalcStyleDuration") };
}

async function drawingClock(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  await devtools.detach();
  return processInfo.filter((p) => p.type === "GPU").reduce((sum, p) => sum + p.cpuTime, 0);
}

async function play(browser: Browser, url: string, [width, height]: number[], leavesOut: boolean, warmUp: number): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: "light", reducedMotion: "no-preference" });
  const page = await context.newPage();
  await page.addInitScript(countCommands, leavesOut);
  await page.goto(url);
  while (!(await page.evaluate("window.sinewViewer && window.sinewViewer.pictures > 0"))) await page.waitForTimeout(100);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.waitForTimeout(warmUp);
  const [a, before, drawn, began] = [await read(page), await clocks(devtools), await drawingClock(browser), Date.now()];
  await page.waitForTimeout(PLAYING);
  const [b, after, drawnNow, ended] = [await read(page), await clocks(devtools), await drawingClock(browser), Date.now()];
  const detail = String(await page.evaluate("window.sinewViewer.detail"));
  await context.close();
  return {
    seconds: (ended - began) / 1000, pictures: b.pictures - a.pictures, calls: b.calls - a.calls, uploaded: b.uploaded - a.uploaded,
    script: after.script - before.script, layout: after.layout - before.layout, drawing: drawnNow - drawn, detail,
  };
}

function row(size: number[], shadows: string, drawn: string, { seconds, pictures, calls, uploaded, script, layout, drawing }: Measured): string {
  const n = Math.max(pictures, 1);
  const cells = [size.join(" × "), shadows, drawn, (pictures / seconds).toFixed(1), ((1000 * script) / n).toFixed(1), ((1000 * layout) / n).toFixed(1), ((1000 * drawing) / n).toFixed(0), (calls / n).toFixed(0), (uploaded / n / 1e6).toFixed(2)];
  return `| ${cells.join(" | ")} |`;
}

const PAGE = (machine: string, parts: string[]) => `# The web viewer

Large recordings played in headless Chromium, with all panels; made by \`make bench-viewer\` (\`viewer/bench/viewer.ts\`). ${machine}.

60 pictures a second leave 16.7 ms for each. Where draw calls are *left out*, all else is done: everything is put in place, sent to the graphics process, and the page is laid out and
composed; that is what the viewer itself costs. Where they are *made*, the GL above draws; if that is a software GL, it is what takes the time. *script ms* and *layout ms* are
processor time of the page's thread a picture, *drawing ms* processor time of the browser's graphics process, of all its threads: drawing, and composing the page. *MB sent* go to it a
picture. *chosen* is what the viewer draws by itself where drawing is slow (\`viewer/src/detail.ts\`): plain is without shadows, coarse also with half the pixels and no more than 30 pictures a second.

${parts.join("\n")}`;

async function nameOfGl(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  const name = await page.evaluate(() => {
    const gl = document.createElement("canvas").getContext("webgl2");
    const names = gl?.getExtension("WEBGL_debug_renderer_info");
    return gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "unknown";
  });
  await page.close();
  return name;
}

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const at = process.argv.indexOf("--page");
  const target = at > 0 ? process.argv[at + 1] : undefined;
  const folder = mkdtempSync(join(tmpdir(), "sinew-bench-"));
  const viewer = readFileSync(process.env.SINEW_VIEWER ?? "../build/viewer/viewer.html", "utf8");
  const pageOf = (name: string, stream: Uint8Array) => {
    const path = join(folder, `${name}.html`);
    writeFileSync(path, viewer.replace("<!--sinew-stream-->", () => `<script id="sinew-stream" type="text/plain">${Buffer.from(stream).toString("base64")}</script>`));
    return `file://${path}`;
  };
  const scenes = [
    { title: "1000 bodies, 999 hinges with stops, 2000 contacts", url: pageOf("bodies", thousandBodies(30, 0.1)) },
    { title: "1000 bodies alone", url: pageOf("bare", thousandBodies(30, 0.1)), hide: ["joints", "contacts"] },
    { title: "a soft body of 100 000 triangles, all of which move", url: pageOf("bar", twistingBar(501, 100, 13, 0.25)) },
  ];
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({
    executablePath: process.env.SINEW_BROWSER ?? "/usr/bin/chromium",
    args: [...root, `--use-angle=${process.env.SINEW_GL ?? "swiftshader"}`, "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-background-networking", "--disable-component-update"],
  });
  const machine = `Chromium ${browser.version()}, GL: ${await nameOfGl(browser)}; ${cpus().length} × ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)} at the start`;
  log(machine);
  const parts: string[] = [];
  const head = ["| window | shadows | draw calls | pictures/s | script ms | layout ms | drawing ms | calls | MB sent |", "|---|---|---|---|---|---|---|---|---|"];
  for (const { title, url, hide = [] } of scenes) {
    const rows = [...head];
    log(`\n${title}\n${head.join("\n")}`);
    const measure = async (size: number[], shadows: string, leavesOut: boolean) => {
      const isChosen = shadows === "chosen";
      const layers = shadows === "off" ? [...hide, "shadows"] : hide;
      const measured = await play(browser, `${url}#${isChosen ? "" : "quality=high&"}theme=light&hide=${layers.join(",")}`, size, leavesOut, isChosen ? CHOOSING : WARM_UP);
      const line = row(size, isChosen ? `chosen: ${measured.detail}` : shadows, leavesOut ? "left out" : "made", measured);
      log(line);
      rows.push(line);
    };
    for (const leavesOut of [true, false]) for (const size of SIZES) for (const shadows of ["on", "off"]) await measure(size, shadows, leavesOut);
    for (const size of SIZES) await measure(size, "chosen", false);
    parts.push(`## ${title.charAt(0).toUpperCase()}${title.slice(1)}\n\n${rows.join("\n")}\n`);
  }
  await browser.close();
  rmSync(folder, { recursive: true });
  if (!target) return;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, PAGE(machine, parts));
  log(target);
}

void main();
