/** Counts by key. A key whose count is back at 0 takes no memory. */
export class KeyedCounts {
  private readonly counts = new Map<string, number>();
  /** Sum of all counts. */
  total = 0;

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: string, by: number): void {
    this.total += by;
    const count = this.of(key) + by;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }
}
