import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { findFreePort } from '../../src/embedded/free-port';
import type { TestDatabase } from './database';
import { processSettings } from './process-settings';
import { until } from './until';

const PROJECT = path.join(__dirname, '..', '..');

/** The API in a separate process, built as for deployment, that a test can kill. */
export interface ApiProcess {
  sandboxUrl: string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export async function startApiProcess(database: TestDatabase): Promise<ApiProcess> {
  const port = await findFreePort();
  const sandboxUrl = `http://127.0.0.1:${port}`;
  // The script rebuilds what has changed, forwards signals and ends with the service.
  const child = spawn(process.execPath, ['scripts/run.mjs', 'api'], {
    cwd: PROJECT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'test',
      TOLLGATE_LOG_LEVEL: 'fatal',
      TOLLGATE_DRAIN_SECONDS: '0',
      ...processSettings(database),
      TOLLGATE_SANDBOX_PORT: String(port),
    },
  });
  await waitUntilReady(sandboxUrl, child);
  return {
    sandboxUrl,
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit') as Promise<[number | null]>;
      child.kill(signal);
      return (await ended)[0];
    },
  };
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  await until(async () => {
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) throw new Error(`The API process ended with ${ended}.`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    return answer?.status === 200;
  });
}
