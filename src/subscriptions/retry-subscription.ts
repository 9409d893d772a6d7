import { recordAudit } from '../audit/audit-store';
import type { Database } from '../db/pools';
import { inWorkspaceFor } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { callUnderWayUntil, retryNow } from '../domain/retry-now';
import { subscriptionNotFound } from '../operations/subscription-not-found';
import { enqueueSubscriptionSignals } from '../outbox/enqueue';
import type { Actor } from '../tenancy/actor';
import type { BilledSubscription } from './billed-subscription';
import { findBilledSubscription } from './billed-subscription-store';
import { saveBilledSubscription } from './save-subscription-store';
import { toSubscriptionResource, type SubscriptionResource } from './subscription-resource';
import { requireSubscription } from './require-subscription';

/**
 * Makes a subscription's workflow immediately retry what waits at the payment provider: a call without an outcome, a
 * failed preparation, an approval check, a renewal, a payment.
 *
 * @returns the subscription, whose workflow is signalled after the commit
 * @throws TollgateError subscription_not_found, nothing_to_retry
 */
export type RetrySubscription = (actor: Actor, id: string) => Promise<SubscriptionResource>;

export function createRetrySubscription(database: Database): RetrySubscription {
  return (actor, id) => {
    const { scope, now } = actor;
    return inWorkspaceFor(database, actor, async (trx) => {
      const row = await findBilledSubscription(trx, scope, id, 'lock');
      if (row === undefined) throw subscriptionNotFound(id);
      const work = row.provider === 'internal' ? null : retryNow(row, now);
      if (work === null) throw refusal(row, now);
      await saveBilledSubscription(trx, scope, { ...row, work }, now);
      await enqueueSubscriptionSignals(trx, scope, [id]);
      await recordAudit(trx, actor, { action: 'subscription.retried', target: id, detail: {} });
      return toSubscriptionResource(await requireSubscription(trx, scope, id), now);
    });
  };
}

function refusal({ id, work }: BilledSubscription, now: Instant): TollgateError {
  const until = callUnderWayUntil(work, now);
  if (until === null)
    return new TollgateError('nothing_to_retry', `The subscription "${id}" has nothing to retry.`);
  const from = new Date(until).toISOString();
  return new TollgateError(
    'nothing_to_retry',
    `A request of the subscription "${id}" to its payment provider has just been sent. It can be retried from ${from}.`,
    { retryAfter: Math.ceil((until - now) / 1000) },
  );
}
