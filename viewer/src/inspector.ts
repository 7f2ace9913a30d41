// Numbers of what is selected, now, with units. Speeds are differences of neighbouring frames, and say so.
import { touchingOf } from "./contacts";
import { h } from "./dom";
import { formatNumber, prettyUnit, withUnit } from "./format";
import type { Item } from "./items";
import { coordinateOf, framesOf, framesOfMotions, motionsOf, rangeOf, unitOf } from "./joints";
import { pathColumn, type PathQuantity } from "./paths";
import { kindName } from "./particles";
import { toMatrix } from "./pose";
import { centreOf } from "./soft";
import type { Store } from "./store";
import type { ChannelInfo, JointInfo, PathInfo, StreamHeader } from "./stream";

type Rows = [string, string][];
const MOST_POINTS = 8; // of a path whose points are all listed; of longer ones the ends
/// What is rounding next to the largest component is written as 0.
function vector(v: ArrayLike<number>, unit: string): string {
  const least = 1e-9 * Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2]));
  const numbers = [0, 1, 2].map((i) => formatNumber(Math.abs(v[i]) < least ? 0 : v[i])).join(", ");
  return unit ? `${numbers}\u202f${prettyUnit(unit)}` : numbers;
}

// Poses of a body in the frames around `frame`, and the time between them [s].
function neighbours(store: Store, frame: number, body: number): { a: Float32Array; b: Float32Array; dt: number } {
  const before = Math.max(frame - 1, 0);
  const after = Math.min(frame + 1, store.frames - 1);
  return { a: store.pose(before, body), b: store.pose(after, body), dt: store.times[after] - store.times[before] };
}

/// Velocity of a body's origin between the frames around `frame` [m/s].
export function meanVelocity(store: Store, frame: number, body: number): number[] {
  const { a, b, dt } = neighbours(store, frame, body);
  return [0, 1, 2].map((c) => (dt > 0 ? (b[c] - a[c]) / dt : 0));
}

/// Angular velocity likewise, in the world [rad/s]; true if the body turns by less than half a turn meanwhile.
export function meanAngularVelocity(store: Store, frame: number, body: number): number[] {
  const { a, b, dt } = neighbours(store, frame, body);
  const [w, x, y, z] = [b[3] * a[3] + b[4] * a[4] + b[5] * a[5] + b[6] * a[6], // b times the conjugate of a
    -b[3] * a[4] + b[4] * a[3] - b[5] * a[6] + b[6] * a[5], -b[3] * a[5] + b[5] * a[3] - b[6] * a[4] + b[4] * a[6], -b[3] * a[6] + b[6] * a[3] - b[4] * a[5] + b[5] * a[4]];
  const sine = Math.hypot(x, y, z);
  const factor = dt > 0 && sine > 1e-9 ? ((w < 0 ? -2 : 2) * Math.atan2(sine, Math.abs(w))) / (sine * dt) : 0;
  return [x * factor, y * factor, z * factor];
}

function rotate(q: ArrayLike<number>, v: number[]): number[] {
  const [w, x, y, z] = [q[0], q[1], q[2], q[3]];
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}

/// Contacts of a body: how many touch, how many are near without touching, and the sum of their forces on it [N].
export function contactForce(store: Store, frame: number, body: number): { touching: number; near: number; force: number[] } {
  const contacts = store.contacts[frame];
  const touches = touchingOf(store, frame);
  const sum = { touching: 0, near: 0, force: [0, 0, 0] };
  for (let i = 0; contacts && i < contacts.count; ++i) {
    const sign = contacts.bodies[2 * i + 1] === body ? 1 : contacts.bodies[2 * i] === body ? -1 : 0;
    if (sign === 0) continue;
    ++sum[touches[i] ? "touching" : "near"];
    for (let c = 0; c < 3; ++c) sum.force[c] += sign * contacts.numbers[10 * i + 6 + c];
  }
  return sum;
}

