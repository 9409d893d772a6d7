import { grantedInWords } from '../../../../src/domain/granted-in-words.ts';

/** Describes in a few words what a plan grants of a feature. */
export function entitlementInWords(terms: Parameters<typeof grantedInWords>[0]): string {
  return grantedInWords(terms, { inFull, perEntity: 'an entity' });
}

function inFull(units: number): string {
  return units.toLocaleString(undefined, { maximumFractionDigits: 12 });
}
