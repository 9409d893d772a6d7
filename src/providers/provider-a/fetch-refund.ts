import type Stripe from 'stripe';
import type { z } from 'zod';
import type { RefundFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { clientFor } from './client';
import { readOutcome } from './outcomes';
import { readPages } from './read-pages';
import { factsOfRefund, refundFacts } from './refund-facts';
import { refundWire } from './schemas';

/** The refunded payment, as the provider wants it named. */
export type Refunded = { payment_intent: string } | { charge: string };

/** Lists all refunds of a payment in the provider's format, latest first. */
export function listRefunds(client: Stripe, payment: Refunded): Promise<z.infer<typeof refundWire>[]> {
  return readPages((paging) => client.refunds.list({ ...payment, ...paging }), refundWire);
}

/**
 * Lists all refunds of a payment, earliest first. `charge.refunded` names no refund, and may be the only event for it.
 *
 * @param payment the payment's own reference
 */
export function fetchRefundsOf(access: ConnectionAccess, payment: string): Promise<Outcome<RefundFacts[]>> {
  return readOutcome(async () => {
    const refunds = await listRefunds(clientFor(access), { payment_intent: payment });
    const facts = refunds.reverse().map(factsOfRefund);
    const known = facts.filter((each) => each !== undefined);
    return known.length === facts.length ? known : undefined;
  });
}

export function fetchRefund(access: ConnectionAccess, reference: string): Promise<Outcome<RefundFacts>> {
  return readOutcome(async () => refundFacts(await clientFor(access).refunds.retrieve(reference)));
}
