import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import type { Instant } from '../domain/instant';

/** What one connection may ask of its provider, in one process. */
export interface ConnectionBounds {
  /** Calls under way. */
  atOnce: number;
  /** Calls that wait for their turn; what comes beyond them is turned away. */
  waiting: number;
  /** Calls begun. */
  aSecond: number;
  /** A call whose turn comes later than this is not made: who asked has given up by then. */
  longestWaitMs: number;
}

/** Why a call was not made; in words. */
export class TurnedAway {
  constructor(readonly reason: string) {}
}

/** Lets a connection's calls through in the order they came, each connection by itself. */
export class ConnectionLines {
  private readonly lines = new Map<string, { underWay: number; waiting: (() => void)[] }>();
  private readonly rate: RateLimiterQueue;

  /** @param now real time */
  constructor(
    private readonly bounds: ConnectionBounds,
    private readonly now: () => Instant,
  ) {
    this.rate = new RateLimiterQueue(new RateLimiterMemory({ points: bounds.aSecond, duration: 1 }));
  }

  /** Makes a call when it is its turn. @returns what it gives; or why it was not made */
  async pass<T>(connectionId: string, call: () => Promise<T>): Promise<T | TurnedAway> {
    const since = this.now();
    const line = this.lines.get(connectionId) ?? { underWay: 0, waiting: [] };
    this.lines.set(connectionId, line);
    if (line.underWay < this.bounds.atOnce) {
      line.underWay += 1;
    } else if (line.waiting.length >= this.bounds.waiting) {
      return new TurnedAway('Too many calls of this connection wait for the provider; it was not asked.');
    } else {
      // Who leaves hands their place on, so that nobody who comes in between takes it.
      await new Promise<void>((turn) => line.waiting.push(turn));
    }
    try {
      if (this.now() - since > this.bounds.longestWaitMs) return tooLate();
      await this.rate.removeTokens(1, connectionId);
      return await call();
    } finally {
      const next = line.waiting.shift();
      if (next !== undefined) next();
      else line.underWay -= 1;
      if (line.underWay === 0) this.lines.delete(connectionId);
    }
  }
}

function tooLate(): TurnedAway {
  return new TurnedAway('The calls before it took the provider too long; it was not asked.');
}
