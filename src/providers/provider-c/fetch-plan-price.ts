import { isCurrency } from '../../domain/currency';
import type { PriceAtProvider, PriceInterval } from '../../domain/plan-price-comparison';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { minorUnits } from './amounts';
import { readOutcome } from './client';
import { planAnswer, type PlanData } from './schemas';

/** Provider C's intervals have no count: each is a single word. */
const INTERVALS: ReadonlyMap<string, PriceInterval> = new Map([
  ['hourly', { unit: 'hour', count: 1 }],
  ['daily', { unit: 'day', count: 1 }],
  ['weekly', { unit: 'week', count: 1 }],
  ['monthly', { unit: 'month', count: 1 }],
  ['quarterly', { unit: 'month', count: 3 }],
  ['biannually', { unit: 'month', count: 6 }],
  ['annually', { unit: 'year', count: 1 }],
]);

export async function fetchPlanPrice(
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<PriceAtProvider>> {
  const answer = await readOutcome(access, `/plan/${encodeURIComponent(reference)}`, planAnswer);
  if (answer.kind !== 'done') return answer;
  const { data } = answer.value;
  // The call also accepts the plan's number.
  if (data.plan_code !== reference) {
    return { kind: 'unknown', reason: `Provider C answered with the plan ${data.plan_code}.` };
  }
  return { kind: 'done', value: priceFacts(data) };
}

/** Translates a plan's price. C charges a plan once, whatever the number of seats. */
export function priceFacts({ plan_code: reference, amount, currency, interval }: PlanData): PriceAtProvider {
  return {
    reference,
    amount: minorUnits(amount, currency)?.toString() ?? null,
    currency: currency !== undefined && isCurrency(currency) ? currency : null,
    interval: INTERVALS.get(interval ?? '') ?? null,
    // Seats beyond the first are refused earlier, because C offers a plan once.
    perSeat: null,
    taxBehavior: null,
    product: null,
    unverifiable: null,
  };
}
