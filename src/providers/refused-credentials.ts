import type { Outcome } from './outcome';

const CREDENTIAL_CODES: ReadonlySet<string> = new Set([
  'authentication_failed',
  'connection_incomplete',
  'not_permitted',
  'permission_denied',
]);

/** Returns whether the credentials were refused. That says nothing about the effect of an earlier attempt. */
export function refusesCredentials(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'unknown') return outcome.credentialsRefused === true;
  return outcome.kind === 'declined' && CREDENTIAL_CODES.has(outcome.code);
}
