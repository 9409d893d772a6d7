import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

const INITIAL_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;

/** After a run of this length the backoff restarts from the initial delay. */
const STABLE_AFTER_MS = 30_000;

/**
 * Repeats work until the process stops, with exponential backoff of at most five seconds after a failure: its
 * dependencies (Temporal, Postgres) may not be up yet, or may fail and recover.
 *
 * @param what its name in the log, such as "the relay"
 * @param work must end when `stopping` fires; if it returns or throws earlier, it is run again
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
      // Only the first failure is a warning, because an outage should not log a line every five seconds.
      log[failures === 1 ? 'warn' : 'debug']({ err: error, failures }, `${what} failed and is retried`);
      const milliseconds = Math.min(INITIAL_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
      await pause(milliseconds, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}
