import { TollgateError } from '../domain/errors';

/** Lets so many pass at once; above that each waits for its turn. */
export interface FairGate {
  /** @throws TollgateError service_busy when too many of this key wait already; what `work` throws */
  pass<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

interface Line {
  underWay: number;
  waiting: (() => void)[];
}

/**
 * Bounds each key by itself, so that one workspace's deliveries, or a provider that is slow for it, hold up nobody
 * else's.
 *
 * @param waiting how many of a key may wait
 */
export function createFairGate({ atOnce, waiting }: { atOnce: number; waiting: number }): FairGate {
  const lines = new Map<string, Line>();
  return {
    async pass(key, work) {
      const line = lines.get(key) ?? { underWay: 0, waiting: [] };
      lines.set(key, line);
      if (line.underWay < atOnce) {
        line.underWay += 1;
      } else {
        if (line.waiting.length >= waiting) throw busy();
        // Who leaves hands their place on.
        await new Promise<void>((turn) => line.waiting.push(turn));
      }
      try {
        return await work();
      } finally {
        const next = line.waiting.shift();
        if (next !== undefined) next();
        else line.underWay -= 1;
        if (line.underWay === 0) lines.delete(key);
      }
    },
  };
}

function busy(): TollgateError {
  return new TollgateError('service_busy', 'Too many webhooks of this workspace are being processed.', {
    retryAfter: 10,
  });
}
