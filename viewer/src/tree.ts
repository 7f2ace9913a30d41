// The tree of bodies, joints and muscles: select, hide, follow. Plain lists of buttons, so that the keyboard reaches everything.
import { h } from "./dom";
import type { PathInfo, StreamHeader } from "./stream";

export type Selection = { kind: "body" | "joint" | "path"; index: number } | null;

export interface TreeActions {
  select(selection: Selection): void;
  toggleHidden(body: number): boolean; // true if now hidden
  follow(body: number): void; // the same again: stop
}

/// "Muscles", "Cables, springs": the kinds that are there.
function titleOf(paths: PathInfo[]): string {
  const kinds = [...new Set(paths.map((p) => `${p.kind}s`))].join(", ");
  return kinds.charAt(0).toUpperCase() + kinds.slice(1);
}

export class Tree {
  private rows = new Map<string, HTMLElement>();

  constructor(private root: HTMLElement, private actions: TreeActions) {}

  build(header: StreamHeader): void {
    this.rows.clear();
    const bodies = h("ul", {});
    header.bodies.forEach((body, i) => {
      const hide = h("button", { class: "icon", title: "hide or show (H)", "aria-label": `hide ${body.name}`, "aria-pressed": "false" }, "◉");
      hide.addEventListener("click", () => this.setHidden(i, this.actions.toggleHidden(i)));
      const follow = h("button", { class: "icon", title: "camera follows (F)", "aria-label": `follow ${body.name}`, "aria-pressed": "false" }, "◎");
      follow.addEventListener("click", () => this.actions.follow(i));
      bodies.append(this.row("body", i, body.name, follow, hide));
    });
    const joints = h("ul", {});
    header.joints.forEach((joint, j) => joints.append(this.row("joint", j, joint.name, h("small", {}, joint.type))));
    const part = (title: string, count: number, list: HTMLElement) =>
      h("details", { open: true }, h("summary", {}, `${title} `, h("small", {}, String(count))), list);
    this.root.replaceChildren(part("Bodies", header.bodies.length, bodies));
    if (header.joints.length > 0) this.root.append(part("Joints", header.joints.length, joints));
    const paths = header.paths ?? [];
    const lines = h("ul", {}, ...paths.map((path, i) => this.row("path", i, path.name, h("small", {}, path.kind))));
    if (paths.length > 0) this.root.append(part(titleOf(paths), paths.length, lines));
  }

  private row(kind: "body" | "joint" | "path", index: number, name: string, ...extra: HTMLElement[]): HTMLElement {
    const button = h("button", { class: "name", title: name, "aria-pressed": "false", "data-item": `${kind}:${name}` }, name);
    button.addEventListener("click", () => this.actions.select({ kind, index }));
    const row = h("li", {}, button, ...extra);
    this.rows.set(`${kind} ${index}`, row);
    return row;
  }

  setSelected(selection: Selection): void {
    for (const [key, row] of this.rows) {
      const is = selection !== null && key === `${selection.kind} ${selection.index}`;
      row.classList.toggle("selected", is);
      row.querySelector(".name")?.setAttribute("aria-pressed", String(is));
      if (is) row.scrollIntoView({ block: "nearest" });
    }
  }
  setHidden(body: number, hidden: boolean): void {
    const row = this.rows.get(`body ${body}`);
    row?.classList.toggle("hidden-body", hidden);
    const button = row?.querySelector("[aria-label^=hide]");
    button?.setAttribute("aria-pressed", String(hidden));
    if (button) button.textContent = hidden ? "○" : "◉";
  }
  setFollowed(body: number): void {
    for (const [key, row] of this.rows) row.querySelector("[aria-label^=follow]")?.setAttribute("aria-pressed", String(key === `body ${body}`));
  }
}
