import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from './installation';

type Fault = 'frozen' | 'stopped' | 'killed' | 'api killed' | 'relay killed' | 'worker killed';
/** Each fault is injected once in this order, then chosen at random, with Temporal's the most likely. */
const FAULTS: readonly Fault[] = [
  'frozen',
  'stopped',
  'killed',
  'api killed',
  'relay killed',
  'worker killed',
];
const RANDOM_FAULTS: readonly Fault[] = [...FAULTS, 'frozen', 'frozen', 'frozen', 'stopped', 'killed'];
/** The faults that end a process without warning. */
const KILLS: readonly Fault[] = ['worker killed', 'killed', 'api killed', 'relay killed'];
/** The number of Temporal's faults, so that even a short run includes all of them. */
const MIN_ROUNDS = 3;

/**
 * Injects one fault after another until `done` returns true. Afterwards every process runs again.
 *
 * @param further the scenario's own faults by name; one of them follows each of the others
 * @returns how often each fault was injected
 */
export async function injectFaultsUntil(
  installation: Installation,
  done: () => boolean,
  further: Readonly<Record<string, () => Promise<void>>> = {},
): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (let round = 0; !done() || round < MIN_ROUNDS; round += 1) {
    await pause(randomInt(200, 1_500));
    const fault = FAULTS[round] ?? RANDOM_FAULTS[randomInt(0, RANDOM_FAULTS.length)] ?? 'frozen';
    await inject(installation, fault);
    const others = Object.entries(further);
    const [name, other] = others[round % Math.max(1, others.length)] ?? [];
    await other?.();
    for (const made of [fault, name]) {
      if (made !== undefined) counted[`times ${made}`] = (counted[`times ${made}`] ?? 0) + 1;
    }
  }
  return counted;
}

/**
 * Kills worker, Temporal, api and relay in turn, each after a random pause, and restarts them.
 *
 * @returns how often each was killed
 */
export async function kill(installation: Installation, kills: number): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (let made = 0; made < kills; made += 1) {
    await pause(randomInt(50, 1_500));
    const fault = KILLS[made % KILLS.length] ?? 'killed';
    await inject(installation, fault);
    const what = fault === 'killed' ? 'temporal killed' : fault;
    counted[what] = (counted[what] ?? 0) + 1;
  }
  return counted;
}

async function inject(
  { child, startTemporal, startProcess, urls }: Installation,
  fault: Fault,
): Promise<void> {
  switch (fault) {
    case 'frozen':
      child('temporal').freeze();
      await pause(randomInt(2_000, 8_000));
      child('temporal').thaw();
      return;
    case 'stopped':
    case 'killed':
      await (fault === 'stopped' ? child('temporal').stop() : child('temporal').kill());
      await pause(randomInt(100, 4_000));
      await startTemporal();
      return;
    case 'relay killed':
    case 'worker killed': {
      const name = fault === 'relay killed' ? 'relay' : 'worker';
      await child(name).kill();
      await startProcess(name);
      return;
    }
    case 'api killed':
      await child('api').kill();
      await startProcess('api', addressesOf(urls));
  }
}

/** Returns the environment of an API process that replaces a killed one on the same ports. */
export function addressesOf({ console, sandbox, production }: Installation['urls']): Record<string, string> {
  const entries = Object.entries({ CONSOLE: console, SANDBOX: sandbox, PRODUCTION: production });
  return Object.fromEntries(
    entries.flatMap(([host, url]) => [
      [`TOLLGATE_${host}_PORT`, new URL(url).port],
      [`TOLLGATE_${host}_URL`, url],
    ]),
  );
}
