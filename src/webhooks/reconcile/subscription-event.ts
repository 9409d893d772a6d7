import { factOfChange, type ChangeKind } from '../../domain/announced-facts';
import type { EventStatus } from '../../domain/event-types';
import { displayPlan } from '../../domain/display-text';
import type { Consequence } from '../../domain/reconciled-view';
import { endsAt } from '../../domain/pending-cancellation';
import { hasEnded } from '../../domain/subscription-types';
import { recordProviderSyncEvent } from '../../subscriptions/at-provider/provider-sync-event';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { hasHistoryEntry } from '../../subscriptions/subscription-history-store';
import { eventsOf, type EventContent } from './events-of-facts';
import type { Reconciliation } from './reconciliation';

type Occasion = Pick<Reconciliation, 'trx' | 'connection' | 'now' | 'recordedAt'>;

/**
 * Writes the effects of the provider's facts on a subscription to its history and the developer events. One reading may
 * report several, such as a renewal together with its failed payment.
 */
export async function recordReconciledSubscription(
  work: Occasion & Pick<Reconciliation, 'current'>,
  before: BilledSubscription,
  after: BilledSubscription,
  data: Readonly<Record<string, unknown>> & { openSubscriptionId?: string },
): Promise<void> {
  const { isSuspended = false, isCompleted = false } = work.current.subscription ?? {};
  const occasion = { openId: data.openSubscriptionId ?? null, isSuspended, isCompleted };
  await recordEvents(work, after, eventsOf(before, after, occasion), data);
}

/**
 * Does the same for the facts of a repair, except for its end and for what is announced as a change: the entry of the
 * repair reports those.
 *
 * @param isSuspended whether the provider has suspended its payments, and none has failed
 */
export async function recordRepairedSubscription(
  work: Occasion,
  before: BilledSubscription,
  after: BilledSubscription,
  isSuspended: boolean,
): Promise<void> {
  if (hasEnded(before.status) || hasEnded(after.status)) return;
  const events = eventsOf(before, after, { openId: null, isSuspended }).filter(
    ({ kind }) => factOfChange(kind, { subscriptionId: after.id })?.type !== 'subscription.changed',
  );
  await recordEvents(work, after, events, {});
}

/** Records a renewal whose period a command has taken over with its own effect. */
export async function recordRenewal(
  work: Occasion,
  before: BilledSubscription,
  after: BilledSubscription,
): Promise<void> {
  const events = eventsOf(before, after, { openId: null, isSuspended: false });
  await recordEvents(
    work,
    after,
    events.filter(({ kind }) => kind === 'period_turned'),
    {},
  );
}

async function recordEvents(
  { trx, connection, now: at, recordedAt }: Occasion,
  after: BilledSubscription,
  events: readonly EventContent[],
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { cancelAtPeriodEnd } = after;
  for (const content of events) {
    await recordProviderSyncEvent(trx, connection.scope, after, {
      ...content,
      at,
      recordedAt,
      data: { connectionId: connection.id, cancelAtPeriodEnd, ...data },
    });
  }
}

/** Records once that the provider still bills a subscription that has ended here, as after a late approval. */
export async function recordStillBilled(
  { trx, connection, now: at, recordedAt }: Reconciliation,
  row: BilledSubscription,
): Promise<void> {
  const kind = 'provider_still_bills';
  if (await hasHistoryEntry(trx, connection.scope, row.id, kind)) return;
  const { externalId, status, providerReference } = row;
  await recordProviderSyncEvent(trx, connection.scope, row, {
    kind,
    message: `The payment provider bills ${externalId}'s ${displayPlan(row)}, which is ${status} here. Cancel it at the provider and refund the payment, or subscribe again.`,
    at,
    recordedAt,
    data: { connectionId: connection.id, providerReference },
  });
}

/** Records the result of a requested or scheduled change in the history and as a developer event. */
export async function recordConsequence(
  { trx, connection, now: at, recordedAt }: Occasion,
  before: BilledSubscription,
  after: BilledSubscription,
  { kind, terms }: Consequence,
): Promise<void> {
  const event = EVENTS[kind];
  const { planId, planSlug: plan, seats } = terms;
  await recordProviderSyncEvent(trx, connection.scope, after, {
    kind: event.kind,
    status: event.status,
    message: event.message(after.externalId, displayPlan(terms), displayPlan(before)),
    at,
    recordedAt,
    data: {
      connectionId: connection.id,
      [kind === 'withdrawn' ? 'withdrawn' : 'to']: { planId, plan, seats },
    },
  });
}

interface ConsequenceEvent {
  kind: ChangeKind;
  status: EventStatus;
  message: (who: string, to: string, from: string) => string;
}

const EVENTS: Record<Consequence['kind'], ConsequenceEvent> = {
  approved: {
    kind: 'change_confirmed',
    status: 'OK',
    message: (who, to) => `${who} confirmed the change to ${to}, which takes effect at the next renewal.`,
  },
  approved_late: {
    kind: 'change_confirmed_late',
    status: 'OK',
    message: (who, to) =>
      `${who} confirmed the change to ${to} after it had been dropped. It takes effect at the next renewal anyway.`,
  },
  applied: {
    kind: 'scheduled_change_applied',
    status: 'OK',
    message: (who, to, from) => `${who} changed from ${from} to ${to}, as scheduled.`,
  },
  undone: {
    kind: 'scheduled_change_missed',
    status: 'ERROR',
    message: (who, to, from) =>
      `${who} renewed on ${from}: the payment provider no longer shows the change to ${to}. The change now waits for the next renewal. Compare the subscription with the provider’s and repair what differs.`,
  },
  withdrawn: {
    kind: 'scheduled_change_withdrawn',
    status: 'OK',
    message: (who, to) => `${who}'s scheduled change to ${to} was withdrawn.`,
  },
  unprepared: {
    kind: 'scheduled_change_missed',
    status: 'ERROR',
    message: (who, to, from) =>
      `${who} renewed on ${from}: the change to ${to} had not reached the payment provider. It now waits for the next renewal.`,
  },
};

/** Returns whether the provider's facts themselves need an event; a change of plan or seats has its own. */
export function isEventDue(
  before: BilledSubscription,
  after: BilledSubscription,
  consequences: readonly Consequence[],
): boolean {
  if (isOwnCommand(before, after)) return false;
  return (
    consequences.length === 0 ||
    before.status !== after.status ||
    before.currentPeriodEnd !== after.currentPeriodEnd ||
    before.cancelAtPeriodEnd !== after.cancelAtPeriodEnd ||
    endsAt(before) !== endsAt(after)
  );
}

/** Returns whether our own command caused the change: the command records it when it is concluded. */
function isOwnCommand({ work, ...before }: BilledSubscription, after: BilledSubscription): boolean {
  if (before.currentPeriodEnd !== after.currentPeriodEnd) return false;
  switch (work.unsettled?.intent.kind) {
    case 'cancel':
      return hasEnded(after.status) || (after.status === before.status && after.cancelAtPeriodEnd);
    case 'reactivate':
      return after.status === before.status && endsAt(after) === null;
    default:
      return false;
  }
}
