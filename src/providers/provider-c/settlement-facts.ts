import type { Instant } from '../../domain/instant';
import type { SettlementFacts, SettlementLineFacts } from '../canonical-event';
import { minorUnits } from './amounts';
import { instantOf } from './loose-values';
import type { SettledTransaction, SettlementData } from './schemas';

/** What was kept for refunds and disputes: the provider says how much, and not for which. */
const DEDUCTIONS = 'deductions';

/**
 * A settlement with a line for each payment in it. `amount` is what arrived; what that differs by from the payments
 * less their fees is one line more, of the kind `other`. It goes from its first payment to its payout.
 *
 * Undefined when an amount cannot be read, or a payment is in another currency.
 */
export function settlementFacts(
  { id, currency, ...data }: SettlementData,
  paidOutAt: Instant,
  transactions: readonly SettledTransaction[],
): SettlementFacts | undefined {
  const amount = minorUnits(data.effective_amount ?? data.total_amount, currency);
  const fees = minorUnits(data.total_fees ?? 0, currency);
  if (amount === null || fees === null) return undefined;
  const lines: SettlementLineFacts[] = [];
  let rest = amount;
  let firstPaidAt = paidOutAt;
  for (const transaction of transactions) {
    const paid = minorUnits(transaction.amount, currency);
    const fee = minorUnits(transaction.fees ?? 0, currency);
    if (paid === null || fee === null || transaction.currency !== currency) return undefined;
    lines.push({ kind: 'payment', reference: transaction.reference, amount: paid, fee });
    rest -= paid - fee;
    firstPaidAt = Math.min(firstPaidAt, instantOf(transaction.paidAt) ?? paidOutAt);
  }
  if (rest !== 0n) lines.push({ kind: 'other', reference: DEDUCTIONS, amount: rest, fee: 0n });
  return {
    reference: String(id),
    amount,
    currency,
    fees,
    periodStart: firstPaidAt,
    periodEnd: paidOutAt,
    status: 'paid',
    lines,
  };
}
