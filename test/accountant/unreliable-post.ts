import type { RunningSimulators } from '../../simulators/start';
import type { Random } from './random';

/**
 * Delivers the webhooks of simulated providers like an unreliable network: some at once, some twice, some later and out
 * of order, some never.
 */
export class UnreliablePost {
  private readonly seen: Set<string>;
  private held: string[] = [];
  readonly counted = { delivered: 0, duplicated: 0, delayed: 0, dropped: 0 };

  constructor(
    private readonly core: RunningSimulators['core'],
    private readonly random: Random,
  ) {
    this.seen = new Set(core.outbox.deliveries.map(({ id }) => id));
    core.outbox.switches.drop = true;
  }

  /** Drops, holds or delivers each new webhook, and sometimes delivers those held back. */
  async carry(): Promise<void> {
    const { deliveries } = this.core.outbox;
    const fresh = deliveries.map(({ id }) => id).filter((id) => !this.seen.has(id));
    const now: string[] = [];
    for (const id of fresh) {
      this.seen.add(id);
      const fate = this.random.below(10);
      if (fate < 4) this.counted.dropped += 1;
      else if (fate < 6) this.hold(id);
      else now.push(id);
    }
    await this.deliver(this.random.chance(0.3) ? this.random.shuffled(now) : now);
    if (this.random.chance(0.3)) await this.deliverHeld();
  }

  /** Delivers all held webhooks in random order. */
  async deliverHeld(): Promise<void> {
    const late = this.random.shuffled(this.held);
    this.held = [];
    await this.deliver(late);
  }

  /** Restores normal delivery of webhooks. */
  stop(): void {
    this.core.outbox.switches.drop = false;
  }

  private hold(id: string): void {
    this.held.push(id);
    this.counted.delayed += 1;
  }

  private async deliver(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      this.core.outbox.resend(id);
      this.counted.delivered += 1;
      if (this.random.chance(0.15)) {
        this.core.outbox.resend(id);
        this.counted.duplicated += 1;
      }
    }
    await this.core.outbox.flush();
  }
}
