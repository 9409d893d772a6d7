import { once } from 'node:events';
import path from 'node:path';
import { z } from 'zod';
import type { Instant } from '../domain/instant';
import { startChildProcess, type RunningProcess } from './child-process';
import type { SimulatorAccounts } from './demo/simulator-accounts';
import { StartLog } from './start-error';
import { waitUntilReady } from './wait-until-ready';

export interface SimulatorPorts {
  a: number;
  b: number;
  c: number;
  control: number;
}

const STARTUP_TIMEOUT_MS = 30_000;
/** The simulators have much work to do on the way to a later time: renewals, invoices, webhooks. */
const ADVANCE_TIMEOUT_MS = 120_000;

const reading = z.object({ now: z.number() });

/** Returns the file in which they keep their state. */
export function simulatorsState(dataDirectory: string): string {
  return path.join(dataDirectory, 'simulators.state');
}

/** Returns the URLs of each simulated provider, which include its pages, and of their control. */
export function simulatorUrls({ a, b, c, control }: SimulatorPorts): Record<keyof SimulatorPorts, string> {
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  return { a: at(a), b: at(b), c: at(c), control: at(control) };
}

/**
 * Starts the simulated providers as one process, sends them their accounts, and advances their clock if a sandbox is
 * ahead of it. They resume from their state file. The accounts are still sent at each start, because the file may be
 * new and the ports may have changed.
 *
 * @throws StartError if they do not come up or refuse an account, with the end of their output, or the start is stopped
 */
export async function startSimulators(options: {
  ports: SimulatorPorts;
  accounts: SimulatorAccounts;
  /** Their state, kept over restarts, whether they were stopped or killed. */
  stateFile: string;
  /** The time of the sandbox that is furthest ahead. */
  sandboxNow: () => Promise<Instant>;
  /** Receives their output, line by line. */
  log: (line: string) => void;
  /** How long they may take to end (milliseconds). */
  grace: number;
  /** Ends the start early. */
  stopped: AbortSignal;
}): Promise<RunningProcess> {
  const { ports, accounts, stateFile, sandboxNow, log, grace, stopped } = options;
  const { a, b, c, control } = ports;
  const output = new StartLog(log);
  const running = await startChildProcess({
    command: process.execPath,
    args: [
      path.join(__dirname, '..', '..', 'simulators', 'main.js'),
      ...[a, b, c, control].map(String),
      '--state',
      stateFile,
    ],
    env: {},
    log: output.add,
    grace,
  });
  const ended = new AbortController();
  void running.exited.then((how) => {
    ended.abort(new Error(`they ${how.replace('was', 'were')}`));
  });
  const url = simulatorUrls(ports).control;
  const isOver = AbortSignal.any([ended.signal, stopped]);
  const prepare = async (): Promise<void> => {
    if (!(await waitUntilReady(`${url}/clock`, STARTUP_TIMEOUT_MS, isOver)))
      throw new Error('they do not answer');
    for (const [provider, account] of Object.entries(accounts)) await open(url, provider, account);
    await advanceClock(url, await sandboxNow());
  };
  try {
    // Once they have ended, the calls to them fail as well.
    await Promise.race([
      prepare(),
      once(isOver, 'abort').then(() => {
        isOver.throwIfAborted();
      }),
    ]);
  } catch (error) {
    await running.stop();
    throw output.failure('The simulators', error);
  }
  return running;
}

async function open(control: string, provider: string, account: object): Promise<void> {
  const answer = await post(`${control}/${provider}/accounts`, account, 10_000);
  if (answer.ok) return;
  throw new Error(`provider ${provider.toUpperCase()} refused the demo's account: ${await answer.text()}`);
}

/**
 * Advances the clock of the running simulators to that of the sandbox that is furthest ahead: the API that advanced the
 * sandbox may have been killed before it advanced them.
 *
 * @throws Error if they do not follow
 */
export async function followSandbox(options: {
  ports: SimulatorPorts;
  sandboxNow: () => Promise<Instant>;
}): Promise<void> {
  await advanceClock(simulatorUrls(options.ports).control, await options.sandboxNow());
}

/**
 * Advances the clock: their state may have been lost, or a sandbox may have been advanced while they were not running.
 */
async function advanceClock(control: string, to: Instant): Promise<void> {
  if ((await readClock(control)) >= to) return;
  const answer = await post(`${control}/clock`, { to }, ADVANCE_TIMEOUT_MS);
  // A clock only a moment behind has caught up on its own by now, and is not moved back.
  if (answer.ok || (await readClock(control)) >= to) return;
  throw new Error(`their clock did not move on to the sandbox's: ${await answer.text()}`);
}

async function readClock(control: string): Promise<Instant> {
  const read = await fetch(`${control}/clock`, { signal: AbortSignal.timeout(10_000) });
  return reading.parse(await read.json()).now;
}

function post(url: string, body: object, timeout: number): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
  });
}
