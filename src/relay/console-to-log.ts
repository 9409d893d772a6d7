import type { Logger } from 'pino';

/**
 * Sends what is written to the console to the log, each message in one line. graphile-worker 0.17 writes some of its
 * failures there, as stacks of dozens of lines, which a collector of logs would take for as many records.
 *
 * @returns restores the console
 */
export function consoleToLog(log: Logger): () => void {
  const { error, trace, warn } = console;
  const write = (...parts: unknown[]): void => {
    const [detail = ''] = parts.map(String).join(' ').split('\n', 1);
    log.warn({ detail }, 'the job queue warns');
  };
  Object.assign(console, { error: write, trace: write, warn: write });
  return () => {
    Object.assign(console, { error, trace, warn });
  };
}
