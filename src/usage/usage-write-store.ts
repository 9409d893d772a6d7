import type { Statement } from '../db/pipeline';
import {
  INSERT_DEVELOPER_EVENTS,
  insertDeveloperEvents,
  type PreparedEvent,
} from '../events/developer-event-batch-store';
import { formatDecimal, type Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import type { ResetInterval } from '../domain/period';
import type { WorkspaceScope } from '../tenancy/scope';

/** A counter's identity within its workspace. */
export interface CounterKey {
  customerId: string;
  featureId: string;
  subscriptionId: string;
  resetInterval: ResetInterval;
  periodStart: Instant;
}

export interface Tally {
  quota: Decimal;
  credits: Decimal;
  overage: Decimal;
}

/** A counter as it was read and as it shall be; `was` is null for a period's first use. */
export interface CounterChange extends CounterKey {
  was: Tally | null;
  becomes: Tally;
}

const timestamp = (instant: Instant): string => new Date(instant).toISOString();

/** A use that is recorded; its idempotency key is its identity. */
export interface UsageEvent {
  key: string;
  fingerprint: Buffer;
  id: string;
  customerId: string;
  featureId: string;
  quantity: Decimal;
  source: string;
  deductions: string;
  answer: string;
}

/** Everything that the granted tracks of a batch change. */
export interface TrackWrites {
  counters: readonly CounterChange[];
  /** Credits to take, by grant. */
  credits: ReadonlyMap<string, Decimal>;
  events: readonly UsageEvent[];
  developerEvents: readonly PreparedEvent[];
}

/**
 * Writes them in one statement. A counter or grant that is no longer what was read ends the transaction (40001),
 * as does a counter or key that somebody else just made (23505).
 */
export function writeTracks(
  scope: WorkspaceScope,
  writes: TrackWrites,
  decidedAt: Instant,
  createdAt: Instant,
): Statement {
  const { counters, credits, events } = writes;
  const developerEvents = insertDeveloperEvents(scope, writes.developerEvents, createdAt);
  return {
    name: 'usage-write-tracks',
    text: WRITE_TRACKS,
    values: [
      ...developerEvents.values,
      timestamp(decidedAt),
      counters.map((change) => change.customerId),
      counters.map((change) => change.featureId),
      counters.map((change) => change.subscriptionId),
      counters.map((change) => change.resetInterval),
      counters.map((change) => timestamp(change.periodStart)),
      counters.map((change) => formatDecimal(change.becomes.quota)),
      counters.map((change) => formatDecimal(change.becomes.credits)),
      counters.map((change) => formatDecimal(change.becomes.overage)),
      counters.map((change) => (change.was === null ? null : formatDecimal(change.was.quota))),
      counters.map((change) => (change.was === null ? null : formatDecimal(change.was.credits))),
      counters.map((change) => (change.was === null ? null : formatDecimal(change.was.overage))),
      [...credits.keys()],
      [...credits.values()].map(formatDecimal),
      events.map((event) => event.key),
      events.map((event) => event.fingerprint),
      events.map((event) => event.id),
      events.map((event) => event.customerId),
      events.map((event) => event.featureId),
      events.map((event) => formatDecimal(event.quantity)),
      events.map((event) => event.source),
      events.map((event) => event.deductions),
      events.map((event) => event.answer),
    ],
  };
}

const WRITE_TRACKS = `
WITH written AS (${INSERT_DEVELOPER_EVENTS}),
change AS (
  SELECT * FROM unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[], $16::numeric[], $17::numeric[],
                       $18::numeric[], $19::numeric[], $20::numeric[], $21::numeric[])
    AS c (customer_id, feature_id, subscription_id, reset_interval, period_start, quota_used, credit_used, overage_used,
          quota_was, credit_was, overage_was)),
counted AS (
  UPDATE tollgate.usage_counters n
     SET quota_used = c.quota_used, credit_used = c.credit_used, overage_used = c.overage_used, updated_at = $10
    FROM change c
   WHERE n.workspace_id = $1 AND n.environment = $2 AND n.customer_id = c.customer_id AND n.feature_id = c.feature_id
     AND n.subscription_id = c.subscription_id AND n.reset_interval = c.reset_interval AND n.period_start = c.period_start
     AND n.quota_used = c.quota_was AND n.credit_used = c.credit_was AND n.overage_used = c.overage_was
  RETURNING 1),
started AS (
  INSERT INTO tollgate.usage_counters (workspace_id, environment, customer_id, feature_id, subscription_id, reset_interval,
    period_start, quota_used, credit_used, overage_used, updated_at)
  SELECT $1, $2, c.customer_id, c.feature_id, c.subscription_id, c.reset_interval, c.period_start, c.quota_used, c.credit_used,
         c.overage_used, $10
    FROM change c WHERE c.quota_was IS NULL
  RETURNING 1),
spent AS (
  UPDATE tollgate.credit_grants g SET remaining = g.remaining - d.credits
    FROM unnest($22::text[], $23::numeric[]) AS d (id, credits)
   WHERE g.workspace_id = $1 AND g.environment = $2 AND g.id = d.id AND g.remaining >= d.credits
  RETURNING 1),
recorded AS (
  INSERT INTO tollgate.usage_events (workspace_id, environment, recorded_at, idempotency_key, fingerprint, id, customer_id,
    feature_id, quantity, source, deductions, answer)
  SELECT $1, $2, $10, e.*
    FROM unnest($24::text[], $25::bytea[], $26::text[], $27::text[], $28::text[], $29::numeric[], $30::text[], $31::json[],
                $32::json[]) AS e)
SELECT tollgate.assert_row_count((SELECT count(*) FROM counted) + (SELECT count(*) FROM started), cardinality($11::text[])),
       tollgate.assert_row_count((SELECT count(*) FROM spent), cardinality($22::text[]))`;
