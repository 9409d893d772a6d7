import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { CheckoutCreated, CheckoutRequest } from '../provider-operations';
import { providerAmount } from './amounts';
import { writeOutcome } from './client';
import { refused } from './refusal';
import { initializeAnswer } from './schemas';

/** Maximum number of references per key; each stands for a request whose answer was lost. */
const MAX_REFERENCES = 20;

/**
 * Starts a transaction on whose page the customer pays. With a plan the provider charges the plan's own price, whatever
 * amount is sent, so the paid amount is read back (`fetchCheckout`).
 */
export async function createCheckout(
  access: ConnectionAccess,
  request: CheckoutRequest,
): Promise<Outcome<CheckoutCreated>> {
  const { offer, customer } = request;
  if (offer.kind === 'subscription' && offer.quantity !== 1) {
    return {
      kind: 'unsupported',
      reason: 'This payment provider does not support seats.',
    };
  }
  const email = customer.email?.trim() ?? '';
  if (email === '') {
    const reason = 'This payment provider needs an e-mail address. Add one to the customer, and try again.';
    return { kind: 'declined', code: 'customer_email_required', reason };
  }
  const amount = providerAmount(offer.amount, offer.currency);
  if (amount === null) {
    const reason = 'This payment provider cannot take this amount in this currency.';
    return { kind: 'declined', code: 'amount_not_possible', reason };
  }
  const body = { email, amount, currency: offer.currency, ...pageOf(request) };
  for (const reference of referencesOf(request.key)) {
    const answer = await writeOutcome(
      access,
      '/transaction/initialize',
      { ...body, reference },
      initializeAnswer,
    );
    if (answer.kind === 'unknown') return answer;
    if (answer.kind === 'done') return created(answer.value.data, reference);
    if (!isTaken(answer)) return refused(answer, 'The payment provider does not offer this payment.');
  }
  const reason = 'The payment could not be started after several tries. Try again.';
  return { kind: 'declined', code: 'duplicate_reference', reason };
}

function pageOf({ offer, ...request }: CheckoutRequest): Record<string, unknown> {
  const { checkoutId, workspaceId, customer, successUrl, cancelUrl } = request;
  const { customerId } = customer;
  const metadata = { checkoutId, workspaceId, customerId, cancel_action: cancelUrl };
  if (offer.kind === 'payment') {
    return { callback_url: successUrl, metadata: { ...metadata, description: offer.description } };
  }
  const { planReference, subscriptionId } = offer;
  return { callback_url: successUrl, plan: planReference, metadata: { ...metadata, subscriptionId } };
}

/**
 * Returns the references that belong to one key, in the order in which they are tried. The provider answers a reference
 * once. If that answer was lost, the page is lost too: no customer was given it, so it cannot be paid. Neither of the
 * inserted characters occurs in a key, so no two keys share a reference; the provider accepts no underscores.
 */
function* referencesOf(key: string): Generator<string> {
  const first = key.replaceAll('_', '.');
  yield first;
  for (let count = 2; count <= MAX_REFERENCES; count += 1) yield `${first}=${count}`;
}

function isTaken({ code, reason }: { code: string; reason: string }): boolean {
  return code === 'duplicate_reference' || /duplicate transaction reference/i.test(reason);
}

function created(
  data: { authorization_url: string; reference: string },
  reference: string,
): Outcome<CheckoutCreated> {
  if (data.reference !== reference) {
    return { kind: 'unknown', reason: `Provider C started another transaction than ${reference}.` };
  }
  return {
    kind: 'done',
    value: {
      url: data.authorization_url,
      references: [
        { kind: 'payment', reference },
        { kind: 'checkout', reference },
      ],
    },
  };
}
