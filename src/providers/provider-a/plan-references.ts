import type { ConnectionAccess } from '../connection-access';

/** The connection's plans (id or slug) and their prices at the provider. */
export function planReferences({ settings }: ConnectionAccess): [plan: string, price: string][] {
  const given = settings['planReferences'];
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

/** The prices that are plans of ours; what else stands on a subscription was added at the provider. */
export function trackedPrices(access: ConnectionAccess): Set<string> {
  return new Set(planReferences(access).map(([, price]) => price));
}
