import { setTimeout as pause } from 'node:timers/promises';

/** Events in a part: while nobody else calls, and while single calls come (docs/decisions/usage-batches.md). */
export const FULL_PART = 64;
export const SMALL_PART = 16;

/** Single calls that came so long ago (milliseconds) need no room any more. */
const RECENT_MS = 100;

/** How long parts rest while single calls come, as a multiple of what the last part took. */
const REST = 2;

/** The process' own clock, in milliseconds. */
export interface Stopwatch {
  now: () => number;
  pause: (milliseconds: number) => Promise<unknown>;
}

/**
 * The turns of the parts of batches in a process, whatever workspaces they are of: one at a time, so that no workspace's
 * batches keep another's waiting. While single calls come, parts are small and each is followed by a rest, so that the
 * processors are theirs for most of the time.
 */
export class PartTurns {
  private taken = false;
  private readonly waiting: (() => void)[] = [];
  private lastSingle = Number.NEGATIVE_INFINITY;
  private freeAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly time: Stopwatch = { now: () => performance.now(), pause }) {}

  /** A single call has come. */
  noteSingle(): void {
    this.lastSingle = this.time.now();
  }

  /** Events in the next part at most. */
  partSize(): number {
    return this.isShared() ? SMALL_PART : FULL_PART;
  }

  /** @returns what is to be called when the part is done */
  async take(): Promise<() => void> {
    if (this.taken) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.taken = true;
    const rest = this.freeAt - this.time.now();
    if (rest > 0) await this.time.pause(rest);
    const started = this.time.now();
    return () => {
      const now = this.time.now();
      if (this.isShared()) this.freeAt = now + REST * (now - started);
      const next = this.waiting.shift();
      if (next === undefined) this.taken = false;
      else next();
    };
  }

  private isShared(): boolean {
    return this.time.now() - this.lastSingle < RECENT_MS;
  }
}
