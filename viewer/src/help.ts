// The sheet of keys.
import { h } from "./dom";

const KEYS: [string, string][] = [
  ["space", "play or pause"], ["← →", "one frame back or on (shift: ten)"], ["Home End", "to the start, to the end"],
  [", .", "slower, faster"], ["L", "loop on or off"], ["Tab, Enter", "walk through buttons and lists, press them"],
  ["J R M I", "joints, frames, centres of mass, inertia boxes"], ["P", "trails"], ["G", "grid"], ["W", "wire frame"], ["K", "contacts"], ["S", "muscles, cables, springs"],
  ["H", "hide what is selected"], ["F", "camera follows what is selected"], ["C", "whole scene"], ["1 2 3", "look from the front, the side, above"],
  ["X", "in a live run: pull at what is selected (arrows move it), let go"], ["Q E U O", "turn the view left, right, up, down"], ["+ -", "nearer, farther"],
  ["Esc", "select nothing, close"], ["B", "bodies, joints, muscles"], ["N", "numbers"], ["D", "plots"], ["T", "dark or light"], ["?", "this sheet"],
];
const MOUSE: [string, string][] = [
  ["drag", "turn the view; in a live run, on a body, muscle or strand: pull it"], ["right drag, shift drag", "move the view"], ["wheel, pinch", "zoom"], ["click", "select"],
  ["drag in a plot", "move in time"],
];

export function buildHelp(dialog: HTMLDialogElement): void {
  const table = (rows: [string, string][]) =>
    h("table", {}, h("tbody", {}, ...rows.map(([keys, what]) => h("tr", {}, h("td", {}, ...keys.split(" ").flatMap((k) => [h("kbd", {}, k), " "])), h("td", {}, what)))));
  const close = h("button", { click: () => dialog.close() }, "close");
  dialog.replaceChildren(h("h2", { id: "help-title" }, "Keyboard and mouse"), table(KEYS), table(MOUSE), close);
}
