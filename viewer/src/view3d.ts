// The three-dimensional view: camera, light, ground, and what moves in it. z is up, lengths in metres.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Bodies } from "./bodies";
import { fittingDistance, moved, NO_INSET, usualDirection, type Inset } from "./camera";
import { DetailChooser } from "./detail";
import { Extent, ROAMING } from "./extent";
import { niceStep } from "./format";
import { Ground, planesOf } from "./ground";
import type { Hidden, Item } from "./items";
import { axisOf, framesOf, framesOfMotions, motionsOf } from "./joints";
import { DEFAULT_SHOWN, Overlays, type Shown } from "./overlays";
import { pointsInWorld } from "./paths";
import { nearestPath, type Grip, type Picked } from "./pick";
import { SoftMeshes } from "./soft";
import type { Store } from "./store";
import type { StreamHeader } from "./stream";

const THEMES = {
  light: { background: "#e9edf2", ground: "#f7f8fa", line: "#8a94a3", shadow: 0.22, sky: "#ffffff", bounce: "#c9ced6", sun: 2.5, fill: 2.0 },
  dark: { background: "#14181d", ground: "#222830", line: "#66717f", shadow: 0.45, sky: "#dbe6f5", bounce: "#59636f", sun: 2.6, fill: 2.0 },
};
export type Theme = keyof typeof THEMES;
const SETTLING = 0.3; // s in which the camera comes most of the way to where it is going

export class View3D {
  readonly bodies = new Bodies();
  readonly overlays = new Overlays();
  readonly soft = new SoftMeshes();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly detail: DetailChooser;
  shown: Shown = { ...DEFAULT_SHOWN };
  readonly hidden: Hidden = { body: new Set(), soft: new Set(), joint: new Set(), path: new Set() };
  followed: Item | null = null;
  isDirty = true; // the picture is not the last one
  private isPlaced = false; // everything is where it is at the time that was placed last
  gridStep = 1;
  hasPlanes = false;
  pull: { body: number; point: THREE.Vector3; target: THREE.Vector3 } | null = null;
  readonly extent: Extent;
  private inset = NO_INSET; // what a panel covers: the scene is in the middle of the rest
  private isUsers = false; // someone has turned the camera: it stays as it is
  private isHeld = false; // the mouse or a finger is turning it
  private goal: { position: THREE.Vector3; target: THREE.Vector3 } | null = null; // where the camera is going
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private sun = new THREE.DirectionalLight();
  private sky = new THREE.HemisphereLight();
  private ground = new Ground();
  private poses = new Float32Array(0);
  private background = new THREE.Color();
  private resolution = new THREE.Vector2();
  private lastFollowed: THREE.Vector3 | null = null;
  private placedAt = 0; // s
  private fence: WebGLSync | null = null; // behind the last picture
  private drawnAt = 0; // when that was handed over [ms]

