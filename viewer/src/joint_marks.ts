// The picture of joints: a mark of their kind, the axes of their motions, their stops. Each solid is at rest in one of the frames of its joint, so
// its place there is found once; a frame of the recording costs one product of matrices a solid.
import * as THREE from "three";
import { FRICTION_COLOUR, NORMAL_COLOUR } from "./contacts";
import { between, coarseHead, coarseTube, dot, head, Pool, tube } from "./instances";
import type { Hidden } from "./items";
import { measuringFrame, memberFrames, motionsOf, rangeOf, rangeSegments, type Frames, type Motion } from "./joints";
import { particlesOf } from "./particles";
import { toMatrix } from "./pose";
import type { Store } from "./store";
import type { AlongInfo, JointInfo } from "./stream";

export const TINTS = ["#d1343a", "#2f9e44", "#2f6fde", "#b07d12", "#8a3fb0"].map((c) => new THREE.Color(c)); // x, y, z; members of a chain in their order
const CHOSEN = new THREE.Color("#ffd21f");
const METAL = new THREE.Color("#7b8694");
const HINGES = ["revolute", "cylindrical", "helical"];
const SLIDERS = ["prismatic", "planar_translation", "translation"];
const FINE_ARC = 0.13; // rad between points of arcs that show stops
const COARSE_ARC = 0.5; // with more than
const MANY_JOINTS = 100;
const ARROW = 4; // length of axes over their unit

/// What a solid is at rest in: frame B of the joint; of a motion its measuring frame, this with its origin at B, and B.
type Rest = "joint" | "range" | "axis" | "needle";
interface Part {
  pool: Pool;
  rest: Rest;
  motion: number;
  local: THREE.Matrix4;
  colour: THREE.Color | null; // none: metal, or chosen
}
interface Mark {
  index: number;
  joint: JointInfo;
  motions: Motion[];
  parts: Part[];
  framework: Part[]; // axes of B, of the joint that is selected
  onParent: THREE.Matrix4; // frames of the joint on its bodies
  onChild: THREE.Matrix4;
  frames: Frames; // in the world, of now
  rests: Rests[]; // of each motion, likewise
}
type Rests = Record<"range" | "axis" | "needle", THREE.Matrix4>;

const along = (z: number) => new THREE.Vector3(0, 0, z);
const unit = (axis: number) => new THREE.Vector3().setComponent(axis, 1);
const solid = () => new THREE.MeshStandardMaterial({ color: "#ffffff", roughness: 0.5 });

export class JointMarks {
  readonly group = new THREE.Group();
  selected = -1;
  private marks: Mark[] = [];
  private tubes = new Pool(tube(18), solid(), 64, { castsShadow: true, coarse: tube(9) });
  private balls = new Pool(dot(), solid(), 64, { castsShadow: true, coarse: new THREE.SphereGeometry(1, 9, 6) });
  private cubes = new Pool(new THREE.BoxGeometry(1, 1, 1), solid(), 64, { castsShadow: true });
  private shafts = new Pool(tube(), new THREE.MeshBasicMaterial({ color: "#ffffff" }), 256, { coarse: coarseTube() });
  private heads = new Pool(head(), new THREE.MeshBasicMaterial({ color: "#ffffff" }), 64, { coarse: coarseHead() });
  private owners = new Map<Pool, number[]>([this.tubes, this.balls, this.cubes].map((pool) => [pool, []])); // joints of their solids, which can be clicked
  private pools = [this.tubes, this.balls, this.cubes, this.shafts, this.heads];
  private matrix = new THREE.Matrix4();

  constructor() {
    for (const pool of this.pools) this.group.add(pool.group);
  }

  /// Joints that tie the particles of strands to nothing are left out. `roomOf`: length that the axes of a joint of this body may well have [m].
  build(store: Store, size: number, roomOf: (body: number) => number): void {
    const joints = store.header?.joints ?? [];
    const { joints: ofParticles } = particlesOf(store.header);
    const s = 0.55 * size;
    const step = joints.length > MANY_JOINTS ? COARSE_ARC : FINE_ARC;
    this.marks = [];
    joints.forEach((joint, index) => {
      if (ofParticles.has(index) || !joint.frame_on_parent || !joint.frame_on_child) return;
      const motions = motionsOf(joint);
      const parts = this.kindOf(joint, motions, s);
      const a = Math.max(s, roomOf(joint.child) / ARROW); // of axes and stops
      motions.forEach((motion, k) => {
        if (motion.isParameter) return void parts.push(...this.rails(joint.members?.[k].along, k, s));
        if (joint.type !== "floating") parts.push(...this.arrow(motion, k, a));
        parts.push(...this.stops(joint, motion, k, ARROW * a, step));
      });
      const matrix = () => new THREE.Matrix4();
      this.marks.push({
        index, joint, motions, parts, framework: this.axes(ARROW * a), onParent: toMatrix(joint.frame_on_parent), onChild: toMatrix(joint.frame_on_child),
        frames: { A: matrix(), B: matrix() }, rests: motions.map(() => ({ range: matrix(), axis: matrix(), needle: matrix() })),
      });
    });
  }

