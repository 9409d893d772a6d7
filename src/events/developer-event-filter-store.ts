import { dateOrNull } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { EventStatus, EventType } from '../domain/event-types';
import type { Instant } from '../domain/instant';
import { timeOfIdentifier } from '../identifiers/identifier';
import type { WorkspaceScope } from '../tenancy/actor';

/** Filters of a history. An event must match all of them. */
export interface EventFilters {
  eventType?: EventType | undefined;
  status?: EventStatus | undefined;
  /** Matches a part of `message` or `source`, ignoring case, or the id of the event. */
  search?: string | undefined;
  decisionId?: string | undefined;
  requestId?: string | undefined;
  customerId?: string | undefined;
  /** The customer's external id. Finds a customer's events whether or not they contain it. */
  externalId?: string | undefined;
  subscriptionId?: string | undefined;
  /** Real time, inclusive. */
  from?: Instant | undefined;
  /** Real time, exclusive. */
  to?: Instant | undefined;
}

/** SQL conditions, over the bindings of `filterBindings`. */
export interface EventConditions {
  /** Conditions served by an index, or that limit the time. A customer is looked up separately. */
  looked: string[];
  /** Conditions checked on each row that was looked up. */
  matched: string[];
}

/** Types written by every check and track. An index on them would be no smaller than the table. */
const HOT_TYPES: readonly string[] = ['USAGE_CHECKED', 'USAGE_TRACKED'] satisfies EventType[];

/**
 * An event of a request is written while the request is served, or while the command that it submitted is carried out.
 * Allows for clocks adjusted in between.
 */
const REQUEST_WINDOW = { before: 60_000, after: 300_000 };
/** An event gets its id and its time in the same transaction. */
const EVENT_WINDOW = { before: 60_000, after: 300_000 };
/** An event of a decision is written at the same moment, by the same process. */
const DECISION_WINDOW = { before: 60_000, after: 60_000 };

/**
 * Returns the customer whose index finds the events: the one named directly, or by externalId or subscription. Null if
 * the filters name no customer; undefined if no customer matches them all, so that no event does.
 */
export async function customerOfFilters(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { customerId, externalId, subscriptionId }: EventFilters,
): Promise<string | null | undefined> {
  const tenant = tenantColumns(scope);
  const named = new Set<string | undefined>();
  if (customerId !== undefined) named.add(customerId);
  if (externalId !== undefined) {
    const row = await trx('tollgate.customers')
      .where({ ...tenant, external_id: externalId })
      .first<{ id: string } | undefined>('id');
    named.add(row?.id);
  }
  if (subscriptionId !== undefined) {
    const row = await trx('tollgate.subscriptions')
      .where({ ...tenant, id: subscriptionId })
      .first<{ id: string } | undefined>({ id: 'customer_id' });
    named.add(row?.id);
  }
  if (named.size > 1) return undefined;
  return named.size === 0 ? null : [...named][0];
}

/** Real time in which the events that match were written; null: without limit. */
interface EventWindow {
  from: Instant | null;
  to: Instant | null;
}

/** Returns the requested time range, narrowed to the times that ids carry, so that other days are not read. */
export async function windowOfFilters(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { from, to, decisionId, search, requestId }: EventFilters,
): Promise<EventWindow> {
  const starts = from === undefined ? [] : [from];
  const ends = to === undefined ? [] : [to];
  const bound = (first: Instant | null, { before, after }: typeof EVENT_WINDOW, last = first): void => {
    if (first === null) return;
    starts.push(first - before);
    if (last !== null) ends.push(last + after);
  };
  if (decisionId !== undefined) bound(timeOfIdentifier('decision', decisionId), DECISION_WINDOW);
  // Null for any other text, which carries no time.
  if (search !== undefined) bound(timeOfIdentifier('developerEvent', search), EVENT_WINDOW);
  const requestedAt = requestId === undefined ? null : timeOfIdentifier('request', requestId);
  if (requestId !== undefined && requestedAt !== null)
    bound(requestedAt, REQUEST_WINDOW, await endOfRequest(trx, scope, requestId, requestedAt));
  return {
    from: starts.length === 0 ? null : Math.max(...starts),
    to: ends.length === 0 ? null : Math.min(...ends),
  };
}

/**
 * Returns when a request's last event was written: when the command that it submitted ended, which may be long after
 * it was answered 202. Null if the command is open.
 */
async function endOfRequest(
  trx: DbTransaction,
  scope: WorkspaceScope,
  requestId: string,
  requestedAt: Instant,
): Promise<Instant | null> {
  const commands = await trx('tollgate.operations')
    .where({ ...tenantColumns(scope), request_id: requestId })
    .select<{ finishedAt: Instant | null }[]>({ finishedAt: 'finished_at' });
  return commands.reduce<Instant | null>(
    (last, { finishedAt }) => (last === null || finishedAt === null ? null : Math.max(last, finishedAt)),
    requestedAt,
  );
}

/** Whether the filter names a decision id that is malformed: it carries no time, so nothing needs to be read. */
export function isOfNoDecision({ decisionId }: EventFilters): boolean {
  return decisionId !== undefined && timeOfIdentifier('decision', decisionId) === null;
}

/** @param customer result of `customerOfFilters` */
export function conditionsOf(
  filters: EventFilters,
  customer: string | null,
  window: EventWindow,
): EventConditions {
  const looked: string[] = [];
  const matched: string[] = [];
  const { eventType, status, search } = filters;
  // A query uses one index, so a second condition is checked per row: two indexed ones would be an unbounded scan.
  const isLookedUp = (): boolean => customer !== null || looked.length > 0;
  if (eventType !== undefined) {
    if (isLookedUp() || HOT_TYPES.includes(eventType)) matched.push('type = :eventType');
    // The planner uses a partial index only if it can see that the value belongs to it.
    else looked.push(`type = :eventType AND type NOT IN ('USAGE_CHECKED', 'USAGE_TRACKED')`);
  }
  if (status !== undefined) {
    if (status === 'OK' || isLookedUp()) matched.push('status = :status');
    else looked.push(`status = :status AND status <> 'OK'`);
  }
  for (const member of ['decisionId', 'requestId', 'subscriptionId'] as const) {
    if (filters[member] !== undefined) matched.push(`(data ->> '${member}') = :${member}`);
  }
  if (search !== undefined) matched.push('(message ILIKE :pattern OR source ILIKE :pattern OR id = :search)');
  if (window.from !== null) looked.push('created_at >= :from');
  if (window.to !== null) looked.push('created_at < :to');
  return { looked, matched };
}

/** Returns the values bound by the conditions. */
export function filterBindings(
  filters: EventFilters,
  customer: string | null,
  { from, to }: EventWindow,
): Record<string, unknown> {
  const { eventType, status, search, decisionId, requestId, subscriptionId } = filters;
  return {
    eventType,
    status,
    decisionId,
    requestId,
    subscriptionId,
    customer,
    search: search ?? '',
    pattern: search === undefined ? '' : `%${escapeLike(search)}%`,
    from: dateOrNull(from),
    to: dateOrNull(to),
  };
}

/** Escapes the characters that are special in LIKE. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
