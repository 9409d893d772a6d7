/** How long one piece of work may hold the event loop (milliseconds): less than a single call takes. */
const SLICE_MS = 0.5;

/** Splits long work: when its slice is over, it waits for the next turn of the event loop. */
export class Slices {
  private until = performance.now() + SLICE_MS;

  isOver(): boolean {
    return performance.now() >= this.until;
  }

  async next(): Promise<void> {
    await new Promise(setImmediate);
    this.until = performance.now() + SLICE_MS;
  }
}
