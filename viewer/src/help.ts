// The sheet of keys.
import { h } from "./dom";

type Entry = [string[], string]; // keys, and what each or all of them do

const TIME: Entry[] = [
  [["space"], "play or pause"], [["←", "→"], "one frame back or on (shift: ten)"], [["Home", "End"], "to the start, to the end"], [[",", "."], "slower, faster"],
];
const LOOP: Entry = [["L"], "loop on or off"];
const LAYERS: Entry[] = [
  [["J", "R", "M", "I"], "joints, frames, centres of mass, inertia boxes"], [["P"], "trails"], [["K"], "contacts"], [["S"], "muscles, cables, springs"],
  [["G"], "grid"], [["W"], "wire frame"],
];
const VIEW: Entry[] = [
  [["C"], "whole scene"], [["1", "2", "3"], "look from the front, the side, above"], [["Q", "E", "U", "O"], "turn the view left, right, up, down (shift: move it)"], [["+", "-"], "nearer, farther"],
  [["H"], "hide what is selected"], [["F"], "camera follows what is selected"], [["X"], "in a live run: pull at what is selected (arrows move it), let go"],
];
const PAGE: Entry[] = [
  [["Tab", "Enter"], "walk through buttons, sliders and lists, press them"], [["Esc"], "select nothing, close"], [["B"], "bodies, joints, muscles"], [["N"], "numbers"], [["D"], "plots"], [["Z"], "plots show half the time around now (shift: twice)"],
  [["T"], "dark or light"], [["?"], "this sheet"],
];
const MOUSE: Entry[] = [
  [["drag"], "turn the view; in a live run, on a body, muscle or strand: pull it"], [["right drag", "shift drag"], "move the view"], [["wheel", "pinch"], "zoom"], [["click"], "select a body, joint, muscle, strand"],
  [["drag in a plot"], "move in time"], [["wheel in a plot"], "show more or less time; double click: all"],
];

function section(title: string, entries: Entry[]): HTMLElement {
  const rows = entries.map(([keys, what]) => h("tr", {}, h("td", {}, ...keys.flatMap((k) => [h("kbd", {}, k), " "])), h("td", {}, what)));
  return h("section", {}, h("h3", {}, title), h("table", {}, h("tbody", {}, ...rows)));
}

/// A live run has no end to begin again at.
export function buildHelp(dialog: HTMLDialogElement, isLive: boolean): void {
  const close = h("button", { click: () => dialog.close() }, "close");
  const sections = [section("time", isLive ? TIME : [...TIME, LOOP]), section("what is drawn", LAYERS), section("view", VIEW), section("page", PAGE), section("mouse and fingers", MOUSE)];
  dialog.replaceChildren(h("header", {}, h("h2", { id: "help-title" }, "Keyboard and mouse"), close), h("div", {}, ...sections));
}
