// How much is drawn: less where pictures take too long, so that a machine with slow graphics stays usable.

/// With shadows and up to two device pixels a pixel; without shadows and with one; with half of one.
export const DETAILS = ["fine", "plain", "coarse"] as const;
export type Detail = (typeof DETAILS)[number];

const SLOW = 70; // ms a picture takes in the mean that is too slow
const SLOWEST = 300; // ms that a single one counts at most: shaders are made for the first
const FEW = 8; // pictures are too few to judge
const QUICK = 22; // ms: done before the next was due
const MANY = 200; // quick pictures, after which more may be drawn again: it was something else that took the time
const MOST_RAISES = 2; // then it is enough
const MEMORY = 0.15; // weight of the last picture in the mean
const LONGEST_PAUSE = 100; // ms from one picture to the next

export class DetailChooser {
  private mean = 0; // time of a picture lately, at this detail [ms]
  private count = 0; // of pictures at this detail
  private raises = 0;

  constructor(public now: Detail) {}

  /// A picture was done after so long [ms].
  took(time: number): void {
    this.mean += MEMORY * (Math.min(time, SLOWEST) - this.mean);
    ++this.count;
  }
  /// ms from one picture to the next: where drawing is slow, others also need the processor.
  get interval(): number {
    return this.now === "fine" ? 0 : Math.min(2 * this.mean, LONGEST_PAUSE);
  }
  /// Pixels of the drawing a pixel of the page.
  pixels(ofDevice: number): number {
    return { fine: Math.min(ofDevice, 2), plain: Math.min(ofDevice, 1), coarse: 0.5 }[this.now];
  }
  /// Less if pictures take too long; more again, a few times, if they have long been quick. Says whether anything changed.
  fit(): boolean {
    const at = DETAILS.indexOf(this.now);
    const isTooSlow = this.count > FEW && this.mean > SLOW && at < DETAILS.length - 1;
    const isQuick = this.count > MANY && this.mean < QUICK && at > 0 && this.raises < MOST_RAISES;
    if (!isTooSlow && !isQuick) return false;
    if (isQuick) ++this.raises;
    this.now = DETAILS[isTooSlow ? at + 1 : at - 1];
    this.mean = this.count = 0;
    return true;
  }
}
