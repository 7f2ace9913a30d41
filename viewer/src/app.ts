// What the viewer knows and what can be done with it: buttons, keys, the mouse and the settings all come here.
import { Address } from "./address";
import { NO_INSET } from "./camera";
import { buildColourBar, showContactScale } from "./colourbar";
import { byId, h } from "./dom";
import { counted, formatTime, unitLabel, withUnit } from "./format";
import { Inspector } from "./inspector";
import { isSame, type Item } from "./items";
import type { LiveLink } from "./live";
import type { LivePanel } from "./livepanel";
import type { Layer } from "./overlays";
import { nextSpeed, Playback } from "./playback";
import { defaultGroups, plotGroups, Plots, type PlotGroup } from "./plots";
import { Puller } from "./pull";
import { parseSettings } from "./settings";
import { Store } from "./store";
import { Tree } from "./tree";
import { View3D, type Theme } from "./view3d";
import { ledgerWarnings, Markers } from "./warnings";

const LIVE_PLOT_INTERVAL = 200; // ms between plots of a live run
const NUMBERS_INTERVAL = 100; // ms between numbers while time goes on: nobody reads them faster
/// A phone, upright or on its side: panels and plots are closed from the start.
export const isSmall = () => innerWidth <= 760 || innerHeight <= 440;
/// Writes only what is new: the browser need not look at the rest.
function set<T, K extends keyof T>(element: T, name: K, value: T[K]): void {
  if (element[name] !== value) element[name] = value;
}
const key = (g: PlotGroup) => `${g.title} ${g.unit}`;

export class App {
  readonly settings = parseSettings(location.hash);
  readonly store = new Store();
  readonly playback = new Playback(() => ({ start: this.store.start, end: this.store.end, times: this.store.times }));
  readonly canvas = byId<HTMLCanvasElement>("view");
  readonly tree = new Tree(byId("tree"), { select: (item) => this.select(item), toggleHidden: (item) => this.toggleHidden(item), follow: (item) => this.follow(item) });
  theme: Theme = this.settings.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  selection: Item | null = null;
  view: View3D | null = null; // none if the browser cannot draw
  link: LiveLink | null = null;
  livePanel: LivePanel | null = null;
  isDirty = true;
  readonly puller = new Puller(this);
  readonly plots = new Plots(byId("plots"), this.store, (time) => this.seek(time), () => (this.isDirty = true));
  private markers = new Markers(byId("markers"), byId("warning"), (time) => this.seek(time));
  private address = new Address(this);
  private inspector = new Inspector(byId("inspector"));
  private groups: PlotGroup[] = [];
  private chosen: Set<string> | null = null; // plots shown; none chosen yet
  private names = ""; // of all that can be chosen: what is selected and hidden outlives a reset
  private shownRevision = -1;
  private numbered = 0; // when numbers were last written [ms]
  private revised = 0; // when plots and marks were last made from new frames [ms]

  constructor() {
    try {
      this.view = new View3D(this.canvas, this.store, this.settings.quality === "low");
      this.view.shown = this.settings.shown;
    } catch {
      this.fail("This browser cannot draw in three dimensions (WebGL is off).\nPlots and numbers work; the view stays empty.");
    }
    document.body.classList.toggle("bare", !this.settings.panels);
  }

  fail(message: string): void {
    const box = byId("message");
    box.textContent = message;
    box.hidden = false;
    byId("badge").textContent = "";
  }
  get hasFailed(): boolean {
    return !byId("message").hidden;
  }
  touch(): void {
    this.isDirty = true;
    this.view?.touch();
  }

  // Time

  seek(time: number): void {
    this.playback.followsLive = false;
    this.playback.pause();
    this.playback.seek(time);
    this.touch();
  }
  toEnd(): void {
    if (this.link) this.playback.followsLive = true;
    else this.seek(this.store.end);
    this.touch();
  }
  togglePlay(): void {
    if (this.link) {
      const runs = this.link.isRunning;
      if (!runs || this.playback.followsLive) this.link.send({ do: runs ? "pause" : "play" });
      this.playback.followsLive = true;
    } else {
      this.playback.toggle();
    }
    this.touch();
  }
  step(frames: number): void {
    if (this.link && this.playback.followsLive && frames > 0) {
      this.link.send({ do: "step" });
    } else {
      this.playback.followsLive = false;
      this.playback.step(frames);
    }
    this.touch();
  }

