// The mouse in the view: a click selects; in a live run, a drag that begins on a body pulls it.
import type { App } from "./app";

const CLICK = 4; // px: a shorter drag is a click
const SEND_INTERVAL = 15; // ms

export function bindPointer(app: App): void {
  const { canvas } = app;
  let down: { x: number; y: number } | null = null;
  let lastSent = 0;
  canvas.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, y: event.clientY };
    const { view, link } = app;
    if (!link || !view || event.button !== 0 || event.shiftKey) return;
    app.playback.followsLive = true;
    const hit = view.pick(event.clientX, event.clientY);
    if (!hit) return;
    view.controls.enabled = false;
    const local = hit.point.clone().applyMatrix4(view.bodies.world[hit.body].clone().invert());
    view.pull = { body: hit.body, point: local, target: hit.point.clone() };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const { view, link } = app;
    if (!view?.pull || !link) return;
    const { body, point } = view.pull;
    view.pull.target = view.pointOnPlane(event.clientX, event.clientY, point.clone().applyMatrix4(view.bodies.world[body]));
    const now = performance.now();
    if (now - lastSent > SEND_INTERVAL) {
      lastSent = now;
      link.send({ do: "pull", body, point: point.toArray(), target: view.pull.target.toArray() });
    }
    view.isDirty = true;
  });
  const release = (event: PointerEvent) => {
    const { view, link } = app;
    if (view?.pull && link) {
      link.send({ do: "release" });
      view.pull = null;
      view.controls.enabled = true;
      view.isDirty = true;
    }
    if (down && view && event.type === "pointerup" && Math.hypot(event.clientX - down.x, event.clientY - down.y) < CLICK && event.button === 0) {
      const hit = view.pick(event.clientX, event.clientY);
      app.select(hit ? { kind: "body", index: hit.body } : null);
    }
    down = null;
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
}
