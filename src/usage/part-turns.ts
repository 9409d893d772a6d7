/** Parts of batches that a process works on at a time, whatever workspaces they are of. */
const AT_ONCE = 1;

/** Lanes take turns with their parts, so that no workspace's batches keep another's waiting. */
export class PartTurns {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  /** @returns what is to be called when the part is done */
  async take(): Promise<() => void> {
    if (this.taken >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.taken += 1;
    return () => {
      const next = this.waiting.shift();
      if (next === undefined) this.taken -= 1;
      else next();
    };
  }
}
