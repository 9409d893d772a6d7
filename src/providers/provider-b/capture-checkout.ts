import { z } from 'zod';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { CheckoutFacts, ProviderReference, Sending } from '../provider-operations';
import { pathOf } from './address';
import { approvalLink } from './approval-link';
import { checkoutOfOrder } from './checkout-facts';
import type { ProviderBClient } from './client';
import { ProviderBFailure } from './failure';
import { noCheckout } from './fetch-checkout';
import { checkoutOrder } from './schemas';
import { readAfterWrite, failureOf, writeOutcome } from './outcomes';
import { readOrder } from './read-objects';

/** B's refusals that no longer apply once the customer has approved. */
const NEEDS_THE_CUSTOMER: ReadonlySet<string> = new Set(['ORDER_NOT_APPROVED', 'PAYER_ACTION_REQUIRED']);

/**
 * Captures the money of an approved order. `pending`: B has accepted the order, and the money has not cleared.
 * `customer_action`: not approved yet.
 *
 * However often it is sent, an order is captured once: B repeats its answer to the same key, and after the key has
 * expired answers `ORDER_ALREADY_CAPTURED`.
 */
export async function captureCheckout(
  client: ProviderBClient,
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
  sending: Sending,
): Promise<Outcome<CheckoutFacts>> {
  if (kind === 'subscription') {
    return { kind: 'unsupported', reason: 'Provider B takes the money of a subscription itself.' };
  }
  if (kind !== 'order') return noCheckout(kind);
  const read = () => readAfterWrite(() => readOrder(client, access, reference));
  return writeOutcome(sending, async () => {
    try {
      const path = `${pathOf('/v2/checkout/orders/', reference)}/capture`;
      const options = { requestId: sending.key, whole: true };
      const answer = await client.post(access, path, Buffer.from('{}'), z.unknown(), options);
      const whole = checkoutOrder.safeParse(answer);
      return captured(checkoutOfOrder(whole.success ? whole.data : await read()));
    } catch (error) {
      const { kind: how, code } = failureOf(error);
      if (how !== 'refused') throw error;
      if (code === 'ORDER_ALREADY_CAPTURED') return captured(checkoutOfOrder(await read()));
      if (!NEEDS_THE_CUSTOMER.has(code)) throw error;
      const approvalUrl = approvalLink((await read()).links);
      return { kind: 'customer_action', ...(approvalUrl === null ? {} : { approvalUrl }) };
    }
  });
}

/** Returns the outcome of the capture, whatever the order says. @throws ProviderBFailure */
function captured(checkout: CheckoutFacts): Outcome<CheckoutFacts> {
  switch (checkout.status === 'complete' ? checkout.payment?.status : undefined) {
    case 'succeeded':
      return { kind: 'done', value: checkout };
    case 'pending':
      return { kind: 'pending', value: checkout };
    case 'failed':
      throw new ProviderBFailure('refused', 'CAPTURE_DECLINED', 'Provider B declined the capture.');
    case undefined:
      throw new ProviderBFailure(
        'unreadable',
        'answer_unreadable',
        'Provider B does not show the capture of the order yet.',
      );
  }
}
