/** What a plan grants of a feature, as in a change's preview; null: nothing. */
interface Granted {
  quota: number | null;
  entityQuota: number | null;
  unlimited: boolean;
  resetInterval: string;
  enforcement: 'hard' | 'soft';
  creditCost: number | null;
}

/** Describes in a few words what a plan grants of a feature. */
export function entitlementInWords(terms: Granted | null): string {
  if (terms === null) return 'not included';
  if (terms.unlimited) return 'unlimited';
  if (terms.quota === null && terms.entityQuota === null) return 'included';
  const every = terms.resetInterval === 'never' ? 'in all' : `a ${terms.resetInterval.replaceAll('_', ' ')}`;
  const beyond = terms.enforcement === 'soft' ? ', then counted as overage' : '';
  const credits = terms.creditCost === null ? '' : `, then ${inFull(terms.creditCost)} credits each`;
  const each = terms.entityQuota === null ? null : `${inFull(terms.entityQuota)} an entity`;
  const pool = terms.quota === null ? null : inFull(terms.quota);
  return `${[pool, each].filter((part) => part !== null).join(', ')} ${every}${credits}${beyond}`;
}

/** Formats all digits, because a rounded quota in a preview would promise a different one. */
function inFull(units: number): string {
  return units.toLocaleString(undefined, { maximumFractionDigits: 12 });
}
