import { together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { capabilitiesOf } from '../domain/capabilities';
import { refusalCode } from '../domain/require-capability';
import { obstacleToWithdrawal } from '../domain/withdrawal';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { displayPlan } from '../domain/display-text';
import { withDropped } from '../domain/provider-work';
import { withoutScheduledChange } from '../domain/upcoming-changes';
import type { OperationContext, OperationHandler } from './operation-handler';
import { commandEffectCalls } from './record-command-effect';
import type { BilledSubscription, ScheduledChange } from './billed-subscription';
import { saveBilledSubscription } from './save-subscription-store';
import { answerChange } from './change-resource';

/**
 * Withdraws the change that awaits the customer's approval, and keeps one approved before; without one, withdraws the
 * scheduled change before its renewal.
 *
 * @throws TollgateError no_scheduled_change, capability_unavailable for what provider B's customer has approved, and
 *   while the outcome of an earlier command is unknown
 */
export const withdrawScheduledChange: OperationHandler = async (trx, context, subscription) => {
  const { now, actor } = context;
  const { scheduled, work } = subscription;
  const { request } = work;
  const withdrawn = request ?? scheduled;
  if (withdrawn === null) {
    throw new TollgateError('no_scheduled_change', 'This subscription has no scheduled change.');
  }
  requireWithdrawable(subscription, now);
  const without =
    request === null
      ? // A preparation that failed before it reached the provider has nothing left to prepare.
        { ...withoutScheduledChange(subscription), work: { ...work, sync: null, confirmed: null } }
      : { ...subscription, work: withDropped({ ...work, request: null }, request) };
  const after = await saveBilledSubscription(trx, actor.scope, without, now);
  await recordWithdrawal(trx, context, after, withdrawn);
  const answer = await answerChange(trx, actor.scope, after.id, now, {
    effective: 'immediate',
    effectiveAt: now,
    withdrawn,
  });
  return { ...answer, subscription: after };
};

/** @throws TollgateError capability_unavailable, connection_disabled */
export function requireWithdrawable(subscription: BilledSubscription, now: Instant): void {
  const found = obstacleToWithdrawal(subscription, now);
  if (found === null) return;
  const { planChange } = capabilitiesOf(subscription, now);
  const capability = { name: 'planChange', ...planChange, available: false, ...found };
  throw new TollgateError(refusalCode(capability), found.reason, { extra: { capability } });
}

/** Records that a scheduled change does not happen, whether it was withdrawn or voided by something else. */
export async function recordWithdrawal(
  trx: DbTransaction,
  context: OperationContext,
  after: BilledSubscription,
  withdrawn: WithdrawnChange,
): Promise<void> {
  await together(trx, withdrawalCalls(context, after, withdrawn));
}

type WithdrawnChange = Pick<ScheduledChange, 'planId' | 'planSlug' | 'seats'>;

/** Builds the calls of `recordWithdrawal`. */
export function withdrawalCalls(
  context: OperationContext,
  after: BilledSubscription,
  { planId, planSlug, seats }: WithdrawnChange,
): Call<void>[] {
  return commandEffectCalls(context, after, {
    kind: 'scheduled_change_withdrawn',
    message: `${after.externalId}'s scheduled change to ${displayPlan({ planSlug, seats })} was withdrawn.`,
    data: { withdrawn: { planId, plan: planSlug, seats } },
  });
}
