// Puts the viewer together: where the stream comes from, and what buttons, keys and the mouse do.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import * as THREE from "three";
import { capture } from "./capture";
import { byId, h } from "./dom";
import { formatTime, mapColour, withUnit } from "./format";
import { buildHelp } from "./help";
import { Inspector } from "./inspector";
import { LiveLink } from "./live";
import { LivePanel } from "./livepanel";
import { LAYERS, type Layer } from "./overlays";
import { Playback, SPEEDS } from "./playback";
import { defaultGroups, plotGroups, Plots, type PlotGroup } from "./plots";
import { parseSettings } from "./settings";
import { Store } from "./store";
import { StreamError, StreamReader } from "./stream";
import { Tree, type Selection } from "./tree";
import { View3D, type Theme } from "./view3d";

const LAYER_NAMES: Record<Layer, string> = {
  bodies: "bodies", joints: "joints and axes", frames: "body frames", coms: "centres of mass", inertia: "inertia boxes", trails: "trails of probes",
  contacts: "contact forces", lines: "muscles and cables", soft: "soft bodies", grid: "ground grid", shadows: "shadows", wireframe: "wire frame",
};

const settings = parseSettings(location.hash);
const store = new Store();
const playback = new Playback(() => ({ start: store.start, end: store.end, times: store.times }));
const canvas = byId<HTMLCanvasElement>("view");
const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches;
const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
const isNarrow = () => innerWidth <= 760;

let theme: Theme = settings.theme ?? (prefersDark ? "dark" : "light");
let selection: Selection = null;
let view: View3D | null = null;
let link: LiveLink | null = null;
let livePanel: LivePanel | null = null;
let groups: PlotGroup[] = [];
let chosen = new Set<string>();
let isUiDirty = true;
let shownRevision = -1;
let plotsRevisionTime = 0;
let frameTimes: number[] = [];

const plots = new Plots(byId("plots"), store, (time) => seek(time));
const inspector = new Inspector(byId("inspector"));
const tree = new Tree(byId("tree"), {
  select: (s) => select(s),
  toggleHidden: (body) => toggleHidden(body),
  follow: (body) => follow(body),
});

function fail(message: string): void {
  const box = byId("message");
  box.textContent = message;
  box.hidden = false;
  byId("badge").textContent = "";
}

function seek(time: number): void {
  playback.followsLive = false;
  playback.pause();
  playback.seek(time);
  touch();
}
function touch(): void {
  isUiDirty = true;
  if (view) view.isDirty = true;
}
function select(next: Selection): void {
  selection = next && selection && next.kind === selection.kind && next.index === selection.index ? null : next;
  view?.bodies.select(selection?.kind === "body" ? selection.index : -1);
  if (view) view.overlays.selectedJoint = selection?.kind === "joint" ? selection.index : -1;
  tree.setSelected(selection);
  touch();
}
function toggleHidden(body: number): boolean {
  const hidden = view?.bodies.hidden;
  if (!hidden) return false;
  if (!hidden.delete(body)) hidden.add(body);
  touch();
  return hidden.has(body);
}
function follow(body: number): void {
  if (!view) return;
  view.follow(view.followed === body ? -1 : body);
  tree.setFollowed(view.followed);
  touch();
}
function setTheme(next: Theme): void {
  theme = next;
  document.documentElement.dataset.theme = next;
  view?.setTheme(next);
  plots.isDark = next === "dark";
  showPlots();
  touch();
}
function showPlots(): void {
  plots.show(groups.filter((g) => chosen.has(key(g))));
  layout();
}
const key = (g: PlotGroup) => `${g.title} ${g.unit}`;

function setLayer(layer: Layer, on: boolean): void {
  if (!view) return;
  view.shown[layer] = on;
  if (layer === "wireframe") {
    view.bodies.setWireframe(on);
    view.soft.setWireframe(on);
  }
  const box = document.querySelector<HTMLInputElement>(`#show-list [data-layer=${layer}]`);
  if (box) box.checked = on;
  touch();
}
function togglePanel(id: string, button: string): void {
  const closed = byId(id).classList.toggle("closed");
  byId(button).setAttribute("aria-expanded", String(!closed));
  layout();
}

