const SECOND_MS = 1_000;
/** Number of connections above which those without a call in the last second are forgotten. */
const MAX_KNOWN = 1_000;

/**
 * Limits the calls that may start per second and connection. A monotonic clock keeps it independent of clock changes.
 */
export class CallPace {
  private readonly seconds = new Map<string, { began: number; calls: number }>();

  constructor(private readonly aSecond: number) {}

  /**
   * Resolves when a call of the connection may start.
   *
   * @param until latest start, as `performance.now()` counts
   * @returns false as soon as it cannot start by then
   */
  async turn(connectionId: string, until: number): Promise<boolean> {
    for (;;) {
      const second = this.secondOf(connectionId);
      if (second.calls < this.aSecond) {
        second.calls += 1;
        return true;
      }
      const next = second.began + SECOND_MS;
      if (next > until) return false;
      const rest = next - performance.now();
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }

  private secondOf(connectionId: string): { began: number; calls: number } {
    const now = performance.now();
    const known = this.seconds.get(connectionId);
    if (known !== undefined && now - known.began < SECOND_MS) return known;
    if (this.seconds.size > MAX_KNOWN) this.forget(now);
    const second = { began: now, calls: 0 };
    this.seconds.set(connectionId, second);
    return second;
  }

  private forget(now: number): void {
    for (const [id, { began }] of this.seconds) if (now - began >= SECOND_MS) this.seconds.delete(id);
  }
}
