import type { RefundFacts } from '../canonical-event';
import { ourRefundId } from '../our-refund-id';
import { minorUnits } from './amounts';
import { type Fetched } from './client';
import { type RefundData } from './schemas';
import { instantOf } from './values';

const REFUND_STATUSES: ReadonlyMap<string, RefundFacts['status']> = new Map([
  ['pending', 'pending'],
  ['processing', 'pending'],
  ['needs-attention', 'pending'],
  ['processed', 'succeeded'],
  ['failed', 'failed'],
]);

/** Translates provider C's status; undefined if it is unknown. */
export function refundStatus(status: string): RefundFacts['status'] | undefined {
  return REFUND_STATUSES.get(status);
}

/** The bank account cannot be credited: the merchant enters the customer's details, which sends the refund again. */
export function needsOf(status: string): Pick<RefundFacts, 'needs'> {
  return status === 'needs-attention' ? { needs: 'details' } : {};
}

export function runningTotals(refunds: readonly RefundData[], reference: string): Fetched<RefundFacts[]> {
  const facts: RefundFacts[] = [];
  let total = 0n;
  for (const data of refunds) {
    const each = refundFacts(data, reference, total);
    if (each.kind !== 'done') return each;
    total = each.value.totalRefunded ?? total;
    facts.push(each.value);
  }
  return { kind: 'done', value: facts };
}

/** @param totalBefore amount refunded before this refund, or null if that was not requested */
export function refundFacts(
  data: RefundData,
  reference: string,
  totalBefore: bigint | null,
): Fetched<RefundFacts> {
  const status = refundStatus(data.status);
  const amount = minorUnits(data.amount, data.currency);
  if (status === undefined || amount === null) {
    const what = `${data.status}, ${data.amount} ${data.currency}`;
    return { kind: 'unknown', reason: `Provider C reports a refund that cannot be read: ${what}.` };
  }
  const total = totalBefore === null ? null : totalBefore + (status === 'succeeded' ? amount : 0n);
  return {
    kind: 'done',
    value: {
      reference: String(data.id),
      of: { kind: 'payment', reference },
      amount,
      currency: data.currency,
      status,
      ...needsOf(data.status),
      totalRefunded: total,
      createdAt: instantOf(data.createdAt),
      ...ourRefundId(data.merchant_note),
    },
  };
}
