import { z } from 'zod';
import { ConfigurationError, IncompleteConfigurationError } from './configuration-error';
import { textOf } from './secret-files';
import { settings } from './settings';

/* The configuration, one schema for all processes. Only this folder reads process.env, and only entry points (src/main)
   call it. */
type Shape = typeof settings;
export type Setting = keyof Shape;
export type Config<Name extends Setting> = { [Key in Name]: z.output<Shape[Key]> };

/**
 * Reads the settings that a process needs, and no others, so that each holds only its own secrets.
 *
 * @throws IncompleteConfigurationError naming every variable that is missing or invalid, never its value
 */
export function readConfig<const Names extends readonly Setting[]>(
  names: Names,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config<Names[number]> {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  const readable = names.filter((name) => {
    try {
      const text = textOf(name, environment);
      if (text !== undefined) values[name] = text;
      return true;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(error.message);
      return false;
    }
  });
  const wanted = Object.fromEntries(readable.map((name) => [name, settings[name]]));
  const result = z.object(wanted).safeParse(values);
  if (result.success && problems.length === 0) return result.data as Config<Names[number]>;
  for (const issue of result.error?.issues ?? []) {
    // The path of a list's issue also contains an index, which is not a variable.
    const name = String(issue.path[0]);
    problems.push(values[name] === undefined ? `${name} is not set` : `${name}: ${issue.message}`);
  }
  throw new IncompleteConfigurationError(problems);
}

/**
 * Calls each reader, so that one error names everything that is missing or invalid.
 *
 * @throws ConfigurationError
 */
export function readTogether<Values extends object>(readers: {
  [Name in keyof Values]: () => Values[Name];
}): Values {
  const errors: ConfigurationError[] = [];
  const values: Partial<Values> = {};
  for (const name in readers) {
    try {
      values[name] = readers[name]();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      errors.push(error);
    }
  }
  const [first, second] = errors;
  if (first === undefined) return values as Values;
  if (second === undefined) throw first;
  const problems = errors.flatMap((error) =>
    error instanceof IncompleteConfigurationError ? error.problems : error.message,
  );
  // Two readers may read the same setting.
  throw new IncompleteConfigurationError([...new Set(problems)]);
}

/**
 * Reads one optional setting; undefined if it is not set.
 *
 * @throws ConfigurationError if it is set and invalid
 */
export function readSetting<const Name extends Setting>(
  name: Name,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config<Name>[Name] | undefined {
  return textOf(name, environment) === undefined ? undefined : readConfig([name], environment)[name];
}
