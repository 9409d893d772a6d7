import type { Instant } from '../../domain/instant';
import type { SettlementFacts, SettlementLineFacts } from '../canonical-event';
import { minorUnits } from './amounts';
import { instantOf } from './values';
import type { RefundData, SettledTransaction, SettlementData } from './schemas';

/** What was kept besides the refunds that say which settlement bore them. */
const DEDUCTIONS = 'deductions';

/**
 * A settlement with a line for each payment in it and each refund that it bore. `amount` is what arrived; what that
 * differs by from the payments less their fees and the refunds is one line more, of the kind `other`. It goes from its first payment to its payout.
 *
 * Undefined when an amount cannot be read, or a payment is in another currency.
 */
export function settlementFacts(
  { id, currency, ...data }: SettlementData,
  paidOutAt: Instant,
  transactions: readonly SettledTransaction[],
  refunds: readonly RefundData[] = [],
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
  for (const refund of refunds) {
    const given = minorUnits(refund.amount, currency);
    if (given === null || refund.currency !== currency) return undefined;
    lines.push({ kind: 'refund', reference: String(refund.id), amount: -given, fee: 0n });
    rest += given;
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
