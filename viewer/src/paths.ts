// Muscles, cables and springs: polylines through points of bodies. Muscles have a belly coloured by activation; slack cables are grey; slack ropes are
// grey and hang through; springs are coils. What bodies hide shines through faintly. Their numbers are columns NAME.length, NAME.tension and NAME.activation.
import * as THREE from "three";
import { coarseDot, coarseTube, dot, ghost, Pool, tube } from "./instances";
import type { Store } from "./store";
import type { PathInfo, StreamHeader } from "./stream";

const RELAXED = new THREE.Color("#a9bfdc"); // lightness falls as activation rises, and blue to red is told apart by everyone
const HALF = new THREE.Color("#d99a86");
const ACTIVE = new THREE.Color("#c2121f");
export const TAUT = new THREE.Color("#1b8fb0");
export const SLACK = new THREE.Color("#a9b1ba");
export const COIL = new THREE.Color("#b07d12");
const SELECTED = new THREE.Color("#ffd21f");

const WIRE = 0.005; // radii over the scene's radius
const BELLY = 0.019;
const COIL_RADIUS = 0.014;
const COIL_TURNS = 8;
const COIL_SIDES = 8; // segments per turn
const MOST_COILS = 64; // more springs than this are drawn straight
const SAG_POINTS = 17; // of a slack rope
const SLACKNESS = 1e-3; // of its length, from which on a rope is slack

const Z = new THREE.Vector3(0, 0, 1);
const [ALONG, PLACE, BEFORE, SIZE] = Array.from({ length: 4 }, () => new THREE.Vector3()); // of what is being drawn
const TURN = new THREE.Quaternion();
const X = new THREE.Matrix4();

/// From grey-blue (0) to red (1).
export function activationColour(activation: number, out = new THREE.Color()): THREE.Color {
  const a = Math.min(Math.max(activation, 0), 1);
  return a < 0.5 ? out.copy(RELAXED).lerp(HALF, 2 * a) : out.copy(HALF).lerp(ACTIVE, 2 * a - 1);
}

/// A slack rope of this length from a to b: a parabola that hangs down.  p(s) = a + s (b − a) + 4 s (1 − s) h d,  h by halving until the length is right.
export function hangingPoints(a: THREE.Vector3, b: THREE.Vector3, length: number, down: THREE.Vector3, out: THREE.Vector3[]): THREE.Vector3[] {
  const place = (depth: number) => {
    let sum = 0;
    for (let k = 0; k < SAG_POINTS; ++k) {
      const s = k / (SAG_POINTS - 1);
      (out[k] ??= new THREE.Vector3()).lerpVectors(a, b, s).addScaledVector(down, 4 * s * (1 - s) * depth);
      if (k > 0) sum += out[k].distanceTo(out[k - 1]);
    }
    return sum;
  };
  let [low, high] = [0, length];
  for (let i = 0; i < 24; ++i) {
    const middle = (low + high) / 2;
    if (place(middle) < length) low = middle;
    else high = middle;
  }
  return out;
}

export type PathQuantity = "length" | "tension" | "activation";
/// The column of a number of a path; -1 if it has none.
export function pathColumn(header: StreamHeader, path: PathInfo, what: PathQuantity): number {
  return header.columns.findIndex((c) => c.group === "path" && c.name === `${path.name}.${what}`);
}

export class PathLines {
  readonly group = new THREE.Group();
  thickness = 1; // over the usual
  selected = -1;
  private wires = new Pool(tube(12), new THREE.MeshStandardMaterial({ roughness: 0.5 }), 64, { ghost: ghost(), coarse: coarseTube(), castsShadow: true });
  private balls = new Pool(dot(), new THREE.MeshStandardMaterial({ roughness: 0.5 }), 64, { ghost: ghost(), coarse: coarseDot(), castsShadow: true });
  private points: THREE.Vector3[][] = []; // of each path, in the world, of now
  private columns: { tension: number; activation: number }[] = [];
  private ropes: number[] = []; // length of each rope [m]; infinite for all else
  private hanging: THREE.Vector3[] = []; // points of the rope that is being drawn
  private down = new THREE.Vector3();
  private radius = 1;
  private drawsCoils = true;
  private colour = new THREE.Color();

  constructor() {
    for (const pool of [this.wires, this.balls]) this.group.add(pool.group);
  }

