// The address tells what is shown: a time that someone goes to is written after #, so that the address can be kept and sent, and an address that someone
// changes is followed.
import type { App } from "./app";
import { isSame } from "./items";
import { LAYERS } from "./overlays";
import { parseSettings } from "./settings";

const PAUSE = 400; // ms between writings: browsers refuse many in a row

export function withTime(hash: string, time: number): string {
  const others = hash.replace(/^#/, "").split("&").filter((part) => part !== "" && !part.startsWith("time="));
  return `#${[`time=${Number(time.toFixed(6))}`, ...others].join("&")}`;
}

export class Address {
  private told: number | null = null; // s, the time that is known to whoever looks; none yet
  private timer = 0;
  private last = parseSettings(location.hash);

  constructor(private app: App) {
    addEventListener("hashchange", () => this.follow());
  }

  /// A replay stands at `time`; the first one is where the page began.
  note(time: number): void {
    this.told ??= time;
    if (time === this.told || this.timer !== 0) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      const now = this.app.playback.time;
      if (this.app.playback.isPlaying || now === this.told) return;
      this.told = now;
      history.replaceState(null, "", withTime(location.hash, now));
    }, PAUSE);
  }

  private follow(): void {
    const { app } = this;
    const settings = parseSettings(location.hash);
    if (settings.theme && settings.theme !== app.theme) app.setTheme(settings.theme);
    for (const layer of LAYERS) if (settings.shown[layer] !== this.last.shown[layer]) app.setLayer(layer, settings.shown[layer]); // others stay as they were switched
    this.last = settings;
    document.body.classList.toggle("bare", !settings.panels);
    if (settings.plots) app.choosePlots(settings.plots);
    if (settings.thickness !== undefined) app.setThickness(settings.thickness);
    if (settings.trail !== undefined && app.view) app.view.overlays.trailSeconds = settings.trail;
    const [selected, followed] = [settings.select, settings.follow].map((name) => (name === undefined ? null : app.store.find(name)));
    if (selected && !isSame(selected, app.selection)) app.select(selected);
    if (followed && !isSame(followed, app.view?.followed ?? null)) app.follow(followed);
    if (settings.camera) app.view?.setCamera(settings.camera);
    if (settings.time !== undefined) app.seek(settings.time);
    this.told = app.playback.time;
    app.touch();
  }
}
