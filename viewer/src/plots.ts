// Plots below the view: the same colours as `sinew plot`, a cursor tied to the time line; a click or drag in a plot moves the time,
// the wheel shows more or less of it.
import uPlot from "uplot";
import { h } from "./dom";
import { formatNumber, SERIES, SERIES_DARK, unitLabel } from "./format";
import type { Store } from "./store";
import type { ColumnInfo } from "./stream";

export interface PlotGroup {
  title: string;
  unit: string;
  columns: number[];
}

/// Columns that belong together: the same name before the last point and the same unit; of muscles, cables and springs the same quantity. One
/// that stands alone keeps its whole name.
export function plotGroups(columns: ColumnInfo[]): PlotGroup[] {
  const groups = new Map<string, PlotGroup>();
  columns.forEach((c, i) => {
    const dot = c.name.lastIndexOf(".");
    const stem = dot <= 0 ? c.name : c.group === "path" ? c.name.slice(dot + 1) : c.name.slice(0, dot);
    const isError = /error|residual|iterations/.test(c.name);
    const key = isError ? c.name : `${stem} ${c.unit}`;
    const group = groups.get(key) ?? { title: isError ? c.name : stem, unit: c.unit, columns: [] };
    group.columns.push(i);
    groups.set(key, group);
  });
  for (const g of groups.values()) if (g.columns.length === 1) g.title = columns[g.columns[0]].name;
  return [...groups.values()];
}

/// What is shown before anyone chooses: energy, the first probe, and penetration if there is contact.
export function defaultGroups(groups: PlotGroup[], columns: ColumnInfo[]): PlotGroup[] {
  const energy = groups.find((g) => g.title === "energy");
  const probe = groups.find((g) => columns[g.columns[0]].group === "probe");
  const contact = groups.find((g) => g.title === "contact.penetration");
  return [energy, probe, contact].filter((g) => g !== undefined);
}

/// The part of a column's name that the title of its plot does not say.
export function shortName(name: string, title: string): string {
  if (name.startsWith(`${title}.`)) return name.slice(title.length + 1);
  return name.endsWith(`.${title}`) ? name.slice(0, -title.length - 1) : name;
}

/// From the least to the greatest number with some room; around a number that never changes.
export function plotRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  const room = max > min ? 0.08 * (max - min) : 0.1 * Math.abs(min) || 1;
  return [min - room, max + room];
}

/// The part of the time from `start` to `end` that is `factor` times as long as `span`, with `time` at the same share of it; none if that is all.
export function zoomed(span: [number, number] | null, factor: number, time: number, start: number, end: number): [number, number] | null {
  const [low, high] = span ?? [start, end];
  const length = Math.max((high - low) * factor, LEAST_SHARE * (end - start));
  if (!(length < end - start)) return null;
  const share = Math.min(Math.max((time - low) / (high - low), 0), 1);
  const first = Math.min(Math.max(time - share * length, start), end - length);
  return [first, first + length];
}

/// The same if it holds `time`; else the next page, with `time` near the edge it came over.
export function turnedTo(span: [number, number], time: number, start: number, end: number): [number, number] {
  const [low, high] = span;
  if (time >= low && time <= high) return span;
  const length = high - low;
  const first = Math.max(Math.min(time - (time > high ? 0.1 : 0.9) * length, end - length), start);
  return [first, first + length];
}

// As uPlot has them, and those of counts.
const STEPS = Array.from({ length: 33 }, (_, k) => [1, 2, 2.5, 5].map((m) => Number(`${m}e${k - 16}`))).flat();
const WHOLE_STEPS = STEPS.filter((step) => Number.isInteger(step));

const decimalsOf = (step: number) => (/\.(\d+)$/.exec(step.toFixed(6).replace(/0+$/, ""))?.[1] ?? "").length;

