import type { CreditBalance, Deduction } from './access-types';
import { divideDown, multiplyDecimal, type Decimal } from './decimal';

/** Units have six decimals. A smaller fraction that the credits could still cover is not granted. */
const UNIT_DECIMALS = 6;

/** Returns the credits of a grant that are neither spent nor held by a reservation. */
export function spendable({ remaining, reserved }: CreditBalance): Decimal {
  return remaining > reserved ? remaining - reserved : 0n;
}

/**
 * Maximum number of grants, neither spent nor expired, that a customer may have at once. Each access decision about the
 * customer reads them all.
 */
export const MAX_CREDIT_GRANTS = 1_000;

type CreditDeduction = Extract<Deduction, { from: 'credits' }>;

/**
 * Covers up to `units` with credits at `cost` per unit. The grants are pooled: a remainder of one grant too
 * small for a whole unit is combined with the next grant. The price is exact; each grant's share of the units is
 * rounded down, and the last grant takes the rest.
 *
 * @param credits in the order in which they are spent
 * @param creditedTo the usage period that the units count in
 */
export function coverWithCredits(
  { units: wanted, cost }: { units: Decimal; cost: Decimal },
  credits: readonly CreditBalance[],
  creditedTo: Pick<CreditDeduction, 'subscriptionId' | 'periodStart'>,
): { deductions: CreditDeduction[]; covered: Decimal } {
  const purse = credits.reduce((sum, grant) => sum + spendable(grant), 0n);
  const affordable = purse > 0n ? divideDown(purse, cost, UNIT_DECIMALS) : 0n;
  const covered = affordable < wanted ? affordable : wanted;
  const deductions: CreditDeduction[] = [];
  let units = covered;
  let price = multiplyDecimal(covered, cost);
  for (const grant of credits) {
    if (price === 0n) break;
    const left = spendable(grant);
    if (left === 0n) continue;
    const taken = left < price ? left : price;
    const share = taken === price ? units : divideDown(taken, cost, UNIT_DECIMALS);
    deductions.push({
      from: 'credits',
      quantity: share,
      credits: taken,
      grantId: grant.grantId,
      ...creditedTo,
    });
    units -= share;
    price -= taken;
  }
  return { deductions, covered };
}
