// Draws the recording picture by picture and leaves the pictures in the document, where `sinew render --frames` finds them. A long one is drawn in parts.
import { formatTime } from "./format";
import type { Store } from "./store";
import type { View3D } from "./view3d";

export function captureTimes(start: number, end: number, fps: number, speed: number): number[] {
  const count = Math.floor(((end - start) / speed) * fps + 1e-6) + 1;
  return Array.from({ length: count }, (_, i) => start + (i * speed) / fps);
}

export function capture(view: View3D, store: Store, canvas: HTMLCanvasElement, options: { width: number; height: number; fps: number; speed: number; first: number; count: number }, camera?: number[]): void {
  view.resize(options.width, options.height, 1);
  if (!camera) view.resetCamera(); // to the shape of the pictures
  const picture = document.createElement("canvas");
  picture.width = options.width;
  picture.height = options.height;
  const pen = picture.getContext("2d") as CanvasRenderingContext2D;
  const pictures: string[] = [];
  for (const time of captureTimes(store.start, store.end, options.fps, options.speed).slice(options.first, options.first + options.count)) {
    view.draw(time);
    pen.drawImage(canvas, 0, 0, options.width, options.height);
    pen.font = "16px system-ui, sans-serif";
    pen.fillStyle = getComputedStyle(document.body).color;
    pen.fillText(`${store.header?.scene ?? ""}   t = ${formatTime(time)} s`, 14, options.height - 16);
    pictures.push(picture.toDataURL("image/png"));
  }
  const place = document.createElement("pre");
  place.textContent = `\n${pictures.join("\n")}\n`;
  document.body.replaceChildren(place);
}
