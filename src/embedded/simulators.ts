import path from 'node:path';
import { startChildProcess, type RunningProcess } from './child-process';
import type { SimulatorAccounts } from './demo/simulator-accounts';
import { untilReady } from './readiness';

export interface SimulatorPorts {
  a: number;
  b: number;
  c: number;
  control: number;
}

const START_UP = 30_000;

/** Where each simulated provider answers and shows its pages, and where their control is. */
export function simulatorUrls({ a, b, c, control }: SimulatorPorts): Record<keyof SimulatorPorts, string> {
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  return { a: at(a), b: at(b), c: at(c), control: at(control) };
}

/**
 * Starts the simulated providers as one process and gives them their accounts. They keep everything in memory, so
 * the accounts are given at each start.
 *
 * @throws Error when they do not come up or refuse an account, with the end of what they printed
 */
export async function startSimulators(options: {
  ports: SimulatorPorts;
  accounts: SimulatorAccounts;
  /** Takes what they print, line by line. */
  log: (line: string) => void;
  /** How long they may take to end (milliseconds). */
  grace: number;
}): Promise<RunningProcess> {
  const { ports, accounts, log, grace } = options;
  const { a, b, c, control } = ports;
  const lastLines: string[] = [];
  const running = await startChildProcess({
    command: process.execPath,
    args: [path.join(__dirname, '..', '..', 'simulators', 'main.js'), ...[a, b, c, control].map(String)],
    env: {},
    log: (line) => {
      lastLines.push(line);
      if (lastLines.length > 15) lastLines.shift();
      log(line);
    },
    grace,
  });
  const ended = new AbortController();
  void running.exited.then((how) => {
    ended.abort(new Error(`they ${how.replace('was', 'were')}`));
  });
  const url = simulatorUrls(ports).control;
  try {
    if (!(await untilReady(`${url}/clock`, START_UP, ended.signal))) throw new Error('they do not answer');
    for (const [provider, account] of Object.entries(accounts)) await open(url, provider, account);
  } catch (error) {
    await running.stop();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The simulators did not start: ${reason}\n${lastLines.join('\n')}`, { cause: error });
  }
  return running;
}

async function open(control: string, provider: string, account: object): Promise<void> {
  const answer = await fetch(`${control}/${provider}/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
    signal: AbortSignal.timeout(10_000),
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`provider ${provider.toUpperCase()} refused the demo's account: ${said}`);
}