/// Everything that depends on the header.
function buildScene(): void {
  const header = store.header;
  if (!header || !view) return;
  selection = null;
  view.build();
  tree.build(header);
  groups = plotGroups(header.columns);
  const wanted = settings.plots ? groups.filter((g) => settings.plots?.includes(g.title)) : defaultGroups(groups, header.columns);
  if (chosen.size === 0) chosen = new Set(isNarrow() && !settings.plots ? [] : wanted.map(key));
  byId("plot-list").replaceChildren(
    ...groups.map((g) => {
      const box = h("input", { type: "checkbox" });
      box.checked = chosen.has(key(g));
      box.addEventListener("change", () => {
        if (box.checked) chosen.add(key(g));
        else chosen.delete(key(g));
        showPlots();
        touch();
      });
      return h("label", {}, box, g.title, h("small", {}, g.unit ? `[${g.unit}]` : ""));
    }),
  );
  byId("title").textContent = header.scene || "Sinew";
  document.title = `${header.scene || "scene"} · Sinew`;
  byId("scale").textContent = `grid ${withUnit(view.gridStep, "m", 1)}, at z = ${withUnit(view.groundHeight, "m", 3)}`;
  buildColourBar();
  showPlots();
  livePanel?.build(header);
  touch();
}

function buildColourBar(): void {
  const bar = byId("colour-bar");
  const lines = store.header?.channels.find((c) => c.kind === "lines")?.value;
  const fields = view?.soft.fields ?? [];
  const field = fields[view?.soft.field ?? 0] ?? lines;
  bar.hidden = field === undefined;
  if (!field) return;
  const stops = Array.from({ length: 11 }, (_, i) => `rgb(${mapColour(i / 10).map((c) => Math.round(255 * c)).join(" ")})`);
  const ramp = h("i");
  ramp.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  let name: HTMLElement = h("strong", {}, `${field.name}${field.unit ? ` [${field.unit}]` : ""}`);
  if (fields.length > 1) {
    const chooser = h("select", { "aria-label": "field that colours" }, ...fields.map((f, i) => h("option", { value: i }, `${f.name}${f.unit ? ` [${f.unit}]` : ""}`)));
    chooser.value = String(view?.soft.field ?? 0);
    chooser.addEventListener("change", () => {
      if (view) view.soft.field = Number(chooser.value);
      buildColourBar();
      touch();
    });
    name = chooser;
  }
  bar.replaceChildren(name, ramp, h("div", {}, h("span", {}, String(field.range[0])), h("span", {}, String(field.range[1]))));
}

function layout(): void {
  const box = byId("stage").getBoundingClientRect();
  view?.resize(box.width, box.height, Math.min(devicePixelRatio, 2));
  plots.resize();
  touch();
}

function buildMarkers(): void {
  const span = store.end - store.start || 1;
  byId("markers").replaceChildren(
    ...store.events.slice(0, 200).map((event) => {
      const text = `${event.kind.replace(/_/g, " ")} at ${formatTime(event.time)} s: ${event.message}`;
      const mark = h("button", { title: text, "aria-label": text, click: () => seek(event.time) }, "▼");
      mark.style.left = `${(100 * (event.time - store.start)) / span}%`;
      return mark;
    }),
  );
}

function updateUi(): void {
  const slider = byId<HTMLInputElement>("slider");
  slider.min = String(store.start);
  slider.max = String(store.end);
  slider.value = String(playback.time);
  slider.setAttribute("aria-valuetext", `${formatTime(playback.time)} seconds`);
  byId("clock").replaceChildren(formatTime(playback.time), h("span", { class: "end" }, ` / ${formatTime(store.end)}`), " s");
  const isRunning = link ? (link.status?.running ?? false) && playback.followsLive : playback.isPlaying;
  byId("play").textContent = isRunning ? "❚❚" : "▶";
  byId("play").setAttribute("aria-label", isRunning ? "pause" : "play");
  byId("loop").setAttribute("aria-pressed", String(playback.loops));
  byId<HTMLSelectElement>("speed").value = String(playback.speed);
  const isNew = shownRevision !== store.revision;
  if (isNew) {
    buildMarkers();
    shownRevision = store.revision;
  }
  const now = performance.now();
  const showsNew = now - plotsRevisionTime > (link ? 200 : 0);
  if (showsNew) plotsRevisionTime = now;
  plots.update(playback.time, showsNew);
  inspector.update(store, store.nearestFrame(playback.time), selection);
  updateBadge();
}

