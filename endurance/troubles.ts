import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from './installation';

type Trouble = 'frozen' | 'stopped' | 'killed' | 'api killed' | 'relay killed' | 'worker killed';
/** Each comes once in this order, and then by chance; those of Temporal most of the time. */
const TROUBLES: readonly Trouble[] = [
  'frozen',
  'stopped',
  'killed',
  'api killed',
  'relay killed',
  'worker killed',
];
const BY_CHANCE: readonly Trouble[] = [...TROUBLES, 'frozen', 'frozen', 'frozen', 'stopped', 'killed'];
/** As many as there are of Temporal's, so that a run for a moment has them all. */
const AT_LEAST = 3;

/**
 * Makes trouble of every kind, one after the other, until `done` says so. Afterwards everything runs.
 *
 * @param further what a scenario makes beside them, by what it is; one of it after each of the others
 * @returns how often each was made
 */
export async function troubleUntil(
  installation: Installation,
  done: () => boolean,
  further: Readonly<Record<string, () => Promise<void>>> = {},
): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (let round = 0; !done() || round < AT_LEAST; round += 1) {
    await pause(randomInt(200, 1_500));
    const trouble = TROUBLES[round] ?? BY_CHANCE[randomInt(0, BY_CHANCE.length)] ?? 'frozen';
    await make(installation, trouble);
    const others = Object.entries(further);
    const [name, other] = others[round % Math.max(1, others.length)] ?? [];
    await other?.();
    for (const made of [trouble, name]) {
      if (made !== undefined) counted[`times ${made}`] = (counted[`times ${made}`] ?? 0) + 1;
    }
  }
  return counted;
}

async function make(
  { child, startTemporal, startProcess, urls }: Installation,
  trouble: Trouble,
): Promise<void> {
  switch (trouble) {
    case 'frozen':
      child('temporal').freeze();
      await pause(randomInt(2_000, 8_000));
      child('temporal').thaw();
      return;
    case 'stopped':
    case 'killed':
      await (trouble === 'stopped' ? child('temporal').stop() : child('temporal').kill());
      await pause(randomInt(100, 4_000));
      await startTemporal();
      return;
    case 'relay killed':
    case 'worker killed': {
      const name = trouble === 'relay killed' ? 'relay' : 'worker';
      await child(name).kill();
      await startProcess(name);
      return;
    }
    case 'api killed':
      await child('api').kill();
      await startProcess('api', addressesOf(urls));
  }
}

/** The variables of an API process in the place of the one before. */
function addressesOf({ console, sandbox, production }: Installation['urls']): Record<string, string> {
  const entries = Object.entries({ CONSOLE: console, SANDBOX: sandbox, PRODUCTION: production });
  return Object.fromEntries(
    entries.flatMap(([host, url]) => [
      [`TOLLGATE_${host}_PORT`, new URL(url).port],
      [`TOLLGATE_${host}_URL`, url],
    ]),
  );
}
