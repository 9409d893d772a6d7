import { z } from 'zod';
import type { DisputeFacts } from '../canonical-event';
import { readMoney } from './amounts';
import { disputeWire } from './schemas';

/** A dispute with what it took. */
export const wholeDisputeWire = disputeWire.extend({
  amount: z.int(),
  currency: z.string().min(3).max(4),
  reason: z.string().nullish(),
  status: z.string(),
});

/**
 * Translates a dispute into the service's terms. It refers to the payment if one is named, otherwise to the charge.
 * Undefined if we do not support its currency. An inquiry (`warning_…`) takes no money yet, and a closed inquiry took
 * none.
 */
export function disputeFacts(object: unknown): DisputeFacts | undefined {
  return factsOfDispute(wholeDisputeWire.parse(object));
}

/** As `disputeFacts`, from a dispute that has been parsed. */
export function factsOfDispute(wire: z.output<typeof wholeDisputeWire>): DisputeFacts | undefined {
  const money = readMoney(wire.amount, wire.currency);
  const { payment_intent: payment, charge } = wire;
  if (money === undefined || (payment === null && charge === null)) return undefined;
  return {
    reference: wire.id,
    of:
      payment === null
        ? { kind: 'charge', reference: charge ?? '' }
        : { kind: 'payment', reference: payment },
    ...money,
    status: statusOf(wire.status),
    openedAt: wire.created,
    reason: wire.reason ?? null,
  };
}

function statusOf(status: string): DisputeFacts['status'] {
  switch (status) {
    case 'lost':
      return 'lost';
    case 'won':
    case 'warning_closed':
    case 'prevented':
    // The merchant refunded the money first, and that refund reports it.
    case 'charge_refunded':
      return 'won';
    default:
      return 'open';
  }
}
