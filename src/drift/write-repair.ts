import { hasEnded } from '../domain/subscription-types';
import type { DbTransaction } from '../db/pools';
import type { Drift } from '../domain/drift';
import type { RepairTake } from '../domain/drift-repair';
import { displayPlan } from '../domain/display-text';
import type { Consequence } from '../domain/reconciled-view';
import { appliedFrom } from '../domain/change-at-renewal';
import { isSamePlanAndSeats } from '../domain/same-plan-and-seats';
import { droppedChanges, upcomingChanges } from '../domain/upcoming-changes';
import type { OperationContext, OperationOutcome } from '../subscriptions/operation-handler';
import { recordCommandEffect } from '../subscriptions/record-command-effect';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import { saveBilledSubscription } from '../subscriptions/save-subscription-store';
import { toSubscriptionResource } from '../subscriptions/subscription-resource';
import { findSubscription } from '../subscriptions/subscription-store';
import { voidOpenTransactions } from '../subscriptions/transaction-store';
import { recordWithdrawal } from '../subscriptions/withdraw-scheduled-change';
import { toTime, toTimeOrNull } from '../schemas/instant';
import { recordConsequence, recordRepairedSubscription } from '../webhooks/reconcile/subscription-event';
import type { RepairResource } from './drift-resource';
import { writeFinding } from './drift-store';
import { repairCommand } from './repair-command';
import { withUnpaidPeriod } from './with-unpaid-period';
import { requireWritten } from '../subscriptions/require-subscription';

/** A subscription before and after a repair, and which side was taken. */
export interface Repair {
  before: BilledSubscription;
  next: BilledSubscription;
  take: RepairTake;
  /** Results of scheduled or requested changes, according to the reading. */
  consequences: readonly Consequence[];
  /** Whether the provider has suspended its payments, and none has failed. */
  isSuspended: boolean;
}

/**
 * Writes a repair in the open transaction: the row, withdrawn changes and voided transactions, history, developer event
 * and audit record with both sides, and the answer.
 *
 * @param compared returns the remaining differences afterwards
 */
export async function writeRepair(
  trx: DbTransaction,
  context: OperationContext,
  { before, next, take, consequences, isSuspended }: Repair,
  compared: (after: BilledSubscription) => Drift,
): Promise<OperationOutcome> {
  const { actor, now } = context;
  const { scope } = actor;
  const ends = !hasEnded(before.status) && hasEnded(next.status);
  const voidedTransactions = ends ? await voidOpenTransactions(trx, scope, next.id, now) : [];
  const isApplied = consequences.some(
    ({ kind, terms }) => kind === 'applied' && isSamePlanAndSeats(terms, next),
  );
  await saveBilledSubscription(trx, scope, next, isApplied ? appliedFrom(before, next, now) : now);
  const after = requireWritten(await findSubscription(trx, scope, next.id));
  const drift = await withUnpaidPeriod(trx, scope, after, compared(after));
  if (drift.inSync === true) await writeFinding(trx, scope, after.id, null);
  await recordReading(trx, context, { before, after, consequences, isSuspended });
  // A scheduled change is also replaced by one that the customer has confirmed, which its own entry reports.
  const dropped = upcomingChanges(after).length === 0 ? droppedChanges(before, after) : [];
  for (const withdrawn of dropped) {
    const isRecorded = consequences.some(
      ({ kind, terms }) =>
        kind === 'withdrawn' ||
        ((kind === 'applied' || kind === 'approved') && isSamePlanAndSeats(terms, withdrawn)),
    );
    if (!isRecorded) await recordWithdrawal(trx, context, after, withdrawn);
  }
  const [was, is] = [shown(before), shown(after)];
  const changes = changesOf(was, is);
  const { found } = repairCommand.parse(context.operation.input);
  if (changes.length > 0 || (take === 'local' && found.length > 0)) {
    const data = { take, found, before: was, after: is, voidedTransactions };
    const end = after.status === 'expired' ? 'expired' : 'cancelled';
    await recordCommandEffect(trx, context, after, {
      kind: 'repaired',
      message: inWords(after, take),
      data,
      ...(ends && { announcedAs: end }),
    });
  }
  const body: RepairResource = {
    subscription: toSubscriptionResource(after, now),
    take,
    changes,
    ...drift,
  };
  return { status: 200, body, subscription: after };
}

/** Records the consequences and a renewal or a failed payment, as a webhook with the same reading would have. */
async function recordReading(
  trx: DbTransaction,
  { actor: { scope }, now, recordedAt }: OperationContext,
  {
    before,
    after,
    consequences,
    isSuspended,
  }: Pick<Repair, 'before' | 'consequences' | 'isSuspended'> & { after: BilledSubscription },
): Promise<void> {
  const { connectionId, provider } = after;
  if (connectionId === null || provider === 'internal') return;
  const work = { trx, connection: { scope, id: connectionId, provider }, now, recordedAt };
  for (const consequence of consequences) await recordConsequence(work, before, after, consequence);
  await recordRepairedSubscription(work, before, after, isSuspended);
}

function inWords(after: BilledSubscription, take: RepairTake): string {
  const { externalId, status } = after;
  const state = `${displayPlan(after)}, ${status}`;
  return take === 'provider'
    ? `${externalId}'s subscription was updated from the payment provider: ${state}.`
    : `The payment provider was updated to ${externalId}'s subscription here: ${state}.`;
}

type Shown = Record<string, string | number | boolean | null>;

function shown(row: BilledSubscription): Shown {
  return {
    status: row.status,
    plan: row.planSlug,
    seats: row.seats,
    unitAmount: row.unitAmount.toString(),
    interval: row.interval,
    currentPeriodStart: toTime(row.currentPeriodStart),
    currentPeriodEnd: toTime(row.currentPeriodEnd),
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    cancelAt: toTimeOrNull(row.cancelAt),
    pastDueSince: toTimeOrNull(row.pastDueSince),
    scheduledPlan: row.scheduled?.planSlug ?? null,
    scheduledSeats: row.scheduled?.seats ?? null,
    approvalAwaited: row.work.request !== null,
  };
}

function changesOf(was: Shown, is: Shown): RepairResource['changes'] {
  return Object.keys(is).flatMap((field) => {
    const [from, to] = [was[field] ?? null, is[field] ?? null];
    return from === to ? [] : [{ field, from, to }];
  });
}
