import type { Installation, InstallationOptions } from './installation';

/** What a scenario gets to run with. */
interface ScenarioContext<Count extends string> {
  /** By their names; small ones in the gate. */
  counts: Readonly<Record<Count, number>>;
  /** A service over a database of its own. The runner stops it, whatever becomes of the scenario. */
  readonly start: (options: InstallationOptions) => Promise<Installation>;
  readonly log: (message: string) => void;
}

/** What was measured, in words or numbers, by what it is. */
export type Figures = Record<string, number | string>;

/** A promise that is tried with more than a gate has time for. */
export interface Scenario<Count extends string = string> {
  /** As on the command line; the first part of its variables. */
  name: string;
  about: string;
  /** The full size. `ENDURANCE_<NAME>_<COUNT>` replaces each. */
  fullSize: Readonly<Record<Count, number>>;
  /** @throws Error when the promise was broken */
  run(context: ScenarioContext<Count>): Promise<Figures>;
}

/** The variable that replaces a count: `ENDURANCE_COMMANDS_SENT` for `sent` of `commands`. */
export function variableOf(scenario: string, count: string): string {
  const words = count.replaceAll(/[A-Z]/g, (letter) => `_${letter}`);
  return `ENDURANCE_${scenario}_${words}`.replaceAll('-', '_').toUpperCase();
}

/** @throws Error when a variable is no positive whole number */
export function countsFrom<Count extends string>(
  { name, fullSize }: Pick<Scenario<Count>, 'name' | 'fullSize'>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<Count, number> {
  const counts: Record<Count, number> = { ...fullSize };
  for (const count in fullSize) {
    const variable = variableOf(name, count);
    const given = environment[variable];
    if (given === undefined) continue;
    if (!/^[1-9]\d*$/.test(given)) throw new Error(`${variable} is no positive whole number: ${given}`);
    counts[count] = Number(given);
  }
  return counts;
}
