import type { Logger } from 'pino';

const INTERVAL_MS = 5_000;

/** Number of running API processes, refreshed periodically. */
export interface LiveProcesses {
  count(): number;
  stop(): void;
}

/** @param read returns the current number; before its first answer, and if it fails, the last known number is used */
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