/// Of ticks at equal steps: all with as many digits after the point; very large and very small ones with one power of ten.
export function tickLabels(ticks: number[]): string[] {
  const largest = Math.max(...ticks.map(Math.abs), 0);
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : largest;
  if (!(largest > 0)) return ticks.map(() => "0");
  const isPlain = largest < 1e5 && step > 0.99e-3;
  const power = isPlain ? 0 : Math.floor(Math.log10(largest) + 1e-9);
  const scale = 10 ** power;
  const decimals = decimalsOf(step / scale);
  return ticks.map((t) => `${(t / scale).toFixed(decimals).replace(/^-(0(\.0+)?)$/, "$1")}${power ? `e${power}` : ""}`.replace(/-/g, "\u2212"));
}

/// Time axes of a single moment have some length.
export function timeRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  return max > min ? [min, max] : [min, min + 1];
}

/// What is only rounding beside the numbers of its plot is 0; counts are whole.
export function legendText(value: number, unit: string, scale: { min?: number | null; max?: number | null }): string {
  if (!unit && Number.isInteger(value) && Math.abs(value) < 1e5) return String(value).replace("-", "\u2212");
  const largest = Math.max(Math.abs(scale.min ?? 0), Math.abs(scale.max ?? 0));
  return formatNumber(Math.abs(value) < 1e-9 * largest ? 0 : value);
}

/// Beyond the palette its colours come again in dashes, as in `sinew plot`.
const isDashed = (series: number) => Math.floor(series / SERIES.length) % 2 === 1;

/// Counts: no numbers between.
const isWhole = ([, ...columns]: uPlot.AlignedData) => columns.every((column) => Array.prototype.every.call(column, (x: number) => Number.isInteger(x)));

const WHEEL = 0.002; // of the wheel: logarithm of the factor, per px
const LEAST_SHARE = 1e-4; // of all the time, that a plot shows at least

/// Of axes and grids.
export const INKS = { light: { ink: "#333b45", grid: "#dde2e8" }, dark: { ink: "#c5ced8", grid: "#2b323b" } };

interface Panel {
  group: PlotGroup;
  plot: uPlot;
  box: HTMLElement; // has the size of the plot
  cursor: HTMLElement;
  values: HTMLElement[];
}

export class Plots {
  private panels: Panel[] = [];
  private revision = -1;
  private span: [number, number] | null = null; // of time that is shown [s]; none: all of it
  private time = 0; // shown last [s]
  isDark = false;
  private sizes = new ResizeObserver(() => this.resize()); // legends take more lines as their numbers grow

  constructor(private root: HTMLElement, private store: Store, private seek: (time: number) => void, private moved: () => void) {}

  show(groups: PlotGroup[]): void {
    this.sizes.disconnect();
    for (const panel of this.panels) panel.plot.destroy();
    this.root.replaceChildren();
    this.panels = groups.map((g) => this.makePanel(g));
    this.revision = -1;
    this.update(this.time, true);
  }

  private data(group: PlotGroup): uPlot.AlignedData {
    return [Float64Array.from(this.store.times), ...group.columns.map((c) => this.store.column(c))] as unknown as uPlot.AlignedData;
  }

