import type { z } from 'zod';
import type { ReferenceKind, RefundFacts } from '../canonical-event';
import { ourRefundId } from '../our-refund-id';
import { readMoney } from './amounts';
import { chargeWire, refundWire } from './schemas';

/** Translates a refund into the service's terms. It refers to the payment if one is named, otherwise to the charge. */
export function refundFacts(object: unknown): RefundFacts | undefined {
  return factsOfRefund(refundWire.parse(object));
}

export function factsOfRefund(wire: z.output<typeof refundWire>): RefundFacts | undefined {
  const of = refundedBy(wire.payment_intent, wire.charge);
  const money = readMoney(wire.amount, wire.currency);
  if (of === undefined || money === undefined) return undefined;
  const status = statusOf(wire.status);
  return {
    reference: wire.id,
    of,
    ...money,
    status,
    ...needsOf(wire),
    totalRefunded: null,
    createdAt: wire.created,
    ...ourRefundId(wire.metadata?.['refundId']),
  };
}

/**
 * Translates `charge.refunded`, which states the running total and the previous one. It does not name the refund: the
 * payment's refunds are fetched, or `refund.*` events record one.
 *
 * @param before the total before this event, if the event states it
 */
export function refundOfCharge(object: unknown, before: unknown): RefundFacts | undefined {
  const wire = chargeWire.parse(object);
  const total = readMoney(wire.amount_refunded, wire.currency);
  const earlier = readMoney(typeof before === 'number' ? before : 0, wire.currency);
  if (total === undefined || earlier === undefined) return undefined;
  return {
    reference: null,
    of: refundedBy(wire.payment_intent, wire.id) ?? { kind: 'charge', reference: wire.id },
    amount: total.amount - earlier.amount,
    currency: total.currency,
    status: 'succeeded',
    totalRefunded: total.amount,
  };
}

function refundedBy(
  payment: string | null,
  charge: string | null,
): { kind: ReferenceKind; reference: string } | undefined {
  if (payment !== null) return { kind: 'payment', reference: payment };
  return charge === null ? undefined : { kind: 'charge', reference: charge };
}

function needsOf(wire: z.output<typeof refundWire>): Pick<RefundFacts, 'needs'> {
  if (wire.status === 'requires_action') return { needs: 'details_of_customer' };
  const isHeld = wire.status === 'pending' && wire.pending_reason === 'insufficient_funds';
  return isHeld ? { needs: 'balance' } : {};
}

function statusOf(status: string | null | undefined): RefundFacts['status'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded';
    case 'failed':
    case 'canceled':
      return 'failed';
    default:
      return 'pending';
  }
}
