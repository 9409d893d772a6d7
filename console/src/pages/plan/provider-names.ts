import type { Plan } from '../../api/resources.ts';

/** Members of a plan's metadata that hold its provider references. */
export type ProviderName = 'providerAPriceId' | 'providerBPlanId' | 'providerCPlanCode';

type Metadata = Record<string, string | number | boolean | null>;

/** Returns a plan's own reference at a provider; empty if it has none. */
export function nameAt({ metadata }: Plan, member: ProviderName): string {
  const name = metadata[member];
  return typeof name === 'string' ? name : '';
}

/**
 * Returns a plan's metadata with changed provider references. The API replaces metadata as a whole, so the labels are
 * included.
 */
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
