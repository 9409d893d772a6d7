import type { Times } from '../clock/times';
import type { Statement } from '../db/pipeline';
import { bytesArray, plainArray, textArray, textOrNullArray } from '../db/parameters';
import {
  INSERT_DEVELOPER_EVENTS,
  insertDeveloperEvents,
  jsonList,
  type PreparedEvent,
} from '../events/developer-event-batch-store';
import { formatDecimal, type Decimal } from '../domain/decimal';
import { isoText, type Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { unitsOf, type Tally } from './counter';
import type { CounterKey } from './past-usage-store';

/** A counter as read (all zero for a period's first use) and as it is to be written. */
export interface CounterChange extends CounterKey {
  was: Tally;
  becomes: Tally;
}

/** Credits that a batch takes from a grant, and the remaining credits. */
export interface CreditChange {
  grantId: string;
  spent: Decimal;
  remaining: Decimal;
}

const sum = (decimals: readonly Decimal[]): Decimal =>
  decimals.reduce((total, decimal) => total + decimal, 0n);

/** A use to be recorded, identified by its idempotency key. */
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
  /** Time of the use, if it differs from the time of recording. */
  usedAt: Instant | null;
  /** Whether its usage period was closed. */
  late: boolean;
  /** The text of a JSON object. */
  properties: string | null;
  /** The customer's entity that used it. */
  entity: string | null;
}

/** All changes of the granted tracks of a batch. */
export interface TrackWrites {
  counters: readonly CounterChange[];
  credits: readonly CreditChange[];
  events: readonly UsageEvent[];
  developerEvents: readonly PreparedEvent[];
}

/**
 * Writes the changes in one statement. The transaction is aborted if counters or grants do not end at the decided
 * values (40001), or if another transaction has just recorded a key (23505).
 */
export function writeTracks(scope: WorkspaceScope, writes: TrackWrites, times: Times): Statement {
  const { counters, credits, events } = writes;
  const developerEvents = insertDeveloperEvents(scope, writes.developerEvents, times);
  return {
    name: 'usage-write-tracks',
    text: WRITE_TRACKS,
    values: [
      ...developerEvents.values,
      plainArray(counters.map((change) => change.customerId)),
      plainArray(counters.map((change) => change.featureId)),
      plainArray(counters.map((change) => change.subscriptionId)),
      plainArray(counters.map((change) => change.resetInterval)),
      plainArray(counters.map((change) => isoText(change.periodStart))),
      plainArray(counters.map((change) => formatDecimal(change.becomes.quota - change.was.quota))),
      plainArray(counters.map((change) => formatDecimal(change.becomes.credits - change.was.credits))),
      plainArray(counters.map((change) => formatDecimal(change.becomes.overage - change.was.overage))),
      formatDecimal(sum(counters.map(({ becomes }) => unitsOf(becomes) + becomes.usedLater))),
      plainArray(credits.map((change) => change.grantId)),
      plainArray(credits.map((change) => formatDecimal(change.spent))),
      formatDecimal(sum(credits.map((change) => change.remaining))),
      textArray(events.map((event) => event.key)),
      bytesArray(events.map((event) => event.fingerprint)),
      plainArray(events.map((event) => event.id)),
      plainArray(events.map((event) => event.customerId)),
      plainArray(events.map((event) => event.featureId)),
      plainArray(events.map((event) => formatDecimal(event.quantity))),
      textArray(events.map((event) => event.source)),
      jsonList(events.map((event) => event.deductions)),
      jsonList(events.map((event) => event.answer)),
      plainArray(events.map(({ usedAt }) => (usedAt === null ? 'NULL' : isoText(usedAt)))),
      plainArray(events.map(({ late }) => (late ? 't' : 'f'))),
      jsonList(events.map(({ properties }) => properties ?? '')),
      plainArray(counters.map((change) => formatDecimal(change.becomes.rollover - change.was.rollover))),
      plainArray(counters.map((change) => formatDecimal(change.becomes.usedLater - change.was.usedLater))),
      plainArray(counters.map(({ becomes }) => becomes.alertedQuota ?? 'NULL')),
      plainArray(counters.map(({ becomes }) => String(becomes.alertedPercent ?? 'NULL'))),
      textOrNullArray(events.map(({ entity }) => entity)),
    ],
  };
}

/*
 * Counters are written with ON CONFLICT rather than UPDATE … FROM, because then the index finds each row, whatever the
 * planner estimates about the table's size.
 */
const WRITE_TRACKS = `
WITH written AS (${INSERT_DEVELOPER_EVENTS}),
counted AS (
  INSERT INTO tollgate.usage_counters AS n (workspace_id, environment, updated_at, customer_id, feature_id, subscription_id,
    reset_interval, period_start, quota_used, credit_used, overage_used, rollover_used, used_later, alerted_quota, alerted_percent)
  SELECT $1, $2, $10, c.*
    FROM unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[], $16::numeric[], $17::numeric[],
                $18::numeric[], $35::numeric[], $36::numeric[], $37::numeric[], $38::integer[]) AS c
  ON CONFLICT (workspace_id, environment, customer_id, feature_id, subscription_id, reset_interval, period_start) DO UPDATE
    SET quota_used = n.quota_used + EXCLUDED.quota_used, credit_used = n.credit_used + EXCLUDED.credit_used,
        overage_used = n.overage_used + EXCLUDED.overage_used, rollover_used = n.rollover_used + EXCLUDED.rollover_used,
        used_later = n.used_later + EXCLUDED.used_later,
        alerted_quota = EXCLUDED.alerted_quota, alerted_percent = EXCLUDED.alerted_percent, updated_at = EXCLUDED.updated_at
  RETURNING quota_used, credit_used, overage_used, rollover_used, used_later),
spent AS (
  UPDATE tollgate.credit_grants g
     SET remaining = g.remaining - ($21::numeric[])[array_position($20::text[], g.id)]
   WHERE g.workspace_id = $1 AND g.environment = $2 AND g.id = ANY ($20::text[])
  RETURNING remaining),
recorded AS (
  INSERT INTO tollgate.usage_events (workspace_id, environment, recorded_at, idempotency_key, fingerprint, id, customer_id,
    feature_id, quantity, source, deductions, answer, used_at, late, properties, entity)
  SELECT $1, $2, $10, e.*
    FROM unnest($23::text[], $24::bytea[], $25::text[], $26::text[], $27::text[], $28::numeric[], $29::text[],
                string_to_array($30::text, chr(30))::json[], string_to_array($31::text, chr(30))::json[],
                $32::timestamptz[], $33::boolean[], string_to_array($34::text, chr(30), '')::json[], $39::text[]) AS e)
SELECT tollgate.assert_equal((SELECT sum(quota_used + credit_used + overage_used + rollover_used + used_later) FROM counted), $19::numeric),
       tollgate.assert_equal((SELECT sum(remaining) FROM spent), $22::numeric)`;
