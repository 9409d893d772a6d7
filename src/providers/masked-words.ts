import type { ConnectionAccess } from './connection-access';

/** What is shorter stands in ordinary words as well. */
const SHORTEST = 8;

/**
 * A provider's words without the connection's secrets: some providers quote what they were sent, and words are stored,
 * shown and logged.
 */
export function maskedWords({ secrets }: Pick<ConnectionAccess, 'secrets'>, words: string): string {
  return Object.values(secrets)
    .flatMap((value) => [value, ...value.split(',')])
    .filter((value) => value.length >= SHORTEST)
    .sort((one, other) => other.length - one.length)
    .reduce((masked, value) => masked.replaceAll(value, '••••'), words);
}
