import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../src/embedded/free-port';

const START = path.join(__dirname, '..', '..', 'dist', 'src', 'main', 'start.js');
const VARIABLES = [
  'CONSOLE',
  'SANDBOX',
  'PRODUCTION',
  'METRICS',
  'POSTGRES',
  'TEMPORAL',
  'TEMPORAL_UI',
  'SIMULATOR_A',
  'SIMULATOR_B',
  'SIMULATOR_C',
  'SIMULATOR_CONTROL',
] as const;

export interface Started {
  process: ChildProcess;
  output: () => string;
  ended: Promise<unknown[]>;
}

/** An isolated place for `npm start`, with its own data directory and ports. */
export interface StartPlace {
  directory: string;
  ports: Record<(typeof VARIABLES)[number], number>;
  /** The environment variables that point `npm start` and its tools to this place. */
  variables: Record<string, string>;
  /** Starts the supervisor as `npm start` does. */
  start(more?: Record<string, string>): Started;
  /** Stops what is still running there. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** @throws Error when the service is not built */
export async function makeStartPlace(): Promise<StartPlace> {
  if (!existsSync(START))
    throw new Error('Build the service first (npm run build), or run this with npm test.');
  const directory = await mkdtemp(path.join(tmpdir(), 'tollgate-start-'));
  await chmod(directory, 0o755);
  const ports = {} as StartPlace['ports'];
  // No other test's connection takes one of them between a stop and a start, because they are not ephemeral.
  for (const name of VARIABLES) ports[name] = await findFreePort();
  const variables = {
    TOLLGATE_DATA_DIR: directory,
    ...Object.fromEntries(VARIABLES.map((name) => [`TOLLGATE_${name}_PORT`, String(ports[name])])),
  };
  let current: ChildProcess | undefined;
  return {
    directory,
    ports,
    variables,
    start(more = {}) {
      const { PATH, HOME } = process.env;
      const child = spawn(process.execPath, [START], { env: { PATH, HOME, ...variables, ...more } });
      current = child;
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      return { process: child, output: () => output, ended: once(child, 'close') };
    },
    async stop() {
      if (current?.exitCode !== null || current.signalCode !== null) return;
      current.kill('SIGTERM');
      await once(current, 'close');
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Waits until the process has printed a text. @throws Error with its whole output when it ends first */
export async function printed(started: Started, text: string): Promise<void> {
  while (!started.output().includes(text)) {
    if (started.process.exitCode !== null) throw new Error(started.output());
    await pause(50);
  }
}