  /// To the next speed up or down; of a live run for all who look at it.
  changeSpeed(direction: number): void {
    const { link, playback } = this;
    if (link?.status) {
      link.status.speed = nextSpeed(link.status.speed, direction);
      link.send({ do: "speed", value: link.status.speed });
      this.livePanel?.update();
    } else if (!link) {
      playback.speed = nextSpeed(playback.speed, direction);
    }
    this.touch();
  }

  // What is looked at

  /// The same again: nothing.
  select(next: Item | null): void {
    this.selection = isSame(next, this.selection) ? null : next;
    this.showChosen();
  }
  toggleHidden({ kind, index }: Item): void {
    const hidden = this.view?.hidden[kind];
    if (hidden && !hidden.delete(index)) hidden.add(index);
    this.showChosen();
  }
  /// The same again: the camera stays.
  follow(item: Item | null): void {
    this.view?.follow(isSame(item, this.view.followed) || item?.kind === "path" ? null : item);
    this.showChosen();
  }
  private showChosen(): void {
    const { selection, tree, view } = this;
    tree.setSelected(selection);
    if (view) {
      const index = (kind: Item["kind"]) => (selection?.kind === kind ? selection.index : -1);
      view.bodies.select(index("body"));
      view.overlays.joints.selected = index("joint");
      view.overlays.paths.selected = index("path");
      tree.setHidden(view.hidden);
      tree.setFollowed(view.followed);
    }
    this.touch();
  }
  setThickness(factor: number): void {
    if (this.view) this.view.overlays.paths.thickness = Math.min(Math.max(factor, 0.1), 10);
    this.touch();
  }
  showWhole(): void {
    this.follow(null);
    this.view?.resetCamera();
  }
  setTheme(next: Theme): void {
    this.theme = next;
    document.documentElement.dataset.theme = next;
    this.view?.setTheme(next);
    this.plots.isDark = next === "dark";
    this.showPlots();
    this.touch();
  }
  toggleTheme(): void {
    this.setTheme(this.theme === "dark" ? "light" : "dark");
  }
  setLayer(layer: Layer, on: boolean): void {
    if (!this.view) return;
    this.view.shown[layer] = on;
    if (layer === "wireframe") {
      this.view.bodies.setWireframe(on);
      this.view.soft.setWireframe(on);
    }
    const box = document.querySelector<HTMLInputElement>(`#show-list [data-layer=${layer}]`);
    if (box) box.checked = on;
    this.touch();
  }
  toggleLayer(layer: Layer): void {
    this.setLayer(layer, !this.view?.shown[layer]);
  }
  togglePanel(id: "tree" | "inspector" | "plots"): void {
    const isClosed = byId(id).classList.toggle("closed");
    document.getElementById(`toggle-${id}`)?.setAttribute("aria-expanded", String(!isClosed));
    this.layout();
  }

  // Building and updating the page

  /// Everything that depends on the header. `isAgain`: maybe the same scene anew.
  buildScene(isAgain = false): void {
    const { store, view } = this;
    if (!store.header) return;
    const names = JSON.stringify([store.header.bodies, store.softBodies, store.header.joints, store.header.paths ?? []].map((list) => list.map((item) => item.name)));
    const isSame = isAgain && names === this.names;
    if (names !== this.names) this.forgetChosen();
    this.names = names;
    this.tree.build(store.header, store.softBodies);
    this.buildPlotList();
    this.livePanel?.build(store.header);
    this.showPlots();
    view?.build(isSame); // after the plots and the panel: the camera fits the room that is left
    byId("title").textContent = store.header.scene || "Sinew";
    document.title = `${store.header.scene || "scene"} · Sinew`;
    this.showScale();
    buildColourBar(this);
    this.showChosen();
  }
  showScale(): void {
    const { view } = this;
    if (!view) return;
    const height = view.hasPlanes ? "" : `, at z = ${withUnit(view.extent.groundHeight, "m", 3)}`;
    const reason = this.settings.quality === "low" ? "" : ": slow graphics";
    const less = { fine: "", plain: `; drawn plainly${reason}`, coarse: `; drawn coarsely${reason}` }[view.detail.now];
    byId("scale").textContent = `grid ${withUnit(view.gridStep, "m", 1)}${height}${less}`;
  }
  /// Where drawing is slow, first without shadows, then at half the resolution: a machine that cannot do better stays usable.
  fitDetail(): void {
    if (!this.view?.detail.fit()) return;
    this.view.touch();
    this.showScale();
    this.layout();
  }
  private forgetChosen(): void {
    this.selection = null;
    this.chosen = null;
    this.plots.showAll();
    this.view?.follow(null);
    for (const hidden of Object.values(this.view?.hidden ?? {})) hidden.clear();
  }

