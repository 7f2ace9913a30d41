// The tree of bodies, joints and muscles: select, hide, follow. Plain lists of buttons, so that the keyboard reaches everything.
import { h } from "./dom";
import { isSame, type Hidden, type Item } from "./items";
import { kindName, particlesOf } from "./particles";
import type { ChannelInfo, PathInfo, StreamHeader } from "./stream";

interface TreeActions {
  select(item: Item): void;
  toggleHidden(item: Item): void;
  follow(item: Item): void; // the same again: stop
}

interface Row {
  item: Item;
  element: HTMLElement;
  name: HTMLElement;
  hide: HTMLElement;
  follow?: HTMLElement;
}

/// "Muscles", "Cables, springs": the kinds that are there.
function titleOf(paths: PathInfo[]): string {
  const kinds = [...new Set(paths.map((p) => `${kindName(p)}s`))].join(", ");
  return kinds.charAt(0).toUpperCase() + kinds.slice(1);
}

export class Tree {
  private rows: Row[] = [];

  constructor(private root: HTMLElement, private actions: TreeActions) {}

  build(header: StreamHeader, softBodies: ChannelInfo[]): void {
    this.rows = [];
    const paths = header.paths ?? [];
    const particles = particlesOf(header);
    const bodies = header.bodies.map((body, index) => this.row({ kind: "body", index }, body.name, ""));
    const joints = header.joints.map((joint, index) => this.row({ kind: "joint", index }, joint.name, joint.type));
    const parts = [
      this.part("Bodies", bodies.filter((row) => !particles.bodies.has(row.item.index))),
      this.part("Soft bodies", softBodies.map((channel, index) => this.row({ kind: "soft", index }, channel.name ?? "", ""))),
      this.part("Joints", joints.filter((row) => !particles.joints.has(row.item.index))),
      this.part(titleOf(paths), paths.map((path, index) => this.row({ kind: "path", index }, path.name, kindName(path)))),
      this.part("Particles of strands", bodies.filter((row) => particles.bodies.has(row.item.index)), false),
    ];
    this.root.replaceChildren(...parts.filter((part) => part !== null));
  }

  private part(title: string, rows: Row[], isOpen = true): HTMLElement | null {
    if (rows.length === 0) return null;
    this.rows.push(...rows);
    return h("details", { open: isOpen }, h("summary", {}, `${title} `, h("small", {}, String(rows.length))), h("ul", {}, ...rows.map((row) => row.element)));
  }

  private row(item: Item, text: string, type: string): Row {
    const { actions } = this;
    const name = h("button", { class: "name", title: type ? `${text} (${type})` : text, "aria-pressed": "false", "data-item": `${item.kind}:${text}`, click: () => actions.select(item) }, text);
    const hide = h("button", { class: "icon", title: "hide or show (H)", "aria-label": `hide ${text}`, "aria-pressed": "false", click: () => actions.toggleHidden(item) }, "◉");
    const follow = item.kind === "path" ? undefined
      : h("button", { class: "icon", title: "camera follows (F)", "aria-label": `follow ${text}`, "aria-pressed": "false", click: () => actions.follow(item) }, "◎");
    const element = h("li", {}, name, ...(type ? [h("small", {}, type)] : []), ...(follow ? [follow] : []), hide);
    return { item, element, name, hide, follow };
  }

  setSelected(selection: Item | null): void {
    for (const { item, element, name } of this.rows) {
      const is = isSame(item, selection);
      element.classList.toggle("selected", is);
      name.setAttribute("aria-pressed", String(is));
      if (!is) continue;
      const part = element.closest("details");
      if (part) part.open = true;
      element.scrollIntoView({ block: "nearest" });
    }
  }
  setHidden(hidden: Hidden): void {
    for (const { item, element, hide } of this.rows) {
      const is = hidden[item.kind].has(item.index);
      element.classList.toggle("hidden-item", is);
      hide.setAttribute("aria-pressed", String(is));
      hide.textContent = is ? "○" : "◉";
    }
  }
  setFollowed(followed: Item | null): void {
    for (const { item, follow } of this.rows) follow?.setAttribute("aria-pressed", String(isSame(item, followed)));
  }
}
