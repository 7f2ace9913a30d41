// Contact points with their normal and friction forces. What bodies hide shines through them faintly: forces act inside solids.
import * as THREE from "three";
import { dot, ghost, head, Pool, tube } from "./instances";
import type { Store } from "./store";

export const NORMAL_COLOUR = new THREE.Color("#00a878");
export const FRICTION_COLOUR = new THREE.Color("#ff6b1a");
const TYPICAL = 0.35; // length of a typical force's arrow over the scene's radius
const LONGEST = 0.9; // likewise, of any arrow
const FAINTEST = 1e-3; // of a typical force: below, bodies are near each other but do not press

const plain = () => new THREE.MeshBasicMaterial({ color: "#ffffff" });

/// The force that most frames stay below, each by its largest [N]: a few hard impacts do not make all other arrows tiny.
export function typicalForce(store: Store): number {
  const largest: number[] = [];
  for (let k = 0; k < store.contacts.length; k += Math.max(1, store.contacts.length >> 8)) {
    const { count, numbers } = store.contacts[k];
    let most = 0;
    for (let i = 0; i < count; ++i) most = Math.max(most, Math.hypot(numbers[10 * i + 6], numbers[10 * i + 7], numbers[10 * i + 8]));
    if (most > 0) largest.push(most);
  }
  return largest.sort((a, b) => a - b)[Math.floor(0.8 * largest.length)] ?? 0;
}

export class ContactArrows {
  readonly group = new THREE.Group();
  private shafts = new Pool(tube(), plain(), 64, ghost());
  private heads = new Pool(head(), plain(), 64, ghost());
  private dots = new Pool(dot(), plain(), 64, ghost());
  private pools = [this.shafts, this.heads, this.dots];
  scale = 0; // length of arrows [m/N]
  private framesSeen = 0; // that the scale was made from
  private radius = 1;

  constructor() {
    for (const pool of this.pools) this.group.add(pool.group);
  }

  build(radius: number): void {
    this.radius = radius;
    this.framesSeen = 0;
  }

  update(store: Store, frame: number, shown: boolean): void {
    this.pools.forEach((p) => p.begin());
    const contacts = store.contacts[frame];
    if (shown && contacts) this.draw(store, frame);
    this.pools.forEach((p) => p.end());
  }

  private draw(store: Store, frame: number): void {
    const { count, numbers, bodies } = store.contacts[frame];
    const gravity = new THREE.Vector3(...(store.header?.gravity ?? [0, 0, 0]));
    if (store.frames > 1.25 * this.framesSeen) {
      this.framesSeen = store.frames;
      this.scale = (TYPICAL * this.radius) / (typicalForce(store) || Infinity);
    }
    const thick = 0.007 * this.radius;
    const normal = new THREE.Vector3();
    const force = new THREE.Vector3();
    const at = new THREE.Vector3();
    for (let i = 0; i < count; ++i) {
      at.fromArray(numbers, 10 * i);
      normal.fromArray(numbers, 10 * i + 3);
      force.fromArray(numbers, 10 * i + 6);
      // Between two bodies, the force on the one that is held up.
      if (bodies[2 * i] >= 0 && normal.dot(gravity) > 0) force.negate();
      const pressing = normal.multiplyScalar(force.dot(normal));
      if (force.length() * this.scale > FAINTEST * TYPICAL * this.radius) this.dots.addDot(at, 1.7 * thick, NORMAL_COLOUR);
      this.arrow(at, pressing, thick, NORMAL_COLOUR);
      this.arrow(at, force.sub(pressing), thick, FRICTION_COLOUR);
    }
  }

  private arrow(from: THREE.Vector3, force: THREE.Vector3, thick: number, colour: THREE.Color): void {
    const length = Math.min(force.length() * this.scale, LONGEST * this.radius);
    if (length < 2 * thick) return;
    const direction = force.clone().normalize();
    const neck = from.clone().addScaledVector(direction, Math.max(length - 5 * thick, 0));
    this.shafts.addBetween(from, neck, thick, colour);
    this.heads.addBetween(neck, from.clone().addScaledVector(direction, length), 2.4 * thick, colour);
  }
}
