import type { CreditBalance, Deduction } from './access-types';
import { divideDown, multiplyDecimal, type Decimal } from './decimal';

/** Units have six decimals; a part of one that credits would still cover is not given. */
const UNIT_DECIMALS = 6;

/** What is left of a grant and not held by a reservation. */
export function spendable({ remaining, reserved }: CreditBalance): Decimal {
  return remaining > reserved ? remaining - reserved : 0n;
}

/** Grants that a customer may have at once, neither spent nor expired: each decision about the customer reads them. */
export const MOST_CREDIT_GRANTS = 1_000;

type CreditDeduction = Extract<Deduction, { from: 'credits' }>;

/**
 * Covers up to `wanted` units with credits at `cost` a unit. The grants are one purse: what is left of one and too
 * little for a whole unit counts together with the next. The price is exact; each grant's share of the units is
 * rounded down, and the last one has the rest.
 *
 * @param credits in the order in which they are spent
 * @param creditedTo the usage period that the units count in
 */
export function coverWithCredits(
  wanted: Decimal,
  cost: Decimal,
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
