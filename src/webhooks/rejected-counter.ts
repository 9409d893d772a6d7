import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import { addPlatformCount } from '../platform-audit/platform-audit-store';

/** Counts webhooks that a limit rejected before their signature was verified. */
export interface RejectedCounter {
  count(host: Environment, provider: string): void;
  /** Writes the counts and stops the timer. */
  stop(): Promise<void>;
}

const EVERY_MS = 10_000;

/**
 * Keeps counts in memory and writes them to the platform's audit every ten seconds and at a stop, because one row each
 * would defeat the limit. A crash loses at most ten seconds of counts.
 */
export function createRejectedCounter({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Logger;
}): RejectedCounter {
  let counts = new Map<string, { host: Environment; provider: string; times: number }>();
  const write = async (): Promise<void> => {
    const all = counts;
    counts = new Map();
    for (const [key, { host, provider, times }] of all) {
      try {
        const act = { action: 'webhook.turned_away', host, provider };
        await addPlatformCount(database, { act, receivedAt: clock.now() }, times);
      } catch (error) {
        log.warn({ err: error }, 'rejected webhooks could not be counted yet');
        const since = counts.get(key)?.times ?? 0;
        counts.set(key, { host, provider, times: times + since });
      }
    }
  };
  let writing = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, EVERY_MS);
  timer.unref();
  return {
    count(host, provider) {
      const key = `${host} ${provider}`;
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { host, provider, times: 1 });
      else known.times += 1;
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}
