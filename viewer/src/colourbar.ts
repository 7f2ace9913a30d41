// The legend of what colours: muscles by activation, soft bodies by one of their fields, which can be chosen here.
import type { App } from "./app";
import { byId, h } from "./dom";
import { mapColour } from "./format";
import type { FieldInfo } from "./stream";

const label = (f: FieldInfo) => `${f.name}${f.unit ? ` [${f.unit}]` : ""}`;

export function buildColourBar(app: App): void {
  const bar = byId("colour-bar");
  const soft = app.view?.soft;
  const fields = soft?.fields ?? [];
  const field = fields[soft?.field ?? 0] ?? app.store.header?.channels.find((c) => c.kind === "lines")?.value;
  bar.hidden = field === undefined;
  if (!field) return;
  const stops = Array.from({ length: 11 }, (_, i) => `rgb(${mapColour(i / 10).map((c) => Math.round(255 * c)).join(" ")})`);
  const ramp = h("i");
  ramp.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  let name: HTMLElement = h("strong", {}, label(field));
  if (soft && fields.length > 1) {
    const chooser = h("select", { "aria-label": "field that colours" }, ...fields.map((f, i) => h("option", { value: i }, label(f))));
    chooser.value = String(soft.field);
    chooser.addEventListener("change", () => {
      soft.field = Number(chooser.value);
      buildColourBar(app);
      app.touch();
    });
    name = chooser;
  }
  bar.replaceChildren(name, ramp, h("div", {}, h("span", {}, String(field.range[0])), h("span", {}, String(field.range[1]))));
}
