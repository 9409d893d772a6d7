import type { Instant } from '../../domain/instant';
import type { DisputeFacts } from '../canonical-event';
import { minorUnits } from './amounts';
import { instantOf, objectOf, referenceOf, textOf, type LooseObject } from './values';

/** Resolutions with which the customer gets the money; `declined` is the other. */
const ACCEPTED: ReadonlySet<string> = new Set(['merchant-accepted', 'auto-accepted']);

/**
 * A dispute in the service's words; undefined where the event does not say of which payment and over how much. Until
 * an amount is decided (`refund_amount`), all of the payment is disputed. What it takes is also told as a refund.
 */
export function disputeFacts(data: LooseObject): DisputeFacts | undefined {
  const transaction = objectOf(data['transaction']);
  const reference = referenceOf(data['id']);
  const payment = referenceOf(transaction['reference']) ?? referenceOf(data['transaction_reference']);
  const currency = textOf(data['currency']) ?? textOf(transaction['currency']);
  const decided = minorUnits(data['refund_amount'], currency);
  const amount = decided !== null && decided > 0n ? decided : minorUnits(transaction['amount'], currency);
  if (reference === null || payment === null || currency === null || amount === null) return undefined;
  return {
    reference,
    of: { kind: 'payment', reference: payment },
    amount,
    currency,
    status: statusOf(data, decided),
    reason: textOf(data['category']),
    reportedAsRefund: true,
  };
}

/** When what the event says was so: the resolution, or the beginning of the dispute. */
export function disputeTime(data: LooseObject): Instant | null {
  return (
    instantOf(data['resolvedAt']) ??
    instantOf(data['resolved_at']) ??
    instantOf(data['createdAt']) ??
    instantOf(data['created_at'])
  );
}

/** @param decided what is given back; nothing, where all had been before: then that refund tells of it */
function statusOf(data: LooseObject, decided: bigint | null): DisputeFacts['status'] {
  if (textOf(data['status']) !== 'resolved') return 'open';
  if (decided === 0n) return 'won';
  return ACCEPTED.has(textOf(data['resolution']) ?? '') ? 'lost' : 'won';
}
