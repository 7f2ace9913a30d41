// Numbers of what is selected, now, with units. Speeds are differences of neighbouring frames, and say so.
import { h } from "./dom";
import { formatNumber, prettyUnit, withUnit } from "./format";
import { coordinateOf, rangeOf, toMatrix } from "./limits";
import { pathColumn, type PathQuantity } from "./paths";
import type { Store } from "./store";
import type { JointInfo, PathInfo, StreamHeader } from "./stream";
import type { Selection } from "./tree";

type Rows = [string, string][];
/// What is rounding next to the largest component is written as 0.
function vector(v: ArrayLike<number>, unit: string): string {
  const least = 1e-9 * Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2]));
  const numbers = [0, 1, 2].map((i) => formatNumber(Math.abs(v[i]) < least ? 0 : v[i])).join(", ");
  return unit ? `${numbers}\u202f${prettyUnit(unit)}` : numbers;
}

/// Velocity of a body's origin between the frames around `frame` [m/s].
export function meanVelocity(store: Store, frame: number, body: number): number[] {
  const a = Math.max(frame - 1, 0);
  const b = Math.min(frame + 1, store.frames - 1);
  const dt = store.times[b] - store.times[a];
  return [0, 1, 2].map((c) => (dt > 0 ? (store.pose(b, body)[c] - store.pose(a, body)[c]) / dt : 0));
}

function rotate(q: ArrayLike<number>, v: number[]): number[] {
  const [w, x, y, z] = [q[0], q[1], q[2], q[3]];
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}

/// Number of contacts of a body, and the sum of their forces on it [N].
export function contactForce(store: Store, frame: number, body: number): { count: number; force: number[] } {
  const contacts = store.contacts[frame];
  const sum = { count: 0, force: [0, 0, 0] };
  for (let i = 0; contacts && i < contacts.count; ++i) {
    const sign = contacts.bodies[2 * i + 1] === body ? 1 : contacts.bodies[2 * i] === body ? -1 : 0;
    if (sign === 0) continue;
    ++sum.count;
    for (let c = 0; c < 3; ++c) sum.force[c] += sign * contacts.numbers[10 * i + 6 + c];
  }
  return sum;
}

// Where the joint is between its stops.
function rangeRows(store: Store, frame: number, joint: JointInfo): Rows {
  const range = rangeOf(joint);
  const stops = (list: (number | null)[] | undefined, none: string) => (list ?? []).map((x) => (x === null ? none : formatNumber(x))).join(", ");
  if (!range || !joint.frame_on_parent || !joint.frame_on_child) {
    return joint.lower || joint.upper ? [["lower stops", stops(joint.lower, "none")], ["upper stops", stops(joint.upper, "none")]] : [];
  }
  const unit = range.isAngle ? "rad" : "m";
  const frameIn = (f: number[], body: number) => (body < 0 ? toMatrix(f) : toMatrix(f).premultiply(toMatrix(store.pose(frame, body))));
  const now = coordinateOf(frameIn(joint.frame_on_parent, joint.parent), frameIn(joint.frame_on_child, joint.child), range.isAngle);
  const end = (x: number) => (Number.isFinite(x) ? withUnit(x, unit) : "none");
  return [["lower stop", end(range.lower)], [range.isAngle ? "angle now" : "way now", withUnit(now, unit)], ["upper stop", end(range.upper)]];
}

function pathRows(store: Store, frame: number, header: StreamHeader, path: PathInfo): Rows {
  const rows: Rows = [["kind", path.kind]];
  for (const what of ["length", "tension", "activation"] as PathQuantity[]) {
    const column = pathColumn(header, path, what);
    if (column >= 0) rows.push([what, withUnit(store.value(frame, column), header.columns[column].unit)]);
  }
  path.points.forEach(({ body, point }, i) => rows.push([`point ${i + 1}, on ${body < 0 ? "world" : header.bodies[body].name}`, vector(point, "m")]));
  return rows;
}