// Where the joint stands, and between which stops.
function motionRows(store: Store, frame: number, index: number, joint: JointInfo): Rows {
  const motions = motionsOf(joint);
  const ends = framesOf(joint, (body) => toMatrix(store.pose(frame, body)));
  const q = joint.members ? store.coordinatesAt(store.times[frame], index) : [];
  const frames = ends && framesOfMotions(joint, ends, q);
  const rows: Rows = [];
  motions.forEach((motion, degree) => {
    const prefix = motions.length > 1 ? `${motion.name}, ` : "";
    const unit = unitOf(motion);
    if (frames) rows.push([motion.isTurn ? `${motion.name} (−π to π)` : motion.name, withUnit(motion.isParameter ? q[degree] : coordinateOf(motion, frames[degree]), unit)]);
    const range = rangeOf(joint, degree);
    if (!range) return;
    const end = (x: number) => (Number.isFinite(x) ? withUnit(x, unit) : "none");
    rows.push([`${prefix}lower stop`, end(range.lower)], [`${prefix}upper stop`, end(range.upper)]);
  });
  if (motions.length === 0 && (joint.lower || joint.upper)) {
    const isSpline = joint.type.startsWith("spline"); // its coordinates are numbers of knots
    const list = (stops: (number | null)[] = []) => stops.map((x) => (x === null ? "none" : isSpline ? formatNumber(x) : withUnit(x, joint.type === "rope" ? "m" : "rad or m"))).join(", ");
    const name = isSpline ? "parameters, " : joint.type === "rope" ? "length, " : "";
    rows.push([`${name}lower stops`, list(joint.lower)], [`${name}upper stops`, list(joint.upper)]);
  }
  return rows;
}

function pathRows(store: Store, frame: number, header: StreamHeader, path: PathInfo): Rows {
  const rows: Rows = [["kind", kindName(path)]];
  for (const what of ["length", "tension", "activation"] as PathQuantity[]) {
    const column = pathColumn(header, path, what);
    if (column >= 0) rows.push([what, withUnit(store.value(frame, column), header.columns[column].unit)]);
  }
  const isLong = path.points.length > MOST_POINTS;
  if (isLong) rows.push(["points", String(path.points.length)]);
  path.points.forEach(({ body, point }, i) => (!isLong || i === 0 || i === path.points.length - 1) && rows.push([`point ${i + 1}, on ${body < 0 ? "world" : header.bodies[body].name}`, vector(point, "m")]));
  return rows;
}

function sceneRows(store: Store, frame: number, header: StreamHeader): Rows {
  const rows: Rows = [
    ["bodies", String(header.bodies.length)], ["joints", String(header.joints.length)], ["frames", String(store.frames)],
    ["from", withUnit(store.start, "s")], ["to", withUnit(store.end, "s")], ["time step", withUnit(header.dt, "s")],
    ["gravity", vector(header.gravity, "m/s²")],
  ];
  for (const soft of store.softBodies) rows.push([`soft body ${soft.name}`, `${soft.vertices} vertices`]);
  const contacts = store.contacts[frame];
  if (contacts) {
    let deepest = 0;
    for (let i = 0; i < contacts.count; ++i) deepest = Math.max(deepest, -contacts.numbers[10 * i + 9]);
    const touching = touchingOf(store, frame).filter((touches) => touches).length;
    rows.push(["contacts touching", String(touching)], ["contacts near", String(contacts.count - touching)], ["deepest penetration", withUnit(deepest, "m")]);
  } else if (store.lacksContacts) {
    rows.push(["contacts", "not recorded"]);
  }
  header.columns.forEach((c, i) => {
    if (c.group === "ledger") rows.push([c.name, withUnit(store.value(frame, i), c.unit)]);
  });
  return rows;
}

function bodyRows(store: Store, frame: number, header: StreamHeader, index: number): Rows {
  const body = header.bodies[index];
  const pose = store.pose(frame, index);
  const com = rotate(pose.subarray(3), body.com).map((x, i) => x + pose[i]);
  const v = meanVelocity(store, frame, index);
  const rows: Rows = [
    ["mass", withUnit(body.mass, "kg")], ["origin", vector(pose, "m")], ["centre of mass", vector(com, "m")],
    ["quaternion w, x, y, z", `${[3, 4, 5, 6].map((i) => formatNumber(pose[i])).join(", ")}`],
    ["velocity of origin*", vector(v, "m/s")], ["speed of origin*", withUnit(Math.hypot(...v), "m/s")],
    ["angular velocity*", vector(meanAngularVelocity(store, frame, index), "rad/s")],
  ];
  if (body.inertia) rows.push(["inertia xx, yy, zz", vector(body.inertia, "kg m²")]);
  rows.push(["shapes", body.shapes.map((s) => s.type).join(", ") || "none"]);
  if (store.contacts[frame]) {
    const { touching, near, force } = contactForce(store, frame, index);
    rows.push(["contacts touching", String(touching)], ["contacts near", String(near)], ["sum of contact forces", vector(force, "N")]);
  }
  const joints = header.joints.filter((j) => j.child === index || j.parent === index).map((j) => j.name);
  rows.push(["joints", joints.join(", ") || "none"]);
  return rows;
}

