import type { Logger } from 'pino';

const INTERVAL_MS = 5_000;

/** How many API processes run, read from time to time. */
export interface LiveProcesses {
  count(): number;
  stop(): void;
}

/**
 * @param read how many there are now; before its first answer, and where it fails, the last known number stands
 */
export function watchProcesses(options: {
  read: () => Promise<number>;
  log: Logger;
  intervalMs?: number;
}): LiveProcesses {
  const { read, log, intervalMs = INTERVAL_MS } = options;
  let known = 1;
  const look = (): void => {
    read().then(
      (count) => (known = Math.max(1, count)),
      (error: unknown) => {
        log.debug({ err: error }, 'could not count the api processes; the last count stands');
      },
    );
  };
  look();
  const timer = setInterval(look, intervalMs);
  timer.unref();
  return {
    count: () => known,
    stop() {
      clearInterval(timer);
    },
  };
}
