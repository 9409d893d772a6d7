import type { Transaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { planInWords } from '../domain/plain-words';
import type { OperationContext, OperationHandler } from '../operations/operation-handler';
import { recordAct } from '../operations/record-act';
import { requireLocalBilling } from '../operations/require-local-billing';
import type { BilledSubscription, ScheduledChange } from './billed-subscription';
import { saveBilledSubscription } from './billed-subscription-store';
import { answerChange } from './change-resource';

/**
 * Takes a scheduled change back before its renewal; the terms of now go on.
 *
 * @throws TollgateError no_scheduled_change, capability_unavailable
 */
export const withdrawScheduledChange: OperationHandler = async (trx, context, subscription) => {
  const { now, actor } = context;
  const { scheduled: withdrawn } = subscription;
  if (withdrawn === null) {
    throw new TollgateError('no_scheduled_change', 'No change of this subscription is scheduled.');
  }
  requireLocalBilling('planChange', subscription, now);
  const after = await saveBilledSubscription(trx, actor.scope, withoutScheduledChange(subscription), now);
  await recordWithdrawal(trx, context, after, withdrawn);
  const answer = await answerChange(trx, actor.scope, after.id, now, {
    effective: 'immediate',
    effectiveAt: now,
    withdrawn,
  });
  return { ...answer, subscription: after };
};

/** The next renewal charges what the plan of now costs. */
export function withoutScheduledChange(subscription: BilledSubscription): BilledSubscription {
  return {
    ...subscription,
    scheduled: null,
    scheduledInterval: null,
    nextPeriodIsFree: subscription.planUnitAmount === 0n,
  };
}

/** Says that a scheduled change does not happen, whether it was asked for or something else made it void. */
export async function recordWithdrawal(
  trx: Transaction,
  context: OperationContext,
  after: BilledSubscription,
  { planId, planSlug, seats }: ScheduledChange,
): Promise<void> {
  await recordAct(trx, context, after, {
    kind: 'scheduled_change_withdrawn',
    message: `${after.externalId}'s scheduled change to ${planInWords({ planSlug, seats })} was withdrawn.`,
    data: { withdrawn: { planId, plan: planSlug, seats } },
  });
}
