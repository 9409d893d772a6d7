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

/** A payment whose money goes back, as the provider wants it named. */
export type Refunded = { payment_intent: string } | { charge: string };

/** All refunds of a payment in the provider's words, the latest first. */
export function listRefunds(client: Stripe, payment: Refunded): Promise<z.infer<typeof refundWire>[]> {
  return readPages((paging) => client.refunds.list({ ...payment, ...paging }), refundWire);
}

/**
 * All refunds of a payment, the earliest first: `charge.refunded` names none, and may be all that arrives of one.
 *
 * @param payment the payment's own name
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
