import { isCurrency } from '../../domain/currency';
import type { Instant } from '../../domain/instant';
import type { SettlementFacts, SettlementLineFacts } from '../canonical-event';
import { hundredthsOf, minorUnits, roundedUnits } from './amounts';
import { instantOf } from './values';
import type { RefundData, SettledTransaction, SettlementData } from './schemas';

/** Reference of the line with the deductions other than the refunds that name the settlement that bore them. */
const DEDUCTIONS = 'deductions';
/** Reference of that line if it includes payments and refunds that the settlement does not state in its currency. */
const OTHER_CURRENCIES = 'other-currencies';

/**
 * Translates a settlement, with a line for each payment in it and each refund that it bore. `amount` is what arrived.
 * Any difference from the payments less their fees and the refunds is one more line, of the kind `other`. The period
 * runs from the first payment to the payout. A payment or a refund in another currency has no line, because its
 * converted amount is not stated.
 *
 * Undefined if an amount of the settlement cannot be read.
 */
export function settlementFacts(
  { id, currency, ...data }: SettlementData,
  paidOutAt: Instant,
  transactions: readonly SettledTransaction[],
  refunds: readonly RefundData[] = [],
): SettlementFacts | undefined {
  const arrived = hundredthsOf(data.effective_amount ?? data.total_amount);
  const charged = hundredthsOf(data.total_fees ?? 0);
  if (arrived === null || charged === null || !isCurrency(currency)) return undefined;
  const rounded = (hundredths: bigint): bigint => roundedUnits(hundredths, currency);
  const lines: SettlementLineFacts[] = [];
  // In hundredths: only reported values are rounded, never sums of rounded values.
  let [rest, unsaid] = [arrived, charged];
  let explained = 0n;
  let firstPaidAt = paidOutAt;
  const ours = <One extends { currency: string }>(all: readonly One[]): One[] =>
    all.filter((one) => one.currency === currency);
  for (const transaction of ours(transactions)) {
    const paid = minorUnits(transaction.amount, currency);
    const [whole, fee] = [hundredthsOf(transaction.amount), hundredthsOf(transaction.fees ?? 0)];
    if (paid === null || whole === null || fee === null) return undefined;
    lines.push({
      kind: 'payment',
      reference: transaction.reference,
      amount: paid,
      fee: rounded(fee),
    });
    rest -= whole - fee;
    unsaid -= fee;
    explained += paid;
    firstPaidAt = Math.min(firstPaidAt, instantOf(transaction.paidAt) ?? paidOutAt);
  }
  for (const refund of ours(refunds)) {
    const refunded = minorUnits(refund.amount, currency);
    const whole = hundredthsOf(refund.amount);
    if (refunded === null || whole === null) return undefined;
    lines.push({ kind: 'refund', reference: String(refund.id), amount: -refunded, fee: 0n });
    rest += whole;
    explained -= refunded;
  }
  const amount = rounded(arrived);
  const other = rounded(rest);
  const isWhole =
    ours(transactions).length === transactions.length && ours(refunds).length === refunds.length;
  const reference = isWhole ? DEDUCTIONS : OTHER_CURRENCIES;
  if (other !== 0n) lines.push({ kind: 'other', reference, amount: other, fee: 0n });
  // Keeps the total consistent with the lines and their fees even though each was rounded separately.
  const fees = explained + other - amount + rounded(unsaid);
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
