import type { EventStatus } from '../../domain/event-types';
import { planInWords } from '../../domain/plain-words';
import type { Consequence } from '../../domain/provider-reconciliation';
import { recordProviderSyncEvent } from '../../subscriptions/at-provider/provider-sync-event';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import type { Reconciliation } from './reconciliation';

/** Says what became of a change that was asked for or scheduled, in the history and the developer events. */
export async function recordConsequence(
  { trx, connection, now: at, recordedAt }: Reconciliation,
  before: BilledSubscription,
  after: BilledSubscription,
  { kind, terms }: Consequence,
): Promise<void> {
  const event = EVENTS[kind];
  const { planId, planSlug: plan, seats } = terms;
  await recordProviderSyncEvent(trx, connection.scope, after, {
    kind: event.kind,
    status: event.status,
    message: event.message(after.externalId, planInWords(terms), planInWords(before)),
    at,
    recordedAt,
    data: { connectionId: connection.id, to: { planId, plan, seats } },
  });
}

interface ConsequenceEvent {
  kind: string;
  status: EventStatus;
  message: (who: string, to: string, from: string) => string;
}

const EVENTS: Record<Consequence['kind'], ConsequenceEvent> = {
  approved: {
    kind: 'change_confirmed',
    status: 'OK',
    message: (who, to) => `${who} confirmed the change to ${to}; it comes with the next renewal.`,
  },
  approved_late: {
    kind: 'change_confirmed_late',
    status: 'OK',
    message: (who, to) =>
      `${who} confirmed the change to ${to}, which was not waited for any more; it comes with the next renewal all the same.`,
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
      `${who} renewed on ${from}: the payment provider does not show the change to ${to} that was confirmed there. It waits for the next renewal; compare the two, and repair what differs.`,
  },
  unprepared: {
    kind: 'scheduled_change_missed',
    status: 'ERROR',
    message: (who, to, from) =>
      `${who} renewed on ${from}: the payment provider had not been told of the change to ${to}, which now waits for the next renewal.`,
  },
};
