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
  const wanted = Object.fromEntries(names.map((name) => [name, settings[name]]));
  const values = Object.fromEntries(
    names.map((name) => [name, textOf(name, environment)]).filter(([, text]) => text !== undefined),
  ) as Record<string, string | undefined>;
  const result = z.object(wanted).safeParse(values);
  if (result.success) return result.data as Config<Names[number]>;
  const lines = result.error.issues.map((issue) => {
    // The path of a list's issue also contains an index, which is not a variable.
    const name = String(issue.path[0]);
    return values[name] === undefined ? `${name} is not set` : `${name}: ${issue.message}`;
  });
  throw new IncompleteConfigurationError(lines);
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
  throw new IncompleteConfigurationError(
    errors.flatMap((error) =>
      error instanceof IncompleteConfigurationError ? error.problems : error.message,
    ),
  );
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
