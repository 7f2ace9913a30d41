// What is drawn about the bodies: joints and what guides them, frames, centres of mass, inertia boxes, trails, contacts, line elements, the mouse's spring.
import * as THREE from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { ContactArrows, FRICTION_COLOUR } from "./contacts";
import { SERIES, SERIES_DARK } from "./format";
import { Guides } from "./guides";
import { coarseDot, coarseTube, dot, ghost, Pool, tube } from "./instances";
import type { Hidden } from "./items";
import { JointMarks, TINTS } from "./joint_marks";
import { PathLines } from "./paths";
import { inertiaBox } from "./shapes";
import type { Store, Trail } from "./store";

export const LAYERS = ["bodies", "joints", "frames", "coms", "inertia", "trails", "contacts", "paths", "soft", "grid", "shadows", "wireframe"] as const;
export type Layer = (typeof LAYERS)[number];
export type Shown = Record<Layer, boolean>;
export const DEFAULT_SHOWN: Shown = {
  bodies: true, joints: true, frames: false, coms: false, inertia: false, trails: true, contacts: true, paths: true, soft: true, grid: true,
  shadows: true, wireframe: false,
};

const TRAIL_POINTS = 1200;
const LONGEST_AXES = 0.4; // of a body's frame, over the scene's radius: out of most bodies, but no longer
const LONGEST_ARROW = 0.15; // of a joint's axis likewise, and no more than 0.6 of its body: where bodies are thin, axes still stand out
const INERTIA = new THREE.Color("#8f7ae5");
const solid = (colour = "#ffffff") => new THREE.MeshStandardMaterial({ color: colour, roughness: 0.5 });
const plain = () => new THREE.MeshBasicMaterial({ color: "#ffffff" });

interface TrailLine {
  trail: Trail;
  line: LineSegments2;
  colour: THREE.Color;
}

export class Overlays {
  readonly group = new THREE.Group();
  trailSeconds = 5;
  readonly paths = new PathLines();
  private shafts = new Pool(tube(), plain(), 256, { coarse: coarseTube(), ghost: ghost() }); // frames, centres and inertia boxes are within solids
  private dots = new Pool(dot(), solid(), 64, { coarse: coarseDot(), ghost: ghost() });
  private boxes = new Pool(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshStandardMaterial({ transparent: true, opacity: 0.35, depthWrite: false }), 64, { ghost: ghost() });
  private trails: TrailLine[] = [];
  private boxOf: (THREE.Matrix4 | null)[] = [];
  readonly contacts = new ContactArrows();
  private guides = new Guides();
  readonly joints = new JointMarks();
  private pools = [this.shafts, this.dots, this.boxes];
  private size = 0.1;
  private axes: number[] = []; // lengths, by body
  private isDark = false;
  private a = new THREE.Vector3();
  private b = new THREE.Vector3();
  private matrix = new THREE.Matrix4();
  private faded = new THREE.Color();

  constructor() {
    for (const pool of this.pools) this.group.add(pool.group);
    this.group.add(this.joints.group, this.contacts.group, this.paths.group, this.guides.group);
  }

  /// `reaches`: how far the shapes of each body go from its origin [m].
  build(store: Store, typicalSize: number, radius: number, reaches: number[]): void {
    this.size = typicalSize;
    this.axes = reaches.map((reach) => Math.max(1.8 * typicalSize, Math.min(1.2 * reach, LONGEST_AXES * radius)));
    this.joints.build(store, typicalSize, (body) => Math.min(LONGEST_ARROW * radius, 0.6 * (reaches[body] ?? 0)));
    this.contacts.build(radius);
    this.guides.build(store.header, typicalSize);
    this.paths.build(store, radius);
    this.boxOf = (store.header?.bodies ?? []).map(inertiaBox);
    for (const { line } of this.trails) {
      this.group.remove(line);
      line.geometry.dispose();
      line.material.dispose();
    }
    this.trails = store.trails().map((trail, i) => {
      const geometry = new LineSegmentsGeometry();
      geometry.setPositions(new Float32Array(6 * TRAIL_POINTS));
      geometry.setColors(new Float32Array(6 * TRAIL_POINTS));
      const material = new LineMaterial({ linewidth: 2.2, vertexColors: true, transparent: true, opacity: 0.95 });
      const line = new LineSegments2(geometry, material);
      line.frustumCulled = false;
      line.name = String(i);
      this.group.add(line);
      return { trail, line, colour: new THREE.Color() };
    });
    this.setDark(this.isDark);
  }
  setDark(isDark: boolean): void {
    this.isDark = isDark;
    const palette = isDark ? SERIES_DARK : SERIES;
    this.trails.forEach(({ colour }, i) => colour.set(palette[(i + 1) % palette.length]));
  }

