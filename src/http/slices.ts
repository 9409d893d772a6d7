/** How long one piece of work holds the event loop, in milliseconds. */
const SLICE_MS = 2;

/** Work that others have turns between: whenever its slice is over, it waits for the next turn of the event loop. */
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
