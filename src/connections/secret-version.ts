import type { SealedConnectionRow } from './connection-store';

/**
 * Returns the version of a connection's set of secrets. It increases with each new set, which may lead to another
 * account at the provider, and not when a migration seals the same set again under another key. The `secretVersion` of
 * the API and of events is the revision, which increases then, too.
 */
export function secretVersionOf({
  revision,
  resealings,
}: Pick<SealedConnectionRow, 'revision' | 'resealings'>): number {
  return revision - resealings;
}
