// The panel of a live run: pause, step, reset, speed, time step, gravity, stepper, and sliders for every degree of freedom and every muscle.
import { type Inset, NO_INSET } from "./camera";
import { h } from "./dom";
import { effortLimits } from "./efforts";
import { formatNumber } from "./format";
import { effortUnit, motionsOf } from "./joints";
import type { LiveLink } from "./live";
import { particlesOf } from "./particles";
import type { Store } from "./store";
import type { StreamHeader } from "./stream";

const ROOM = 540; // px of view from which on the settings are open from the start; as in style.css
const DT_SPAN = 10; // times the scene's step and a share of it that the slider offers
const DT_LIMITS = [1e-6, 1]; // s, that the server takes

/// The scene has its place beside the panel or below it, whichever is larger.
export function roomBeside({ left, top }: Inset, width: number, height: number): Inset {
  return (width - left) * height >= width * (height - top) ? { left, top: 0 } : { left: 0, top };
}

export class LivePanel {
  private outputs = new Map<string, { input: HTMLInputElement; output: HTMLOutputElement; unit: string }>();
  private run = h("button", { type: "button", id: "live-run" }, "pause");
  private stepper = h("select", { "aria-label": "stepper" });
  private state = h("div", { role: "status", id: "live-state" });
  private built = ""; // what the elements were made for

  constructor(private root: HTMLFormElement, private link: LiveLink, private store: Store, resized: () => void) {
    root.addEventListener("submit", (e) => e.preventDefault());
    this.run.addEventListener("click", () => link.send({ do: link.status?.running ? "pause" : "play" }));
    this.stepper.addEventListener("change", () => link.send({ do: "stepper", value: this.stepper.value }));
    new ResizeObserver(resized).observe(root);
  }

  /// The elements stay for the same scene anew: what is focused, dragged or folded stays so.
  build(header: StreamHeader): void {
    const scene = JSON.stringify([header.scene, header.scene_dt, header.steppers, header.inputs, header.joints.map(({ name, type, dof }) => [name, type, dof]), header.bodies.map(({ mass }) => mass)]);
    if (scene !== this.built) this.buildElements(header);
    this.built = scene;
    this.update();
  }

  private buildElements(header: StreamHeader): void {
    this.outputs.clear();
    const button = (id: string, what: string, text: string) => h("button", { type: "button", id, click: () => this.link.send({ do: what }) }, text);
    this.stepper.replaceChildren(...(header.steppers ?? []).map((s) => h("option", { value: s }, s)));
    const dt = header.scene_dt ?? header.dt;
    const [shortest, longest] = [Math.max(dt / DT_SPAN, DT_LIMITS[0]), Math.min(dt * DT_SPAN, DT_LIMITS[1])].map(Math.log10);
    const settings: HTMLElement[] = [
      h("label", {}, "stepper", this.stepper),
      this.slider("speed", "speed", "×", -2, 1, 0.05, (x) => ({ do: "speed", value: Number((10 ** x).toPrecision(2)) })),
      this.slider("dt", "time step", "s", shortest, longest, 0.01, (x) => ({ do: "dt", value: Number((10 ** x).toPrecision(2)) })),
      this.slider("gravity", "gravity (z)", "m/s²", -20, 20, 0.01, (x) => ({ do: "gravity", value: [...(this.link.status ?? header).gravity.slice(0, 2), x] })),
    ];
    const efforts = this.effortSliders(header);
    const list = (title: string, sliders: HTMLElement[]) => [h("summary", {}, `${title} `, h("small", {}, String(sliders.length))), h("div", { class: "sliders" }, ...sliders)];
    if (efforts.length > 0) settings.push(h("details", {}, ...list("efforts at joints", efforts)));
    const inputs = (header.inputs ?? []).map((name, i) => this.slider(`input ${i}`, name, "", 0, 1, 0.01, (x) => ({ do: "input", index: i, value: x })));
    if (inputs.length > 0) settings.push(h("details", { open: true }, ...list("activation of muscles", inputs), button("live-release", "release_inputs", "as in the scene")));
    settings.push(button("live-restore", "restore", "all as in the scene"));
    const isOpen = (this.root.parentElement?.clientWidth ?? 0) >= ROOM;
    const isSoft = header.channels.some((c) => c.kind === "soft_mesh");
    this.root.replaceChildren(
      h("div", { class: "row" }, this.run, button("live-step", "step", "step"), button("live-reset", "reset", "reset")), this.state,
      h("details", { id: "live-settings", open: isOpen }, h("summary", {}, "settings"), ...settings),
      h("small", {}, `drag a body or strand to pull it (keys: X)${isSoft ? "; soft bodies cannot be pulled yet" : ""}`),
    );
    this.root.hidden = false;
  }

