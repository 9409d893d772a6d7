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
 * The adapters of the payment providers, one for each process: B's keeps its tokens, and each keeps count of what its
 * connections ask.
 *
 * @param now real time
 * @param bounds of what a connection may ask, in place of the defaults
 * @param observe takes each call with its outcome and its time
 */
export function createProviderAdapters(
  now: () => Instant,
  bounds?: BoundsByMode,
  observe?: ObserveProviderCall,
): Required<ProviderAdapters> {
  return {
    provider_a: limitConnections(providerA, { verification: 'computes', bounds, observe }),
    provider_b: limitConnections(createProviderB({ now }), { verification: 'asks', bounds, observe }),
    provider_c: limitConnections(providerC, { verification: 'computes', bounds, observe }),
  };
}