function updateBadge(): void {
  const badge = byId("badge");
  const header = store.header;
  let text = "";
  let isTrouble = false;
  if (link) {
    text = link.isOpen ? "live" : "connection lost: trying again";
    isTrouble = !link.isOpen;
  } else if (header) {
    text = `replay, ${store.frames} frames`;
    if (header.truncated) {
      text = `cut off: ${store.frames} whole frames`;
      isTrouble = true;
    }
  }
  if (badge.textContent !== text) badge.textContent = text;
  badge.classList.toggle("trouble", isTrouble);
}

function togglePlay(): void {
  if (link) {
    const runs = link.status?.running ?? false;
    if (runs && !playback.followsLive) playback.followsLive = true;
    else link.send({ do: runs ? "pause" : "play" });
    if (!runs) playback.followsLive = true;
  } else {
    playback.toggle();
  }
  touch();
}
function step(frames: number): void {
  if (link && playback.followsLive && frames > 0) link.send({ do: "step" });
  else {
    playback.followsLive = false;
    playback.step(frames);
  }
  touch();
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as HTMLElement;
  const isTyping = target.matches("select, input:not(#slider), textarea");
  const dialog = byId<HTMLDialogElement>("help");
  if (event.key === "Escape") {
    document.querySelectorAll<HTMLDetailsElement>("#top details").forEach((d) => (d.open = false));
    if (!dialog.open) select(null);
    return;
  }
  if (isTyping || dialog.open) return;
  const shift = event.shiftKey ? 10 : 1;
  const actions: Record<string, () => void> = {
    ArrowLeft: () => step(-shift), ArrowRight: () => step(shift), Home: () => seek(store.start),
    End: () => (link ? ((playback.followsLive = true), touch()) : seek(store.end)),
    ",": () => playback.faster(-1), ".": () => playback.faster(1), l: () => (playback.loops = !playback.loops),
    j: () => setLayer("joints", !view?.shown.joints), r: () => setLayer("frames", !view?.shown.frames), m: () => setLayer("coms", !view?.shown.coms),
    i: () => setLayer("inertia", !view?.shown.inertia), p: () => setLayer("trails", !view?.shown.trails), g: () => setLayer("grid", !view?.shown.grid),
    w: () => setLayer("wireframe", !view?.shown.wireframe), k: () => setLayer("contacts", !view?.shown.contacts),
    h: () => selection?.kind === "body" && tree.setHidden(selection.index, toggleHidden(selection.index)),
    f: () => selection?.kind === "body" && follow(selection.index), c: () => { view?.follow(-1); tree.setFollowed(-1); view?.resetCamera(); },
    "1": () => view?.resetCamera(new THREE.Vector3(0, -1, 0.02)), "2": () => view?.resetCamera(new THREE.Vector3(1, 0, 0.02)),
    "3": () => view?.resetCamera(new THREE.Vector3(0, -0.001, 1)),
    b: () => togglePanel("tree", "toggle-tree"), n: () => togglePanel("inspector", "toggle-inspector"),
    d: () => { byId("plots").classList.toggle("closed"); layout(); },
    t: () => setTheme(theme === "dark" ? "light" : "dark"), "?": () => dialog.showModal(),
  };
  if (event.key === " " && !target.matches("button, summary")) actions[" "] = togglePlay;
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
  touch();
}

/// A click selects; in a live run a drag that begins on a body pulls it.
function bindPointer(): void {
  let down: { x: number; y: number; time: number } | null = null;
  let lastSent = 0;
  canvas.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, y: event.clientY, time: performance.now() };
    if (!link || !view || event.button !== 0 || event.shiftKey) return;
    playback.followsLive = true;
    const hit = view.pick(event.clientX, event.clientY);
    if (!hit) return;
    view.controls.enabled = false;
    const local = hit.point.clone().applyMatrix4(view.bodies.world[hit.body].clone().invert());
    view.pull = { body: hit.body, point: local, target: hit.point.clone() };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!view?.pull || !link) return;
    const anchor = view.pull.point.clone().applyMatrix4(view.bodies.world[view.pull.body]);
    view.pull.target = view.pointOnPlane(event.clientX, event.clientY, anchor);
    const now = performance.now();
    if (now - lastSent > 15) {
      lastSent = now;
      link.send({ do: "pull", body: view.pull.body, point: view.pull.point.toArray(), target: view.pull.target.toArray() });
    }
    view.isDirty = true;
  });
  const release = (event: PointerEvent) => {
    if (view?.pull && link) {
      link.send({ do: "release" });
      view.pull = null;
      view.controls.enabled = true;
      view.isDirty = true;
    }
    if (down && view && event.type === "pointerup" && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 4 && event.button === 0) {
      const hit = view.pick(event.clientX, event.clientY);
      select(hit ? { kind: "body", index: hit.body } : null);
    }
    down = null;
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
}