  private part(pool: Pool, rest: Rest, motion: number, local: THREE.Matrix4, colour: THREE.Color | null = null): Part {
    return { pool, rest, motion, local, colour };
  }
  private kindOf({ type, members }: JointInfo, motions: Motion[], s: number): Part[] {
    const cube = new THREE.Matrix4().makeScale(2.1 * s, 2.1 * s, 2.4 * s);
    if (members) {
      return motions.map(({ isTurn }, k) => (isTurn ? this.part(this.tubes, "needle", k, between(along(-1.35 * s), along(1.35 * s), 0.8 * s)) : this.part(this.cubes, "needle", k, cube)));
    }
    if (HINGES.includes(type)) return [this.part(this.tubes, "joint", 0, between(along(-1.35 * s), along(1.35 * s), 1.12 * s))];
    if (type === "fixed" || SLIDERS.includes(type)) return [this.part(this.cubes, "joint", 0, cube)];
    return [this.part(this.balls, "joint", 0, new THREE.Matrix4().makeScale(1.25 * s, 1.25 * s, 1.25 * s))];
  }
  // An arrow along the axis of a turn, a double arrow along a way.
  private arrow({ isTurn, tint }: Motion, k: number, s: number): Part[] {
    const colour = TINTS[tint];
    const parts = [this.part(this.shafts, "axis", k, between(along(-3 * s), along(3 * s), 0.1 * s), colour), this.part(this.heads, "axis", k, between(along(3 * s), along(3.9 * s), 0.3 * s), colour)];
    if (!isTurn) parts.push(this.part(this.heads, "axis", k, between(along(-3 * s), along(-3.9 * s), 0.3 * s), colour));
    return parts;
  }
  // The rows of a spline, in the frame it begins in.
  private rails(along: AlongInfo | undefined, k: number, s: number): Part[] {
    if (!along) return [];
    const point = (i: number) => new THREE.Vector3().fromArray(along.poses, 7 * i);
    const isEnd = (i: number) => i % along.columns === along.columns - 1;
    return Array.from({ length: along.poses.length / 7 }, (_, i) => i).filter((i) => !isEnd(i)).map((i) => this.part(this.shafts, "range", k, between(point(i), point(i + 1), 0.3 * s), TINTS[k]));
  }
  // On the parent; a needle shows where the child is.
  private stops(joint: JointInfo, { isTurn, isOnChild }: Motion, k: number, reach: number, step: number): Part[] {
    const range = rangeOf(joint, k);
    if (!range) return [];
    const parts = rangeSegments(range, isTurn, reach, step).map(([a, b]) => this.part(this.shafts, "range", k, between(a, b, 0.025 * reach), FRICTION_COLOUR));
    if (isTurn) parts.push(this.part(this.shafts, "needle", k, between(along(0), unit(isOnChild ? 1 : 0).multiplyScalar(1.1 * reach), 0.025 * reach), NORMAL_COLOUR));
    return parts;
  }
  private axes(length: number): Part[] {
    return [0, 1, 2].map((axis) => this.part(this.shafts, "joint", 0, between(along(0), unit(axis).multiplyScalar(length), 0.025 * length), TINTS[axis]));
  }

  update(store: Store, time: number, world: THREE.Matrix4[], hidden: Hidden, isShown: boolean): void {
    for (const pool of this.pools) pool.begin();
    for (const owners of this.owners.values()) owners.length = 0;
    if (isShown) {
      for (const mark of this.marks) {
        const { index, joint, parts, framework } = mark;
        if (hidden.joint.has(index) || hidden.body.has(joint.child) || !world[joint.child]) continue;
        this.placeFrames(mark, store, time, world);
        const metal = index === this.selected ? CHOSEN : METAL;
        this.draw(mark, parts, metal);
        if (index === this.selected) this.draw(mark, framework, metal);
      }
    }
    for (const pool of this.pools) pool.end();
  }
  private placeFrames({ index, joint, motions, onParent, onChild, frames, rests }: Mark, store: Store, time: number, world: THREE.Matrix4[]): void {
    if (joint.parent >= 0) frames.A.multiplyMatrices(world[joint.parent], onParent);
    else frames.A.copy(onParent);
    frames.B.multiplyMatrices(world[joint.child], onChild);
    const members = joint.members && memberFrames(joint.members, frames.A, store.coordinatesAt(time, index));
    for (let k = 0; k < motions.length; ++k) {
      const own = members?.[k] ?? frames;
      const { range, axis, needle } = rests[k];
      measuringFrame(motions[k], own, range);
      axis.copy(range);
      if (!motions[k].isTurn) axis.copyPosition(own.B);
      needle.copy(own.B);
    }
  }
  private draw({ index, frames, rests }: Mark, parts: Part[], metal: THREE.Color): void {
    for (const { pool, rest, motion, local, colour } of parts) {
      const frame = rest === "joint" ? frames.B : rests[motion][rest];
      pool.add(this.matrix.multiplyMatrices(frame, local), colour ?? metal);
      this.owners.get(pool)?.push(index);
    }
  }

  /// The joint whose solid a ray meets first, as drawn last, and where.
  pick(ray: THREE.Raycaster): { joint: number; point: THREE.Vector3 } | null {
    let nearest = Infinity;
    let found = null;
    for (const [pool, owners] of this.owners) {
      const hit = pool.pick(ray);
      if (!hit || hit.distance >= nearest) continue;
      nearest = hit.distance;
      found = { joint: owners[hit.solid], point: hit.point };
    }
    return found;
  }
}
