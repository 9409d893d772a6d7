import type { Pool } from 'pg';
import { announceStatement } from '../announcements/announcement-store';
import type { Clock } from '../clock/system-clock';
import { rowsAs } from '../db/calls';
import { PipelinedTransaction } from '../db/pipeline';
import type { Statement, StatementResult } from '../db/statement-group';
import type { Instant } from '../domain/instant';
import { insertDeveloperEvents } from '../events/developer-event-batch-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { NamedReservations } from './named-reservations';
import {
  confirmReservations,
  insertReservations,
  readReservations,
  type NamedReservationRow,
} from './reservation-store';
import { changesBalances, type UsageCall } from './usage-call';
import { pairKey, readContext, type ContextRow, type Pair } from './usage-context-store';
import { UsageDecider, type KnownKeys, type Outcome } from './decide-usage';
import { insertEntities, writeEntityCounters } from './entity-store';
import { lookBack, type ReadTogether } from './look-back';
import { lookUpEntities } from './look-up-entities';
import {
  lockForTracks,
  readUsedKeys,
  waitForClaim,
  type HeldRow,
  type UsedKeyRow,
} from './track-idempotency-store';
import { markAlertedGrants } from './alert-store';
import { UsageState } from './usage-state';
import { datedUses, entityAsks, heldUses } from './uses-to-look-up';
import { writeTracks } from './usage-write-store';

/** How a batch treats keys and locks that others hold. */
export interface BatchMode {
  /** Wait for a key that another call holds; for batches of one. Otherwise such a call returns as `held`. */
  waitForKey: boolean;
  /** Wait for customers whose balances another transaction holds; otherwise their calls return as `held`. */
  waitForCustomers: boolean;
  lockTimeoutMs: number;
}

/**
 * `held`: another transaction holds the call's key, and the call is to be tried alone. If `customer` is set, only that
 * customer's balances are held, and the call is to be tried together with that customer's other calls.
 */
export type BatchOutcome = Outcome | { kind: 'held'; customer?: string };

/**
 * Processes calls of one workspace environment in one transaction and two round trips: locks and balances, then
 * decisions (src/domain/access), then all writes together with the commit. Outcomes are in the order of the calls; no
 * call is answered before the commit.
 */
export async function processBatch(
  pool: Pool,
  clock: Clock,
  scope: WorkspaceScope,
  calls: readonly UsageCall[],
  mode: BatchMode,
): Promise<BatchOutcome[]> {
  return PipelinedTransaction.run(pool, async (transaction) => {
    const pairs = distinctPairs(calls);
    const changes = calls.filter(changesBalances);
    const named = calls.flatMap(({ reservationId }) => (reservationId === null ? [] : [reservationId]));
    const tenant = { scope, reason: 'API_KEY', lockTimeoutMs: mode.lockTimeoutMs } as const;
    const results = await transaction.begin(tenant, [
      ...(changes.length === 0 ? [] : claimStatements(scope, changes, mode)),
      // After the locks, because each statement sees what was committed when it began.
      ...(named.length === 0 ? [] : [readReservations(scope, named)]),
      readContext(scope, pairs, clock.now()),
    ]);
    // From the end, because statements that only wait for keys come first, and unneeded ones are missing.
    const context = results.pop();
    const reservations = named.length === 0 ? undefined : results.pop();
    const [usedKeys, heldRows] = results.reverse();
    const { held, known } = understandClaims(rowsOf<HeldRow>(heldRows), rowsOf<UsedKeyRow>(usedKeys));
    const receivedAt = clock.now();
    const state = new UsageState(pairs, rowsOf<ContextRow>(context), receivedAt, reservationsOf(calls));
    const toConfirm = new NamedReservations(rowsOf<NamedReservationRow>(reservations), state.decidedAt);
    const ofReservations = heldUses(state, calls, toConfirm);
    const read: ReadTogether = (named) => transaction.read(named);
    await lookBack(scope, datedUses(state, calls), ofReservations, read);
    await lookUpEntities(scope, entityAsks(state, calls, toConfirm), state, read);
    const decider = new UsageDecider(state, known, toConfirm);
    const outcomes = calls.map((call): BatchOutcome => heldBy(call, held) ?? decider.decide(call));
    await transaction.commit(writeStatements(scope, state, decider, receivedAt));
    return outcomes;
  });
}

