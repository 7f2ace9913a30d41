// Warnings on the time line: what the recording tells of (steps halved or failed), and what its ledger shows: joints that open, bodies that sink into each other,
// energy that the books do not explain.
import { h } from "./dom";
import { formatTime, withUnit } from "./format";
import type { Store } from "./store";
import type { StreamEvent } from "./stream";

const OPEN = 1e-4; // joint error over the size of a body
const DEEP = 1e-3; // penetration likewise
const UNEXPLAINED = 0.01; // energy error over the largest kinetic energy, and what lifts all bodies by their size
const FINGER = 24; // px of the line that a mark takes: what is nearer to each other shares one (WCAG 2.2, 2.5.8)
const MOST_LINES = 6; // of the events of one mark that are told one by one

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
  text: string; // one line
  lines: string[]; // event by event
}

/// One mark for all events that would stand on one spot of a line with room for `most` marks.
export function marksOf(events: StreamEvent[], start: number, end: number, most: number): Mark[] {
  const gap = (end - start) / most;
  const groups: StreamEvent[][] = [];
  for (const event of [...events].sort((a, b) => a.time - b.time)) {
    const group = groups.at(-1);
    if (group && event.time - group[0].time < gap) group.push(event);
    else groups.push([event]);
  }
  const tell = (event: StreamEvent) => `${event.kind.replace(/_/g, " ")} at ${formatTime(event.time)} s: ${event.message}`;
  return groups.map((group) => {
    const until = formatTime(group[group.length - 1].time);
    const rest = (told: number) => (group.length > told ? [`${group.length - told} more until ${until} s`] : []);
    return { time: group[0].time, text: [tell(group[0]), ...rest(1)].join("; "), lines: [...group.slice(0, MOST_LINES).map(tell), ...rest(MOST_LINES)] };
  });
}

/// Buttons on the time line: each goes to its moment, and tells what was there in `note` while it is chosen.
export class Markers {
  private buttons: HTMLButtonElement[] = [];
  private marks: Mark[] = [];
  private told = -1; // whose text is shown; -1: none
  private shown: [StreamEvent[], number, number] = [[], 0, 0];

  constructor(private root: HTMLElement, private note: HTMLElement, private seek: (time: number) => void) {
    new ResizeObserver(() => this.show(...this.shown)).observe(root);
    document.addEventListener("pointerdown", (event) => {
      if (![root, note].some((e) => e.contains(event.target as Node))) this.tell(-1);
    });
  }

  /// Buttons stay who they are while a live run goes on, so that a focused one keeps the focus.
  show(events: StreamEvent[], start: number, end: number): void {
    this.shown = [events, start, end];
    this.marks = marksOf(events, start, end, Math.max(Math.floor(this.root.clientWidth / FINGER), 1));
    while (this.buttons.length > this.marks.length) this.buttons.pop()?.remove();
    while (this.buttons.length < this.marks.length) this.append();
    this.marks.forEach(({ time, text }, i) => {
      const button = this.buttons[i];
      button.style.left = `${(100 * (time - start)) / (end - start || 1)}%`;
      if (button.title === text) return;
      button.title = text;
      button.setAttribute("aria-label", text);
    });
    this.tell(this.told < this.marks.length ? this.told : -1);
  }
  private tell(index: number): void {
    this.told = index;
    const text = this.marks[index]?.lines.join("\n") ?? "";
    if (this.note.textContent !== text) this.note.textContent = text;
    this.note.hidden = text === "";
    this.buttons.forEach((button, i) => button.setAttribute("aria-expanded", String(i === index)));
  }
  private append(): void {
    const index = this.buttons.length;
    const choose = () => {
      this.seek(this.marks[index].time);
      this.tell(index); // by a finger too, which gives no focus everywhere
    };
    const button = h("button", { click: choose, focus: () => this.tell(index), blur: () => this.tell(-1), "aria-controls": this.note.id, "aria-expanded": "false" }, "▼");
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.told < 0) return;
      event.stopPropagation();
      this.tell(-1);
    });
    this.buttons.push(button);
    this.root.append(button);
  }
}
