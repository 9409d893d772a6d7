import { setTimeout as pause } from 'node:timers/promises';

/** Events per part: without other calls, and while single calls arrive (docs/decisions/usage-batches.md). */
export const FULL_PART = 64;
export const SMALL_PART = 16;

/** Single calls older than this (milliseconds) no longer need reserved capacity. */
const RECENT_MS = 100;

/** How long parts rest while single calls arrive, as a multiple of the duration of the last part. */
const REST = 2;

/**
 * Longest part (milliseconds) whose whole duration counts. One that takes longer waits for a lock, or for a connection
 * that does not answer, and leaves the processors to the single calls meanwhile.
 */
const LONGEST_MS = 250;

/** The process's own clock, in milliseconds. */
export interface Stopwatch {
  now: () => number;
  pause: (milliseconds: number) => Promise<unknown>;
}

/**
 * Turns of the parts of batches in a process, across workspaces: one at a time, so that no workspace's batches keep
 * another's waiting. While single calls arrive, parts are small and each is followed by a rest, so that the single
 * calls have the processors for most of the time.
 */
export class PartTurns {
  private taken = false;
  private readonly waiting: (() => void)[] = [];
  private lastSingle = Number.NEGATIVE_INFINITY;
  private freeAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly time: Stopwatch = { now: () => performance.now(), pause }) {}

  /** Notes that a single call has arrived. */
  noteSingle(): void {
    this.lastSingle = this.time.now();
  }

  /** Returns the maximum number of events in the next part. */
  partSize(): number {
    return this.isShared() ? SMALL_PART : FULL_PART;
  }

  /** @returns a function to call when the part is done */
  async take(): Promise<() => void> {
    if (this.taken) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.taken = true;
    const rest = this.freeAt - this.time.now();
    if (rest > 0) await this.time.pause(rest);
    const started = this.time.now();
    return () => {
      const now = this.time.now();
      if (this.isShared()) this.freeAt = now + REST * Math.min(now - started, LONGEST_MS);
      const next = this.waiting.shift();
      if (next === undefined) this.taken = false;
      else next();
    };
  }

  private isShared(): boolean {
    return this.time.now() - this.lastSingle < RECENT_MS;
  }
}
