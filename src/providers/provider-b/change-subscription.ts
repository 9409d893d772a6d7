import { z } from 'zod';
import { SUSPENDED } from '../../domain/capabilities';
import { hasEnded } from '../../domain/subscription-types';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import { ENDED } from '../ended-subscription';
import type { Outcome } from '../outcome';
import type { ChangeRequest } from '../provider-operations';
import { pathOf } from './address';
import { approvalLink } from './approval-link';
import type { ProviderBClient } from './client';
import { subscriptionFacts } from './subscription-facts';
import { failureOf, readAfterWrite, writeOutcome } from './outcomes';
import { readSubscription } from './read-objects';
import { links } from './values';

/** The plan in the answer only repeats the request and proves nothing, so it is not read. */
const revision = z.object({ links });

/**
 * Requests another plan or quantity from the next payment on. A wallet customer must approve, and until then pays for
 * the current one; a card customer need not.
 *
 * B has no idempotency keys here. A repeated revision replaces the earlier one and its page; a subscription that
 * already shows the target is left unchanged.
 */
export async function changeSubscription(
  client: ProviderBClient,
  access: ConnectionAccess,
  request: ChangeRequest,
): Promise<Outcome<SubscriptionFacts>> {
  if (request.proration === 'invoice_now') {
    return { kind: 'unsupported', reason: 'Provider B charges a change at the next payment, not at once.' };
  }
  return writeOutcome(request, async () => {
    const read = async () => subscriptionFacts(await readSubscription(client, access, request.reference));
    const before = await read();
    if (hasEnded(before.status)) return ENDED;
    if (shows(before, request)) return { kind: 'done', value: before };
    try {
      const approvalUrl = approvalLink((await revise(client, access, request)).links);
      if (approvalUrl !== null) return { kind: 'customer_action', approvalUrl };
    } catch (error) {
      // B revises active subscriptions only: while it retries a failed payment, but not once it has suspended payments.
      if (before.status === 'past_due' && failureOf(error).isOfStatus) return REFUSED_AS_SUSPENDED;
      throw error;
    }
    const after = await readAfterWrite(read);
    return { kind: shows(after, request) ? 'done' : 'pending', value: after };
  });
}

const REFUSED_AS_SUSPENDED: Outcome<never> = {
  kind: 'declined',
  code: SUSPENDED.reasonCode,
  reason: SUSPENDED.reason,
};

/** One that is not approved yet shows nothing, because B refuses its revision. */
function shows(facts: SubscriptionFacts, { planReference, quantity }: ChangeRequest): boolean {
  return (
    facts.status !== 'incomplete' &&
    facts.planReference === planReference &&
    (facts.quantity ?? 1) === quantity
  );
}

/**
 * Posts the revision with the whole target: what it omits stays as it is, and B may have read out an earlier state. Only
 * a plan without quantities gets none, because it refuses any; it is billed once.
 */
async function revise(
  client: ProviderBClient,
  access: ConnectionAccess,
  request: ChangeRequest,
): Promise<z.infer<typeof revision>> {
  const { quantity } = request;
  const isCounted = quantity !== 1 || (await hasQuantity(client, access, request.planReference));
  const body = { ...revisionOf(request), ...(isCounted && { quantity: quantity.toString() }) };
  const path = `${pathOf('/v1/billing/subscriptions/', request.reference)}/revise`;
  return client.post(access, path, Buffer.from(JSON.stringify(body)), revision);
}

const plan = z.object({ quantity_supported: z.boolean().nullish() });

async function hasQuantity(
  client: ProviderBClient,
  access: ConnectionAccess,
  planReference: string,
): Promise<boolean> {
  const { quantity_supported: isSupported } = await client.get(
    access,
    pathOf('/v1/billing/plans/', planReference),
    plan,
  );
  return isSupported ?? false;
}

function revisionOf({ planReference, returnUrl, cancelUrl }: ChangeRequest): object {
  return {
    plan_id: planReference,
    application_context: {
      return_url: returnUrl,
      cancel_url: cancelUrl,
      shipping_preference: 'NO_SHIPPING',
      user_action: 'SUBSCRIBE_NOW',
    },
  };
}
