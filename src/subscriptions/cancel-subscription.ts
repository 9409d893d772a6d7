import { expireCheckoutOf } from './close-checkout-store';
import type { DbTransaction } from '../db/pools';
import { cancellationEffect } from '../domain/cancellation-effect';
import { capabilitiesOf, isAlreadyCancelled } from '../domain/capabilities';
import { requireCapability } from '../domain/require-capability';
import { cancelNow } from '../domain/lifecycle';
import type { OperationContext, OperationHandler } from './operation-handler';
import { recordCommandEffect } from './record-command-effect';
import type { BilledSubscription } from './billed-subscription';
import { saveBilledSubscription } from './save-subscription-store';
import { answerChange, type ChangeOutcome } from './change-resource';
import { voidOpenTransactions } from './transaction-store';
import { recordWithdrawal } from './withdraw-scheduled-change';

/**
 * Ends a subscription of local billing at once: voids its open transactions and drops its scheduled change. A second
 * cancel changes nothing, with any provider.
 *
 * @throws TollgateError capability_unavailable
 */
export const cancelSubscription: OperationHandler = async (trx, context, subscription) => {
  const { now, actor } = context;
  const capabilities = capabilitiesOf(subscription, now);
  if (isAlreadyCancelled(subscription, capabilities))
    return answerCancelled(trx, context, subscription, null);
  requireCapability('cancel', capabilities);
  const { scope } = actor;
  const voided = await voidOpenTransactions(trx, scope, subscription.id, now);
  if (subscription.status === 'incomplete') await expireCheckoutOf(trx, scope, subscription.id, context);
  const withdrawn = subscription.scheduled;
  const after = await saveBilledSubscription(
    trx,
    scope,
    { ...cancelNow(subscription), scheduled: null, cancelledAt: now },
    now,
  );
  if (withdrawn !== null) await recordWithdrawal(trx, context, after, withdrawn);
  await recordCommandEffect(trx, context, after, {
    kind: 'cancelled',
    message: `${after.externalId}'s subscription to ${after.planSlug} was cancelled.`,
    data: { voidedTransactions: voided, before: subscription.status },
  });
  return answerCancelled(trx, context, after, withdrawn);
};

/** Builds the answer to a cancel, depending on when the subscription ends. */
export async function answerCancelled(
  trx: DbTransaction,
  { actor, now }: OperationContext,
  subscription: BilledSubscription,
  withdrawn: ChangeOutcome['withdrawn'],
) {
  const answer = await answerChange(trx, actor.scope, subscription.id, now, {
    ...cancellationEffect(subscription, now),
    withdrawn,
  });
  return { ...answer, subscription };
}
