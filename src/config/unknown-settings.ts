import { fileVariableOf } from './secret-files';
import { settings } from './settings';

const PREFIX = 'TOLLGATE_';

/**
 * Variables read by other programs: Compose, the scripts of this repository, and an application that follows the
 * README's examples.
 */
const OTHER_PROGRAMS_SETTINGS: ReadonlySet<string> = new Set([
  ...['APP', 'WORKER', 'RELAY', 'DELIVERER', 'MIGRATOR'].map((role) => `TOLLGATE_${role}_PASSWORD`),
  ...['TOLLGATE_URL', 'TOLLGATE_KEY', 'TOLLGATE_CACHE_DIR'],
]);
const TEST_SETTING = /^TOLLGATE_TEST_/;

/** Variables that Kubernetes sets in every container for a Service, here for one whose name begins with "tollgate". */
const SERVICE_LINK = /(?:_SERVICE_HOST|_SERVICE_PORT(?:_\w+)?|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/**
 * Returns a sentence for each variable that is named like a setting but is not one, because a misspelt setting would
 * silently have no effect. It does not prevent the start, because it may be a setting of a later version during a
 * rollout or rollback.
 */
export function unknownSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const known = Object.keys(settings).flatMap((name) => [name, fileVariableOf(name) ?? name]);
  return Object.entries(environment)
    .filter(([name, value = '']) => value !== '' && isMeantForUs(name, value) && !known.includes(name))
    .map(([name]) => `${name} is set and is no setting, so it changes nothing.${suggestion(name, known)}`);
}

function isMeantForUs(name: string, value: string): boolean {
  if (!name.startsWith(PREFIX) || OTHER_PROGRAMS_SETTINGS.has(name) || TEST_SETTING.test(name)) return false;
  return !SERVICE_LINK.test(name) && !SERVICE_ADDRESS.test(value);
}

function suggestion(name: string, known: readonly string[]): string {
  const distances = known.map((other) => ({ other, distance: distanceOf(name, other) }));
  const [nearest] = distances.sort((one, two) => one.distance - two.distance);
  // If more than half of the letters differ, it is another word.
  const isNear = nearest !== undefined && nearest.distance * 2 <= name.length - PREFIX.length;
  return isNear ? ` Is ${nearest.other} meant?` : ' docs/configuration.md lists them.';
}

/** Returns the number of letters to change, add or remove to turn one text into the other (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at += 1) {
      const [changed = 0, added = 0, left = 0] = [row[at], next[at], row[at + 1]];
      next.push(Math.min(changed + (other[at] === letter ? 0 : 1), added + 1, left + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
