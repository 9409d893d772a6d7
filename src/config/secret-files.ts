import { readFileSync } from 'node:fs';
import { errorCode } from '../domain/errors';
import { ConfigurationError } from './configuration-error';
import type { settings } from './settings';

/** Settings that hold a secret, or a URL with a password. */
const SECRETS: ReadonlySet<string> = new Set<keyof typeof settings>([
  'TOLLGATE_DATABASE_URL',
  'TOLLGATE_DATABASE_WORKER_URL',
  'TOLLGATE_DATABASE_RELAY_URL',
  'TOLLGATE_DATABASE_DELIVERER_URL',
  'TOLLGATE_DATABASE_MIGRATOR_URL',
  'TOLLGATE_DATABASE_ADMIN_URL',
  'TOLLGATE_API_KEY_PEPPER',
  'TOLLGATE_CURSOR_SECRET',
  'TOLLGATE_CREDENTIAL_KEYS',
  'TOLLGATE_OPERATOR_PASSWORD',
  'TOLLGATE_API_KEY',
  'TEMPORAL_API_KEY',
]);

/** Returns the variable that names a file with a setting's value; undefined for a setting that is not a secret. */
export function fileVariableOf(name: string): string | undefined {
  return SECRETS.has(name) ? `${name}_FILE` : undefined;
}

/**
 * Returns a setting's value from its variable, or from the file that `<name>_FILE` names, as Docker and Kubernetes
 * mount secrets. Trailing line breaks are removed. An empty variable counts as not set.
 *
 * @throws ConfigurationError if both are set, or the file cannot be read or is empty
 */
export function textOf(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const text = environment[name] === '' ? undefined : environment[name];
  const variable = fileVariableOf(name);
  const file = variable === undefined ? undefined : environment[variable];
  if (variable === undefined || file === undefined || file === '') return text;
  if (text !== undefined) throw new ConfigurationError(`Set ${name} or ${variable}, not both.`);
  const content = read(variable, file);
  // Written before the secret was there, for example. Each setting would explain it in its own way.
  if (content === '') throw new ConfigurationError(`${variable} names a file that is empty.`);
  return content;
}

function read(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
  } catch (error) {
    throw new ConfigurationError(`${variable} cannot be read (${errorCode(error) ?? 'unknown'}).`);
  }
}