  private makePanel(group: PlotGroup): Panel {
    const columns = this.store.header?.columns ?? [];
    const palette = this.isDark ? SERIES_DARK : SERIES;
    const { ink, grid: line } = INKS[this.isDark ? "dark" : "light"];
    const grid = { stroke: line, width: 1 };
    const values = group.columns.map(() => h("span", { class: "value" }));
    const legend = h("div", { class: "legend" }, h("strong", {}, group.title), ` ${unitLabel(group.unit)} `);
    group.columns.forEach((c, i) => {
      const short = shortName(columns[c].name, group.title);
      const swatch = h("i", { "aria-hidden": "true" });
      const colour = palette[i % palette.length];
      swatch.style.background = isDashed(i) ? `linear-gradient(to right, ${colour} 40%, transparent 40% 60%, ${colour} 60%)` : colour;
      legend.append(h("span", { class: "entry" }, swatch, short === group.title ? "" : `${short} `, values[i]));
    });
    const box = h("div", { class: "plot-box" });
    const figure = h("figure", { class: "plot", role: "group", "aria-label": `plot of ${group.title}` }, legend, box);
    this.root.append(figure);
    const axis = { stroke: ink, grid, ticks: grid, font: "11px system-ui, sans-serif" };
    const plot = new uPlot(
      {
        width: Math.max(box.clientWidth, 120), height: Math.max(box.clientHeight, 60), // closed panels have no size
        legend: { show: false }, cursor: { show: false }, scales: { x: { time: false, range: (_u, min, max) => timeRange(min, max) }, y: { range: (_u, min, max) => plotRange(min, max) } },
        padding: [6, 10, 0, 0],
        axes: [
          { ...axis, size: 24, values: (_u, ticks) => tickLabels(ticks), label: "time [s]", labelSize: 14, labelGap: 0, labelFont: "11px system-ui, sans-serif" },
          { ...axis, size: 80, incrs: (u: uPlot) => (!group.unit && isWhole(u.data) ? WHOLE_STEPS : STEPS), values: (_u: uPlot, ticks: number[]) => tickLabels(ticks) },
        ],
        series: [{}, ...group.columns.map((_, i) => ({ stroke: palette[i % palette.length], width: 1.5, pxAlign: 0, points: { show: false }, dash: isDashed(i) ? [6, 6] : undefined }))],
      },
      this.data(group),
      box,
    );
    this.sizes.observe(box);
    const cursor = h("div", { class: "time-cursor" });
    plot.over.append(cursor);
    const move = (event: PointerEvent) => {
      const left = event.clientX - plot.over.getBoundingClientRect().left;
      this.seek(plot.posToVal(left, "x"));
    };
    plot.over.addEventListener("pointerdown", (event) => {
      plot.over.setPointerCapture(event.pointerId);
      move(event);
    });
    plot.over.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) move(event);
    });
    plot.over.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(WHEEL * event.deltaY), plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
      this.moved();
    }, { passive: false });
    plot.over.addEventListener("dblclick", () => {
      this.showAll();
      this.moved();
    });
    return { group, plot, box, cursor, values };
  }

  /// Shows `factor` times as much time as before around `time`, which stays where it is.
  zoom(factor: number, time: number): void {
    this.span = zoomed(this.span, factor, time, this.store.start, this.store.end);
    this.applySpan();
  }
  showAll(): void {
    this.span = null;
    this.applySpan();
  }
  /// First and last time that is shown [s].
  get shownSpan(): [number, number] {
    return this.span ?? [this.store.start, this.store.end];
  }
  private applySpan(): void {
    const [min, max] = this.shownSpan;
    for (const { plot } of this.panels) plot.setScale("x", { min, max });
  }

  private resize(): void {
    for (const { plot, box } of this.panels) {
      const size = { width: box.clientWidth, height: box.clientHeight };
      if (size.width > 0 && (plot.width !== size.width || plot.height !== size.height)) plot.setSize(size);
    }
    this.moved();
  }

  /// Moves the cursors; draws anew only if there are new numbers.
  update(time: number, isNewData: boolean, writesNumbers = true): void {
    this.time = time;
    if (this.panels.length === 0) return;
    const span = this.span && turnedTo(this.span, time, this.store.start, this.store.end);
    const isTurned = span !== this.span;
    this.span = span;
    if (isNewData && this.revision !== this.store.revision) {
      this.revision = this.store.revision;
      for (const panel of this.panels) panel.plot.setData(this.data(panel.group), !span);
      if (span) this.applySpan();
    } else if (isTurned) {
      this.applySpan();
    }
    const frame = this.store.nearestFrame(time);
    for (const { plot, cursor, group, values } of this.panels) {
      const x = plot.valToPos(time, "x"); // a live run may be ahead of its plot
      cursor.style.transform = `translateX(${Number.isFinite(x) ? Math.min(Math.max(x, 0), plot.bbox.width / uPlot.pxRatio) : 0}px)`;
      if (!writesNumbers) continue;
      group.columns.forEach((c, i) => {
        const text = this.store.frames ? legendText(this.store.value(frame, c), group.unit, plot.scales.y) : "";
        if (values[i].textContent !== text) values[i].textContent = text;
      });
    }
  }
}
