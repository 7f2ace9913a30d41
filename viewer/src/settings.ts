// What stands after # in the address: time, theme, what is shown, where the camera is. `sinew render --view` writes the same.
import { DEFAULT_SHOWN, LAYERS, type Layer, type Shown } from "./overlays";

interface Settings {
  time?: number;
  theme?: "light" | "dark";
  shown: Shown;
  camera?: number[]; // position and target
  select?: string;
  follow?: string;
  plots?: string[];
  trail?: number; // s
  thickness?: number; // of muscles, cables and springs, over the usual
  still?: Size; // a picture of this size is taken: no playing, no motion
  panels: boolean;
  quality?: "low" | "high"; // low: no shadows, coarse, few pictures a second; if not given, high until the machine turns out to be too slow
  capture?: Size & { fps: number; speed: number; first: number; count: number }; // pictures of the whole recording, or `count` of them from `first` on
}
export interface Size {
  width: number; // px
  height: number;
}

export function parseSettings(hash: string): Settings {
  const p = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (key: string) => {
    const value = Number(p.get(key));
    return p.get(key) !== null && Number.isFinite(value) ? value : undefined;
  };
  const shown = { ...DEFAULT_SHOWN };
  const layers = (key: string) => (p.get(key) ?? "").split(",").filter((l): l is Layer => (LAYERS as readonly string[]).includes(l));
  for (const layer of layers("show")) shown[layer] = true;
  for (const layer of layers("hide")) shown[layer] = false;
  const theme = p.getAll("theme").at(-1); // `sinew render --theme` comes before its --view
  const size = (key: string): Size | undefined => {
    const found = /^(\d+)x(\d+)$/.exec(p.get(key) ?? "");
    return found ? { width: Number(found[1]), height: Number(found[2]) } : undefined;
  };
  const capture = size("capture");
  const quality = p.get("quality");
  return {
    time: number("time"),
    theme: theme === "light" || theme === "dark" ? theme : undefined,
    shown,
    camera: p.get("camera")?.split(",").map(Number),
    select: p.get("select") ?? undefined,
    follow: p.get("follow") ?? undefined,
    plots: p.get("plots")?.split(","),
    trail: number("trail"),
    thickness: number("thickness"),
    still: size("still"),
    panels: p.get("panels") !== "off",
    quality: quality === "low" || quality === "high" ? quality : undefined,
    capture: capture && { ...capture, fps: number("fps") ?? 30, speed: number("speed") ?? 1, first: number("first") ?? 0, count: number("count") ?? Infinity },
  };
}
