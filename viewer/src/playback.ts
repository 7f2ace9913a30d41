// The clock of a replay: what time is shown, and how it moves. Knows no pictures.
export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

/// The one of SPEEDS beside the one that is nearest.
export function nextSpeed(speed: number, direction: number): number {
  const nearest = SPEEDS.reduce((best, s, i) => (Math.abs(Math.log(s / speed)) < Math.abs(Math.log(SPEEDS[best] / speed)) ? i : best), 0);
  return SPEEDS[Math.min(Math.max(nearest + direction, 0), SPEEDS.length - 1)];
}

export class Playback {
  time = 0;
  isPlaying = false;
  speed = 1;
  loops = true;
  followsLive = false; // a live run: show the newest frame

  constructor(private span: () => { start: number; end: number; times: number[] }) {}

  play(): void {
    const { start, end } = this.span();
    if (!this.followsLive && this.time >= end) this.time = start;
    this.isPlaying = true;
  }
  pause(): void {
    this.isPlaying = false;
  }
  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }
  seek(time: number): void {
    const { start, end } = this.span();
    this.time = Math.min(Math.max(time, start), end);
  }
  /// To the neighbouring frame; stops.
  step(frames: number): void {
    this.pause();
    const { times } = this.span();
    if (times.length === 0) return;
    const tolerance = 1e-9 * Math.max(1, Math.abs(this.time));
    let k = times.findIndex((t) => t > this.time + tolerance);
    k = (k < 0 ? times.length : k) - 1;
    if (frames < 0 && this.time > times[k] + tolerance) ++k; // between two frames: back to the one just passed
    this.time = times[Math.min(Math.max(k + frames, 0), times.length - 1)];
  }
  /// `elapsed` seconds of wall clock.
  advance(elapsed: number): void {
    const { start, end } = this.span();
    if (this.followsLive) {
      this.time = end;
      return;
    }
    if (!this.isPlaying) return;
    this.time += elapsed * this.speed;
    if (this.time < end) return;
    const length = end - start;
    if (this.loops && length > 0) {
      this.time = start + ((this.time - start) % length);
    } else {
      this.time = end;
      this.isPlaying = false;
    }
  }
}
