// Numbers and units as people read them, and colours that people with colour-blindness can tell apart.
export function formatNumber(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  if (size === 0) return "0";
  const isPlain = size >= 1e-3 && size < 1e5;
  const text = isPlain ? rounded.toFixed(Math.max(0, digits - 1 - Math.floor(Math.log10(size)))) : rounded.toExponential(digits - 1);
  return text.replace(/-/g, "\u2212");
}
/// As in print: kg m²/s, kept on one line.
export function prettyUnit(unit: string): string {
  return unit.replace(/\^2/g, "²").replace(/\^3/g, "³").replace(/ /g, "\u202f");
}
/// In brackets; [1] for numbers without.
export function unitLabel(unit: string): string {
  return `[${prettyUnit(unit) || "1"}]`;
}
export function withUnit(value: number, unit: string, digits = 4): string {
  return unit ? `${formatNumber(value, digits)}\u202f${prettyUnit(unit)}` : formatNumber(value, digits);
}
/// "1 frame", "2 frames"
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
export function formatTime(seconds: number): string {
  return seconds.toFixed(Math.abs(seconds) < 1000 ? 3 : 1);
}

/// Of plots and trails, as in `sinew plot`: each stands out from its paper by 3 to 1 or more, and people with colour-blindness can tell any two apart.
export const SERIES = ["#0072b2", "#d55e00", "#009e73", "#c05a9c", "#7d4e00", "#4b4fe0", "#2b2b2b"];
export const SERIES_DARK = ["#56b4e9", "#ff8c42", "#2fd0a0", "#e070b8", "#f2d36b", "#b9e4ff", "#9a9a9a"];

const MAP: [number, number, number][] = [
  [0.13, 0.11, 0.35], [0.16, 0.29, 0.56], [0.13, 0.47, 0.56], [0.19, 0.64, 0.47], [0.58, 0.77, 0.29], [0.98, 0.88, 0.22],
];
/// Dark blue to yellow, lightness rising steadily; s from 0 to 1.
export function mapColour(s: number, out: number[] = [0, 0, 0]): number[] {
  const x = Math.min(Math.max(s, 0), 1) * (MAP.length - 1);
  const k = Math.min(Math.floor(x), MAP.length - 2);
  for (let c = 0; c < 3; ++c) out[c] = MAP[k][c] + (x - k) * (MAP[k + 1][c] - MAP[k][c]);
  return out;
}
/// 1, 2 or 5 times a power of ten, at most `size`.
export function niceStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return ([5, 2, 1].find((m) => m * power <= size * (1 + 1e-9)) ?? 1) * power;
}
