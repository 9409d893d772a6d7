import type { Installation, InstallationOptions } from './installation';

/** The context in which a scenario runs. */
interface ScenarioContext<Count extends string> {
  /** Counts by name; small in the gate. */
  counts: Readonly<Record<Count, number>>;
  /** Starts a service with a database of its own. The runner stops it, whatever the scenario's outcome. */
  readonly start: (options: InstallationOptions) => Promise<Installation>;
  readonly log: (message: string) => void;
}

/** Measured values by name, as words or numbers. */
export type Figures = Record<string, number | string>;

/** A promise that is tested for longer than the gate has time for. */
export interface Scenario<Count extends string = string> {
  /** The name on the command line, and the first part of its variables. */
  name: string;
  about: string;
  /** The full size. `ENDURANCE_<NAME>_<COUNT>` replaces each. */
  fullSize: Readonly<Record<Count, number>>;
  /** @throws Error when the promise was broken */
  run(context: ScenarioContext<Count>): Promise<Figures>;
}

/** Returns the variable that replaces a count: `ENDURANCE_COMMANDS_SENT` for `sent` of `commands`. */
export function variableOf(scenario: string, count: string): string {
  const words = count.replaceAll(/[A-Z]/g, (letter) => `_${letter}`);
  return `ENDURANCE_${scenario}_${words}`.replaceAll('-', '_').toUpperCase();
}

/** @throws Error when a variable is not a positive integer */
export function countsFrom<Count extends string>(
  { name, fullSize }: Pick<Scenario<Count>, 'name' | 'fullSize'>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<Count, number> {
  const counts: Record<Count, number> = { ...fullSize };
  for (const count in fullSize) {
    const variable = variableOf(name, count);
    const value = environment[variable];
    if (value === undefined) continue;
    if (!/^[1-9]\d*$/.test(value)) throw new Error(`${variable} is no positive whole number: ${value}`);
    counts[count] = Number(value);
  }
  return counts;
}
