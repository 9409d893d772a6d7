import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import Stripe from 'stripe';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { CheckoutFacts, ProviderReference } from '../provider-operations';
import { readOutcome, writeOutcome } from './outcomes';
import { clientFor } from './client';
import { invoiceFacts } from './invoice-facts';
import { paymentIntentFacts } from './payment-facts';
import { referencesOf } from './event-references';
import { checkoutWire, paymentIntentWire } from './schemas';

const sessionWire = z.looseObject({
  invoice: z.unknown().optional(),
  mode: z.enum(['payment', 'subscription']),
  payment_intent: z.unknown().optional(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  status: z.enum(['open', 'complete', 'expired']),
});

const NO_OTHER: Outcome<never> = {
  kind: 'unsupported',
  reason: 'Provider A has no checkouts but its checkout sessions.',
};

const ENDED: Outcome<null> = { kind: 'done', value: null };
const COMPLETE: Outcome<never> = {
  kind: 'declined',
  code: 'checkout_complete',
  reason: 'The checkout has been completed.',
};

/** Fetches a session with its results. A subscription is paid by its invoice, all else by the session's payment. */
export function fetchCheckout(
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Outcome<CheckoutFacts>> {
  if (kind !== 'checkout') return Promise.resolve(NO_OTHER);
  return readOutcome(async () => {
    const session = await clientFor(access).checkout.sessions.retrieve(reference, {
      expand: ['payment_intent', 'invoice.payments'],
    });
    return checkoutStateOf(session);
  });
}

/**
 * Makes the session unpayable. Also `done` if it had already expired; `declined` if the customer paid first. A session
 * expires once, however often it is requested. Each request has a key of its own, because the provider repeats a
 * failure for its key for a day.
 */
export function expireCheckout(
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Outcome<null>> {
  if (kind !== 'checkout') return Promise.resolve(NO_OTHER);
  return writeOutcome(async () => {
    const { sessions } = clientFor(access).checkout;
    const statusNow = async () => sessionWire.parse(await sessions.retrieve(reference)).status;
    const before = await statusNow();
    if (before !== 'open') return before === 'complete' ? COMPLETE : ENDED;
    try {
      await sessions.expire(reference, {}, { idempotencyKey: randomUUID() });
      return ENDED;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      const after = await statusNow();
      if (after === 'open') throw error;
      return after === 'complete' ? COMPLETE : ENDED;
    }
  });
}

function checkoutStateOf(object: unknown): CheckoutFacts | undefined {
  const session = sessionWire.parse(object);
  const wire = checkoutWire.parse(object);
  const paidBy = paymentOf(session);
  if (paidBy === undefined) return undefined;
  const payment = paidBy && {
    ...paidBy,
    subscriptionReference: paidBy.subscriptionReference ?? wire.subscription,
    invoiceReference: paidBy.invoiceReference ?? wire.invoice,
  };
  const references = referencesOf({ ...wire, object: 'checkout.session' });
  const named = payment !== null && references.some(({ kind }) => kind === payment.kind);
  return {
    status: session.status,
    references:
      payment === null || named
        ? references
        : [...references, { kind: payment.kind, reference: payment.reference }],
    subscriptionReference: wire.subscription,
    customerReference: wire.customer,
    payment,
  };
}

/** Returns null if nothing was paid yet or nothing is due; undefined if we do not support the currency. */
function paymentOf(session: z.output<typeof sessionWire>) {
  const { payment_intent: intent, invoice, payment_status: status } = session;
  if (intent) {
    const facts = paymentIntentFacts(intent);
    return facts && (hasFailed(session) ? { ...facts, status: 'failed' as const } : facts);
  }
  return invoice && status !== 'no_payment_required' ? invoiceFacts(invoice) : null;
}

/** Returns whether a bank debit was returned: its payment needs another card, which a completed session cannot take. */
function hasFailed({ status, payment_status: paid, payment_intent: intent }: z.output<typeof sessionWire>) {
  if (status !== 'complete' || paid !== 'unpaid') return false;
  return paymentIntentWire.parse(intent).status === 'requires_payment_method';
}
