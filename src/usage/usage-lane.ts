import { TollgateError } from '../domain/errors';
import { StatementError } from '../db/pipeline';
import { classifyFailure, failureError } from '../db/failure';
import { hasSqlState } from '../db/sql-state';
import type { BatchMode, BatchOutcome } from './usage-batch';
import { CLAIM_WAIT } from './track-idempotency-store';
import type { UsageAnswer, UsageCall } from './usage-call';

export type ProcessBatch = (calls: readonly UsageCall[], mode: BatchMode) => Promise<BatchOutcome[]>;

interface Waiting {
  call: UsageCall;
  resolve: (answer: UsageAnswer) => void;
  reject: (error: unknown) => void;
}

/** Calls in one batch at most: enough for a burst, few enough that a batch stays short. */
const BATCH_SIZE = 256;
/** Calls that may wait in a lane; beyond it the answer is 503 rather than memory and a time-out. */
const QUEUE_LIMIT = 4_000;
/** Calls of a lane that are tried alone at the same time, so that one workspace cannot take all connections. */
const ALONE_LIMIT = 2;

const TOGETHER: BatchMode = { waitForKey: false, waitForCustomers: true, lockTimeoutMs: 250 };
/** For a while after a batch timed out on a lock: later batches do not wait for it again. */
const CAUTIOUS: BatchMode = { waitForKey: false, waitForCustomers: false, lockTimeoutMs: 250 };
const ALONE: BatchMode = { waitForKey: true, waitForCustomers: true, lockTimeoutMs: 2_000 };

/** How long a lane stays cautious (milliseconds): as long as a call that is tried alone waits. */
const CAUTION_MS = 2_000;

/**
 * The calls of one workspace environment, in batches of what arrived together, one batch in flight. A batch
 * that fails is tried again without what others hold, and at last call by call beside the lane, so that one
 * caller's trouble is never another's.
 */
export class UsageLane {
  private queue: Waiting[] = [];
  private alone: Waiting[] = [];
  private aloneRunning = 0;
  private running = false;
  private cautiousUntil = 0;

  constructor(
    private readonly runCalls: ProcessBatch,
    private readonly onDenied: (call: UsageCall) => void,
    private readonly onIdle: () => void,
  ) {}

  submit(call: UsageCall): Promise<UsageAnswer> {
    if (this.queue.length + this.alone.length >= QUEUE_LIMIT) {
      return Promise.reject(
        new TollgateError('service_busy', 'Too many calls of this workspace are waiting.', { retryAfter: 1 }),
      );
    }
    return new Promise((resolve, reject) => {
      this.queue.push({ call, resolve, reject });
      if (this.running) return;
      this.running = true;
      // After the requests that arrived in the same turn of the event loop have joined.
      setImmediate(() => void this.run());
    });
  }

  private async run(): Promise<void> {
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, BATCH_SIZE);
      await this.runBatch(batch);
    }
    this.running = false;
    this.reportIdle();
  }

  private async runBatch(batch: readonly Waiting[], isRetry = false): Promise<void> {
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
    const answer = (): void => {
      batch.forEach((waiting, index) => {
        this.settle(waiting, outcomes[index]);
      });
    };
    // Who waits goes first: the database works on the next batch while these answers are written.
    if (this.queue.length > 0) setImmediate(answer);
    else answer();
  }

  private async recover(batch: readonly Waiting[], error: unknown, isRetry: boolean): Promise<void> {
    const failure = classifyFailure(error);
    if (failure === 'contention') this.cautiousUntil = performance.now() + CAUTION_MS;
    if (!isRetry && failure !== 'defect') {
      // Safe even if a lost commit took effect: its keys are found.
      await this.runBatch(batch, true);
    } else if (failure === 'connection') {
      for (const waiting of batch) waiting.reject(failureError(error));
    } else {
      for (const waiting of batch) this.tryAlone(waiting);
    }
  }

  private settle(waiting: Waiting, outcome: BatchOutcome | undefined): void {
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
        this.tryAlone(waiting);
        return;
      case undefined:
        waiting.reject(new Error('A batch answered fewer outcomes than it had calls.'));
    }
  }

  private tryAlone(waiting: Waiting): void {
    this.alone.push(waiting);
    if (this.aloneRunning >= ALONE_LIMIT) return;
    this.aloneRunning += 1;
    void this.runAlone();
  }

  private async runAlone(): Promise<void> {
    for (let waiting = this.alone.shift(); waiting !== undefined; waiting = this.alone.shift()) {
      try {
        const [outcome] = await this.runCalls([waiting.call], ALONE);
        this.settle(waiting, outcome);
      } catch (error) {
        waiting.reject(keyInUse(error) ?? failureError(error));
      }
    }
    this.aloneRunning -= 1;
    this.reportIdle();
  }

  private reportIdle(): void {
    if (!this.running && this.aloneRunning === 0 && this.queue.length === 0) this.onIdle();
  }
}

/** A lone track that did not get its key in time. */
function keyInUse(error: unknown): TollgateError | undefined {
  if (!(error instanceof StatementError) || error.statement !== CLAIM_WAIT) return undefined;
  if (!hasSqlState(error, 'lock_not_available')) return undefined;
  return new TollgateError(
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is still running.',
    { retryAfter: 1 },
  );
}
