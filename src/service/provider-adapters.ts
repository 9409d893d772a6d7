import type { Instant } from '../domain/instant';
import {
  limitConnections,
  type BoundsByMode,
  type ObserveProviderCall,
} from '../providers/connection-limits';
import type { ProviderAdapters } from '../providers/provider-adapter';
import { providerA } from '../providers/provider-a/adapter';
import { createProviderB } from '../providers/provider-b/adapter';
import { providerC } from '../providers/provider-c/adapter';

/**
 * Creates the payment providers' adapters, once per process: B's adapter caches its tokens, and each one tracks its
 * connections' calls.
 *
 * @param now real time
 * @param bounds limits on what a connection may request, in place of the defaults
 * @param observe receives each call with its outcome and duration
 */
export function createProviderAdapters(
  now: () => Instant,
  bounds?: BoundsByMode,
  observe?: ObserveProviderCall,
): ProviderAdapters {
  return {
    provider_a: limitConnections(providerA, { verification: 'computes', bounds, observe }),
    provider_b: limitConnections(createProviderB({ now }), { verification: 'asks', bounds, observe }),
    provider_c: limitConnections(providerC, { verification: 'computes', bounds, observe }),
  };
}
