import { countInWords } from './count-in-words';
import type { Enforcement } from './access-types';

/** What a plan grants of a feature, as in a change's preview. */
interface Granted {
  quota: number | null;
  entityQuota: number | null;
  unlimited: boolean;
  // An earlier version of the service omits the following on the customer's page.
  resetInterval?: string | undefined;
  enforcement?: Enforcement | undefined;
  creditCost?: number | null | undefined;
}

/**
 * Describes in a few words what a plan grants of a feature.
 *
 * @param granted null: nothing
 * @param wording `inFull` formats all digits, because a rounded quota would promise a different one; `perEntity` names
 *   the customer's entities
 */
export function grantedInWords(
  granted: Granted | null,
  { inFull, perEntity }: { inFull: (units: number) => string; perEntity: string },
): string {
  if (granted === null) return 'not included';
  const { quota, entityQuota, unlimited, resetInterval, enforcement, creditCost = null } = granted;
  if (unlimited) return 'unlimited';
  if (quota === null && entityQuota === null) return 'included';
  const each = entityQuota === null ? '' : `${inFull(entityQuota)} ${perEntity}`;
  const every = intervalInWords(resetInterval);
  const units =
    quota === null ? `${each}${every}` : `${inFull(quota)}${every}${each === '' ? '' : `, at most ${each}`}`;
  const credits =
    creditCost === null ? '' : `, then for ${countInWords(creditCost, 'credit', inFull(creditCost))} each`;
  return `${units}${credits}${enforcement === 'soft' ? ', then counted as overage' : ''}`;
}

function intervalInWords(interval: string | undefined): string {
  if (interval === undefined) return '';
  return interval === 'never' ? ' in all' : ` a ${interval.replaceAll('_', ' ')}`;
}
