// How far a scene reaches: the box around what matters, and how high its ground is. A replay knows all its frames; a live run takes in what comes.
import * as THREE from "three";
import type { Bodies } from "./bodies";
import { niceStep } from "./format";
import { guidePoints } from "./guides";
import { toMatrix } from "./pose";
import type { Store } from "./store";

const FARTHEST = 20; // times its size at the start a scene may grow and be shown whole
const NEAR = 2.5; // times likewise within which places count if something goes farther
const LIVE_FARTHEST = 5; // times likewise a live run is taken in
const SPARE = 0.1; // of the radius, that a box which must grow takes more: it grows seldom
const SLACK = 0.02; // likewise, that something may stand out of it
export const ROAMING = 2.5; // times likewise from which on things go somewhere: what is drawn about them keeps to their size, and a camera that follows comes near

export class Extent {
  readonly box = new THREE.Box3(); // around what matters
  readonly centre = new THREE.Vector3();
  radius = 1;
  readonly startBox = new THREE.Box3(); // around all bodies at the start
  startRadius = 1;
  groundHeight = 0; // of the grid where the world has no plane
  isAbandoned = false; // most bodies go so far away that their whole way cannot be shown
  private startCentre = new THREE.Vector3();
  private now = new THREE.Box3();
  private kept = new THREE.Box3();
  private p = new THREE.Vector3();

  constructor(private store: Store, private bodies: Bodies) {}

  // Bodies of a frame whose origins are within `far` of `centre`, but those that `known` surely holds.
  private addFrame(box: THREE.Box3, frame: number, centre: THREE.Vector3, far: number, known?: THREE.Box3): void {
    const { store, p } = this;
    for (let i = 0; i < store.bodyCount; ++i) {
      const pose = store.pose(frame, i);
      p.fromArray(pose);
      if (p.distanceTo(centre) > far || (known && holds(known, p, this.bodies.reaches[i]))) continue;
      box.expandByPoint(p);
      const X = toMatrix(pose);
      for (const point of this.bodies.outlines[i]) box.expandByPoint(p.copy(point).applyMatrix4(X));
    }
  }

  /// Centre and radius of what matters: all places; if a body flies away, the start and all later places near it. `keeps`: what it was before also counts.
  measure(keeps: boolean): void {
    const { store, box, p } = this;
    const before = keeps ? box.clone() : new THREE.Box3();
    box.makeEmpty();
    for (const channel of store.header?.channels ?? []) {
      if (channel.box) box.expandByPoint(new THREE.Vector3(...channel.box[0])).expandByPoint(new THREE.Vector3(...channel.box[1]));
    }
    if (store.frames > 0) this.addFrame(box, 0, p, Infinity);
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 2));
    const centre = box.getCenter(this.startCentre);
    const start = Math.max(box.getSize(p).length() / 2, 1e-3);
    const first = this.startBox.copy(box);
    const stride = Math.max(1, store.frames >> 7, Math.ceil((store.frames * store.bodyCount) / 20000));
    const addAll = (far: number) => { for (let k = 0; k < store.frames; k += stride) this.addFrame(box, k, centre, far); };
    addAll(Infinity);
    const hasLeaver = box.getSize(p).length() / 2 > FARTHEST * start;
    this.isAbandoned = hasLeaver && 2 * this.countNear(NEAR * start) < store.bodyCount;
    if (hasLeaver) {
      box.copy(first);
      addAll(NEAR * start);
    }
    const extent = box.getSize(p).length();
    for (const { columns } of store.trails()) {
      for (let k = 0; k < store.frames; k += stride) {
        p.fromArray(columns.map((c) => store.value(k, c)));
        if (p.distanceTo(centre) < extent) box.expandByPoint(p);
      }
    }
    const still = this.measureStill(start);
    box.union(still).union(before);
    this.startBox.union(still);
    this.startRadius = Math.max(this.startBox.getSize(p).length() / 2, 1e-3);
    this.finish();
  }

  /// Takes in where bodies are in the last frame, unless they have left for good. Says whether the box grew.
  takeIn(): boolean {
    const { store, box, now, kept } = this;
    if (store.frames === 0) return false;
    kept.copy(box).expandByScalar(SLACK * this.radius);
    this.addFrame(now.makeEmpty(), store.frames - 1, this.startCentre, LIVE_FARTHEST * this.startRadius, kept);
    if (now.isEmpty() || kept.containsBox(now)) return false;
    for (const axis of ["x", "y", "z"] as const) {
      if (now.min[axis] < kept.min[axis]) box.min[axis] = now.min[axis] - SPARE * this.radius;
      if (now.max[axis] > kept.max[axis]) box.max[axis] = now.max[axis] + SPARE * this.radius;
    }
    this.finish();
    return true;
  }

  private finish(): void {
    const { box, p } = this;
    box.getCenter(this.centre);
    this.radius = Math.max(box.getSize(p).length() / 2, 1e-3);
    const lowest = box.min.z;
    const step = niceStep(this.radius / 4);
    this.groundHeight = lowest > -0.02 * this.radius ? 0 : niceFloor(lowest, step);
    if (lowest > 2 * this.radius) this.groundHeight = niceFloor(lowest - 0.2 * this.radius, step);
  }

  // Bodies that end not farther than this from the centre of the start.
  private countNear(far: number): number {
    const { store, p } = this;
    let count = 0;
    for (let i = 0; i < store.bodyCount; ++i) if (p.fromArray(store.pose(store.frames - 1, i)).distanceTo(this.startCentre) <= far) ++count;
    return count;
  }

  // What never moves: where muscles, cables and joints are tied to the world, rails, and shapes of the world that are not much larger than `start`.
  private measureStill(start: number): THREE.Box3 {
    const box = new THREE.Box3();
    const { p } = this;
    const { header } = this.store;
    for (const path of header?.paths ?? []) {
      for (const { body, point } of path.points) if (body < 0) box.expandByPoint(p.set(...point));
    }
    for (const { parent, frame_on_parent, guide } of header?.joints ?? []) {
      if (parent >= 0 || !frame_on_parent) continue;
      const A = toMatrix(frame_on_parent);
      for (const point of guide ? guidePoints(guide) : [new THREE.Vector3()]) box.expandByPoint(point.applyMatrix4(A));
    }
    for (const shape of this.bodies.worldBoxes) {
      if (shape.getSize(p).length() < 8 * start) box.union(shape); // what is larger is background
    }
    return box;
  }
}

function holds({ min, max }: THREE.Box3, p: THREE.Vector3, reach: number): boolean {
  return p.x - reach >= min.x && p.y - reach >= min.y && p.z - reach >= min.z && p.x + reach <= max.x && p.y + reach <= max.y && p.z + reach <= max.z;
}
function niceFloor(x: number, step: number): number {
  return Math.floor(x / step + 1e-9) * step;
}
