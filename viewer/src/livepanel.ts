// The panel of a live run: pause, step, reset, speed, time step, gravity, stepper, and sliders for every degree of freedom and every muscle.
import { h } from "./dom";
import { formatNumber } from "./format";
import { effortUnit, motionsOf } from "./joints";
import type { LiveLink } from "./live";
import { particlesOf } from "./particles";
import type { StreamHeader } from "./stream";

const MOST_SLIDERS = 24;
const ROOM = 560; // px of view from which on the settings are open from the start

export class LivePanel {
  private outputs = new Map<string, { input: HTMLInputElement; output: HTMLOutputElement; unit: string }>();
  private run = h("button", { type: "button", id: "live-run" }, "pause");
  private stepper = h("select", { "aria-label": "stepper" });
  private state = h("div", { role: "status", id: "live-state" });

  constructor(private root: HTMLFormElement, private link: LiveLink) {
    root.addEventListener("submit", (e) => e.preventDefault());
    this.run.addEventListener("click", () => link.send({ do: link.status?.running ? "pause" : "play" }));
    this.stepper.addEventListener("change", () => link.send({ do: "stepper", value: this.stepper.value }));
  }

  build(header: StreamHeader): void {
    this.outputs.clear();
    const { link } = this;
    const step = h("button", { type: "button", id: "live-step", click: () => link.send({ do: "step" }) }, "step");
    const reset = h("button", { type: "button", id: "live-reset", click: () => link.send({ do: "reset" }) }, "reset");
    this.stepper.replaceChildren(...(header.steppers ?? []).map((s) => h("option", { value: s }, s)));
    const dt = link.status?.dt ?? header.dt;
    const sliders: HTMLElement[] = [
      this.slider("speed", "speed", "×", -2, 1, 0.05, (x) => ({ do: "speed", value: Number((10 ** x).toPrecision(2)) })),
      this.slider("dt", "time step", "s", Math.log10(dt / 10), Math.log10(dt * 10), 0.01, (x) => ({ do: "dt", value: Number((10 ** x).toPrecision(2)) })),
      this.slider("gravity", "gravity (z)", "m/s²", -20, 20, 0.01, (x) => ({ do: "gravity", value: [header.gravity[0], header.gravity[1], x] })),
    ];
    const efforts: HTMLElement[] = [];
    let index = 0;
    const particles = particlesOf(header).joints;
    for (const [j, joint] of header.joints.entries()) {
      if (particles.has(j)) index += joint.dof ?? 0;
      else for (let k = 0; k < (joint.dof ?? 0); ++k, ++index) {
        if (efforts.length >= MOST_SLIDERS) continue;
        const name = joint.dof === 1 ? joint.name : `${joint.name}, ${motionsOf(joint)[k]?.name ?? k + 1}`;
        const i = index;
        efforts.push(this.slider(`effort ${i}`, name, effortUnit(joint, k), -10, 10, 0.1, (x) => ({ do: "effort", index: i, value: x })));
      }
    }
    const inputs = (header.inputs ?? []).slice(0, MOST_SLIDERS).map((name, i) => this.slider(`input ${i}`, name, "", 0, 1, 0.01, (x) => ({ do: "input", index: i, value: x })));
    const wasOpen = this.root.querySelector<HTMLDetailsElement>("#live-settings")?.open;
    const isOpen = wasOpen ?? (this.root.parentElement?.clientWidth ?? 0) >= ROOM;
    const parts = [h("label", {}, "stepper", this.stepper), ...sliders];
    if (efforts.length > 0) parts.push(h("details", {}, h("summary", {}, "efforts at joints"), ...efforts));
    if (inputs.length > 0) {
      const release = h("button", { type: "button", id: "live-release", click: () => link.send({ do: "release_inputs" }) }, "as in the scene");
      parts.push(h("details", { open: true }, h("summary", {}, "activation of muscles"), ...inputs, release));
    }
    this.root.replaceChildren(
      h("div", { class: "row" }, this.run, step, reset), this.state,
      h("details", { id: "live-settings", open: isOpen }, h("summary", {}, "settings"), ...parts),
      h("small", {}, "drag a body or strand to pull it (keys: X)"),
    );
    this.root.hidden = false;
  }

  /// px at the left of a view of this width that the panel takes from it.
  covers(width: number): number {
    return width >= ROOM && !this.root.hidden ? this.root.offsetLeft + this.root.offsetWidth : 0;
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
    this.run.textContent = s.running ? "pause" : "play";
    if (document.activeElement !== this.stepper) this.stepper.value = s.stepper;
    const set = (key: string, value: number, position: number) => {
      const entry = this.outputs.get(key);
      if (!entry) return;
      entry.output.textContent = `${formatNumber(value, 3)} ${entry.unit}`;
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
