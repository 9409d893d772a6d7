import type { UsageAnswer, UsageCall } from './usage-call';

/** A call and what settles it. */
export interface WaitingCall {
  call: UsageCall;
  resolve: (answer: UsageAnswer) => void;
  reject: (error: unknown) => void;
}

/** Calls in one batch at most: enough for a burst, few enough that a batch stays short. */
const BATCH_SIZE = 256;

/** Batches of a lane that are in flight at the same time. */
const BATCHES_IN_FLIGHT = 2;

/**
 * Calls that have to wait before a batch starts beside another. A small batch costs almost as much as a large one, so two
 * of them are better only where both are large.
 */
const ENOUGH_FOR_ANOTHER = 48;

/**
 * The calls of a lane that wait for a batch. Two batches in flight never count the same customer: neither waits for the
 * other's lock, and a customer's tracks are decided in their order.
 */
export class WaitingCalls {
  private readonly queue: WaitingCall[] = [];
  private inFlight = 0;
  /** The customers whose tracks are in flight. */
  private readonly counted = new Set<string>();

  get length(): number {
    return this.queue.length;
  }

  /** Whether a batch is in flight. */
  get isBusy(): boolean {
    return this.inFlight > 0;
  }

  add(waiting: WaitingCall): void {
    this.queue.push(waiting);
  }

  mayStart(): boolean {
    if (this.inFlight === 0) return this.queue.length > 0;
    return this.inFlight < BATCHES_IN_FLIGHT && this.queue.length >= ENOUGH_FOR_ANOTHER;
  }

  /** The next batch, which is in flight until `release`; undefined where none may start. */
  take(): readonly WaitingCall[] | undefined {
    if (!this.mayStart()) return undefined;
    const batch = this.inFlight === 0 ? this.queue.splice(0, BATCH_SIZE) : this.takeUncounted();
    if (batch.length === 0) return undefined;
    this.inFlight += 1;
    for (const { call } of batch) if (call.claim !== null) this.counted.add(call.externalId);
    return batch;
  }

  release(batch: readonly WaitingCall[]): void {
    this.inFlight -= 1;
    for (const { call } of batch) if (call.claim !== null) this.counted.delete(call.externalId);
  }

  private takeUncounted(): WaitingCall[] {
    const taken: WaitingCall[] = [];
    const left: WaitingCall[] = [];
    for (const waiting of this.queue.slice(0, BATCH_SIZE)) {
      const { claim, externalId } = waiting.call;
      (claim !== null && this.counted.has(externalId) ? left : taken).push(waiting);
    }
    if (taken.length < ENOUGH_FOR_ANOTHER) return [];
    this.queue.splice(0, BATCH_SIZE, ...left);
    return taken;
  }
}