export function inspect(store: Store, frame: number, selection: Selection): { title: string; rows: Rows } {
  const header = store.header;
  if (!header || store.frames === 0) return { title: "", rows: [] };
  if (selection === null) {
    const rows: Rows = [
      ["bodies", String(header.bodies.length)], ["joints", String(header.joints.length)], ["frames", String(store.frames)],
      ["from", withUnit(store.start, "s")], ["to", withUnit(store.end, "s")], ["time step", withUnit(header.dt, "s")],
      ["gravity", vector(header.gravity, "m/s²")],
    ];
    for (const c of header.channels) if (c.kind === "soft_mesh") rows.push([`soft body ${c.name}`, `${c.vertices} vertices`]);
    const contacts = store.contacts[frame];
    if (contacts) {
      let deepest = 0;
      for (let i = 0; i < contacts.count; ++i) deepest = Math.max(deepest, -contacts.numbers[10 * i + 9]);
      rows.push(["contacts", String(contacts.count)], ["deepest penetration", withUnit(deepest, "m")]);
    } else if (store.lacksContacts) {
      rows.push(["contacts", "not recorded"]);
    }
    header.columns.forEach((c, i) => {
      if (c.group === "ledger") rows.push([c.name, withUnit(store.value(frame, i), c.unit)]);
    });
    return { title: header.scene || "scene", rows };
  }
  if (selection.kind === "body") {
    const body = header.bodies[selection.index];
    const pose = store.pose(frame, selection.index);
    const com = rotate(pose.subarray(3), body.com).map((x, i) => x + pose[i]);
    const v = meanVelocity(store, frame, selection.index);
    const rows: Rows = [
      ["mass", withUnit(body.mass, "kg")], ["origin", vector(pose, "m")], ["centre of mass", vector(com, "m")],
      ["quaternion w, x, y, z", `${[3, 4, 5, 6].map((i) => formatNumber(pose[i])).join(", ")}`],
      ["velocity of origin*", vector(v, "m/s")], ["speed of origin*", withUnit(Math.hypot(...v), "m/s")],
    ];
    if (body.inertia) rows.push(["inertia xx, yy, zz", vector(body.inertia, "kg m²")]);
    rows.push(["shapes", body.shapes.map((s) => s.type).join(", ") || "none"]);
    if (store.contacts[frame]) {
      const { count, force } = contactForce(store, frame, selection.index);
      rows.push(["contacts", String(count)], ["sum of contact forces", vector(force, "N")]);
    }
    const joints = header.joints.filter((j) => j.child === selection.index || j.parent === selection.index).map((j) => j.name);
    rows.push(["joints", joints.join(", ") || "none"]);
    return { title: body.name, rows };
  }
  if (selection.kind === "path") {
    const path = header.paths?.[selection.index];
    return path ? { title: path.name, rows: pathRows(store, frame, header, path) } : { title: "", rows: [] };
  }
  const joint = header.joints[selection.index];
  const nameOf = (i: number) => (i < 0 ? "world" : header.bodies[i].name);
  const rows: Rows = [["type", joint.type], ["parent", nameOf(joint.parent)], ["child", nameOf(joint.child)]];
  if (joint.dof !== undefined) rows.push(["degrees of freedom", String(joint.dof)]);
  if (joint.frame_on_child && joint.child >= 0) {
    const pose = store.pose(frame, joint.child);
    rows.push(["position", vector(rotate(pose.subarray(3), joint.frame_on_child.slice(0, 3)).map((x, i) => x + pose[i]), "m")]);
    const q = joint.frame_on_child.slice(3);
    rows.push(["axis (z), world", vector(rotate(pose.subarray(3), rotate(q, [0, 0, 1])), "")]);
  }
  rows.push(...rangeRows(store, frame, joint));
  return { title: joint.name, rows };
}

export class Inspector {
  private key = "";
  private cells: HTMLElement[] = [];
  constructor(private root: HTMLElement) {}

  update(store: Store, frame: number, selection: Selection): void {
    const { title, rows } = inspect(store, frame, selection);
    const key = `${title}|${rows.map((r) => r[0]).join("|")}`;
    if (key !== this.key) {
      this.key = key;
      this.cells = rows.map(() => h("td", {}));
      const table = h("table", {}, h("tbody", {}, ...rows.map((r, i) => h("tr", {}, h("th", { scope: "row" }, r[0].replace(/\./g, ".\u200b")), this.cells[i]))));
      const notes = rows.some((r) => r[0].endsWith("*")) ? [h("p", { class: "note" }, "* from neighbouring frames")] : [];
      this.root.replaceChildren(h("h2", {}, title), table, ...notes);
    }
    rows.forEach((r, i) => {
      if (this.cells[i].textContent !== r[1]) this.cells[i].textContent = r[1];
    });
  }
}
