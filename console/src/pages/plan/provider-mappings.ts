import type { Connection, Plan } from '../../api/resources.ts';
import { nameAt, type ProviderName } from './provider-names.ts';

const PROVIDERS: { provider: Connection['provider']; member: ProviderName; title: string }[] = [
  { provider: 'provider_a', member: 'providerAPriceId', title: 'Provider A' },
  { provider: 'provider_b', member: 'providerBPlanId', title: 'Provider B' },
  { provider: 'provider_c', member: 'providerCPlanCode', title: 'Provider C' },
];

interface Mapping {
  key: string;
  provider: Connection['provider'];
  title: string;
  /** Null if the provider has no connection. */
  connection: Connection | null;
  /** The provider's reference of the plan; null if it is missing. */
  reference: string | null;
}

/**
 * Returns the plan's reference at each connection, and at each provider without one. A connection's own reference takes
 * precedence. Connections of a provider that map the plan come first.
 */
export function providerMappings(plan: Plan, connections: Connection[]): Mapping[] {
  return PROVIDERS.flatMap(({ provider, member, title }): Mapping[] => {
    const own = nameAt(plan, member) || null;
    const used = connections.filter((known) => known.provider === provider && known.disabledAt === null);
    if (used.length === 0) return [{ key: provider, provider, title, connection: null, reference: own }];
    const mappings = used.map((connection) => ({
      key: connection.id,
      provider,
      title: used.length === 1 ? title : `${title}, ${connection.displayName}`,
      connection,
      reference: referenceIn(connection, plan) ?? own,
    }));
    // Few of a hundred connections may sell it.
    return mappings.toSorted(
      (one, other) => Number(one.reference === null) - Number(other.reference === null),
    );
  });
}

function referenceIn({ settings }: Connection, { id, slug }: Plan): string | null {
  const references = settings['planReferences'];
  if (typeof references !== 'object' || references === null) return null;
  const named = new Map<string, unknown>(Object.entries(references));
  const found = named.get(id) ?? named.get(slug);
  return typeof found === 'string' && found !== '' ? found : null;
}
