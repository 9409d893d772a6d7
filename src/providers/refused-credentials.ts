import type { Outcome } from './outcome';

const OF_THE_CREDENTIALS: ReadonlySet<string> = new Set([
  'authentication_failed',
  'connection_incomplete',
  'not_permitted',
  'permission_denied',
]);

/** Returns whether the credentials were refused. That says nothing about the effect of an earlier attempt. */
export function refusesCredentials(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'declined' && OF_THE_CREDENTIALS.has(outcome.code);
}
