// Pulling at a body in a live run: a spring from a point of it to a place in the world, which the mouse or the keys move. The server keeps it until it is let go.
import * as THREE from "three";
import type { App } from "./app";
import type { Item } from "./items";
import type { StreamHeader, Vec3 } from "./stream";

const SEND_INTERVAL = 15; // ms
const KEY_STEP = 0.04; // of the scene's radius, a key

function gripOf(header: StreamHeader, { kind, index }: Item): { body: number; point: Vec3 } | null {
  if (kind === "body") return { body: index, point: header.bodies[index].com };
  if (kind === "joint") return { body: header.joints[index].child, point: (header.joints[index].frame_on_child?.slice(0, 3) ?? [0, 0, 0]) as Vec3 };
  const points = kind === "path" ? (header.paths?.[index].points.filter(({ body }) => body >= 0) ?? []) : []; // soft bodies cannot be pulled yet
  return points[points.length >> 1] ?? null;
}

export class Puller {
  private lastSent = 0;
  constructor(private app: App) {}

  get isPulling(): boolean {
    return Boolean(this.app.view?.pull);
  }
  /// `point` in the frame of the body, `place` in the world.
  take(body: number, point: THREE.Vector3, place: THREE.Vector3): void {
    const { view, link } = this.app;
    if (!view || !link) return;
    this.app.playback.followsLive = true;
    view.pull = { body, point, target: place.clone() };
    view.touch();
  }
  /// Places that come too fast one after the other are left out.
  moveTo(target: THREE.Vector3): void {
    const { view, link } = this.app;
    if (!view?.pull || !link) return;
    view.pull.target.copy(target);
    view.touch();
    const now = performance.now();
    if (now - this.lastSent < SEND_INTERVAL) return;
    this.lastSent = now;
    link.send({ do: "pull", body: view.pull.body, point: view.pull.point.toArray(), target: target.toArray() });
  }
  release(): void {
    const { view, link } = this.app;
    if (!view?.pull) return;
    view.pull = null;
    view.touch();
    link?.send({ do: "release" });
  }

  /// By keyboard: takes what is selected at its centre of mass, a muscle or strand in its middle, of a joint the child; the same again lets go.
  toggle(): void {
    const { view, store, selection } = this.app;
    if (this.isPulling || !view || !selection) return this.release();
    const grip = store.header && gripOf(store.header, selection);
    if (!grip) return;
    const point = new THREE.Vector3(...grip.point);
    this.take(grip.body, point, point.clone().applyMatrix4(view.bodies.world[grip.body]));
  }
  /// Steps to the right and up, as the camera sees it.
  step(right: number, up: number): void {
    const { view } = this.app;
    if (!view?.pull) return;
    const target = view.pull.target.clone();
    target.addScaledVector(new THREE.Vector3().setFromMatrixColumn(view.camera.matrixWorld, 0), KEY_STEP * view.radius * right);
    target.addScaledVector(new THREE.Vector3().setFromMatrixColumn(view.camera.matrixWorld, 1), KEY_STEP * view.radius * up);
    this.lastSent = 0;
    this.moveTo(target);
  }
}
