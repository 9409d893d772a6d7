import { z } from 'zod';
import type { DisputeFacts } from '../canonical-event';
import { amount, identifier, instant } from './values';

/** The fields read from a dispute; each of its events carries the whole dispute. */
export const disputeObject = z.object({
  dispute_id: identifier,
  create_time: instant.nullish(),
  disputed_transactions: z
    .array(z.object({ seller_transaction_id: identifier.nullish() }))
    .transform((all) => all.flatMap(({ seller_transaction_id: id }) => id ?? []))
    .pipe(z.tuple([identifier], identifier)),
  dispute_amount: amount,
  dispute_outcome: z
    .object({ outcome_code: z.string().nullish(), amount_refunded: amount.nullish() })
    .nullish(),
  reason: z.string().nullish(),
  status: z.string(),
});

/** `lost` gives the merchant's money to the customer; otherwise the merchant keeps it, or B pays itself. */
const OUTCOMES: ReadonlyMap<string, 'won' | 'lost'> = new Map([
  ['RESOLVED_BUYER_FAVOUR', 'lost'],
  ['RESOLVED_BUYER_FAVOR', 'lost'],
  ['ACCEPTED', 'lost'],
  ['RESOLVED_SELLER_FAVOUR', 'won'],
  ['RESOLVED_SELLER_FAVOR', 'won'],
  ['RESOLVED_WITH_PAYOUT', 'won'],
  ['CANCELED_BY_BUYER', 'won'],
  ['DENIED', 'won'],
  ['NONE', 'won'],
]);

/**
 * Translates a dispute into the service's terms. The money it takes is also reported as a reversal or refund of the
 * payment. The disputed transaction is a capture or a sale, and the event does not say which: its references name both.
 */
export function disputeFacts(dispute: z.infer<typeof disputeObject>): DisputeFacts {
  const { dispute_outcome: outcome, disputed_transactions: disputed } = dispute;
  const status = statusOf(dispute);
  const taken = (status === 'lost' ? outcome?.amount_refunded : undefined) ?? dispute.dispute_amount;
  return {
    reference: dispute.dispute_id,
    of: { kind: 'capture', reference: disputed[0] },
    ...taken,
    status,
    openedAt: dispute.create_time ?? null,
    reason: dispute.reason ?? null,
    reportedAsRefund: true,
  };
}

/** Who has the money of a resolved dispute; `open` while B does not say so in a way that is known. */
function statusOf({
  status,
  dispute_outcome: outcome,
}: z.infer<typeof disputeObject>): DisputeFacts['status'] {
  if (status !== 'RESOLVED') return 'open';
  // The merchant may have refunded everything before; that refund reports it.
  if (outcome?.amount_refunded?.amount === 0n) return 'won';
  return OUTCOMES.get(outcome?.outcome_code ?? '') ?? 'open';
}
