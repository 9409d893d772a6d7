import { hasEnded, OPEN_SUBSCRIPTION_STATUSES } from '../../domain/subscription-types';
import { expireCheckout } from '../../subscriptions/expire-checkout';
import { expireCheckoutOf, markCheckoutComplete } from '../../subscriptions/close-checkout-store';
import { appliedFrom } from '../../domain/change-at-renewal';
import { takeStep } from '../../domain/lifecycle';
import { withReadSoon } from '../../domain/provider-lifecycle';
import { isReadingStale } from '../../domain/stale-reading';
import { reconcileFacts } from '../../domain/provider-reconciliation';
import type { Consequence } from '../../domain/reconciled-view';
import { withChargeOfPeriod } from '../../payments/charge-of-period';
import { enqueueSubscriptionSignal } from '../../outbox/enqueue-signal';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { findBilledSubscription } from '../../subscriptions/billed-subscription-store';
import { saveBilledSubscription } from '../../subscriptions/save-subscription-store';
import { findOpenSubscription } from '../../subscriptions/open-subscription-store';
import { voidOpenTransactions } from '../../subscriptions/transaction-store';
import type { Reconciliation } from './reconciliation';
import { noteChanges, timeText } from './webhook-result';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import { savePaymentsRead } from '../../subscriptions/at-provider/payments-read-store';
import { StaleFactsError } from '../../subscriptions/at-provider/reconciler';
import {
  isEventDue,
  recordConsequence,
  recordStillBilled,
  recordReconciledSubscription,
} from './subscription-event';
import { wakeSubscription } from '../../subscriptions/next-wake-store';
import { isSameSubscription, addSubscriptionReferences } from './store-subscription-references';

/** Locks the subscription that the event concerns; null if none. @throws StaleFactsError */
export async function lockConcerned({
  trx,
  connection,
  current,
}: Reconciliation): Promise<BilledSubscription | null> {
  const { seen } = current;
  if (seen === null) return null;
  const locked = await findBilledSubscription(trx, connection.scope, seen.subscriptionId, 'lock');
  if (locked === undefined || (current.fetched && locked.version !== seen.version))
    throw new StaleFactsError();
  return locked;
}

/**
 * Applies the provider's facts to the subscription: its period, whether it renews, and its payment state. Plan and
 * seats change only through a prepared change or an operator, whatever the provider says.
 *
 * @param before its row is locked and unchanged since the provider was asked
 * @returns the updated row
 */
export async function reconcileSubscription(
  work: Reconciliation,
  before: BilledSubscription,
): Promise<BilledSubscription> {
  const { current, event } = work;
  if (event.type === 'checkout.expired' && before.status === 'incomplete')
    return expireIncomplete(work, before);
  const facts = current.subscription;
  if (facts === null || !(await isSameSubscription(work, before, facts))) return before;
  await addSubscriptionReferences(work, before, facts);
  await noteForgiven(work, before, facts);
  if (hasEnded(before.status)) {
    if (!hasEnded(facts.status)) {
      work.notes.push(`${before.id} has ended here and stays ended; the provider reports ${facts.status}.`);
      if (isOpen(facts)) await recordStillBilled(work, before);
    }
    return before;
  }
  const failed = event.type === 'invoice.failed' || event.type === 'payment.failed';
  const occasion = {
    now: work.now,
    failedAt: failed ? event.occurredAt : null,
    reportedInvoice: current.payment?.invoiceReference ?? null,
  };
  const known = await withChargeOfPeriod(work.trx, work.connection.scope, before, facts);
  const { view, consequences } = reconcileFacts(before, known, occasion);
  const reportedState = { reported: event.subscription?.status, occurredAt: event.occurredAt };
  const isStale = current.fetched && isReadingStale(facts.status, reportedState, work.now);
  const after = isStale ? withReadSoon(view, work.now) : view;
  if (!differs(before, after)) return before;
  if (before.status === 'incomplete' && isOpen(after)) {
    const { scope } = work.connection;
    const open = await findOpenSubscription(work.trx, scope, before.customerId, before.planGroupId);
    if (open !== undefined) return refuseToStart(work, before, open.id);
  }
  return write(work, before, after, consequences);
}

