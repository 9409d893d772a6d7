import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { findFreePort } from '../../src/embedded/free-port';
import type { TestDatabase } from './database';
import { testSecrets } from './service';

const PROJECT = path.join(__dirname, '..', '..');

/** The API as a process of its own, built as it is deployed, that a test can kill. */
export interface ApiProcess {
  sandboxUrl: string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export async function startApiProcess(database: TestDatabase): Promise<ApiProcess> {
  const [console, sandbox, production, metrics] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  // Through the script, which builds what has changed; it hands signals on and ends with the service.
  const child = spawn(process.execPath, ['scripts/run.mjs', 'api'], {
    cwd: PROJECT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'test',
      TOLLGATE_LOG_LEVEL: 'fatal',
      TOLLGATE_DRAIN_SECONDS: '0',
      TOLLGATE_DATABASE_URL: database.url('tollgate_app'),
      TOLLGATE_API_KEY_PEPPER: testSecrets.apiKeyPepper,
      TOLLGATE_CURSOR_SECRET: testSecrets.cursorSecret,
      TOLLGATE_CONSOLE_PORT: String(console),
      TOLLGATE_SANDBOX_PORT: String(sandbox),
      TOLLGATE_PRODUCTION_PORT: String(production),
      TOLLGATE_METRICS_PORT: String(metrics),
      TOLLGATE_CONSOLE_URL: at(console),
      TOLLGATE_SANDBOX_URL: at(sandbox),
      TOLLGATE_PRODUCTION_URL: at(production),
    },
  });
  await waitUntilReady(at(sandbox), child);
  return {
    sandboxUrl: at(sandbox),
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit') as Promise<[number | null]>;
      child.kill(signal);
      return (await ended)[0];
    },
  };
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    if (child.exitCode !== null) throw new Error(`The API process ended with ${child.exitCode}.`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The API process did not become ready.');
}