  private effortSliders(header: StreamHeader): HTMLElement[] {
    const sliders: HTMLElement[] = [];
    let index = 0;
    const particles = particlesOf(header).joints;
    const limits = effortLimits(this.store);
    for (const [j, joint] of header.joints.entries()) {
      const dof = joint.dof ?? 0;
      for (let k = 0; k < dof && !particles.has(j); ++k) {
        const [i, limit] = [index + k, limits[j][k]];
        const name = dof === 1 ? joint.name : `${joint.name}, ${motionsOf(joint)[k]?.name ?? k + 1}`;
        sliders.push(this.slider(`effort ${i}`, name, effortUnit(joint, k), -limit, limit, limit / 100, (x) => ({ do: "effort", index: i, value: x })));
      }
      index += dof;
    }
    return sliders;
  }

  /// px that the panel takes from a view of this size.
  covers(width: number, height: number): Inset {
    const { hidden, offsetLeft, offsetTop, offsetWidth, offsetHeight } = this.root;
    if (hidden) return NO_INSET;
    return roomBeside({ left: offsetLeft + offsetWidth, top: offsetTop + offsetHeight }, width, height);
  }

  private slider(key: string, name: string, unit: string, low: number, high: number, step: number, command: (x: number) => Record<string, unknown>): HTMLElement {
    const input = h("input", { type: "range", min: low, max: high, step, value: 0, "aria-label": unit ? `${name} [${unit}]` : name, "data-live": key });
    const output = h("output", {});
    input.addEventListener("input", () => this.link.send(command(Number(input.value))));
    this.outputs.set(key, { input, output, unit });
    return h("label", {}, name, output, input);
  }

  update(): void {
    const s = this.link.status;
    if (!s) return;
    this.run.textContent = this.link.isRunning ? "pause" : "play";
    this.run.disabled = !this.link.isOpen;
    if (document.activeElement !== this.stepper) this.stepper.value = s.stepper;
    const set = (key: string, value: number, position: number) => {
      const entry = this.outputs.get(key);
      if (!entry) return;
      const text = `${formatNumber(value, 3)} ${entry.unit}`;
      if (entry.output.textContent !== text) entry.output.textContent = text;
      if (document.activeElement !== entry.input) entry.input.value = String(position);
    };
    set("speed", s.speed, Math.log10(s.speed));
    set("dt", s.dt, Math.log10(s.dt));
    set("gravity", s.gravity[2], s.gravity[2]);
    const setAll = (kind: string, values: number[]) => {
      for (const key of this.outputs.keys()) {
        if (!key.startsWith(`${kind} `)) continue;
        const value = values[Number(key.slice(kind.length + 1))] ?? 0;
        set(key, value, value);
      }
    };
    setAll("effort", s.efforts);
    setAll("input", s.inputs);
    const late = s.running && s.real_time < 0.9 * s.speed ? `, only ${formatNumber(s.real_time, 2)}× real time` : "";
    const trouble = this.link.isOpen ? s.trouble : "no connection to the simulation";
    this.state.textContent = trouble || `${s.running ? "running" : "paused"}${late}`;
    this.state.classList.toggle("trouble", trouble !== "");
  }
}