/** Records that the payment of a period is not missing, because it is no longer owed. */
async function noteForgiven(
  { trx, connection: { scope } }: Reconciliation,
  { id }: BilledSubscription,
  { forgivenAt }: SubscriptionFacts,
): Promise<void> {
  if (forgivenAt === undefined) return;
  await savePaymentsRead(trx, scope, id, { until: null, nothingDueAt: forgivenAt, at: null });
}

/** Returns the subscription's fields for a recorded change. */
function comparedFields(row: BilledSubscription): Record<string, unknown> {
  return {
    status: row.status,
    currentPeriodStart: timeText(row.currentPeriodStart),
    currentPeriodEnd: timeText(row.currentPeriodEnd),
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    cancelAt: timeText(row.cancelAt),
    pastDueSince: timeText(row.pastDueSince),
    trialEnd: timeText(row.trialEnd),
    planId: row.planId,
    seats: row.seats,
    scheduledPlanId: row.scheduled?.planId ?? null,
    scheduledSeats: row.scheduled?.seats ?? null,
    approvalAwaited: row.work.request !== null,
  };
}

function differs(before: BilledSubscription, after: BilledSubscription): boolean {
  const [from, to] = [before, after].map((row) =>
    JSON.stringify([comparedFields(row), row.work, row.unitAmount.toString()]),
  );
  return from !== to;
}

function isOpen({ status }: Pick<BilledSubscription, 'status'>): boolean {
  return OPEN_SUBSCRIPTION_STATUSES.includes(status);
}

async function write(
  work: Reconciliation,
  before: BilledSubscription,
  decided: BilledSubscription,
  consequences: readonly Consequence[],
): Promise<BilledSubscription> {
  const { trx, connection, now } = work;
  const { scope } = connection;
  const voided = hasEnded(decided.status) ? await voidOpenTransactions(trx, scope, before.id, now) : [];
  if (before.status === 'incomplete') await closeCheckout(work, decided);
  const isApplied = consequences.some(({ kind }) => kind === 'applied');
  const changedAt = isApplied ? appliedFrom(before, decided, now) : now;
  const after = await saveBilledSubscription(trx, scope, decided, changedAt);
  noteChanges(work.changes, after.id, comparedFields(before), comparedFields(after));
  for (const consequence of consequences) await recordConsequence(work, before, after, consequence);
  if (isEventDue(before, after, consequences)) {
    await recordReconciledSubscription(work, before, after, { voidedTransactions: voided });
  }
  await signalSubscription(work, after.id);
  return after;
}

async function closeCheckout(work: Reconciliation, after: BilledSubscription): Promise<void> {
  const { trx, connection } = work;
  if (isOpen(after)) await markCheckoutComplete(trx, connection.scope, after.id, work);
  else await expireCheckoutOf(trx, connection.scope, after.id, work);
}

/** Wakes the workflow to read the row: through the outbox, or through the sweep if the outbox gives up. */
export async function signalSubscription(
  { trx, connection, now }: Reconciliation,
  subscriptionId: string,
): Promise<void> {
  const { scope } = connection;
  await wakeSubscription(trx, scope, subscriptionId, now);
  await enqueueSubscriptionSignal(trx, scope, subscriptionId);
}

async function expireIncomplete(
  work: Reconciliation,
  before: BilledSubscription,
): Promise<BilledSubscription> {
  const { trx, connection, now: at, recordedAt } = work;
  const expiry = { why: 'deadline', at, recordedAt, source: 'billing' } as const;
  const after = await expireCheckout(trx, connection.scope, before, expiry);
  noteChanges(work.changes, after.id, comparedFields(before), comparedFields(after));
  await signalSubscription(work, after.id);
  return after;
}

/**
 * Reports a second paid subscription without starting it, because a plan group has at most one open subscription. Its
 * payment stays on record.
 */
async function refuseToStart(
  work: Reconciliation,
  before: BilledSubscription,
  openId: string,
): Promise<BilledSubscription> {
  const { trx, connection, now } = work;
  const { scope } = connection;
  work.notes.push(
    `${before.id} is paid at the provider but was not started, because ${openId} in the same plan group is open. Cancel and refund it at the provider, or end the other subscription and subscribe again.`,
  );
  const after = await saveBilledSubscription(trx, scope, takeStep(before, 'expire_checkout'), now);
  await markCheckoutComplete(trx, scope, after.id, work);
  noteChanges(work.changes, after.id, comparedFields(before), comparedFields(after));
  await recordReconciledSubscription(work, before, after, { openSubscriptionId: openId });
  return after;
}
