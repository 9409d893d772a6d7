import { systemClock } from '../../src/clock/system-clock';
import { createProviderAdapters } from '../../src/service/provider-adapters';
import type { BoundsByMode } from '../../src/providers/connection-limits';

/**
 * The real adapters. A test asks a simulator more in a second than a workspace would ask its provider.
 *
 * @param bounds may be changed later: each call has those of its time
 */
export function createTestAdapters(
  now = (): number => systemClock.now(),
  bounds: BoundsByMode['sandbox'] = {},
): ReturnType<typeof createProviderAdapters> {
  const plenty = Object.assign(bounds, { aSecond: 10_000, ...bounds });
  return createProviderAdapters(now, { sandbox: plenty, live: plenty });
}
