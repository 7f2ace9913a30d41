// The tree of bodies, joints and muscles: select, hide, follow. Plain lists of buttons, so that the keyboard reaches everything.
import { h } from "./dom";
import { isSame, type Hidden, type Item, type Kind } from "./items";
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

const ENDING = 10; // letters at the end of a name that are always seen, or more, but not more than
const LONGEST_ENDING = 16;

/// How many letters at the end of each name tell it from the others: whole words, if the usual number is not enough.
export function endingsOf(names: string[]): number[] {
  const reversed = names.map((name, index) => ({ index, letters: [...name].reverse() })).sort((a, b) => (a.letters.join("") < b.letters.join("") ? -1 : 1));
  const shared = (a: string[], b: string[] = []) => { const k = a.findIndex((c, i) => c !== b[i]); return k < 0 ? a.length : k; };
  const endings = new Array<number>(names.length);
  reversed.forEach(({ index, letters }, i) => {
    let n = 1 + Math.max(shared(letters, reversed[i - 1]?.letters), shared(letters, reversed[i + 1]?.letters)); // most alike are neighbours
    if (n > ENDING) while (n < letters.length && !/[._ -]/.test(letters[n])) ++n;
    endings[index] = Math.min(Math.max(n, ENDING), LONGEST_ENDING);
  });
  return endings;
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
    const rows = (kind: Kind, list: { name?: string }[], typeOf: (index: number) => string = () => "") => {
      const endings = endingsOf(list.map(({ name = "" }) => name));
      return list.map(({ name = "" }, index) => this.row({ kind, index }, name, endings[index], typeOf(index)));
    };
    const bodies = rows("body", header.bodies);
    const joints = rows("joint", header.joints, (j) => header.joints[j].type);
    const parts = [
      this.part("Bodies", bodies.filter((row) => !particles.bodies.has(row.item.index))),
      this.part("Soft bodies", rows("soft", softBodies)),
      this.part("Joints", joints.filter((row) => !particles.joints.has(row.item.index))),
      this.part(titleOf(paths), rows("path", paths, (i) => kindName(paths[i]))),
      this.part("Particles of strands", bodies.filter((row) => particles.bodies.has(row.item.index)), false),
    ];
    this.root.replaceChildren(...parts.filter((part) => part !== null));
  }

  private part(title: string, rows: Row[], isOpen = true): HTMLElement | null {
    if (rows.length === 0) return null;
    this.rows.push(...rows);
    return h("details", { open: isOpen }, h("summary", {}, `${title} `, h("small", {}, String(rows.length))), h("ul", {}, ...rows.map((row) => row.element)));
  }

  private row(item: Item, text: string, ending: number, type: string): Row {
    const { actions } = this;
    const [start, end] = [text.slice(0, -ending), text.slice(-ending)];
    const name = h("button", { class: "name", title: type ? `${text} (${type})` : text, "aria-pressed": "false", "aria-label": text, "data-item": `${item.kind}:${text}`, click: () => actions.select(item) },
      h("span", { class: "start" }, start), h("span", {}, end));
    const hide = h("button", { class: "icon", title: "hide or show (H)", "aria-label": `hide ${text}`, "aria-pressed": "false", click: () => actions.toggleHidden(item) }, "◉");
    const follow = item.kind === "path" ? undefined
      : h("button", { class: "icon", title: "camera follows (F)", "aria-label": `follow ${text}`, "aria-pressed": "false", click: () => actions.follow(item) }, "◎");
    const element = h("li", {}, h("div", { class: "label" }, name, ...(type ? [h("small", {}, type)] : [])), ...(follow ? [follow] : []), hide);
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
