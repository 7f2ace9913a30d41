// Buttons, menus and keys.
import * as THREE from "three";
import { isSmall, type App } from "./app";
import { byId, h } from "./dom";
import { buildHelp } from "./help";
import { LAYERS, type Layer } from "./overlays";
import { SPEEDS } from "./playback";

const LAYER_NAMES: Record<Layer, string> = {
  bodies: "bodies", joints: "joints, axes, stops", frames: "body frames", coms: "centres of mass", inertia: "inertia boxes", trails: "trails of probes",
  contacts: "contact forces", paths: "muscles, cables, strands", soft: "soft bodies", grid: "ground grid", shadows: "shadows", wireframe: "wire frame",
};

const PAN = 0.08; // of the height of the view, a key

function actionsOf(app: App, shift: boolean): Record<string, () => void> {
  const frames = shift ? 10 : 1;
  const { selection } = app;
  const look = (x: number, y: number, z: number) => () => app.view?.resetCamera(new THREE.Vector3(x, y, z));
  const turn = (right: number, up: number) => () => app.view?.moveCamera(right, up); // rad
  const pan = (right: number, up: number) => () => app.view?.panCamera(PAN * right, PAN * up);
  return {
    " ": () => app.togglePlay(), ArrowLeft: () => app.step(-frames), ArrowRight: () => app.step(frames), Home: () => app.seek(app.store.start), End: () => app.toEnd(),
    ",": () => app.changeSpeed(-1), ".": () => app.changeSpeed(1), l: () => app.link || (app.playback.loops = !app.playback.loops),
    j: () => app.toggleLayer("joints"), r: () => app.toggleLayer("frames"), m: () => app.toggleLayer("coms"), i: () => app.toggleLayer("inertia"),
    p: () => app.toggleLayer("trails"), g: () => app.toggleLayer("grid"), w: () => app.toggleLayer("wireframe"), k: () => app.toggleLayer("contacts"), s: () => app.toggleLayer("paths"),
    h: () => selection && app.toggleHidden(selection), f: () => selection && app.follow(selection),
    c: () => app.showWhole(), "1": look(0, -1, 0.02), "2": look(1, 0, 0.02), "3": look(0, -0.001, 1),
    q: shift ? pan(-1, 0) : turn(-0.15, 0), e: shift ? pan(1, 0) : turn(0.15, 0), u: shift ? pan(0, 1) : turn(0, 0.1), o: shift ? pan(0, -1) : turn(0, -0.1),
    "+": () => app.view?.moveCamera(0, 0, 1 / 1.2), "-": () => app.view?.moveCamera(0, 0, 1.2),
    b: () => app.togglePanel("tree"), n: () => app.togglePanel("inspector"), d: () => app.togglePanel("plots"), z: () => app.zoomPlots(shift ? 2 : 0.5),
    x: () => app.puller.toggle(), t: () => app.toggleTheme(), "?": () => byId<HTMLDialogElement>("help").showModal(),
  };
}

/// While something is pulled at, arrows move the place it is pulled to.
const PULL_STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/// Keys that the focused element has a use for.
function isTaken(key: string, target: HTMLElement): boolean {
  if (target.matches("select")) return true;
  if (target.matches("input[type=range]:not(#slider)")) return /^(Arrow|Page|Home|End)/.test(key);
  return key === " " && target.matches("button, summary, input[type=checkbox]");
}

/// What had the focus in it gives it back to what opened it.
function closeMenu(menu: HTMLDetailsElement): void {
  if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
  menu.open = false;
}

function onKey(app: App, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as HTMLElement;
  const isHelp = byId<HTMLDialogElement>("help").open;
  if (event.key === "Escape") {
    const menus = document.querySelectorAll<HTMLDetailsElement>("#top details[open]");
    menus.forEach(closeMenu);
    if (isHelp || menus.length > 0) return;
    if (app.puller.isPulling) app.puller.release();
    else app.select(null);
    return;
  }
  if (isHelp || isTaken(event.key, target)) return;
  const [right, up] = (app.puller.isPulling && PULL_STEPS[event.key]) || [0, 0];
  const action = right || up ? () => app.puller.step(right, up) : actionsOf(app, event.shiftKey)[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
  app.touch();
}

export function bindControls(app: App): void {
  const on = (id: string, action: () => void) => byId(id).addEventListener("click", () => { action(); app.touch(); });
  on("play", () => app.togglePlay());
  on("back", () => app.step(-1));
  on("forward", () => app.step(1));
  on("first", () => app.seek(app.store.start));
  on("last", () => app.toEnd());
  on("loop", () => (app.playback.loops = !app.playback.loops));
  on("home", () => app.showWhole());
  on("theme", () => app.toggleTheme());
  on("toggle-tree", () => app.togglePanel("tree"));
  on("toggle-inspector", () => app.togglePanel("inspector"));
  on("help-button", () => byId<HTMLDialogElement>("help").showModal());
  byId("slider").addEventListener("input", (e) => app.seek(Number((e.target as HTMLInputElement).value)));
  const speed = byId<HTMLSelectElement>("speed");
  speed.append(...SPEEDS.map((s) => h("option", { value: s }, `${s}×`)));
  speed.addEventListener("change", () => (app.playback.speed = Number(speed.value)));
  byId("show-list").append(
    ...LAYERS.map((layer) => {
      const box = h("input", { type: "checkbox", "data-layer": layer });
      box.checked = app.settings.shown[layer];
      box.addEventListener("change", () => app.setLayer(layer, box.checked));
      return h("label", {}, box, LAYER_NAMES[layer]);
    }),
  );
  const thickness = h("input", { type: "range", min: 0.25, max: 4, step: 0.25, value: app.settings.thickness ?? 1, "aria-label": "thickness of muscles, cables, springs and strands" });
  thickness.addEventListener("input", () => app.setThickness(Number(thickness.value)));
  byId("show-list").append(h("label", {}, "thickness of muscles, cables", thickness));
  document.addEventListener("keydown", (event) => onKey(app, event));
  document.addEventListener("pointerdown", (event) => {
    document.querySelectorAll<HTMLDetailsElement>("#top details[open]").forEach((d) => { if (!d.contains(event.target as Node)) d.open = false; });
  });
  new ResizeObserver(() => app.layout()).observe(byId("stage"));
  buildHelp(byId<HTMLDialogElement>("help"), false);
  if (isSmall()) {
    app.togglePanel("tree");
    app.togglePanel("inspector");
  }
}
