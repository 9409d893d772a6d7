import type Stripe from 'stripe';
import type { RefundFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { ProviderReference, RefundRequest } from '../provider-operations';
import { readOutcome, writeOutcome } from './outcomes';
import { fetchCheckout } from './fetch-checkout';
import { clientFor } from './client';
import { fetchPayment } from './fetch-payment';
import { listRefunds, type Refunded } from './fetch-refund';
import { writeMoney } from './amounts';
import { factsOfRefund, refundFacts } from './refund-facts';

/** Of the provider's record of a payment that was made outside of it. */
const PAID_ELSEWHERE = 'pr_';

/**
 * Refunds a payment once. The provider's refund stores our refund's id, and before anything is sent again the payment's
 * refunds are searched for it. `pending` until the provider has paid it out.
 *
 * @param request its payment may also be named by its invoice or its checkout
 */
export function refundPayment(
  access: ConnectionAccess,
  request: RefundRequest,
): Promise<Outcome<RefundFacts>> {
  return writeOutcome(async () => {
    const money = writeMoney(request);
    if (money === undefined) return NOT_AN_AMOUNT;
    const payment = await resolve(access, request.payment);
    if (payment.kind !== 'done') return payment;
    const client = clientFor(access);
    const earlier = request.repeated
      ? await earlierRefund(client, payment.value, request.refundId)
      : undefined;
    const facts = await readOutcome(async () =>
      earlier === undefined
        ? refundFacts(
            await client.refunds.create(
              { ...payment.value, amount: money.amount, metadata: { refundId: request.refundId } },
              { idempotencyKey: request.key },
            ),
          )
        : factsOfRefund(earlier),
    );
    return facts.kind === 'done' ? outcomeOf(facts.value) : facts;
  });
}

async function resolve(
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<{ kind: 'done'; value: Refunded } | Outcome<never>> {
  if (kind === 'payment' && reference.startsWith(PAID_ELSEWHERE)) return NO_PAYMENT;
  if (kind === 'payment') return { kind: 'done', value: { payment_intent: reference } };
  if (kind === 'charge') return { kind: 'done', value: { charge: reference } };
  const fetched =
    kind === 'checkout'
      ? await fetchCheckout(access, { kind, reference })
      : await fetchPayment(access, kind, reference);
  if (fetched.kind !== 'done' && fetched.kind !== 'pending') return fetched;
  const payment = 'payment' in fetched.value ? fetched.value.payment : fetched.value;
  return payment?.kind === 'payment'
    ? { kind: 'done', value: { payment_intent: payment.reference } }
    : NO_PAYMENT;
}

async function earlierRefund(client: Stripe, payment: Refunded, refundId: string) {
  const refunds = await listRefunds(client, payment);
  return refunds.find(({ metadata }) => metadata?.['refundId'] === refundId);
}

function outcomeOf(facts: RefundFacts): Outcome<RefundFacts> {
  if (facts.status === 'failed') return FAILED;
  return { kind: facts.status === 'pending' ? 'pending' : 'done', value: facts };
}

const NOT_AN_AMOUNT: Outcome<never> = {
  kind: 'declined',
  code: 'amount_not_possible',
  reason: 'The payment provider cannot refund this amount.',
};
const NO_PAYMENT: Outcome<never> = {
  kind: 'declined',
  code: 'not_found',
  reason: 'The payment provider has no payment to refund.',
};
const FAILED: Outcome<never> = {
  kind: 'declined',
  code: 'refund_failed',
  reason: 'The refund did not reach the customer, and the money is back with the merchant.',
};
