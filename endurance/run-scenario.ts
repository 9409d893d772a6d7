import { startInstallation, type Installation } from './installation';
import type { Figures, Scenario } from './scenario';

/**
 * Runs a scenario with these counts, and stops every installation that it started.
 *
 * @throws Error when the scenario's promise was broken, or a process ended unexpectedly
 */
export async function runScenario<Count extends string>(
  scenario: Scenario<Count>,
  counts: Readonly<Record<Count, number>>,
  log: (message: string) => void = () => undefined,
): Promise<Figures> {
  const installations: Installation[] = [];
  let fail: (error: unknown) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  try {
    return await Promise.race([
      failure,
      scenario.run({
        counts,
        log,
        start: async (options) => {
          const installation = await startInstallation(options);
          installations.push(installation);
          installation.failure.catch(fail);
          return installation;
        },
      }),
    ]);
  } finally {
    for (const installation of installations.toReversed()) await installation.stop();
  }
}