  build(store: Store, radius: number): void {
    const { header } = store;
    if (!header) return;
    const paths = header.paths ?? [];
    this.radius = radius;
    this.points = paths.map(() => []);
    this.columns = paths.map((p) => ({ tension: pathColumn(header, p, "tension"), activation: pathColumn(header, p, "activation") }));
    this.ropes = paths.map((p) => (p.kind === "rope" ? (header.joints.find((j) => j.type === "rope" && j.name === p.name)?.upper?.[0] ?? Infinity) : Infinity));
    this.down.fromArray(header.gravity).normalize();
    if (this.down.lengthSq() === 0) this.down.set(0, 0, -1);
    this.drawsCoils = paths.filter((p) => p.kind === "spring").length <= MOST_COILS;
  }

  update(store: Store, frame: number, world: THREE.Matrix4[], hidden: Set<number>, shown: boolean): void {
    this.wires.begin();
    this.balls.begin();
    if (shown) {
      store.header?.paths?.forEach((path, i) => {
        if (!hidden.has(i)) this.draw(store, frame, path, i, pointsInWorld(path, world, this.points[i]));
      });
    }
    this.wires.end();
    this.balls.end();
  }

  private draw(store: Store, frame: number, path: PathInfo, i: number, points: THREE.Vector3[]): void {
    const { tension, activation } = this.columns[i];
    const wire = WIRE * this.radius * this.thickness;
    let colour = this.colour.copy(path.kind === "spring" ? COIL : TAUT);
    if (path.kind === "cable" && tension >= 0 && store.value(frame, tension) <= 0) colour = this.colour.copy(SLACK);
    if (path.kind === "muscle") activationColour(activation >= 0 ? store.value(frame, activation) : 0, colour);
    const ends = [points[0], points[points.length - 1]];
    const isSlack = Number.isFinite(this.ropes[i]) && ends[0].distanceTo(ends[1]) < (1 - SLACKNESS) * this.ropes[i];
    if (isSlack) {
      colour.copy(SLACK);
      const hanging = hangingPoints(ends[0], ends[1], this.ropes[i], this.down, this.hanging);
      for (let k = 1; k < hanging.length; ++k) this.wires.addBetween(hanging[k - 1], hanging[k], wire, colour);
    } else if (path.kind === "spring" && this.drawsCoils) {
      this.drawCoil(points[0], points[points.length - 1], wire, colour);
    } else {
      for (let k = 1; k < points.length; ++k) this.wires.addBetween(points[k - 1], points[k], wire, colour);
    }
    if (path.kind === "muscle") this.drawBelly(points, colour);
    for (const point of points) this.balls.addDot(point, (i === this.selected ? 3 : 1.6) * wire, i === this.selected ? SELECTED : colour);
  }

  // A spindle on the longest straight piece.
  private drawBelly(points: THREE.Vector3[], colour: THREE.Color): void {
    let longest = 1;
    for (let k = 2; k < points.length; ++k) if (points[k].distanceTo(points[k - 1]) > points[longest].distanceTo(points[longest - 1])) longest = k;
    const size = ALONG.subVectors(points[longest], points[longest - 1]).length();
    if (size < 1e-12) return;
    const thick = Math.min(BELLY * this.radius * this.thickness, 0.25 * size);
    TURN.setFromUnitVectors(Z, ALONG.divideScalar(size));
    this.balls.add(X.compose(PLACE.addVectors(points[longest - 1], points[longest]).multiplyScalar(0.5), TURN, SIZE.set(thick, thick, 0.44 * size)), colour);
  }

  private drawCoil(a: THREE.Vector3, b: THREE.Vector3, wire: number, colour: THREE.Color): void {
    const size = ALONG.subVectors(b, a).length();
    if (size < 1e-12) return;
    TURN.setFromUnitVectors(Z, ALONG.divideScalar(size));
    const reach = COIL_RADIUS * this.radius * this.thickness;
    const count = COIL_TURNS * COIL_SIDES;
    BEFORE.copy(a);
    for (let k = 0; k <= count; ++k) {
      const angle = (2 * Math.PI * k) / COIL_SIDES;
      PLACE.set(reach * Math.cos(angle), reach * Math.sin(angle), 0).applyQuaternion(TURN).addScaledVector(ALONG, size * (0.1 + (0.8 * k) / count)).add(a);
      this.wires.addBetween(BEFORE, PLACE, 0.8 * wire, colour);
      BEFORE.copy(PLACE);
    }
    this.wires.addBetween(BEFORE, b, 0.8 * wire, colour);
  }
}

/// The points of a path in the world; `out` takes as many as are needed.
export function pointsInWorld(path: PathInfo, world: THREE.Matrix4[], out: THREE.Vector3[] = []): THREE.Vector3[] {
  path.points.forEach(({ body, point }, i) => {
    const p = (out[i] ??= new THREE.Vector3()).fromArray(point);
    if (body >= 0 && world[body]) p.applyMatrix4(world[body]);
  });
  return out;
}