function bindUi(): void {
  const on = (id: string, action: () => void) => byId(id).addEventListener("click", () => { action(); touch(); });
  on("play", togglePlay);
  on("back", () => step(-1));
  on("forward", () => step(1));
  on("first", () => seek(store.start));
  on("last", () => (link ? (playback.followsLive = true) : seek(store.end)));
  on("loop", () => (playback.loops = !playback.loops));
  on("home", () => { view?.follow(-1); tree.setFollowed(-1); view?.resetCamera(); });
  on("theme", () => setTheme(theme === "dark" ? "light" : "dark"));
  on("toggle-tree", () => togglePanel("tree", "toggle-tree"));
  on("toggle-inspector", () => togglePanel("inspector", "toggle-inspector"));
  on("help-button", () => byId<HTMLDialogElement>("help").showModal());
  byId("slider").addEventListener("input", (e) => seek(Number((e.target as HTMLInputElement).value)));
  const speed = byId<HTMLSelectElement>("speed");
  speed.append(...SPEEDS.map((s) => h("option", { value: s }, `${s}×`)));
  speed.addEventListener("change", () => (playback.speed = Number(speed.value)));
  byId("show-list").append(
    ...LAYERS.map((layer) => {
      const box = h("input", { type: "checkbox", "data-layer": layer });
      box.checked = settings.shown[layer];
      box.addEventListener("change", () => setLayer(layer, box.checked));
      return h("label", {}, box, LAYER_NAMES[layer]);
    }),
  );
  document.addEventListener("keydown", onKey);
  document.addEventListener("pointerdown", (event) => {
    document.querySelectorAll<HTMLDetailsElement>("#top details[open]").forEach((d) => { if (!d.contains(event.target as Node)) d.open = false; });
  });
  new ResizeObserver(layout).observe(byId("stage"));
  buildHelp(byId<HTMLDialogElement>("help"));
  if (isNarrow()) {
    togglePanel("tree", "toggle-tree");
    togglePanel("inspector", "toggle-inspector");
  }
  bindPointer();
}

let before = performance.now();
function tick(now: number): void {
  const elapsed = Math.min((now - before) / 1000, 0.25);
  before = now;
  const was = playback.time;
  playback.advance(elapsed);
  if (playback.time !== was) touch();
  if (view?.isDirty) {
    view.draw(playback.time);
    frameTimes.push(now);
    if (frameTimes.length > 240) frameTimes = frameTimes.slice(-120);
  }
  if (isUiDirty) {
    isUiDirty = false;
    updateUi();
  }
  requestAnimationFrame(tick);
}

function decodeBase64(text: string): Uint8Array {
  const binary = atob(text.trim());
  return Uint8Array.from({ length: binary.length }, (_, i) => binary.charCodeAt(i));
}

/// A whole stream at once: shows every frame before the damage, if there is any, and says so.
function showStream(bytes: Uint8Array): void {
  const reader = new StreamReader(store);
  try {
    reader.push(bytes);
  } catch (error) {
    const reason = error instanceof StreamError ? error.message : `the stream is damaged (${String(error)})`;
    fail(store.frames > 0 ? `${reason}\nShown are the ${store.frames} frames before it.` : `This recording cannot be shown:\n${reason}`);
  }
  if (store.frames === 0 && byId("message").hidden) fail("This recording has no frames.");
  buildScene();
  playback.time = store.start;
  applySettings();
}

