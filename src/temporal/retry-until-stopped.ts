import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

const INITIAL_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;

/** A round that lasted this long was a good one: the next failure begins with the first pause again. */
const STABLE_AFTER_MS = 30_000;

/**
 * Repeats work that is to go on until the process stops, with growing pauses of at most five seconds: what it needs
 * (Temporal, Postgres) may not be there yet, or may go away and come back.
 *
 * @param what for the log, such as "the relay"
 * @param work returns, or fails, early; is expected to end by itself when `stopping` fires
 */
export async function retryUntilStopped(
  what: string,
  work: () => Promise<void>,
  options: { stopping: AbortSignal; log: Logger },
): Promise<void> {
  const { stopping, log } = options;
  let failures = 0;
  while (!stopping.aborted) {
    const begun = performance.now();
    try {
      await work();
    } catch (error) {
      if (performance.now() - begun > STABLE_AFTER_MS) failures = 0;
      failures += 1;
      // The first time tells; that it lasts is not worth a line every five seconds.
      log[failures === 1 ? 'warn' : 'debug']({ err: error, failures }, `${what} waits and tries again`);
      const milliseconds = Math.min(INITIAL_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
      await pause(milliseconds, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}
