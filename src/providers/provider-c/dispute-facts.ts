import type { Instant } from '../../domain/instant';
import type { DisputeFacts } from '../canonical-event';
import { minorUnits } from './amounts';
import { instantOf, objectOf, referenceOf, textOf, type LooseObject } from './values';

/** `lost` gives the money to the customer. */
const RESOLUTIONS: ReadonlyMap<string, 'won' | 'lost'> = new Map([
  ['merchant-accepted', 'lost'],
  ['auto-accepted', 'lost'],
  ['declined', 'won'],
]);

/**
 * Translates a dispute into the service's terms; undefined if the event lacks the payment or the amount. Until an
 * amount is decided (`refund_amount`), the whole payment is disputed. The money it takes is also reported as a refund.
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
    openedAt: openingOf(data),
    reason: textOf(data['category']),
    reportedAsRefund: true,
  };
}

/** Returns the time of the reported state: that of the resolution, or of the opening of the dispute. */
export function disputeTime(data: LooseObject): Instant | null {
  return instantOf(data['resolvedAt']) ?? instantOf(data['resolved_at']) ?? openingOf(data);
}

function openingOf(data: LooseObject): Instant | null {
  return instantOf(data['createdAt']) ?? instantOf(data['created_at']);
}

/**
 * Who has the money of a resolved dispute; `open` while the provider does not say so in a way that is known.
 *
 * @param decided the amount given back; zero if everything had been refunded before, which that refund reports
 */
function statusOf(data: LooseObject, decided: bigint | null): DisputeFacts['status'] {
  if (textOf(data['status']) !== 'resolved') return 'open';
  if (decided === 0n) return 'won';
  return RESOLUTIONS.get(textOf(data['resolution']) ?? '') ?? 'open';
}
