import type { Plan } from '../../api/resources';

/** The members of a plan's metadata that name it at the providers. */
export type ProviderName = 'providerAPriceId' | 'providerBPlanId' | 'providerCPlanCode';

type Metadata = Record<string, string | number | boolean | null>;

/** A plan's own name at a provider; empty where it has none. */
export function nameAt({ metadata }: Plan, member: ProviderName): string {
  const name = metadata[member];
  return typeof name === 'string' ? name : '';
}

/** A plan's metadata with other names at the providers: the API replaces the whole, so the labels go with it. */
export function metadataWith({ metadata }: Plan, names: Partial<Record<ProviderName, string>>): Metadata {
  const changed: Metadata = {};
  for (const [member, value] of Object.entries(metadata))
    if (!(member in names) && isLabel(value)) changed[member] = value;
  for (const [member, name] of Object.entries(names)) if (name.trim() !== '') changed[member] = name.trim();
  return changed;
}

function isLabel(value: unknown): value is Metadata[string] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
