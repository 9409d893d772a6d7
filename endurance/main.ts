import { cpus } from 'node:os';
import globalSetup from '../test/support/global-setup';
import globalTeardown from '../test/support/global-teardown';
import { runScenario } from './run-scenario';
import { countsFrom, variableOf } from './scenario';
import { scenarios } from './scenarios';

/**
 * `npm run endurance [-- name …]`: runs every scenario, or the named ones, each at its full size or with the counts of
 * its variables. Exits with 1 when a promise was broken or a process ended unexpectedly.
 */
const log = (message: string): void => {
  console.log(message);
};

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    const known = scenarios.map(({ name, about }) => `  ${name}: ${about}`).join('\n');
    throw new Error(`There is no scenario ${unknown.join(', ')}. There are:\n${known}`);
  }
  log(`${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}`);
  await globalSetup();
  try {
    const chosen = scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
    for (const scenario of chosen) {
      const counts = countsFrom(scenario, process.env);
      const sizes = Object.entries(counts).map(([count, n]) => `${variableOf(scenario.name, count)}=${n}`);
      log(`\n== ${scenario.name}: ${scenario.about}\n${sizes.join(' ')}`);
      const begun = performance.now();
      const figures = await runScenario(scenario, counts, log);
      for (const [what, figure] of Object.entries(figures)) log(`${what}: ${figure}`);
      log(`== ${scenario.name}: held, in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    }
  } finally {
    await globalTeardown();
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
