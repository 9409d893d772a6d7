import path from 'node:path';
import { startChildProcess, type ChildProcessOptions, type RunningProcess } from './child-process';
import { StartError } from './start-error';

/** The service's own processes, by their entry points in src/main. */
export type Entry = 'migrate' | 'maintain' | 'demo' | 'api' | 'worker' | 'relay' | 'deliver';

/** Sizes the young generation to hold a batch of calls, as in `npm run api` (docs/decisions/direct-routes.md). */
export const API_NODE_FLAGS: readonly string[] = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

type EntryOptions = Pick<ChildProcessOptions, 'env' | 'log' | 'grace'>;

/** Starts the compiled entry point as a separate process. */
export async function startEntry(entry: Entry, options: EntryOptions): Promise<RunningProcess> {
  const file = path.join(__dirname, '..', 'main', `${entry}.js`);
  return startChildProcess({
    command: process.execPath,
    args: entry === 'api' ? [...API_NODE_FLAGS, file] : [file],
    ...options,
  });
}

/**
 * Runs an entry point to completion.
 *
 * @param stopped ends it early
 * @throws StartError if it does not succeed
 */
export async function runEntry(
  entry: Entry,
  options: EntryOptions & { stopped: AbortSignal },
): Promise<void> {
  options.stopped.throwIfAborted();
  const running = await startEntry(entry, options);
  const stop = (): void => void running.stop();
  options.stopped.addEventListener('abort', stop);
  if (options.stopped.aborted) stop();
  try {
    const how = await running.exited;
    options.stopped.throwIfAborted();
    if (how !== 'ended with code 0') throw new StartError(`${entry} ${how}; what it printed is above.`);
  } finally {
    options.stopped.removeEventListener('abort', stop);
  }
}