  update(store: Store, time: number, frame: number, world: THREE.Matrix4[], hidden: Hidden, shown: Shown, background: THREE.Color, resolution: THREE.Vector2): void {
    for (const pool of this.pools) pool.begin();
    const header = store.header;
    if (header && (shown.frames || shown.coms || shown.inertia)) {
      header.bodies.forEach((body, i) => {
        if (hidden.body.has(i)) return;
        if (shown.frames) this.drawAxes(world[i], this.axes[i]);
        if (shown.coms) this.dots.addDot(this.a.fromArray(body.com).applyMatrix4(world[i]), 0.3 * this.size, TINTS[0]);
        const box = this.boxOf[i];
        if (shown.inertia && box) this.boxes.add(this.matrix.multiplyMatrices(world[i], box), INERTIA);
      });
    }
    for (const pool of this.pools) pool.end();
    this.contacts.update(store, frame, shown.contacts);
    this.paths.update(store, frame, world, hidden.path, shown.paths);
    this.joints.update(store, time, world, hidden, shown.joints);
    this.guides.update(world, hidden, shown.joints, this.joints.selected);
    for (const trail of this.trails) {
      trail.line.visible = shown.trails;
      (trail.line.material as LineMaterial).resolution.copy(resolution);
      if (shown.trails) this.drawTrail(store, time, frame, trail, background);
    }
  }

  drawPull(from: THREE.Vector3, to: THREE.Vector3): void {
    const colour = FRICTION_COLOUR;
    this.shafts.addBetween(from, to, 0.12 * this.size, colour);
    this.dots.addDot(to, 0.35 * this.size, colour);
    this.shafts.end();
    this.dots.end();
  }

  private drawAxes(matrix: THREE.Matrix4, length: number): void {
    this.a.setFromMatrixPosition(matrix);
    for (let axis = 0; axis < 3; ++axis) {
      this.b.setFromMatrixColumn(matrix, axis).multiplyScalar(length).add(this.a);
      this.shafts.addBetween(this.a, this.b, 0.045 * Math.min(length, 1.8 * this.size), TINTS[axis]);
    }
  }

  private drawTrail(store: Store, time: number, frame: number, { trail, line, colour }: TrailLine, background: THREE.Color): void {
    const geometry = line.geometry as LineSegmentsGeometry;
    const positions = (geometry.attributes.instanceStart as THREE.InterleavedBufferAttribute).data;
    const colours = (geometry.attributes.instanceColorStart as THREE.InterleavedBufferAttribute).data;
    const first = Math.max(store.frameAt(time - this.trailSeconds), frame - TRAIL_POINTS * 8);
    const stride = Math.max(1, Math.ceil((frame - first) / (TRAIL_POINTS - 1)));
    const { faded } = this;
    let n = 0;
    const put = (k: number, at: number) => {
      for (let c = 0; c < 3; ++c) positions.array[at + c] = store.value(k, trail.columns[c]);
      faded.copy(background).lerp(colour, 0.15 + 0.85 * ((k - first) / Math.max(frame - first, 1)));
      faded.toArray(colours.array as Float32Array, at);
    };
    for (let k = first; k < frame && n < TRAIL_POINTS; k += stride, ++n) {
      put(k, 6 * n);
      put(Math.min(k + stride, frame), 6 * n + 3);
    }
    geometry.instanceCount = n;
    if (n === 0) return;
    for (const buffer of [positions, colours]) {
      buffer.clearUpdateRanges();
      buffer.addUpdateRange(0, 6 * n);
      buffer.needsUpdate = true;
    }
  }
}
