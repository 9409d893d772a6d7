import { hasEnded } from '../../domain/subscription-types';
import { z } from 'zod';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SubscriptionRequest } from '../provider-operations';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { subscriptionFacts } from './subscription-facts';
import { readAfterWrite, failureOf, writeOutcome } from './outcomes';
import { readSubscription } from './read-objects';

/**
 * Ends a subscription at once and for good; also `done` if it has already ended, and `pending` while B does not show
 * it. B has no idempotency keys here and needs none, because it refuses to cancel twice.
 */
export function cancelSubscription(
  client: ProviderBClient,
  access: ConnectionAccess,
  request: SubscriptionRequest,
): Promise<Outcome<SubscriptionFacts>> {
  const read = () =>
    readAfterWrite(async () => subscriptionFacts(await readSubscription(client, access, request.reference)));
  return writeOutcome(request, async () => {
    const path = `${pathOf('/v1/billing/subscriptions/', request.reference)}/cancel`;
    const json = Buffer.from(JSON.stringify({ reason: request.reason }));
    try {
      await client.post(access, path, json, z.unknown());
    } catch (error) {
      if (!failureOf(error).isOfStatus) throw error;
      // B cancels what is active or suspended. If it shows such a status, it does not show the end yet.
      const facts = await read();
      if (facts.status === 'incomplete') throw error;
      return outcomeOf(facts);
    }
    return outcomeOf(await read());
  });
}

/** A cancellation ends the subscription now, even if its last billing cycle has been charged and is not over yet. */
function outcomeOf(facts: SubscriptionFacts): Outcome<SubscriptionFacts> {
  if (!hasEnded(facts.status)) return { kind: 'pending', value: facts };
  const ended = { ...facts };
  delete ended.isCompleted;
  return { kind: 'done', value: ended };
}
