import type { ConnectionAccess } from '../connection-access';
import { planReferencesOf } from '../plan-references';

/** Returns the prices that plans of ours have now. */
export function listedPrices(access: ConnectionAccess): Set<string> {
  return new Set(planReferencesOf(access.settings).values());
}

/** Returns the prices that plans of ours have or had; other prices on a subscription were added at the provider. */
export function trackedPrices(access: ConnectionAccess): Set<string> {
  return new Set([...listedPrices(access), ...(access.formerReferences ?? [])]);
}
