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
  refunds: readonly RefundData[],
): SettlementFacts | undefined {
  const arrived = hundredthsOf(data.effective_amount ?? data.total_amount);
  const charged = hundredthsOf(data.total_fees ?? 0);
  if (arrived === null || charged === null || !isCurrency(currency)) return undefined;
  const paid = transactions.filter((one) => one.currency === currency);
  const refunded = refunds.filter((one) => one.currency === currency);
  const parts = [...paid.map(partOfPayment), ...refunded.map(partOfRefund)];
  if (!parts.every((part) => part !== null)) return undefined;
  const lines = parts.map(({ line }) => line);
  const explained = sum(lines.map((line) => line.amount));
  const amount = roundedUnits(arrived, currency);
  // Only reported values and their differences are rounded, never sums of rounded values.
  const other = roundedUnits(arrived - sum(parts.map(({ net }) => net)), currency);
  const otherFees = roundedUnits(charged - sum(parts.map(({ fee }) => fee)), currency);
  if (other !== 0n) {
    const isWhole = paid.length === transactions.length && refunded.length === refunds.length;
    const reference = isWhole ? DEDUCTIONS : OTHER_CURRENCIES;
    lines.push({ kind: 'other', reference, amount: other, fee: 0n });
  }
  return {
    reference: String(id),
    amount,
    currency,
    // Keeps the total consistent with the lines and their fees even though each was rounded separately.
    fees: explained + other - amount + otherFees,
    periodStart: paid.reduce((first, one) => Math.min(first, instantOf(one.paidAt) ?? first), paidOutAt),
    periodEnd: paidOutAt,
    status: 'paid',
    lines,
  };
}

/** A line of a settlement, with what it added to the payout and its fee, in hundredths. */
interface Part {
  line: SettlementLineFacts;
  net: bigint;
  fee: bigint;
}

/** Null if an amount cannot be read. */
function partOfPayment({ amount, currency, fees, reference }: SettledTransaction): Part | null {
  const [paid, whole, fee] = [minorUnits(amount, currency), hundredthsOf(amount), hundredthsOf(fees ?? 0)];
  if (paid === null || whole === null || fee === null) return null;
  const line = { kind: 'payment', reference, amount: paid, fee: roundedUnits(fee, currency) } as const;
  return { line, net: whole - fee, fee };
}

/** Null if its amount cannot be read. */
function partOfRefund({ amount, currency, id }: RefundData): Part | null {
  const [refunded, whole] = [minorUnits(amount, currency), hundredthsOf(amount)];
  if (refunded === null || whole === null) return null;
  const line = { kind: 'refund', reference: String(id), amount: -refunded, fee: 0n } as const;
  return { line, net: -whole, fee: 0n };
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
