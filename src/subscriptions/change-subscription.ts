import { together, togetherThen, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { withOpenPayments } from '../domain/lifecycle';
import { displayPlan } from '../domain/display-text';
import { applyImmediateChange, type ChangePlan } from '../domain/plan-change';
import { withScheduled } from '../domain/provider-calls';
import { isSamePlanAndSeats } from '../domain/same-plan-and-seats';
import { droppedChanges, withoutScheduledChange } from '../domain/upcoming-changes';
import { changeKind } from './change-kind';
import type {
  LockedSubscription,
  OperationContext,
  OperationHandler,
  OperationOutcome,
} from './operation-handler';
import { commandEffectCalls, type CommandEffect } from './record-command-effect';
import type { BilledSubscription } from './billed-subscription';
import { readChangeOrder } from './change-order';
import { changeAnswer } from './change-resource';
import { planRequestedChange } from './plan-requested-change';
import { asSaved, saveSubscriptionCall } from './save-subscription-store';
import { findSubscriptionCall } from './subscription-store';
import {
  insertTransactionCall,
  newTransaction,
  openDueAtsOf,
  type TransactionRow,
} from './transaction-store';
import { withdrawalCalls } from './withdraw-scheduled-change';
import { requireWritten } from './require-subscription';

/**
 * Changes plan, seats or both, as the change plan says: at once with one transaction for the net amount, or at the next
 * renewal.
 *
 * @throws TollgateError plan_not_found, and the refusals of `planChange`
 */
export const changeSubscription: OperationHandler = async (trx, context, subscription) => {
  const { operation, actor, now } = context;
  const request = readChangeOrder(operation.input);
  const plan = await planRequestedChange(trx, actor.scope, subscription, request, now);
  return plan.transaction === null
    ? schedule(trx, context, subscription, plan)
    : changeAtOnce(trx, context, subscription, plan, plan.transaction);
};

async function changeAtOnce(
  trx: DbTransaction,
  context: OperationContext,
  subscription: LockedSubscription,
  plan: ChangePlan,
  draft: NonNullable<ChangePlan['transaction']>,
): Promise<OperationOutcome> {
  const transaction = newTransaction(subscription, draft, context.now);
  const dueAts = [...subscription.openDueAts, ...openDueAtsOf(transaction)];
  const changed = {
    ...withoutScheduledChange(subscription),
    ...applyImmediateChange(subscription, plan),
    planUnitAmount: plan.target.price.amount,
    nextPeriodIsFree: plan.target.price.amount === 0n,
  };
  const next = withOpenPayments(changed, dueAts, context.now);
  return finish(trx, context, subscription, plan, { next, transaction });
}

async function schedule(
  trx: DbTransaction,
  context: OperationContext,
  subscription: LockedSubscription,
  plan: ChangePlan,
): Promise<OperationOutcome> {
  const { price, pricing, interval } = plan.target;
  if (isSamePlanAndSeats(plan.to, subscription)) {
    // Withdraws, without an approval, a change that provider B's customer has confirmed: it bills the same.
    const work = { ...withScheduled(subscription.work, plan.to), confirmed: null };
    return finish(trx, context, subscription, plan, {
      next: { ...withoutScheduledChange(subscription), work },
    });
  }
  const next = {
    ...subscription,
    scheduled: { ...plan.to, unitAmount: price.amount, pricing, interval, requestedAt: context.now },
    scheduledInterval: interval,
    nextPeriodIsFree: price.amount === 0n,
    work: withScheduled(subscription.work, plan.to),
  };
  return finish(trx, context, subscription, plan, { next });
}

async function finish(
  trx: DbTransaction,
  context: OperationContext,
  before: LockedSubscription,
  plan: ChangePlan,
  { next, transaction }: { next: BilledSubscription; transaction?: TransactionRow },
): Promise<OperationOutcome> {
  const { scope } = context.actor;
  const { now } = context;
  const writes = [
    ...(transaction === undefined ? [] : [insertTransactionCall(scope, transaction)]),
    saveSubscriptionCall(scope, next, now),
  ];
  const dropped = droppedChanges(before, next, plan.to);
  const effectsOn = (after: BilledSubscription): Call<void>[] => [
    ...dropped.flatMap((withdrawn) => withdrawalCalls(context, after, withdrawn)),
    ...(isSamePlanAndSeats(plan.to, before)
      ? []
      : commandEffectCalls(context, after, effectOf(after, plan, transaction))),
  ];
  const { effective, effectiveAt } = plan;
  const withdrawn = dropped[0] ?? null;
  const outcome = { effective, effectiveAt, withdrawn, ...(transaction !== undefined && { transaction }) };
  if (isShownByRow(before, next)) {
    const after = asSaved(next);
    await together(trx, [...writes, ...effectsOn(after)]);
    const { planName, createdAt } = before;
    const row = { ...after, planName, createdAt, updatedAt: now };
    return { ...changeAnswer(row, now, outcome), subscription: after };
  }
  // Reads the row again after a plan change: its plan fields come from the new plan's row.
  const after = requireWritten(await togetherThen(trx, writes, findSubscriptionCall(scope, next.id)));
  await together(trx, effectsOn(after));
  return { ...changeAnswer(after, now, outcome), subscription: after };
}

/** Whether the row alone shows the change, without the rows of its plans. Only in local billing. */
function isShownByRow(before: BilledSubscription, next: BilledSubscription): boolean {
  if (before.provider !== 'internal') return false;
  return before.planId === next.planId && before.scheduled === null && next.scheduled === null;
}

function effectOf(after: BilledSubscription, plan: ChangePlan, transaction?: TransactionRow): CommandEffect {
  const [from, to] = [displayPlan(plan.from), displayPlan(plan.to)];
  const at = new Date(plan.effectiveAt).toISOString();
  const changes = { direction: plan.direction, effectiveAt: at, from: plan.from, to: plan.to };
  if (transaction === undefined) {
    return {
      kind: `${plan.direction}_scheduled`,
      message: `${after.externalId} changes from ${from} to ${to} at ${at}.`,
      data: changes,
    };
  }
  const { id, currency } = transaction;
  const total = transaction.total.toString();
  return {
    kind: changeKind[plan.direction],
    message: `${after.externalId} changed from ${from} to ${to}.`,
    data: { ...changes, transactionId: id, total, currency },
  };
}