function softRows(store: Store, frame: number, soft: ChannelInfo): Rows {
  const now = store.soft.get(soft.id)?.[frame];
  const rows: Rows = [["vertices", String(soft.vertices)], ["triangles", String((store.meshes.get(soft.mesh ?? -1)?.triangles.length ?? 0) / 3)]];
  if (!now || !soft.box) return rows;
  rows.push(["mean of vertices", vector(centreOf(now, soft.box), "m")]);
  const n = soft.vertices ?? 0;
  soft.fields?.forEach(({ name, unit, range: [low, high] }, i) => {
    let [least, greatest] = [255, 0];
    for (let v = i * n; v < (i + 1) * n; ++v) {
      if (now.fields[v] < least) least = now.fields[v];
      if (now.fields[v] > greatest) greatest = now.fields[v];
    }
    const at = (step: number) => withUnit(low + ((high - low) * step) / 255, unit);
    rows.push([`least ${name}`, at(least)], [`greatest ${name}`, at(greatest)]);
  });
  return rows;
}

function jointRows(store: Store, frame: number, header: StreamHeader, index: number): Rows {
  const joint = header.joints[index];
  const nameOf = (i: number) => (i < 0 ? "world" : header.bodies[i].name);
  const rows: Rows = [["type", joint.type], ["parent", nameOf(joint.parent)], ["child", nameOf(joint.child)]];
  if (joint.dof !== undefined) rows.push(["degrees of freedom", String(joint.dof)]);
  if (joint.frame_on_child && joint.child >= 0) {
    const pose = store.pose(frame, joint.child);
    rows.push(["position", vector(rotate(pose.subarray(3), joint.frame_on_child.slice(0, 3)).map((x, i) => x + pose[i]), "m")]);
    const q = joint.frame_on_child.slice(3);
    rows.push(["axis (z), world", vector(rotate(pose.subarray(3), rotate(q, [0, 0, 1])), "")]);
  }
  return [...rows, ...motionRows(store, frame, index, joint)];
}

export function inspect(store: Store, frame: number, selection: Item | null): { title: string; rows: Rows } {
  const header = store.header;
  if (!header || store.frames === 0) return { title: "", rows: [] };
  const index = selection?.index ?? -1;
  switch (selection?.kind) {
    case undefined:
      return { title: header.scene || "scene", rows: sceneRows(store, frame, header) };
    case "body":
      return { title: header.bodies[index].name, rows: bodyRows(store, frame, header, index) };
    case "soft":
      return { title: store.softBodies[index].name ?? "", rows: softRows(store, frame, store.softBodies[index]) };
    case "joint":
      return { title: header.joints[index].name, rows: jointRows(store, frame, header, index) };
    case "path": {
      const path = header.paths?.[index];
      return path ? { title: path.name, rows: pathRows(store, frame, header, path) } : { title: "", rows: [] };
    }
  }
}

export class Inspector {
  private key = "";
  private cells: HTMLElement[] = [];
  constructor(private root: HTMLElement) {}

  update(store: Store, frame: number, selection: Item | null): void {
    const { title, rows } = inspect(store, frame, selection);
    const key = `${title}|${rows.map((r) => r[0]).join("|")}`;
    if (key !== this.key) {
      this.key = key;
      this.cells = rows.map(() => h("td", {}));
      const table = h("table", {}, h("tbody", {}, ...rows.map((r, i) => h("tr", {}, h("th", { scope: "row" }, r[0].replace(/[._]/g, "$&\u200b")), this.cells[i]))));
      const notes = rows.some((r) => r[0].endsWith("*")) ? [h("p", { class: "note" }, "* from neighbouring frames")] : [];
      this.root.replaceChildren(h("h2", {}, title), table, ...notes);
    }
    rows.forEach((r, i) => {
      if (this.cells[i].textContent !== r[1]) this.cells[i].textContent = r[1];
    });
  }
}
