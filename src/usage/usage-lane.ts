import { TollgateError } from '../domain/errors';
import { StatementError } from '../db/statement-error';
import { classifyFailure, failureError } from '../db/failure';
import { hasSqlState } from '../db/sql-state';
import type { BatchMode, BatchOutcome } from './usage-batch';
import { HeldCalls } from './held-calls';
import { CLAIM_WAIT } from './track-idempotency-store';
import type { UsageAnswer, UsageCall, WaitingCall } from './usage-call';

export type ProcessBatch = (calls: readonly UsageCall[], mode: BatchMode) => Promise<BatchOutcome[]>;

/** Concurrency limits of a lane. */
export interface LaneSettings {
  /** Maximum number of calls in a batch. */
  batchSize: number;
  /** Maximum for the next batch, if it depends on other load. */
  nextSize?: () => number;
  /** Number of calls that may wait; beyond it the answer is 503, rather than using up memory until a time-out. */
  queueLimit: number;
  /** Whether a customer's later calls wait for its earlier ones if another transaction holds its balances. */
  keepsOrder?: boolean;
  /** Number of held calls tried concurrently, limited so that one workspace cannot take all connections. */
  aloneLimit: number;
  /** Waits before each batch for its turn among other lanes; the function it returns is called after the batch. */
  turn?: () => Promise<() => void>;
}

const TOGETHER: BatchMode = { waitForKey: false, waitForCustomers: true, lockTimeoutMs: 250 };
/** Used for a while after a batch timed out on a lock, so that later batches do not wait for it again. */
const CAUTIOUS: BatchMode = { waitForKey: false, waitForCustomers: false, lockTimeoutMs: 250 };
const ALONE: BatchMode = { waitForKey: true, waitForCustomers: true, lockTimeoutMs: 2_000 };
const SAME_CUSTOMER: BatchMode = { ...ALONE, waitForKey: false };

/** How long a lane stays cautious (milliseconds): as long as a call that is tried alone waits. */
const CAUTION_MS = 2_000;

/**
 * Processes the calls of one workspace environment in batches of what arrived together, one batch at a time. A failed
 * batch is tried again without what others hold, and finally call by call outside of the lane, so that one caller's
 * failure never affects another.
 */
export class UsageLane {
  private queue: WaitingCall[] = [];
  private readonly held: HeldCalls;
  private aloneRunning = 0;
  private running = false;
  private cautiousUntil = 0;

  constructor(
    private readonly runCalls: ProcessBatch,
    private readonly onDenied: (call: UsageCall) => void,
    private readonly onIdle: () => void,
    private readonly settings: LaneSettings,
  ) {
    this.held = new HeldCalls(settings.batchSize);
  }

  /** @throws TollgateError service_busy when the queue is full */
  submit(call: UsageCall): Promise<UsageAnswer> {
    return new Promise((resolve, reject) => {
      this.add([{ call, resolve, reject }]);
    });
  }

  /**
   * Submits calls in order, each with its own outcome.
   *
   * @throws TollgateError service_busy when the queue has no room for all of them; none is queued then
   */
  submitAll(calls: readonly UsageCall[]): Promise<PromiseSettledResult<UsageAnswer>[]> {
    return new Promise((resolve) => {
      const results = new Array<PromiseSettledResult<UsageAnswer>>(calls.length);
      let left = calls.length;
      const settle = (index: number, result: PromiseSettledResult<UsageAnswer>): void => {
        results[index] = result;
        left -= 1;
        if (left === 0) resolve(results);
      };
      const waiting = calls.map((call, index): WaitingCall => ({
        call,
        resolve: (value) => {
          settle(index, { status: 'fulfilled', value });
        },
        reject: (reason) => {
          settle(index, { status: 'rejected', reason });
        },
      }));
      this.add(waiting);
    });
  }

  private add(waiting: readonly WaitingCall[]): void {
    if (this.queue.length + this.held.size + waiting.length > this.settings.queueLimit) {
      throw new TollgateError('service_busy', 'Too many calls of this workspace are waiting.', {
        retryAfter: 1,
      });
    }
    for (const one of waiting) this.queue.push(one);
    if (this.running) return;
    this.running = true;
    // Lets requests that arrived in the same turn of the event loop join first.
    setImmediate(() => void this.run());
  }

  private async run(): Promise<void> {
    while (this.queue.length > 0) {
      const done = await this.settings.turn?.();
      try {
        const batch = this.nextBatch();
        if (batch.length > 0) await this.runBatch(batch);
      } finally {
        done?.();
      }
    }
    this.running = false;
    this.reportIdle();
  }