function applySettings(): void {
  const bodies = store.header?.bodies ?? [];
  const selected = bodies.findIndex((b) => b.name === settings.select);
  if (selected >= 0) select({ kind: "body", index: selected });
  const joint = store.header?.joints.findIndex((j) => j.name === settings.select) ?? -1;
  if (joint >= 0 && selected < 0) select({ kind: "joint", index: joint });
  const followed = bodies.findIndex((b) => b.name === settings.follow);
  if (followed >= 0) follow(followed);
  if (settings.trail !== undefined && view) view.overlays.trailSeconds = settings.trail;
  if (settings.time !== undefined) playback.seek(settings.time);
  if (settings.camera) view?.setCamera(settings.camera);
  if (settings.shown.wireframe) setLayer("wireframe", true);
  if (!settings.still && settings.time === undefined && !reducesMotion && store.frames > 1) playback.play();
}

function startLive(): void {
  playback.followsLive = true;
  const protocol = location.protocol === "https:" ? "wss:" : "ws:";
  let built = -1;
  link = new LiveLink(
    `${protocol}//${location.host}/ws`, store,
    (what) => {
      if (what === "frame" && built !== store.generation && store.frames > 0) {
        const isAgain = built >= 0;
        const position = view?.camera.position.clone();
        const target = view?.controls.target.clone();
        built = store.generation;
        buildScene();
        if (isAgain && view && position && target) view.setCamera([...position.toArray(), ...target.toArray()]);
        else applySettings();
      }
      if (what === "status") livePanel?.update();
      touch();
    },
    fail,
  );
  livePanel = new LivePanel(byId<HTMLFormElement>("live"), link);
  link.connect();
}

async function start(): Promise<void> {
  try {
    view = new View3D(canvas, store);
  } catch {
    fail("This browser cannot draw in three dimensions (WebGL is off).\nPlots and numbers work; the view stays empty.");
  }
  if (view) view.shown = settings.shown;
  document.body.classList.toggle("bare", !settings.panels);
  bindUi();
  setTheme(theme);
  layout();
  const source = document.getElementById("sinew-source")?.textContent;
  const embedded = document.getElementById("sinew-stream")?.textContent;
  if (embedded !== undefined && embedded !== null) {
    let bytes = new Uint8Array(0);
    try {
      bytes = decodeBase64(embedded) as Uint8Array<ArrayBuffer>;
    } catch {
      fail("This recording cannot be shown:\nthe data in this page is damaged.");
    }
    if (bytes.length > 0) showStream(bytes);
    else if (byId("message").hidden) fail("This page carries no recording.");
    if (settings.capture && view && store.frames > 0) {
      capture(view, store, canvas, settings.capture);
      return;
    }
  } else if (source && JSON.parse(source).source === "live") {
    startLive();
  } else if (source) {
    const answer = await fetch("/stream");
    if (answer.ok) showStream(new Uint8Array(await answer.arrayBuffer()));
    else fail(`The recording could not be fetched: ${answer.status} ${answer.statusText}`);
  } else {
    fail("This is the viewer without a recording.\n`sinew view RECORDING` or `sinew render RECORDING -o page.html` gives it one.");
  }
  layout();
  view?.draw(playback.time);
  updateUi();
  requestAnimationFrame(tick);
}

/// For tests and for people at the console.
Object.assign(window, {
  sinewViewer: {
    get time() { return playback.time; },
    get isPlaying() { return playback.isPlaying; },
    get frames() { return store.frames; },
    get header() { return store.header; },
    get status() { return link?.status ?? null; },
    get selection() { return selection; },
    get radius() { return view?.radius ?? 0; },
    get drawCalls() { return view?.drawCalls ?? 0; },
    get camera() { return view ? [...view.camera.position.toArray(), ...view.controls.target.toArray()] : []; },
    framesPerSecond() { const t = frameTimes.slice(-60); return t.length > 1 ? (1000 * (t.length - 1)) / (t[t.length - 1] - t[0]) : 0; },
    latest(column: string) { return store.value(store.frames - 1, store.header?.columns.findIndex((c) => c.name === column) ?? -1); },
    screenPosition(body: number) { return view?.screenPosition(body); },
    posesAt(time: number) { const out = new Float32Array(7 * store.bodyCount); store.posesAt(time, out); return [...out]; },
    /// Milliseconds to put everything in place and draw it, `times` times over.
    measure(times: number) {
      const began = performance.now();
      for (let i = 0; i < times; ++i) view?.draw(store.start + ((store.end - store.start) * i) / times);
      return (performance.now() - began) / times;
    },
  },
});

void start();
