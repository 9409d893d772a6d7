import type { Times } from '../clock/times';
import type { DbTransaction } from '../db/pools';
import { isUniqueViolation } from '../db/unique-violation';
import { startWhenPaid } from '../domain/checkout';
import type { Instant } from '../domain/instant';
import { takeStep } from '../domain/lifecycle';
import { displayPlan } from '../domain/display-text';
import { enqueueSubscriptionSignal } from '../outbox/enqueue-signal';
import { eventDataOf, type BilledSubscription } from '../subscriptions/billed-subscription';
import { saveBilledSubscription } from '../subscriptions/save-subscription-store';
import { draftCharge } from '../subscriptions/charge-period';
import { findOpenSubscription } from '../subscriptions/open-subscription-store';
import { recordSubscriptionEvent, type SubscriptionEvent } from '../subscriptions/subscription-history-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { markCheckoutComplete } from '../subscriptions/close-checkout-store';
import { moveCharge } from '../subscriptions/transaction-store';

/** When a checkout was paid (the workspace's time), when that was recorded (real time), and the source. */
export interface Completion extends Times {
  source: SubscriptionEvent['source'];
}

/**
 * Starts the subscription of a checkout whose transaction is paid in full, from the payment's instant and as it was
 * offered; the transaction's period becomes the period that has begun. If the customer has another open subscription in
 * the plan group by then, nothing starts: the payment stays on record, and an event with status `ERROR` reports it.
 * Saves the row and signals the workflows.
 *
 * @param subscription `incomplete`; its row is locked
 * @param transactionId the checkout's transaction, saved as paid
 * @returns the row afterwards: `active` or `expired`
 */
export async function completeCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  transactionId: string,
  times: Completion,
): Promise<BilledSubscription> {
  const { id, customerId, planGroupId } = subscription;
  const started =
    (await findOpenSubscription(trx, scope, customerId, planGroupId)) === undefined
      ? await startUnlessOpened(trx, scope, startWhenPaid(subscription, times.now), times.now)
      : undefined;
  if (started === undefined) return refuseToStart(trx, scope, subscription, transactionId, times);
  // Same amount as offered, that of a whole period, but for the period that has begun.
  const { startedAt: at, pastDueAfterDays } = started;
  await moveCharge(trx, scope, transactionId, draftCharge('initial', started, { at, pastDueAfterDays }));
  const checkoutId = await markCheckoutComplete(trx, scope, id, times);
  await recordSubscriptionEvent(
    trx,
    scope,
    {
      subscriptionId: id,
      kind: 'activated',
      type: 'SUBSCRIPTION_CREATED',
      status: 'OK',
      message: `${started.externalId} paid for ${displayPlan(started)}, which begins.`,
      source: times.source,
      data: {
        ...dataOf(started, transactionId, checkoutId),
        currentPeriodStart: new Date(started.currentPeriodStart).toISOString(),
        currentPeriodEnd: new Date(started.currentPeriodEnd).toISOString(),
      },
    },
    { happenedAt: times.now, recordedAt: times.recordedAt },
  );
  await enqueueSubscriptionSignal(trx, scope, id);
  return started;
}

/**
 * Returns undefined if another subscription of the plan group was opened concurrently. The index decides, because it
 * waits for an uncommitted insert; a savepoint keeps its refusal from ending the payment's transaction.
 */
async function startUnlessOpened(
  trx: DbTransaction,
  scope: WorkspaceScope,
  started: BilledSubscription,
  now: Instant,
): Promise<BilledSubscription | undefined> {
  try {
    return await trx.transaction((savepoint) => saveBilledSubscription(savepoint, scope, started, now));
  } catch (error) {
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}

async function refuseToStart(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  transactionId: string,
  { now, recordedAt, source }: Completion,
): Promise<BilledSubscription> {
  const { id, customerId, planGroupId } = subscription;
  const open = await findOpenSubscription(trx, scope, customerId, planGroupId);
  const closed = await saveBilledSubscription(trx, scope, takeStep(subscription, 'expire_checkout'), now);
  const checkoutId = await markCheckoutComplete(trx, scope, id, { now, recordedAt });
  const other = open === undefined ? 'another one' : `the subscription ${open.id}`;
  await recordSubscriptionEvent(
    trx,
    scope,
    {
      subscriptionId: id,
      kind: 'activation_refused',
      type: 'SUBSCRIPTION_CREATED',
      status: 'ERROR',
      message: `${closed.externalId} paid for ${displayPlan(closed)} through a checkout but already has ${other} in the plan group, so ${id} was not started. Refund the payment, or cancel the other subscription and subscribe again.`,
      source,
      data: { ...dataOf(closed, transactionId, checkoutId), openSubscriptionId: open?.id ?? null },
    },
    { happenedAt: now, recordedAt },
  );
  return closed;
}

function dataOf(
  subscription: BilledSubscription,
  transactionId: string,
  checkoutId: string | undefined,
): Record<string, unknown> {
  return {
    checkoutId: checkoutId ?? null,
    transactionId,
    ...eventDataOf(subscription),
  };
}
