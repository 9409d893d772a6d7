import { z } from 'zod';
import type { DisputeFacts } from '../canonical-event';
import { amount, identifier, instant } from './values';

/** The fields read from a dispute; each of its events carries the whole dispute. */
export const disputeObject = z.object({
  dispute_id: identifier,
  create_time: instant.nullish(),
  disputed_transactions: z.tuple(
    [z.object({ seller_transaction_id: identifier })],
    z.object({ seller_transaction_id: identifier.nullish() }),
  ),
  dispute_amount: amount,
  dispute_outcome: z
    .object({ outcome_code: z.string().nullish(), amount_refunded: amount.nullish() })
    .nullish(),
  reason: z.string().nullish(),
  status: z.string(),
});

/** Outcomes that give the merchant's money to the customer. With others the merchant keeps it, or B pays itself. */
const LOST: ReadonlySet<string> = new Set(['RESOLVED_BUYER_FAVOUR', 'RESOLVED_BUYER_FAVOR', 'ACCEPTED']);

/**
 * Translates a dispute into the service's terms. The money it takes is also reported as a reversal or refund of the
 * payment. The disputed transaction is a capture or a sale, and the event does not say which: its references name both.
 */
export function disputeFacts(dispute: z.infer<typeof disputeObject>): DisputeFacts {
  const { dispute_outcome: outcome, disputed_transactions: disputed } = dispute;
  const resolved = dispute.status === 'RESOLVED';
  // The merchant may have refunded everything before; that refund reports it.
  const isTaken = outcome?.amount_refunded?.amount !== 0n;
  const lost = resolved && isTaken && LOST.has(outcome?.outcome_code ?? '');
  const taken = (lost ? outcome?.amount_refunded : undefined) ?? dispute.dispute_amount;
  return {
    reference: dispute.dispute_id,
    of: { kind: 'capture', reference: disputed[0].seller_transaction_id },
    ...taken,
    status: lost ? 'lost' : resolved ? 'won' : 'open',
    openedAt: dispute.create_time ?? null,
    reason: dispute.reason ?? null,
    reportedAsRefund: true,
  };
}
