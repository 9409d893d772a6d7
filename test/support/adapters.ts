import { systemClock } from '../../src/clock/system-clock';
import { createProviderAdapters } from '../../src/service/provider-adapters';
import type { BoundsByMode } from '../../src/providers/connection-limits';

/** Addresses where nobody listens, so that a test without simulators calls no provider. */
export const UNANSWERED = {
  provider_a: 'http://127.0.0.1:1',
  provider_b: 'http://127.0.0.1:1',
  provider_c: 'http://127.0.0.1:1',
};

/**
 * Creates the real adapters with high rate limits: a test sends a simulator more requests a second than a workspace
 * would send its provider.
 *
 * @param bounds may be changed later: each call uses the current values
 */
export function createTestAdapters(
  now = (): number => systemClock.now(),
  bounds: BoundsByMode['sandbox'] = {},
): ReturnType<typeof createProviderAdapters> {
  const plenty = Object.assign(bounds, { aSecond: 10_000, ...bounds });
  return createProviderAdapters(now, { sandbox: plenty, live: plenty });
}
