import type { Outcome } from './outcome';

const OF_THE_CREDENTIALS: ReadonlySet<string> = new Set([
  'authentication_failed',
  'connection_incomplete',
  'not_permitted',
  'permission_denied',
]);

/** A refusal of the connection's credentials: it says nothing of what an earlier sending may have done. */
export function refusesCredentials(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'declined' && OF_THE_CREDENTIALS.has(outcome.code);
}