  private nextBatch(): WaitingCall[] {
    const batch = this.queue.splice(0, this.settings.nextSize?.() ?? this.settings.batchSize);
    if (this.settings.keepsOrder !== true) return batch;
    return batch.filter((waiting) => {
      const { externalId } = waiting.call;
      if (!this.held.hasCallsOf(externalId)) return true;
      this.tryAgain(waiting, externalId);
      return false;
    });
  }

  private async runBatch(batch: readonly WaitingCall[], isRetry = false): Promise<void> {
    let outcomes: BatchOutcome[];
    try {
      outcomes = await this.runCalls(
        batch.map((waiting) => waiting.call),
        performance.now() < this.cautiousUntil ? CAUTIOUS : TOGETHER,
      );
    } catch (error) {
      await this.recover(batch, error, isRetry);
      return;
    }
    this.keepHeld(batch, outcomes);
    const answer = (): void => {
      this.answer(batch, outcomes);
    };
    // Waiting calls go first: the database works on the next batch while these answers are written.
    if (this.queue.length > 0) setImmediate(answer);
    else answer();
  }

  private async recover(batch: readonly WaitingCall[], error: unknown, isRetry: boolean): Promise<void> {
    const failure = classifyFailure(error);
    if (failure === 'contention') this.cautiousUntil = performance.now() + CAUTION_MS;
    if (!isRetry && failure !== 'defect') {
      // Safe even if a lost commit took effect, because its keys and reservations are found.
      await this.runBatch(batch, true);
    } else if (failure === 'connection') {
      for (const waiting of batch) waiting.reject(failureError(error));
    } else {
      for (const waiting of batch) this.tryAgain(waiting, undefined);
    }
  }

  /** Done before the next batch, which may contain later calls of the same customers. */
  private keepHeld(batch: readonly WaitingCall[], outcomes: readonly BatchOutcome[]): void {
    batch.forEach((waiting, index) => {
      const outcome = outcomes[index];
      if (outcome?.kind === 'held') this.tryAgain(waiting, outcome.customer);
    });
  }

  private answer(batch: readonly WaitingCall[], outcomes: readonly BatchOutcome[]): void {
    batch.forEach((waiting, index) => {
      const outcome = outcomes[index];
      switch (outcome?.kind) {
        case 'answered':
          if (outcome.denied) this.onDenied(waiting.call);
          waiting.resolve(outcome.answer);
          return;
        case 'refused':
          if (outcome.denied) this.onDenied(waiting.call);
          waiting.reject(outcome.error);
          return;
        case 'held':
          return;
        case undefined:
          waiting.reject(new Error('A batch answered fewer outcomes than it had calls.'));
      }
    });
  }

  /** @param customer the one whose balances another transaction holds; calls of the same customer are tried together */
  private tryAgain(waiting: WaitingCall, customer: string | undefined): void {
    this.held.add(waiting, customer, performance.now());
    if (this.aloneRunning >= this.settings.aloneLimit) return;
    this.aloneRunning += 1;
    void this.runHeld();
  }

  private async runHeld(): Promise<void> {
    for (let group = this.held.next(); group !== undefined; group = this.held.next()) {
      const { calls, customer } = group;
      if (this.held.waitedTooLong(group, performance.now())) {
        for (const waiting of calls) waiting.reject(stillHeld());
        this.held.settled(group);
        continue;
      }
      try {
        const mode = customer === undefined ? ALONE : SAME_CUSTOMER;
        const outcomes = await this.runCalls(
          calls.map(({ call }) => call),
          mode,
        );
        this.keepHeld(calls, outcomes);
        this.answer(calls, outcomes);
      } catch (error) {
        // One of several calls may be the cause, unless they share the lock or the connection that failed.
        const isOfAll = classifyFailure(error) === 'connection' || hasSqlState(error, 'lock_not_available');
        if (calls.length > 1 && !isOfAll) for (const waiting of calls) this.tryAgain(waiting, undefined);
        else for (const waiting of calls) waiting.reject(keyInUse(error) ?? failureError(error));
      }
      this.held.settled(group);
    }
    this.aloneRunning -= 1;
    this.reportIdle();
  }

  private reportIdle(): void {
    if (!this.running && this.aloneRunning === 0 && this.queue.length === 0) this.onIdle();
  }
}

function stillHeld(): TollgateError {
  return new TollgateError('service_busy', 'A record that this request changes is locked at the moment.', {
    retryAfter: 1,
  });
}

/** Returns the error of a lone track that did not get its key in time. */
function keyInUse(error: unknown): TollgateError | undefined {
  if (!(error instanceof StatementError) || error.statement !== CLAIM_WAIT) return undefined;
  if (!hasSqlState(error, 'lock_not_available')) return undefined;
  return new TollgateError(
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is still running.',
    { retryAfter: 1 },
  );
}
