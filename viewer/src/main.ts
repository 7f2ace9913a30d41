// Starts the viewer and keeps it going.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { App } from "./app";
import { capture } from "./capture";
import { Compass } from "./compass";
import { bindControls } from "./controls";
import { byId } from "./dom";
import { bindPointer } from "./pointer";
import type { Size } from "./settings";
import { openSource } from "./sources";

const NUMBERS_INTERVAL = 100; // ms between numbers while a picture takes longer

const app = new App();
const compass = new Compass(byId("compass"));
const still = new Image();
still.id = "still";
let pictures = 0; // drawn so far
let before = performance.now();
let updatedAt = 0;

function tick(now: number): void {
  requestAnimationFrame(tick);
  const { view } = app;
  const isBusy = view?.isBusy ?? false; // asked every time: it also takes the time of the picture
  if (view && now - before < view.detail.interval) return;
  const elapsed = Math.min((now - before) / 1000, 0.25);
  before = now;
  const was = app.playback.time;
  app.playback.advance(elapsed);
  if (app.playback.time !== was) app.touch();
  view?.moveOn(elapsed);
  if (view?.isDirty && !isBusy) {
    if (app.settings.quality === undefined && !app.settings.still) app.fitDetail();
    draw();
    ++pictures;
  }
  if (app.isDirty && (!isBusy || now - updatedAt > NUMBERS_INTERVAL)) {
    updatedAt = now;
    app.update();
  }
}

/// Draws; for a still picture also lays an image of the drawing over the canvas: a browser that takes a screenshot waits for images, but not
/// for the graphics processor.
function draw(): void {
  if (!app.view) return;
  app.view.draw(app.playback.time);
  compass.update(app.view.camera);
  if (!app.settings.still) return;
  if (!still.isConnected) app.canvas.after(still);
  still.src = app.canvas.toDataURL();
}

/// The page has the size of the picture from the start: a headless browser may open a smaller window, and enlarge it only for the picture.
function fixSize({ width, height }: Size): void {
  Object.assign(document.documentElement.style, { width: `${width}px`, height: `${height}px` });
}

async function start(): Promise<void> {
  byId("incomplete").remove(); // the whole page has come
  if (app.settings.still) fixSize(app.settings.still);
  document.body.classList.toggle("still", app.settings.still !== undefined);
  bindControls(app);
  bindPointer(app);
  app.setTheme(app.theme);
  await openSource(app);
  if (app.settings.capture && app.view && app.store.frames > 0) {
    capture(app.view, app.store, app.canvas, app.settings.capture, app.settings.camera);
    return;
  }
  app.layout();
  draw();
  app.update();
  requestAnimationFrame(tick);
}

/// For tests and for people at the console.
Object.assign(window, {
  sinewViewer: {
    get time() { return app.playback.time; },
    get isPlaying() { return app.playback.isPlaying; },
    get frames() { return app.store.frames; },
    get header() { return app.store.header; },
    get status() { return app.link?.status ?? null; },
    get selection() { return app.selection; },
    get groundHeight() { return app.view?.extent.groundHeight ?? 0; },
    get radius() { return app.view?.radius ?? 0; },
    get detail() { return app.view?.detail.now ?? "none"; },
    get isDrawn() { return !app.view?.isDirty && !app.view?.isBusy; }, // the last picture shows the last change
    get pictures() { return pictures; },
    get drawCalls() { return app.view?.drawCalls ?? 0; },
    get camera() { return app.view ? [...app.view.camera.position.toArray(), ...app.view.controls.target.toArray()] : []; },
    latest(column: string) { return app.store.value(app.store.frames - 1, app.store.header?.columns.findIndex((c) => c.name === column) ?? -1); },
    screenPosition(body: number) { return app.view?.screenPosition(body); },
    screenPlace(place: number[]) { return app.view?.screenPlace(place); },
    /// Unit vectors along the axes of a joint's motions, and where these are, as drawn last.
    axesOf(joint: number) { return app.view?.axesOf(joint) ?? []; },
    /// x, y, z of every point of a muscle, cable, spring or strand, as drawn last.
    pathPoints(path: number) { return app.view?.pathPoints(path).flatMap((point) => point.toArray()) ?? []; },
    get plotSpan() { return app.plots.shownSpan; },
    get pull() { return app.view?.pull?.body ?? null; },
    posesAt(time: number) { const out = new Float32Array(7 * app.store.bodyCount); app.store.posesAt(time, out); return [...out]; },
    contactsAt(time: number) { const c = app.store.contacts[app.store.nearestFrame(time)]; return c ? { numbers: [...c.numbers], bodies: [...c.bodies] } : null; },
    get triangles() { return app.view?.triangles ?? 0; },
  },
});

void start();
