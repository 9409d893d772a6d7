import type { DbTransaction } from '../../db/pools';
import { appliedFrom } from '../../domain/change-at-renewal';
import { displayPlan } from '../../domain/display-text';
import type { ProviderIntent, RenewalIntent } from '../../domain/provider-work';
import { periodOverAt } from '../../domain/pending-cancellation';
import { isSamePlanAndSeats } from '../../domain/same-plan-and-seats';
import { hasEnded } from '../../domain/subscription-types';
import { droppedChanges, withoutUpcomingChanges, upcomingChanges } from '../../domain/upcoming-changes';
import { changeKind } from '../change-kind';
import type {
  AcceptedOutcome,
  OperationContext,
  OperationOutcome,
  RepairHandler,
} from '../operation-handler';
import { recordCommandEffect, type CommandEffect } from '../record-command-effect';
import type { BilledSubscription } from '../billed-subscription';
import { saveBilledSubscription } from '../save-subscription-store';
import { answerCancelled } from '../cancel-subscription';
import { voidOpenTransactions } from '../transaction-store';
import { recordWithdrawal } from '../withdraw-scheduled-change';
import { requestChange, withFacts } from './request-change';
import { recordProviderSyncEvent } from './provider-sync-event';
import { termsOf, saveCommandOutcome } from './save-command-outcome';

/**
 * Applies a command that the provider has carried out or passed to its customer for approval: writes the row, its
 * history and the command's response.
 *
 * @param subscription locked, and without a pending call
 */
export async function applyIntent(
  trx: DbTransaction,
  context: OperationContext,
  subscription: BilledSubscription,
  { intent, outcome }: { intent: ProviderIntent; outcome: AcceptedOutcome },
  repair: RepairHandler,
): Promise<OperationOutcome> {
  const { now } = context;
  const updated = 'value' in outcome ? withFacts(subscription, outcome.value, now) : subscription;
  switch (intent.kind) {
    case 'cancel':
    case 'reactivate':
      return applyRenewalIntent(trx, context, subscription, updated, intent);
    case 'withdraw':
      return saveCommandOutcome(trx, context, subscription, withoutUpcomingChanges(updated), {
        answer: { effective: 'immediate', effectiveAt: now },
      });
    case 'change_now':
      return changeNow(trx, context, subscription, updated, intent);
    case 'request_change':
      return requestChange(trx, context, subscription, intent, outcome);
    case 'repair':
      return repair.apply(trx, context, subscription, { intent, outcome });
  }
}

/**
 * Applies a cancellation or a reactivation.
 *
 * @param before locked, and without a pending call
 * @param updated the same with the provider's facts
 */
export async function applyRenewalIntent(
  trx: DbTransaction,
  context: OperationContext,
  before: BilledSubscription,
  updated: BilledSubscription,
  { kind }: RenewalIntent,
): Promise<OperationOutcome> {
  if (kind === 'cancel') return cancel(trx, context, before, updated);
  return saveCommandOutcome(trx, context, before, updated, {
    effect: {
      kind: 'reactivated',
      message: `${updated.externalId}'s subscription to ${updated.planSlug} renews again.`,
    },
    answer: { effective: 'immediate', effectiveAt: context.now },
  });
}

async function cancel(
  trx: DbTransaction,
  context: OperationContext,
  before: BilledSubscription,
  updated: BilledSubscription,
): Promise<OperationOutcome> {
  const { scope } = context.actor;
  const next = withoutUpcomingChanges(updated);
  const voided = hasEnded(next.status) ? await voidOpenTransactions(trx, scope, next.id, context.now) : [];
  // The provider may have renewed with the change: it bills the seats of a flat plan alike, so the restored terms equal
  // the prepared ones.
  const isApplied =
    !isSamePlanAndSeats(before, next) &&
    upcomingChanges(before).some((planned) => isSamePlanAndSeats(planned, next));
  const changedAt = isApplied ? appliedFrom(before, next, context.now) : context.now;
  const after = await saveBilledSubscription(trx, scope, next, changedAt);
  const dropped = droppedChanges(before, after);
  if (isApplied) await recordApplied(trx, context, before, after);
  for (const withdrawn of dropped) await recordWithdrawal(trx, context, after, withdrawn);
  const data = { voidedTransactions: voided };
  await recordCommandEffect(trx, context, after, { ...effectOfCancel(after), data });
  return answerCancelled(trx, context, after, dropped[0] ?? null);
}

/** Describes the effect of a cancellation. The provider may already have ended the subscription by itself. */
function effectOfCancel(after: BilledSubscription): CommandEffect {
  const who = `${after.externalId}'s subscription to ${after.planSlug}`;
  switch (after.status) {
    case 'cancelled':
      return { kind: 'cancelled', message: `${who} was cancelled.` };
    case 'expired':
      return { kind: 'expired', message: `${who} had already ended at the payment provider.` };
    default: {
      const ends = new Date(periodOverAt(after)).toISOString();
      return { kind: 'cancel_scheduled', message: `${who} was cancelled and ends at ${ends}.` };
    }
  }
}

async function recordApplied(
  trx: DbTransaction,
  { actor, now: at, recordedAt }: OperationContext,
  before: BilledSubscription,
  after: BilledSubscription,
): Promise<void> {
  const { externalId, connectionId, planId, planSlug: plan, seats } = after;
  await recordProviderSyncEvent(trx, actor.scope, after, {
    kind: 'scheduled_change_applied',
    status: 'OK',
    message: `${externalId} changed from ${displayPlan(before)} to ${displayPlan(after)}, as scheduled.`,
    at,
    recordedAt,
    data: { connectionId, to: { planId, plan, seats } },
  });
}

async function changeNow(
  trx: DbTransaction,
  context: OperationContext,
  before: BilledSubscription,
  updated: BilledSubscription,
  { direction, to }: Extract<ProviderIntent, { kind: 'change_now' }>,
): Promise<OperationOutcome> {
  const { planId, planSlug, seats, pricing, interval } = to;
  // More seats of the same plan cost the price of this period.
  const unitAmount = planId === before.planId ? updated.unitAmount : BigInt(to.unitAmount);
  const planUnitAmount = BigInt(to.unitAmount);
  const terms = { planId, planSlug, seats, pricing, interval, unitAmount, planUnitAmount };
  const next = { ...withoutUpcomingChanges(updated), ...terms, nextPeriodIsFree: planUnitAmount === 0n };
  return saveCommandOutcome(trx, context, before, next, {
    effect: {
      kind: changeKind[direction],
      message: `${before.externalId} changed from ${displayPlan(before)} to ${displayPlan(to)}.`,
      data: { direction, from: termsOf(before), to: termsOf(to) },
    },
    answer: { effective: 'immediate', effectiveAt: context.now },
  });
}
