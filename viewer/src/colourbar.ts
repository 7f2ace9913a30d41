// The legend of what colours: muscles by activation, cables by tension or slack, springs, contact forces with the scale of their arrows, and soft bodies by
// one of their fields, which can be chosen here.
import type { App } from "./app";
import { byId, h } from "./dom";
import { FRICTION_COLOUR, NORMAL_COLOUR } from "./contacts";
import { formatNumber, mapColour, unitLabel, withUnit } from "./format";
import { activationColour, COIL, SLACK, TAUT } from "./paths";
import type { FieldInfo } from "./stream";

const STOPS = Array.from({ length: 11 }, (_, i) => i / 10);
const ROOM = 480; // px of view from which on it is open from the start
const label = (f: FieldInfo) => `${f.name} ${unitLabel(f.unit)}`;

function ramp(name: HTMLElement, [low, high]: [number, number], colourAt: (s: number) => string): HTMLElement {
  const strip = h("i");
  strip.style.background = `linear-gradient(to right, ${STOPS.map(colourAt).join(", ")})`;
  return h("section", {}, name, strip, h("div", {}, h("span", {}, formatNumber(low, 3)), h("span", {}, formatNumber(high, 3))));
}

function swatch(colour: string, text: string): HTMLElement {
  const sample = h("i");
  sample.style.background = colour;
  return h("div", { class: "swatch" }, sample, text);
}

function softSection(app: App): HTMLElement | null {
  const soft = app.view?.soft;
  const field = soft?.fields[soft.field];
  if (!soft || !field) return null;
  let name: HTMLElement = h("strong", {}, label(field));
  if (soft.fields.length > 1) {
    const chooser = h("select", { "aria-label": "field that colours" }, ...soft.fields.map((f, i) => h("option", { value: i }, label(f))));
    chooser.value = String(soft.field);
    chooser.addEventListener("change", () => {
      soft.field = Number(chooser.value);
      buildColourBar(app);
      app.touch();
    });
    name = chooser;
  }
  return ramp(name, field.range, (s) => `rgb(${mapColour(s).map((c) => Math.round(255 * c)).join(" ")})`);
}

function pathSections(app: App): HTMLElement[] {
  const kinds = new Set((app.store.header?.paths ?? []).map((p) => p.kind));
  const sections: HTMLElement[] = [];
  if (kinds.has("muscle")) sections.push(ramp(h("strong", {}, `muscle activation ${unitLabel("")}`), [0, 1], (s) => activationColour(s).getStyle()));
  const swatches: HTMLElement[] = [];
  if (kinds.has("cable")) swatches.push(swatch(TAUT.getStyle(), "cable, taut"), swatch(SLACK.getStyle(), "cable, slack"));
  if (kinds.has("chain")) swatches.push(swatch(TAUT.getStyle(), "strand"));
  if (kinds.has("rope")) swatches.push(swatch(TAUT.getStyle(), "rope, taut"), swatch(SLACK.getStyle(), "rope, slack"));
  if (kinds.has("law")) swatches.push(swatch(TAUT.getStyle(), "law along a length"));
  if (kinds.has("spring")) swatches.push(swatch(COIL.getStyle(), "spring"));
  if (swatches.length > 0) sections.push(h("section", { class: "swatches" }, ...swatches));
  return sections;
}

function contactSection(app: App): HTMLElement[] {
  if (!app.store.header?.channels.some((c) => c.kind === "contacts")) return [];
  return [h("section", { class: "swatches", id: "contact-legend" }, swatch(NORMAL_COLOUR.getStyle(), "normal force"), swatch(FRICTION_COLOUR.getStyle(), "friction"), h("span", { id: "contact-scale" }))];
}

/// How much force an arrow is; known once there are contacts, and in a live run it changes.
export function showContactScale(app: App): void {
  const place = document.getElementById("contact-scale");
  const { view } = app;
  if (!place || !view) return;
  const { scale } = view.overlays.contacts;
  const text = scale > 0 ? `arrow of ${withUnit(view.gridStep, "m", 1)}: ${withUnit(view.gridStep / scale, "N", 2)}` : "";
  if (place.textContent !== text) place.textContent = text;
  byId("contact-legend").hidden = text === "" || !view.shown.contacts;
}

export function buildColourBar(app: App): void {
  const bar = byId<HTMLDetailsElement>("colour-bar");
  const soft = softSection(app);
  const sections = [...(soft ? [soft] : []), ...pathSections(app), ...contactSection(app)];
  bar.hidden = sections.length === 0;
  if (bar.children.length === 0) bar.open = byId("stage").clientWidth >= ROOM;
  bar.replaceChildren(h("summary", {}, "legend"), ...sections);
}
