import { together, type Call } from '../db/calls';
import { createdWithin } from '../db/created-within';
import type { TimeRange } from '../pagination/time-range';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Announcement } from '../announcements/announcement-store';
import { factOfChange, type ChangeKind } from '../domain/announced-facts';
import { insertCall } from '../db/write-calls';
import type { EventStatus, EventType } from '../domain/event-types';
import type { Instant } from '../domain/instant';
import { developerEventCall, recordDeveloperEvent } from '../events/developer-event-store';
import { newIdentifier } from '../identifiers/identifier';
import type { Actor, WorkspaceScope } from '../tenancy/actor';

/** An event of a subscription, for its history and for the developer events. */
export interface SubscriptionEvent {
  subscriptionId: string;
  /** In the past tense: `period_turned`. Selects the integrator event. */
  kind: ChangeKind;
  type: EventType;
  status: EventStatus;
  /** A sentence for people. */
  message: string;
  source: 'api' | 'console' | 'portal' | 'billing';
  /** Ids, names, amounts as text; no secret. */
  data: Readonly<Record<string, unknown>>;
  /** The kind reported to integrators, if it differs from `kind`; null: nothing is reported. */
  announcedAs?: ChangeKind | null;
}

/** When it happened: the workspace's time, and real time for developer events. */
export interface EventTimes {
  happenedAt: Instant;
  recordedAt: Instant;
}

/** Times of an operator's or application's command: it happens when it is received. */
export function timesOf({ now, receivedAt }: Actor): EventTimes {
  return { happenedAt: now, recordedAt: receivedAt };
}

/** Writes the subscription's history and a developer event into the open transaction. */
export async function recordSubscriptionEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  entry: SubscriptionEvent,
  times: EventTimes,
): Promise<void> {
  await together(trx, subscriptionEventCalls(scope, entry, times));
}

/** Builds the calls of `recordSubscriptionEvent`. */
export function subscriptionEventCalls(
  scope: WorkspaceScope,
  entry: SubscriptionEvent,
  times: EventTimes,
): [Call<void>, Call<void>] {
  const { subscriptionId, kind, type, status, message, source, data } = entry;
  const event = { type, status, message, source, data: { subscriptionId, change: kind, ...data } };
  const announces = announcementsOf(entry, times);
  return [
    historyCall(scope, entry, times),
    developerEventCall(scope, { ...event, announces }, times.recordedAt),
  ];
}

/** Returns the integrator events to announce. */
function announcementsOf(
  {
    kind,
    subscriptionId,
    data,
    announcedAs = kind,
  }: Pick<SubscriptionEvent, 'kind' | 'data' | 'announcedAs'> & { subscriptionId: string | null },
  { happenedAt }: EventTimes,
): Omit<Announcement, 'eventId'>[] {
  const { paymentId, refundId } = data;
  const subject = { subscriptionId, paymentId: textOf(paymentId), refundId: textOf(refundId) };
  const fact = announcedAs === null ? null : factOfChange(announcedAs, subject);
  return fact === null ? [] : [{ ...fact, happenedAt }];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * Writes a money event into the open transaction: a developer event, and an entry in its subscription's history if it
 * has one.
 */
export async function recordBillingEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { subscriptionId, ...entry }: Omit<SubscriptionEvent, 'subscriptionId'> & { subscriptionId: string | null },
  times: EventTimes,
): Promise<void> {
  if (subscriptionId !== null) {
    await recordSubscriptionEvent(trx, scope, { ...entry, subscriptionId }, times);
    return;
  }
  const { type, status, message, source, data } = entry;
  const announces = announcementsOf({ ...entry, subscriptionId }, times);
  await recordDeveloperEvent(
    trx,
    scope,
    { type, status, message, source, data, announces },
    times.recordedAt,
  );
}

/** Writes only the subscription's history, for an event already reported as a developer event. */
export async function recordHistory(
  trx: DbTransaction,
  scope: WorkspaceScope,
  entry: HistoryEntry,
  times: EventTimes,
): Promise<void> {
  await together(trx, [historyCall(scope, entry, times)]);
}

type HistoryEntry = Pick<SubscriptionEvent, 'subscriptionId' | 'kind' | 'message' | 'data'>;

function historyCall(
  scope: WorkspaceScope,
  { subscriptionId, kind, message, data }: HistoryEntry,
  { happenedAt, recordedAt }: EventTimes,
): Call<void> {
  return insertCall('subscription_history', 'tollgate.subscription_history', {
    ...tenantColumns(scope),
    id: newIdentifier('history'),
    subscription_id: subscriptionId,
    kind,
    message,
    data: JSON.stringify(data),
    happened_at: new Date(happenedAt),
    created_at: new Date(recordedAt),
  });
}

/** Returns whether the subscription's history has an entry of this kind. */
export async function hasHistoryEntry(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  kind: string,
): Promise<boolean> {
  const found = await trx('tollgate.subscription_history')
    .where({ ...tenantColumns(scope), subscription_id: subscriptionId, kind })
    .first<{ id: string } | undefined>('id');
  return found !== undefined;
}

export interface HistoryRow {
  id: string;
  /** A bigint as text; ascending in the order of events. */
  sequence: string;
  kind: string;
  message: string;
  data: Record<string, unknown>;
  happenedAt: Instant;
}

/** Lists the history, newest first. */
export async function listHistory(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  page: TimeRange & { limit: number; before?: string },
): Promise<HistoryRow[]> {
  const query = trx('tollgate.subscription_history')
    .where({ ...tenantColumns(scope), subscription_id: subscriptionId })
    .orderBy('sequence', 'desc')
    .limit(page.limit)
    .select<HistoryRow[]>({
      id: 'id',
      sequence: 'sequence',
      kind: 'kind',
      message: 'message',
      data: 'data',
      happenedAt: 'happened_at',
    });
  createdWithin(query, 'happened_at', page);
  if (page.before !== undefined) void query.where('sequence', '<', page.before);
  return query;
}
