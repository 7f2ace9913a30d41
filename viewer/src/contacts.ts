// Contact points with their normal and friction forces. What bodies hide shines through them faintly: forces act inside solids.
import * as THREE from "three";
import { coarseDot, coarseHead, coarseTube, dot, ghost, head, Pool, tube } from "./instances";
import type { Store } from "./store";
import type { Contacts } from "./stream";

export const NORMAL_COLOUR = new THREE.Color("#00a878");
export const FRICTION_COLOUR = new THREE.Color("#ff6b1a");
const TYPICAL = 0.35; // length of a typical force's arrow over the scene's radius
const LONGEST = 0.9; // likewise, of any arrow
const FAINTEST = 1e-3; // of a typical force: below, bodies are near each other but do not press

const [GRAVITY, PLACE, NORMAL, FORCE, NECK, TIP] = Array.from({ length: 6 }, () => new THREE.Vector3()); // of the contact that is being drawn

const plain = () => new THREE.MeshBasicMaterial({ color: "#ffffff" });

/// Of the force of contact i [N].
export function contactSize({ numbers }: Contacts, i: number): number {
  return Math.hypot(numbers[10 * i + 6], numbers[10 * i + 7], numbers[10 * i + 8]);
}
/// Which contacts of a frame touch; the others are only near. Solvers leave a little force there too: those that press most touch, as many as the ledger says.
export function touchingOf(store: Store, frame: number): boolean[] {
  const contacts = store.contacts[frame];
  const column = store.header?.columns.findIndex((c) => c.group === "ledger" && c.name === "contact.touching") ?? -1;
  const sizes = Array.from({ length: contacts?.count ?? 0 }, (_, i) => contactSize(contacts, i));
  if (column < 0) return sizes.map((size) => size > FAINTEST * typicalForce(store));
  const least = [...sizes].sort((a, b) => b - a)[store.value(frame, column) - 1] ?? Infinity;
  return sizes.map((size) => size >= least);
}

/// The force that most frames stay below, each by its largest [N]: a few hard impacts do not make all other arrows tiny.
export function typicalForce(store: Store): number {
  const largest: number[] = [];
  for (let k = 0; k < store.contacts.length; k += Math.max(1, store.contacts.length >> 8)) {
    let most = 0;
    for (let i = 0; i < store.contacts[k].count; ++i) most = Math.max(most, contactSize(store.contacts[k], i));
    if (most > 0) largest.push(most);
  }
  return largest.sort((a, b) => a - b)[Math.floor(0.8 * largest.length)] ?? 0;
}

export class ContactArrows {
  readonly group = new THREE.Group();
  private shafts = new Pool(tube(), plain(), 64, { ghost: ghost(), coarse: coarseTube() });
  private heads = new Pool(head(), plain(), 64, { ghost: ghost(), coarse: coarseHead() });
  private dots = new Pool(dot(), plain(), 64, { ghost: ghost(), coarse: coarseDot() });
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
    for (const pool of this.pools) pool.begin();
    const contacts = store.contacts[frame];
    if (shown && contacts) this.draw(store, contacts);
    for (const pool of this.pools) pool.end();
  }

  private draw(store: Store, { count, numbers, bodies }: Contacts): void {
    const gravity = GRAVITY.fromArray(store.header?.gravity ?? [0, 0, 0]);
    if (store.frames > 1.25 * this.framesSeen) {
      this.framesSeen = store.frames;
      this.scale = (TYPICAL * this.radius) / (typicalForce(store) || Infinity);
    }
    const thick = 0.007 * this.radius;
    for (let i = 0; i < count; ++i) {
      PLACE.fromArray(numbers, 10 * i);
      NORMAL.fromArray(numbers, 10 * i + 3);
      FORCE.fromArray(numbers, 10 * i + 6);
      // Between two bodies, the force on the one that is held up.
      if (bodies[2 * i] >= 0 && NORMAL.dot(gravity) > 0) FORCE.negate();
      NORMAL.multiplyScalar(FORCE.dot(NORMAL)); // what presses
      if (FORCE.length() * this.scale > FAINTEST * TYPICAL * this.radius) this.dots.addDot(PLACE, 1.7 * thick, NORMAL_COLOUR);
      this.arrow(PLACE, NORMAL, thick, NORMAL_COLOUR);
      this.arrow(PLACE, FORCE.sub(NORMAL), thick, FRICTION_COLOUR);
    }
  }

  private arrow(from: THREE.Vector3, force: THREE.Vector3, thick: number, colour: THREE.Color): void {
    const size = force.length();
    const length = Math.min(size * this.scale, LONGEST * this.radius);
    if (length < 2 * thick) return;
    NECK.copy(from).addScaledVector(force, Math.max(length - 5 * thick, 0) / size);
    TIP.copy(from).addScaledVector(force, length / size);
    this.shafts.addBetween(from, NECK, thick, colour);
    this.heads.addBetween(NECK, TIP, 2.4 * thick, colour);
  }
}