  constructor(private canvas: HTMLCanvasElement, private store: Store, isCoarse: boolean) {
    this.detail = new DetailChooser(isCoarse ? "coarse" : "fine");
    this.extent = new Extent(store, this.bodies);
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !isCoarse, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false; // only when something has moved
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("start", () => (this.isHeld = true));
    this.controls.addEventListener("end", () => (this.isHeld = false));
    this.controls.addEventListener("change", () => {
      this.isDirty = true;
      if (this.isHeld) this.leaveCamera();
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.fence = null; // the graphics processor was taken away with all that it was doing
      this.touch();
    });
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sun, this.sun.target, this.sky, this.ground.group, this.bodies.group, this.bodies.worldGroup, this.overlays.group, this.soft.group);
    this.setTheme("light");
  }

  /// Something has moved, or is shown otherwise. (Where only the camera moves, a new picture suffices.)
  touch(): void {
    this.isDirty = true;
    this.isPlaced = false;
  }

  setTheme(theme: Theme): void {
    const t = THEMES[theme];
    this.background.set(t.background);
    this.scene.background = this.background;
    this.sky.color.set(t.sky);
    this.sky.groundColor.set(t.bounce);
    this.sky.intensity = t.fill;
    this.sun.intensity = t.sun;
    this.ground.setColours(t);
    this.overlays.setDark(theme === "dark");
    this.touch();
  }

  /// For a new scene, or for the same anew (`isSame`): the camera stays then. Call again when the first frames are known.
  build(isSame = false): void {
    const header = this.store.header;
    if (!header) return;
    this.bodies.build(header, this.store.meshes);
    this.poses = new Float32Array(7 * header.bodies.length);
    this.soft.build(this.store);
    this.extent.measure(isSame);
    const extent = Math.min(this.radius, ROAMING * this.extent.startRadius);
    this.overlays.build(this.store, Math.min(Math.max(this.bodies.typicalSize, 0.022 * extent), 0.12 * extent), extent, this.bodies.reaches);
    this.placeGround();
    if (!isSame) this.resetCamera();
    this.touch();
  }
  get radius(): number {
    return this.extent.radius;
  }

  /// A live run has a new frame: if it leaves the picture, the camera draws back, unless someone has put it where it is. Says whether the ground changed.
  takeIn(): boolean {
    if (!this.extent.takeIn()) return false;
    this.placeGround();
    this.goToFit();
    this.touch();
    return true;
  }
  private goToFit(): void {
    const direction = this.camera.position.clone().sub(this.controls.target);
    if (!this.isUsers) this.goal = { position: this.fittingPlace(direction), target: this.extent.centre.clone() };
  }
  /// Moves the camera on its way, `elapsed` seconds of it; at once if motion is to be reduced.
  moveOn(elapsed: number): void {
    const { goal, camera, controls } = this;
    if (!goal) return;
    const isThere = camera.position.distanceTo(goal.position) < 0.002 * this.radius;
    const share = isThere || matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 1 - Math.exp(-elapsed / SETTLING);
    camera.position.lerp(goal.position, share);
    controls.target.lerp(goal.target, share);
    this.setDepths(camera.position.distanceTo(controls.target));
    controls.update();
    this.lightUp(controls.target);
    this.isDirty = true;
    if (share === 1) this.goal = null;
  }
  // Someone else moves it from now on.
  private leaveCamera(): void {
    this.isUsers = true;
    this.goal = null;
  }

  private placeGround(): void {
    this.gridStep = niceStep(this.radius / 3);
    const planes = planesOf(this.store.header?.world ?? []);
    this.hasPlanes = planes.length > 0;
    this.ground.build(planes, this.extent.groundHeight, this.extent.centre, this.radius, this.gridStep);
    const s = this.sun.shadow.camera;
    s.left = s.bottom = -1.7 * this.radius;
    s.right = s.top = 1.7 * this.radius;
    s.near = 0.1 * this.radius;
    s.far = 9 * this.radius;
    s.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * this.radius;
  }

  resetCamera(direction = usualDirection(this.extent.box.getSize(new THREE.Vector3()))): void {
    const { centre } = this.extent;
    this.controls.target.copy(centre);
    this.camera.position.copy(this.fittingPlace(direction));
    this.setDepths(this.camera.position.distanceTo(centre));
    this.controls.update();
    this.lightUp(centre);
    this.lastFollowed = null;
    this.goal = null;
    this.isUsers = false;
    this.isDirty = true;
  }
  // Where the camera sees the whole box from this direction.
  private fittingPlace(direction: THREE.Vector3): THREE.Vector3 {
    const { box, centre } = this.extent;
    return centre.clone().addScaledVector(direction.clone().normalize(), fittingDistance(box, direction, ...this.freeAngle));
  }
  private setDepths(distance: number): void {
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
  }
  // Of the part of the picture that no panel covers: its angle from top to bottom [degrees], and its width over its height.
  private get freeAngle(): [number, number] {
    const { fov, aspect } = this.camera;
    const { x, y } = this.renderer.getSize(new THREE.Vector2());
    if (!(x > 0 && y > 0)) return [fov, aspect];
    const [wide, high] = [1 - this.inset.left / x, 1 - this.inset.top / y];
    return [2 * THREE.MathUtils.RAD2DEG * Math.atan(high * Math.tan(0.5 * THREE.MathUtils.DEG2RAD * fov)), (aspect * wide) / high];
  }
  // Sun, shadows and ground around a place.
  private lightUp(place: THREE.Vector3): void {
    this.renderer.shadowMap.needsUpdate = true;
    this.sun.position.copy(place).add(new THREE.Vector3(0.9, -1.3, 2.2).multiplyScalar(1.6 * this.radius));
    this.sun.target.position.copy(place);
    this.ground.moveTo(place);
  }

  moveCamera(turn: number, rise: number, factor = 1): void {
    this.camera.position.sub(this.controls.target);
    this.camera.position.copy(moved(this.camera.position, turn, rise, factor)).add(this.controls.target);
    this.controls.update();
    this.leaveCamera();
    this.isDirty = true;
  }

  /// Camera and target to the right and up, over the height of what is seen at the target.
  panCamera(right: number, up: number): void {
    const { camera, controls } = this;
    const height = 2 * camera.position.distanceTo(controls.target) * Math.tan(0.5 * THREE.MathUtils.DEG2RAD * camera.fov);
    const way = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0).multiplyScalar(right * height);
    way.addScaledVector(new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1), up * height);
    camera.position.add(way);
    controls.target.add(way);
    controls.update();
    this.leaveCamera();
    this.isDirty = true;
  }

  setCamera(numbers: number[]): void {
    if (numbers.length !== 6 || numbers.some((x) => !Number.isFinite(x))) return;
    this.camera.position.fromArray(numbers);
    this.controls.target.fromArray(numbers, 3);
    this.controls.update();
    this.leaveCamera();
  }

  /// To the room it has, as fine as the detail allows; `inset` of it is covered.
  fit(width: number, height: number, inset: Inset): void {
    this.resize(width, height, this.detail.pixels(devicePixelRatio), inset);
  }
  resize(width: number, height: number, ratio: number, inset = NO_INSET): void {
    const now = this.renderer.getSize(new THREE.Vector2());
    const isCoveredAlike = inset.left === this.inset.left && inset.top === this.inset.top;
    const isSame = now.x === Math.floor(width) && now.y === Math.floor(height) && this.renderer.getPixelRatio() === ratio && isCoveredAlike;
    if (width < 1 || height < 1 || isSame) return;
    this.inset = inset;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.setViewOffset(width, height, -inset.left / 2, -inset.top / 2, width, height);
    if (!isCoveredAlike) this.goToFit();
    this.touch();
  }

  follow(item: Item | null): void {
    this.followed = item;
    this.lastFollowed = null;
    this.touch();
    if (item) this.leaveCamera();
    if (item && this.radius > ROAMING * this.extent.startRadius) this.comeNear();
  }
  // As near as all bodies at the start would fill the view with room around them; never farther.
  private comeNear(): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const near = fittingDistance(this.extent.startBox, offset, this.camera.fov, this.camera.aspect, 1.5);
    if (offset.length() > 1.2 * near) this.camera.position.copy(this.controls.target).addScaledVector(offset.normalize(), near);
  }

  /// Puts everything where it is at `time`: what a picture costs before the graphics processor.
  place(time: number): void {
    const { store } = this;
    const hasShadows = this.shown.shadows && this.detail.now === "fine";
    this.ground.show(this.shown.grid, hasShadows);
    this.sun.castShadow = hasShadows;
    this.renderer.shadowMap.needsUpdate = true;
    this.isPlaced = true;
    this.placedAt = time;
    const hasFrames = store.frames > 0; // else nobody knows where anything is
    for (const group of [this.bodies.group, this.bodies.worldGroup, this.soft.group, this.overlays.group]) group.visible = hasFrames;
    if (!hasFrames) return;
    const frame = store.frameAt(time);
    store.posesAt(time, this.poses);
    this.bodies.update(this.poses, this.hidden.body);
    this.bodies.group.visible = this.bodies.worldGroup.visible = this.shown.bodies;
    this.soft.group.visible = this.shown.soft;
    if (this.shown.soft) this.soft.update(store, time, this.hidden.soft);
    this.moveWithFollowed();
    this.renderer.getDrawingBufferSize(this.resolution);
    this.overlays.update(store, time, frame, this.bodies.world, this.hidden, this.shown, this.background, this.resolution);
    if (this.pull) this.overlays.drawPull(this.pull.point.clone().applyMatrix4(this.bodies.world[this.pull.body]), this.pull.target);
  }

  draw(time: number): void {
    if (!this.isPlaced || time !== this.placedAt) this.place(time);
    this.renderer.render(this.scene, this.camera);
    this.isDirty = false;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    if (this.fence) gl.deleteSync(this.fence);
    this.drawnAt = performance.now();
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  private placeOf({ kind, index }: Item): THREE.Vector3 | null {
    const { world } = this.bodies;
    if (kind === "soft") return this.soft.placeOf(index);
    const joint = kind === "joint" ? this.store.header?.joints[index] : undefined;
    const X = joint ? framesOf(joint, (body) => world[body])?.B : kind === "body" ? world[index] : undefined;
    return X ? new THREE.Vector3().setFromMatrixPosition(X) : null;
  }
  // The camera first turns to what it follows, then keeps its distance; the light goes along.
  private moveWithFollowed(): void {
    const now = this.followed && this.placeOf(this.followed);
    if (!now) return;
    const way = now.clone().sub(this.lastFollowed ?? this.controls.target);
    for (const place of [this.camera.position, this.controls.target]) place.add(way);
    this.lastFollowed = now;
    this.lightUp(now);
    this.controls.update();
  }

  /// The last picture is still being drawn: another would only queue behind it, and make the whole browser wait.
  get isBusy(): boolean {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    if (this.fence && gl.getSyncParameter(this.fence, gl.SYNC_STATUS) === gl.SIGNALED) {
      gl.deleteSync(this.fence);
      this.fence = null;
      this.detail.took(performance.now() - this.drawnAt);
    }
    return this.fence !== null;
  }

  private ray(x: number, y: number): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    const box = this.canvas.getBoundingClientRect();
    ray.setFromCamera(new THREE.Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height), this.camera);
    return ray;
  }
  /// What is under a place of the window; thin lines from `reach` px on.
  pick(x: number, y: number, reach: number): Picked | null {
    const { world } = this.bodies;
    const ray = this.ray(x, y);
    const { position: eye } = this.camera;
    const hit = this.shown.bodies ? this.bodies.pick(ray, this.hidden.body) : null;
    const onSoft = this.shown.soft ? this.soft.pick(ray) : null;
    const paths = this.store.header?.paths ?? [];
    const box = this.canvas.getBoundingClientRect();
    const near = this.shown.paths
      ? nearestPath(paths, (i) => (this.hidden.path.has(i) ? null : pointsInWorld(paths[i], world)), this.camera, new THREE.Vector2(box.width, box.height), new THREE.Vector2(x - box.left, y - box.top), reach)
      : null;
    const onJoint = this.shown.joints ? this.overlays.joints.pick(ray) : null;
    const depth = (found: { point: THREE.Vector3 } | null) => found?.point.distanceTo(eye) ?? Infinity;
    if (near && near.depth < Math.min(depth(hit), depth(onSoft), depth(onJoint))) {
      const { body, point } = paths[near.path].points[near.node] ?? { body: -1, point: [0, 0, 0] };
      const local = new THREE.Vector3(...point);
      return { item: { kind: "path", index: near.path }, grip: body < 0 ? null : { body, point: local, place: local.clone().applyMatrix4(world[body]) } };
    }
    const gripOn = (body: number, place: THREE.Vector3): Grip => ({ body, point: place.clone().applyMatrix4(world[body].clone().invert()), place });
    if (onJoint && depth(onJoint) < Math.min(depth(hit), depth(onSoft))) {
      const { child } = (this.store.header as StreamHeader).joints[onJoint.joint];
      return { item: { kind: "joint", index: onJoint.joint }, grip: gripOn(child, onJoint.point) };
    }
    if (onSoft && depth(onSoft) < depth(hit)) return { item: { kind: "soft", index: onSoft.soft }, grip: null };
    return hit && { item: { kind: "body", index: hit.body }, grip: gripOn(hit.body, hit.point) };
  }
  /// The point under a place of the window, on the plane through `through` that faces the camera.
  pointOnPlane(x: number, y: number, through: THREE.Vector3): THREE.Vector3 {
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new THREE.Vector3()), through);
    return this.ray(x, y).ray.intersectPlane(plane, new THREE.Vector3()) ?? through.clone();
  }
  get triangles(): number {
    return this.renderer.info.render.triangles;
  }
  get drawCalls(): number {
    return this.renderer.info.render.calls;
  }
  /// Axes of the motions of a joint as they were placed last, for tests.
  axesOf(index: number): { axis: number[]; at: number[] }[] {
    const joint = this.store.header?.joints[index];
    const frames = joint && framesOf(joint, (body) => this.bodies.world[body]);
    if (!joint || !frames) return [];
    const ends = framesOfMotions(joint, frames, joint.members ? this.store.coordinatesAt(this.placedAt, index) : []);
    return motionsOf(joint).map((motion, k) => ({ axis: axisOf(motion, ends[k]).toArray(), at: new THREE.Vector3().setFromMatrixPosition(ends[k].B).toArray() }));
  }
  /// Points of a path in the world, as they were placed last, for tests.
  pathPoints(index: number): THREE.Vector3[] {
    const path = this.store.header?.paths?.[index];
    return path ? pointsInWorld(path, this.bodies.world) : [];
  }
  /// Where a body's centre of mass is in the window, for tests.
  screenPosition(body: number): { x: number; y: number } {
    const com = this.store.header?.bodies[body].com ?? [0, 0, 0];
    return this.screenPlace(new THREE.Vector3(...com).applyMatrix4(this.bodies.world[body]).toArray());
  }
  /// Where a place of the world is in the window, likewise.
  screenPlace(place: number[]): { x: number; y: number } {
    const p = new THREE.Vector3().fromArray(place).project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }
}
