// Where the stream comes from: out of the page itself, from `sinew view` as a whole, or live.
import type { App } from "./app";
import { byId } from "./dom";
import { buildHelp } from "./help";
import { LiveLink } from "./live";
import { LivePanel } from "./livepanel";
import { StreamError, StreamReader } from "./stream";

/// Of text that was cut off as much as is whole.
export function decodeBase64(text: string): Uint8Array {
  const whole = text.trim();
  const binary = atob(whole.slice(0, whole.length - (whole.length % 4)));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/// A whole stream at once: shows every frame before the damage, if there is any, and says so.
function showStream(app: App, bytes: Uint8Array): void {
  const { store } = app;
  const reader = new StreamReader(store);
  try {
    reader.push(bytes);
    if (!reader.isComplete && store.header) store.header.truncated = true;
  } catch (error) {
    const reason = error instanceof StreamError ? error.message : `the stream is damaged (${String(error)})`;
    app.fail(store.frames > 0 ? `${reason}\nShown ${store.frames === 1 ? "is the frame" : `are the ${store.frames} frames`} before it.` : `This recording cannot be shown:\n${reason}`);
  }
  if (store.frames === 0 && !app.hasFailed) app.fail(reader.isComplete ? "This recording has no frames." : "This recording was cut off before its first frame.");
  app.buildScene();
  app.playback.time = store.start;
  applySettings(app);
}

/// The system asks for less motion: nothing moves before someone asks for it.
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function applySettings(app: App): void {
  const { settings, store, view } = app;
  if (settings.select !== undefined) app.select(store.find(settings.select));
  if (settings.follow !== undefined) app.follow(store.find(settings.follow));
  else if (view?.extent.isAbandoned && !settings.camera) app.follow(store.heaviest);
  if (settings.trail !== undefined && view) view.overlays.trailSeconds = settings.trail;
  if (settings.thickness !== undefined) app.setThickness(settings.thickness);
  if (settings.time !== undefined) app.playback.seek(settings.time);
  if (settings.camera) view?.setCamera(settings.camera);
  if (settings.shown.wireframe) app.setLayer("wireframe", true);
  if (!settings.still && settings.time === undefined && !isCalm() && store.frames > 1) app.playback.play();
}

function startLive(app: App): void {
  const { store } = app;
  app.playback.followsLive = true;
  document.body.classList.add("live"); // has a speed of its own
  buildHelp(byId<HTMLDialogElement>("help"), true);
  const protocol = location.protocol === "https:" ? "wss:" : "ws:";
  let built = -1;
  const buildAnew = () => {
    const isAgain = built >= 0;
    built = store.generation;
    app.buildScene(isAgain);
    if (!isAgain) applySettings(app);
  };
  app.link = new LiveLink(
    `${protocol}//${location.host}/ws`, store,
    (what) => {
      if (what === "frame" && built !== store.generation && store.frames > 0) buildAnew();
      else if (what === "frame" && app.view?.takeIn()) app.showScale();
      if (what === "status" || what === "connection") app.livePanel?.update();
      if (what === "frame") app.touch();
      else app.isDirty = true; // the picture is the same
    },
    (message) => app.fail(message), isCalm(),
  );
  app.livePanel = new LivePanel(byId<HTMLFormElement>("live"), app.link, store, () => app.layout());
  app.link.connect();
}

async function fetchStream(app: App): Promise<void> {
  let bytes: Uint8Array;
  byId("badge").textContent = "loading …";
  try {
    const answer = await fetch("/stream");
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    bytes = new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    app.fail(`The recording could not be fetched: ${error instanceof Error ? error.message : String(error)}.\nIs \`sinew view\` still running? Load the page again.`);
    return;
  }
  showStream(app, bytes);
}

export async function openSource(app: App): Promise<void> {
  const source = document.getElementById("sinew-source")?.textContent;
  const embedded = document.getElementById("sinew-stream")?.textContent;
  if (embedded !== undefined && embedded !== null) {
    let bytes = new Uint8Array(0);
    try {
      bytes = decodeBase64(embedded) as Uint8Array<ArrayBuffer>;
    } catch {
      app.fail("This recording cannot be shown:\nthe data in this page is damaged.");
    }
    if (bytes.length > 0) showStream(app, bytes);
    else if (!app.hasFailed) app.fail("This page carries no recording.");
  } else if (source && JSON.parse(source).source === "live") {
    startLive(app);
  } else if (source) {
    await fetchStream(app);
  } else {
    app.fail("This is the viewer without a recording.\n`sinew view RECORDING` or `sinew render RECORDING -o page.html` gives it one.");
  }
}
