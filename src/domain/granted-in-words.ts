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
  rollover?: Rollover | null | undefined;
}

interface Rollover {
  /** Number of later periods for which unused units stay. */
  periods: number;
  /** Maximum that one period takes over; null: all. */
  max: number | null;
  /** Whether they are used before or after the period's own quota. */
  use: 'first' | 'last';
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
  const { rollover = null } = granted;
  if (unlimited) return 'unlimited';
  if (quota === null && entityQuota === null) return 'included';
  const each = entityQuota === null ? '' : `${inFull(entityQuota)} ${perEntity}`;
  const every = intervalInWords(resetInterval);
  const units =
    quota === null ? `${each}${every}` : `${inFull(quota)}${every}${each === '' ? '' : `, at most ${each}`}`;
  const credits =
    creditCost === null ? '' : `, then for ${countInWords(creditCost, 'credit', inFull(creditCost))} each`;
  const overage = enforcement === 'soft' ? ', then counted as overage' : '';
  const unused = rollover === null ? '' : `; what is unused ${rolloverInWords(rollover, inFull)}`;
  return `${units}${credits}${overage}${unused}`;
}

/** @param inFull formats the maximum */
export function rolloverInWords({ periods, max, use }: Rollover, inFull: (units: number) => string): string {
  const most = max === null ? '' : `, at most ${inFull(max)}`;
  return `stays for ${countInWords(periods, 'more period')}${most}${use === 'first' ? ', and is used first' : ''}`;
}

function intervalInWords(interval: string | undefined): string {
  if (interval === undefined) return '';
  return interval === 'never' ? ' in all' : ` a ${interval.replaceAll('_', ' ')}`;
}