  private buildPlotList(): void {
    const { settings } = this;
    const columns = this.store.header?.columns ?? [];
    this.groups = plotGroups(columns);
    const wanted = settings.plots ? this.groups.filter((g) => settings.plots?.includes(g.title)) : isSmall() ? [] : defaultGroups(this.groups, columns);
    const chosen = (this.chosen ??= new Set(wanted.map(key)));
    byId("plot-list").replaceChildren(
      ...this.groups.map((g) => {
        const box = h("input", { type: "checkbox" });
        box.checked = chosen.has(key(g));
        box.addEventListener("change", () => {
          if (box.checked) chosen.add(key(g));
          else chosen.delete(key(g));
          this.showPlots();
        });
        return h("label", {}, box, g.title, h("small", {}, unitLabel(g.unit)));
      }),
    );
  }
  /// By their titles.
  choosePlots(titles: string[]): void {
    this.chosen = new Set(this.groups.filter((g) => titles.includes(g.title)).map(key));
    this.buildPlotList();
    this.showPlots();
  }
  /// Plots show so many times as much time around now.
  zoomPlots(factor: number): void {
    this.plots.zoom(factor, this.playback.time);
    this.isDirty = true;
  }
  private showPlots(): void {
    this.plots.show(this.groups.filter((g) => this.chosen?.has(key(g))));
    this.layout();
  }

  layout(): void {
    const box = byId("stage").getBoundingClientRect();
    this.view?.fit(box.width, box.height, this.livePanel?.covers(box.width, box.height) ?? NO_INSET);
    this.isDirty = true;
  }

  update(): void {
    const { store, playback, link } = this;
    this.isDirty = false;
    const isRunning = link ? link.isRunning && playback.followsLive : playback.isPlaying;
    this.updateTransport(isRunning);
    if (!link && !isRunning && store.frames > 0 && !this.settings.still) this.address.note(playback.time);
    const now = performance.now();
    const isTime = now - this.revised > (link ? LIVE_PLOT_INTERVAL : 0);
    if (isTime) this.revised = now;
    if (isTime && this.shownRevision !== store.revision) {
      this.markers.show([...store.events, ...ledgerWarnings(store, this.view?.bodies.typicalSize ?? 0.1)], store.start, store.end);
      byId("note").hidden = !store.lacksContacts;
      this.shownRevision = store.revision;
    }
    const isTimeForNumbers = !isRunning || now - this.numbered > NUMBERS_INTERVAL;
    this.plots.update(playback.time, isTime, isTimeForNumbers);
    if (!isTimeForNumbers) return;
    this.numbered = now;
    showContactScale(this);
    this.inspector.update(store, store.nearestFrame(playback.time), this.selection);
    this.updateBadge();
  }

  private updateTransport(isRunning: boolean): void {
    const { store, playback } = this;
    const slider = byId<HTMLInputElement>("slider");
    set(slider, "min", String(store.start));
    set(slider, "max", String(store.end));
    slider.value = String(playback.time);
    slider.setAttribute("aria-valuetext", `${formatTime(playback.time)} seconds`);
    set(byId("clock-now"), "textContent", formatTime(playback.time));
    set(byId("clock-end"), "textContent", ` / ${formatTime(store.end)}`);
    set(byId("play"), "textContent", isRunning ? "❚❚" : "▶");
    set(byId("play"), "ariaLabel", isRunning ? "pause" : "play");
    set(byId("loop"), "ariaPressed", String(playback.loops));
    set(byId<HTMLSelectElement>("speed"), "value", String(playback.speed));
  }

  private updateBadge(): void {
    const { link, store } = this;
    const isCut = store.header?.truncated ?? false;
    const badge = byId("badge");
    let text = "";
    if (link) text = link.isOpen ? "live" : "connection lost: trying again";
    else if (store.header) text = isCut ? `cut off: ${counted(store.frames, "whole frame")}` : `replay, ${counted(store.frames, "frame")}`;
    if (badge.textContent !== text) badge.textContent = text;
    badge.classList.toggle("trouble", link ? !link.isOpen : isCut);
  }
}
