// Warnings on the time line: what the recording tells of (steps halved or failed), and what its ledger shows: joints that open, bodies that sink into each other,
// energy that the books do not explain.
import { h } from "./dom";
import { formatTime, withUnit } from "./format";
import type { Store } from "./store";
import type { StreamEvent } from "./stream";

const OPEN = 1e-4; // joint error over the size of a body
const DEEP = 1e-3; // penetration likewise
const UNEXPLAINED = 0.01; // energy error over the largest kinetic energy, and what lifts all bodies by their size
const MOST_MARKS = 120; // on the whole line; what is nearer to each other shares one

/// Every time a number of the ledger rises above what should worry; `size` is that of a typical body [m].
export function ledgerWarnings(store: Store, size: number): StreamEvent[] {
  const { header } = store;
  if (!header) return [];
  const weight = header.bodies.reduce((sum, body) => sum + body.mass, 0) * Math.hypot(...header.gravity);
  const column = (name: string) => header.columns.findIndex((c) => c.group === "ledger" && c.name === name);
  const kinetic = column("energy.kinetic");
  let liveliest = 0;
  const rules = [
    { kind: "joint_open", name: "joint_error", limit: () => OPEN * size, remark: `more than ${OPEN} of a body's size` },
    { kind: "penetration", name: "contact.penetration", limit: () => DEEP * size, remark: `more than ${DEEP} of a body's size` },
    { kind: "energy_error", name: "energy.error", limit: () => UNEXPLAINED * (liveliest + weight * size), remark: `more than ${100 * UNEXPLAINED} % of the motion's energy` },
  ].map((rule) => ({ ...rule, column: column(rule.name), isAbove: false })).filter((rule) => rule.column >= 0);
  const warnings: StreamEvent[] = [];
  for (let frame = 0; frame < store.frames; ++frame) {
    if (kinetic >= 0) liveliest = Math.max(liveliest, store.value(frame, kinetic));
    for (const rule of rules) {
      const value = store.value(frame, rule.column);
      const limit = rule.limit();
      if (!rule.isAbove && Math.abs(value) > limit) {
        warnings.push({ time: store.times[frame], kind: rule.kind, message: `${rule.name} is ${withUnit(value, header.columns[rule.column].unit, 2)}, ${rule.remark}` });
        rule.isAbove = true;
      } else if (Math.abs(value) < 0.5 * limit) {
        rule.isAbove = false;
      }
    }
  }
  return warnings;
}

export interface Mark {
  time: number;
  text: string;
}

/// One mark for all events that would stand on one spot of the line.
export function marksOf(events: StreamEvent[], start: number, end: number): Mark[] {
  const gap = (end - start) / MOST_MARKS;
  const marks: (Mark & { first: string; last: number; count: number })[] = [];
  for (const event of [...events].sort((a, b) => a.time - b.time)) {
    const mark = marks.at(-1);
    if (mark && event.time - mark.time < gap) {
      mark.last = event.time;
      mark.text = `${mark.first}; ${mark.count++} more until ${formatTime(mark.last)} s`;
    } else {
      const first = `${event.kind.replace(/_/g, " ")} at ${formatTime(event.time)} s: ${event.message}`;
      marks.push({ time: event.time, text: first, first, last: event.time, count: 1 });
    }
  }
  return marks;
}

export class Markers {
  private buttons: HTMLButtonElement[] = [];
  private marks: Mark[] = [];

  constructor(private root: HTMLElement, private seek: (time: number) => void) {}

  /// Buttons stay who they are while a live run goes on, so that a focused one keeps the focus.
  show(events: StreamEvent[], start: number, end: number): void {
    this.marks = marksOf(events, start, end);
    while (this.buttons.length > this.marks.length) this.buttons.pop()?.remove();
    while (this.buttons.length < this.marks.length) this.append();
    this.marks.forEach(({ time, text }, i) => {
      const button = this.buttons[i];
      button.style.left = `${(100 * (time - start)) / (end - start || 1)}%`;
      if (button.title === text) return;
      button.title = text;
      button.setAttribute("aria-label", text);
    });
  }
  private append(): void {
    const index = this.buttons.length;
    const button = h("button", { click: () => this.seek(this.marks[index].time) }, "▼");
    this.buttons.push(button);
    this.root.append(button);
  }
}
