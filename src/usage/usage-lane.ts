import { TollgateError } from '../domain/errors';
import { StatementError } from '../db/pipeline';
import { classifyFailure, failureError } from '../db/failure';
import { hasSqlState } from '../db/sql-state';
import type { BatchMode, BatchOutcome } from './usage-batch';
import { CLAIM_WAIT } from './track-idempotency-store';
import type { UsageAnswer, UsageCall } from './usage-call';
import { WaitingCalls, type WaitingCall } from './waiting-calls';

export type ProcessBatch = (calls: readonly UsageCall[], mode: BatchMode) => Promise<BatchOutcome[]>;

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
 * The calls of one workspace environment, in batches of what arrived together. Where enough calls wait, a second batch
 * starts beside the first: the database works on one while this process decides the other. A batch that fails is tried
 * again without what others hold, and at last call by call beside the lane, so that one caller's trouble is never
 * another's.
 */
export class UsageLane {
  private readonly waiting = new WaitingCalls();
  private isStarting = false;
  private alone: WaitingCall[] = [];
  private aloneRunning = 0;
  private cautiousUntil = 0;

  constructor(
    private readonly runCalls: ProcessBatch,
    private readonly onDenied: (call: UsageCall) => void,
    private readonly onIdle: () => void,
  ) {}

  submit(call: UsageCall): Promise<UsageAnswer> {
    if (this.waiting.length + this.alone.length >= QUEUE_LIMIT) {
      return Promise.reject(
        new TollgateError('service_busy', 'Too many calls of this workspace are waiting.', { retryAfter: 1 }),
      );
    }
    return new Promise((resolve, reject) => {
      this.waiting.add({ call, resolve, reject });
      if (this.isStarting || !this.waiting.mayStart()) return;
      this.isStarting = true;
      // After the requests that arrived in the same turn of the event loop have joined.
      setImmediate(() => {
        this.isStarting = false;
        this.start();
      });
    });
  }

  private start(): void {
    for (let batch = this.waiting.take(); batch !== undefined; batch = this.waiting.take())
      void this.run(batch);
  }

  private async run(batch: readonly WaitingCall[]): Promise<void> {
    const answer = await this.runBatch(batch);
    this.waiting.release(batch);
    // Who waits goes first: the database works on the next batch while these answers are written.
    if (this.waiting.length > 0 || this.waiting.isBusy) setImmediate(answer);
    else answer();
    this.start();
    this.reportIdle();
  }

  /** @returns what gives the calls their answers; never rejects */
  private async runBatch(batch: readonly WaitingCall[], isRetry = false): Promise<() => void> {
    try {
      const outcomes = await this.runCalls(
        batch.map((waiting) => waiting.call),
        performance.now() < this.cautiousUntil ? CAUTIOUS : TOGETHER,
      );
      return () => {
        batch.forEach((waiting, index) => {
          this.settle(waiting, outcomes[index]);
        });
      };
    } catch (error) {
      return this.recover(batch, error, isRetry);
    }
  }

  private async recover(
    batch: readonly WaitingCall[],
    error: unknown,
    isRetry: boolean,
  ): Promise<() => void> {
    const failure = classifyFailure(error);
    if (failure === 'contention') this.cautiousUntil = performance.now() + CAUTION_MS;
    // Safe even if a lost commit took effect: its keys are found.
    if (!isRetry && failure !== 'defect') return this.runBatch(batch, true);
    return () => {
      for (const waiting of batch) {
        if (failure === 'connection') waiting.reject(failureError(error));
        else this.tryAlone(waiting);
      }
    };
  }

  private settle(waiting: WaitingCall, outcome: BatchOutcome | undefined): void {
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

  private tryAlone(waiting: WaitingCall): void {
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
    if (!this.waiting.isBusy && this.waiting.length === 0 && this.aloneRunning === 0) this.onIdle();
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
