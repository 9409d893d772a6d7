import type { DbTransaction } from '../db/pools';
import { countInWords } from '../domain/count-in-words';
import { takeStep } from '../domain/lifecycle';
import { displayPlan } from '../domain/display-text';
import { toTimeOrNull } from '../schemas/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import type { BilledSubscription } from './billed-subscription';
import { saveBilledSubscription } from './save-subscription-store';
import { recordStep, type StepUnderWay } from './step-history';
import { voidOpenTransactions } from './transaction-store';

/**
 * Records that a payment is past due. Access depends on the due instant itself, so a late step does not affect it.
 *
 * @param subscription its row is locked
 */
export async function becomePastDue(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  step: StepUnderWay,
): Promise<BilledSubscription> {
  const pastDue = takeStep(subscription, 'become_past_due');
  const after = await saveBilledSubscription(trx, scope, pastDue, step.at);
  await recordStep(trx, scope, after, step, {
    kind: 'became_past_due',
    message: `${after.externalId}'s payment for ${displayPlan(after)} is past due.`,
    data: { pastDueSince: toTimeOrNull(after.pastDueSince) },
  });
  return after;
}

/**
 * Ends a subscription that stayed unpaid: voids its open transactions and drops its scheduled change. Payments already
 * received stay on record.
 *
 * @param subscription its row is locked
 */
export async function expireUnpaid(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  due: StepUnderWay,
): Promise<BilledSubscription> {
  // If the grace days were shortened, the boundary may fall before a period that has begun since.
  const step = { ...due, boundary: Math.max(due.boundary, subscription.currentPeriodStart) };
  const voided = await voidOpenTransactions(trx, scope, subscription.id, step.boundary);
  const { scheduled: withdrawn, pastDueSince, expireAfterDays } = subscription;
  const expired = { ...takeStep(subscription, 'expire'), scheduled: null };
  const after = await saveBilledSubscription(trx, scope, expired, step.at);
  if (withdrawn !== null) {
    const { planId, planSlug, seats } = withdrawn;
    await recordStep(trx, scope, after, step, {
      kind: 'scheduled_change_withdrawn',
      message: `${after.externalId}'s scheduled change to ${displayPlan(withdrawn)} was withdrawn.`,
      data: { withdrawn: { planId, plan: planSlug, seats } },
    });
  }
  await recordStep(trx, scope, after, step, {
    kind: 'expired',
    message: `${after.externalId}'s subscription to ${displayPlan(after)} expired after ${countInWords(expireAfterDays, 'day')} past due.`,
    data: { pastDueSince: toTimeOrNull(pastDueSince), voidedTransactions: voided },
  });
  return after;
}
