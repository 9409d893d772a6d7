/** What a plan grants of a feature, as a change's preview has it; null: nothing. */
interface Granted {
  quota: number | null;
  entityQuota: number | null;
  unlimited: boolean;
  resetInterval: string;
  enforcement: 'hard' | 'soft';
  creditCost: number | null;
}

/** What a plan grants of a feature, in a few words. */
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

/** With every digit: a preview that rounded a quota would promise another one. */
function inFull(units: number): string {
  return units.toLocaleString(undefined, { maximumFractionDigits: 12 });
}
