import type { ChangePreview } from '../../api/resources';

type Terms = ChangePreview['entitlements'][number]['to'];

/** What a plan grants of a feature, in a few words. */
export function entitlementInWords(terms: Terms): string {
  if (terms === null) return 'not included';
  if (terms.unlimited) return 'unlimited';
  if (terms.quota === null) return 'included';
  const every = terms.resetInterval === 'never' ? 'in all' : `a ${terms.resetInterval.replaceAll('_', ' ')}`;
  const beyond = terms.enforcement === 'soft' ? ', then counted as overage' : '';
  const credits = terms.creditCost === null ? '' : `, then ${terms.creditCost} credits each`;
  return `${terms.quota.toLocaleString()} ${every}${credits}${beyond}`;
}
