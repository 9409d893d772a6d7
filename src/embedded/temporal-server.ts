import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { systemClock } from '../clock/system-clock';
import { WITHOUT_PROXY } from '../temporal/client';
import { startChildProcess, type RunningProcess } from './child-process';
import { assertPortFree } from './free-port';
import { StartLog } from './start-error';

export interface TemporalServerOptions {
  /** The `temporal` program. */
  cliPath: string;
  port: number;
  /** Without it there is no web page. */
  uiPort?: number;
  /** Keeps workflows over a restart. Without it they are in memory. */
  databaseFile?: string;
  /** Further arguments of `temporal server start-dev`, for example `--search-attribute`. */
  extraArguments?: readonly string[];
  /** Receives the server's output, line by line. */
  log?: (line: string) => void;
  /** Ends the start early. */
  stopped?: AbortSignal;
}

export interface TemporalServer extends RunningProcess {
  /** host:port for clients and workers. */
  address: string;
}

const HOST = '127.0.0.1';
const STARTUP_TIMEOUT_MS = 60_000;

/**
 * Measured: a thousand due renewals in 9 s instead of 50. A kill loses nothing. A power failure may lose the last
 * moments, which the hourly sweep rebuilds from Postgres.
 */
const DURABILITY = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=1'];

/** Without it the server ignores fairness keys, and one workspace's refunds wait behind all of another's. */
const FAIRNESS = ['--dynamic-config-value', 'matching.enableFairness=true'];

/**
 * Starts a real Temporal server on 127.0.0.1, with the namespace `default`. It runs in its own session and is stopped
 * if this process is killed.
 *
 * @throws PortTakenError if another process listens on a port
 * @throws StartError if the server does not come up, with the end of its log, or the start is stopped
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const { cliPath, port, uiPort, databaseFile, extraArguments = [], log, stopped } = options;
  await assertPortFree(port, 'Temporal', 'choose another port');
  if (uiPort !== undefined) await assertPortFree(uiPort, "Temporal's web page", 'choose another port');

  const output = new StartLog((line) => log?.(line));
  const running = await startChildProcess({
    command: cliPath,
    args: [
      ...['server', 'start-dev', '--ip', HOST, '--port', String(port), '--log-level', 'warn'],
      ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort), '--ui-ip', HOST]),
      ...(databaseFile === undefined ? [] : ['--db-filename', path.resolve(databaseFile), ...DURABILITY]),
      ...FAIRNESS,
      ...extraArguments,
    ],
    // Settings in the home directory are ignored, because they could name another server.
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      TEMPORAL_DISABLE_CONFIG_FILE: 'true',
    },
    log: output.add,
    grace: 10_000,
  });
  const address = `${HOST}:${port}`;
  try {
    await waitUntilReady(address, running, stopped);
  } catch (error) {
    await running.stop();
    throw output.failure('Temporal', error);
  }
  return { ...running, address };
}

async function waitUntilReady(
  address: string,
  running: RunningProcess,
  stopped: AbortSignal | undefined,
): Promise<void> {
  const deadline = AbortSignal.timeout(STARTUP_TIMEOUT_MS);
  let ended: string | undefined;
  void running.exited.then((how) => (ended = how));
  const connection = Connection.lazy({ address, channelArgs: WITHOUT_PROXY });
  try {
    for (;;) {
      stopped?.throwIfAborted();
      try {
        await connection.withDeadline(systemClock.now() + 2_000, () =>
          connection.workflowService.describeNamespace({ namespace: 'default' }),
        );
        return;
      } catch (error) {
        if (ended !== undefined) throw new Error(`it ${ended}`, { cause: error });
        if (deadline.aborted) throw error;
      }
      await Promise.race([running.exited, pause(100)]);
    }
  } finally {
    await connection.close();
  }
}
