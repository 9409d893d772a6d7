import type { Decimal } from './decimal';

/** A part of what a use took: units, and the credits paid for them. */
export interface TakenUnits {
  from: string;
  quantity: Decimal;
  /** Credits taken from a grant. */
  credits?: Decimal;
}

/** Returns the number of units that a use took. */
export function unitsTaken(deductions: readonly TakenUnits[]): Decimal {
  return deductions.reduce((sum, { quantity }) => sum + quantity, 0n);
}

/**
 * Returns the parts of a use that a reversal gives back, and where they go. What was taken last is given back first, so
 * that a use of ten of which four are reversed equals a use of six. As many credits are given back as the units cost,
 * rounded down.
 *
 * @param deductions in the order in which they were taken
 * @param quantity above zero
 * @returns parts of the deductions, in their order
 * @throws RangeError when the quantity is not above zero or is more than was taken
 */
export function reversalOf<D extends TakenUnits>(deductions: readonly D[], quantity: Decimal): D[] {
  if (quantity <= 0n || quantity > unitsTaken(deductions))
    throw new RangeError('The quantity must be above zero and at most what was taken.');
  const paid = deductions.filter(({ credits }) => credits !== undefined);
  const beyond = unitsTaken(deductions.filter(({ from }) => from === 'overage'));
  let units = quantity;
  let credits = creditsFor(paid, lesser(unitsTaken(paid), quantity - lesser(quantity, beyond)));
  const returned: D[] = [];
  for (const deduction of deductions.toReversed()) {
    const part = lesser(units, deduction.quantity);
    units -= part;
    if (deduction.credits === undefined) {
      if (part > 0n) returned.push({ ...deduction, quantity: part });
      continue;
    }
    const share = lesser(credits, deduction.credits);
    credits -= share;
    if (part > 0n || share > 0n) returned.push({ ...deduction, quantity: part, credits: share });
  }
  return returned.toReversed();
}

/** Returns what the units cost, at the average price of all units paid with credits. */
function creditsFor(paid: readonly TakenUnits[], units: Decimal): Decimal {
  const all = unitsTaken(paid);
  if (units === 0n || all === 0n) return 0n;
  const spent = paid.reduce((sum, { credits = 0n }) => sum + credits, 0n);
  return (spent * units) / all;
}

function lesser(a: Decimal, b: Decimal): Decimal {
  return a < b ? a : b;
}
