import { z } from 'zod';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { ChangeRequest } from '../provider-operations';
import { pathOf } from './address';
import { approvalLink } from './approval-link';
import type { ProviderBClient } from './client';
import { subscriptionFacts } from './facts';
import { afterwards, sent } from './outcomes';
import { readSubscription } from './read-objects';
import { links } from './wire';

/** The plan in the answer is the one that was asked for, and proves nothing; it is not read. */
const revision = z.object({ links });

/**
 * Asks for another plan or quantity from the next payment on. A wallet's customer must agree, and until then pays for
 * what is; a card's need not.
 *
 * B has no keys here. A revision that is asked for again takes the place of the earlier one, and of its page; a
 * subscription that shows the target is left alone.
 */
export async function changeSubscription(
  client: ProviderBClient,
  access: ConnectionAccess,
  request: ChangeRequest,
): Promise<Outcome<SubscriptionFacts>> {
  if (request.proration === 'invoice_now') {
    return { kind: 'unsupported', reason: 'Provider B charges a change at the next payment, not at once.' };
  }
  return sent(request, async () => {
    const read = async () => subscriptionFacts(await readSubscription(client, access, request.reference));
    const before = await read();
    if (shows(before, request)) return { kind: 'done', value: before };
    const path = `${pathOf('/v1/billing/subscriptions/', request.reference)}/revise`;
    const json = Buffer.from(JSON.stringify(revisionOf(before, request)));
    const approvalUrl = approvalLink((await client.post(access, path, json, revision)).links);
    if (approvalUrl !== null) return { kind: 'customer_action', approvalUrl };
    const after = await afterwards(read);
    return { kind: shows(after, request) ? 'done' : 'pending', value: after };
  });
}

/** What has ended shows nothing: B refuses its revision. */
function shows(facts: SubscriptionFacts, { planReference, quantity }: ChangeRequest): boolean {
  const goesOn = facts.status === 'active' || facts.status === 'past_due';
  return goesOn && facts.planReference === planReference && (facts.quantity ?? 1) === quantity;
}

function revisionOf(before: SubscriptionFacts, request: ChangeRequest): object {
  const { planReference, quantity, returnUrl, cancelUrl } = request;
  return {
    ...(planReference === before.planReference ? {} : { plan_id: planReference }),
    // A plan without seats refuses every number of them.
    ...(quantity === 1 && (before.quantity ?? 1) === 1 ? {} : { quantity: quantity.toString() }),
    application_context: {
      return_url: returnUrl,
      cancel_url: cancelUrl,
      shipping_preference: 'NO_SHIPPING',
      user_action: 'SUBSCRIBE_NOW',
    },
  };
}