/** Returns the ids of the reservations that the calls make. */
function reservationsOf(calls: readonly UsageCall[]): ReadonlySet<string> {
  return new Set(calls.flatMap(({ reserve }) => (reserve === null ? [] : [reserve.id])));
}

function distinctPairs(calls: readonly UsageCall[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const { externalId, feature } of calls)
    pairs.set(pairKey({ externalId, feature }), { externalId, feature });
  return [...pairs.values()];
}

/** Keys and customers that other transactions hold. */
interface Held {
  keys: ReadonlySet<string | null>;
  customers: ReadonlySet<string | null>;
}

/** A check that reserves nothing takes no lock, so it cannot be held. */
function heldBy(call: UsageCall, held: Held): BatchOutcome | undefined {
  const { claim, externalId } = call;
  if (!changesBalances(call)) return undefined;
  if (claim !== null && held.keys.has(claim.key)) return { kind: 'held' };
  return held.customers.has(externalId) ? { kind: 'held', customer: externalId } : undefined;
}

function claimStatements(scope: WorkspaceScope, changes: readonly UsageCall[], mode: BatchMode): Statement[] {
  const keys = [...new Set(changes.flatMap((call) => (call.claim === null ? [] : [call.claim.key])))];
  const externalIds = [...new Set(changes.map((call) => call.externalId))];
  const claims = [lockForTracks(scope, keys, externalIds, mode), readUsedKeys(scope, keys)];
  return mode.waitForKey ? [...keys.map((key) => waitForClaim(scope, key)), ...claims] : claims;
}

function rowsOf<Row extends object>(result: StatementResult | undefined): Row[] {
  return rowsAs(result?.rows ?? []);
}

function understandClaims(
  heldRows: readonly HeldRow[],
  usedKeys: readonly UsedKeyRow[],
): { held: Held; known: KnownKeys } {
  const known = {
    recorded: new Map<string, { fingerprint: Buffer; answer: string }>(),
    foreign: new Set<string>(),
  };
  for (const { key, fingerprint, answer } of usedKeys) {
    if (fingerprint === null || answer === null) known.foreign.add(key);
    else known.recorded.set(key, { fingerprint, answer });
  }
  const held = {
    keys: new Set(heldRows.map(({ key }) => key)),
    customers: new Set(heldRows.map(({ customer }) => customer)),
  };
  return { held, known };
}

function writeStatements(
  scope: WorkspaceScope,
  state: UsageState,
  decider: UsageDecider,
  recordedAt: Instant,
): Statement[] {
  const { usageEvents: events, developerEvents, newReservations, reservations } = decider;
  const { decidedAt } = state;
  const times = { now: decidedAt, recordedAt };
  const statements: Statement[] = [];
  if (events.length > 0) {
    const writes = {
      counters: state.counterChanges(),
      credits: state.creditChanges(),
      events,
      developerEvents,
    };
    statements.push(writeTracks(scope, writes, times));
    const { alertedCredits } = decider.alerts;
    if (alertedCredits.length > 0) statements.push(markAlertedGrants(scope, alertedCredits, decidedAt));
    const announcements = decider.alerts.announcements(decidedAt);
    if (announcements.length > 0) statements.push(announceStatement(scope, announcements, recordedAt));
  } else if (developerEvents.length > 0) {
    statements.push(insertDeveloperEvents(scope, developerEvents, times));
  }
  const entities = state.entities.newEntities();
  if (entities.length > 0) statements.push(insertEntities(scope, entities, decidedAt));
  const entityChanges = state.entities.changes();
  if (entityChanges.length > 0) statements.push(writeEntityCounters(scope, entityChanges, decidedAt));
  if (newReservations.length > 0) statements.push(insertReservations(scope, newReservations, decidedAt));
  const { confirmations } = reservations;
  if (confirmations.length > 0) statements.push(confirmReservations(scope, confirmations, decidedAt));
  return statements;
}
