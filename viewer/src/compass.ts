// Which way x, y and z point in the view.
import type { Camera } from "three";
import { TINTS } from "./joint_marks";

const REACH = 17; // px
const NAMES = ["x", "y", "z"];

export class Compass {
  private arms: SVGLineElement[];
  private letters: SVGTextElement[];
  private shown = "";

  constructor(root: HTMLElement) {
    const arm = (i: number) => `<line stroke="#${TINTS[i].getHexString()}" stroke-width="2.5" stroke-linecap="round"/>`;
    root.innerHTML = `<svg viewBox="-28 -28 56 56" width="56" height="56" aria-hidden="true">${NAMES.map((_, i) => arm(i)).join("")}${NAMES.map((n) => `<text>${n}</text>`).join("")}</svg>`;
    this.arms = [...root.querySelectorAll("line")];
    this.letters = [...root.querySelectorAll("text")];
  }

  /// The camera as it was drawn last. What points away is fainter.
  update({ matrixWorldInverse: { elements: e } }: Camera): void {
    const now = NAMES.map((_, i) => [e[4 * i], -e[4 * i + 1], e[4 * i + 2]].map((x) => x.toFixed(2)));
    if (now.join() === this.shown) return;
    this.shown = now.join();
    now.forEach(([x, y, z], i) => {
      const set = (element: SVGElement, values: Record<string, number>) => { for (const [name, value] of Object.entries(values)) element.setAttribute(name, value.toFixed(1)); };
      set(this.arms[i], { x2: REACH * Number(x), y2: REACH * Number(y), opacity: Number(z) < -0.3 ? 0.5 : 1 });
      set(this.letters[i], { x: 1.35 * REACH * Number(x), y: 1.35 * REACH * Number(y) });
    });
  }
}
