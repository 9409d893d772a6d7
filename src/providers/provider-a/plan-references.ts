import type { ConnectionAccess } from '../connection-access';

/** Returns the connection's plans (id or slug) and their prices at the provider. */
export function planReferences({ settings }: ConnectionAccess): [plan: string, price: string][] {
  const references = settings['planReferences'];
  if (typeof references !== 'object' || references === null) return [];
  return Object.entries(references).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
}

/** Returns the prices that plans of ours have now. */
export function listedPrices(access: ConnectionAccess): Set<string> {
  return new Set(planReferences(access).map(([, price]) => price));
}

/** Returns the prices that plans of ours have or had; other prices on a subscription were added at the provider. */
export function trackedPrices(access: ConnectionAccess): Set<string> {
  return new Set([...listedPrices(access), ...(access.formerReferences ?? [])]);
}
