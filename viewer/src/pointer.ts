// The mouse in the view: a click selects; in a live run, a drag that begins on a body or at a muscle, cable or strand pulls there.
import type { App } from "./app";

const CLICK = 4; // px: a shorter drag is a click
const REACH = 8; // px beside a thin line that still count as on it
const FINGER = 18; // px likewise, for a finger

const reachOf = (event: PointerEvent) => (event.pointerType === "touch" ? FINGER : REACH);

export function bindPointer(app: App): void {
  const { canvas, puller } = app;
  let down: { x: number; y: number } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, y: event.clientY };
    const { view, link } = app;
    if (!link || !view || event.button !== 0 || event.shiftKey) return;
    app.playback.followsLive = true;
    const grip = view.pick(event.clientX, event.clientY, reachOf(event))?.grip;
    if (!grip) return;
    view.controls.enabled = false;
    puller.take(grip.body, grip.point, grip.place);
    canvas.setPointerCapture(event.pointerId);
  }, { capture: true }); // before the camera takes it for a turn
  canvas.addEventListener("pointermove", (event) => {
    const { view } = app;
    if (!down || !view?.pull) return;
    const { body, point } = view.pull;
    puller.moveTo(view.pointOnPlane(event.clientX, event.clientY, point.clone().applyMatrix4(view.bodies.world[body])));
  });
  const release = (event: PointerEvent) => {
    const { view } = app;
    if (!down) return;
    puller.release();
    if (view) view.controls.enabled = true;
    if (view && event.type === "pointerup" && Math.hypot(event.clientX - down.x, event.clientY - down.y) < CLICK && event.button === 0) {
      app.select(view.pick(event.clientX, event.clientY, reachOf(event))?.item ?? null);
    }
    down = null;
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
}
