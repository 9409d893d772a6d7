import type { Times } from '../clock/times';
import { exactJson } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { DAY_MS, type Instant } from '../domain/instant';
import { displayMoney } from '../domain/display-text';
import { matchSettlement, type MatchedSettlement, type NamedLine } from '../domain/provider-settlement';
import { settlementTotals } from '../domain/settlement';
import { newIdentifier } from '../identifiers/identifier';
import type { SettlementFacts } from '../providers/canonical-event';
import type { ConnectionRef } from '../connections/connection-ref';
import { addReference, findTargetsAmong } from '../connections/reference-store';
import { recordSettlementEvent } from './settlement-event';
import { settledIdsOf, type SettledIds } from './settled-ids';
import { lockUnsettled, linkLines, unlinkLines } from './settlement-line-store';
import { findNamed, listNamedLines, replaceNamedLines } from './settlement-named-line-store';
import {
  findReferenced,
  findSettlement,
  insertSettlement,
  saveSettlement,
  type SettlementRow,
} from './settlement-store';

/** The context in which a provider's settlement is recorded. */
export interface SettlementRecording extends Times {
  trx: DbTransaction;
  connection: ConnectionRef;
}

/** `known`: already recorded in the provider's current state. */
export interface RecordedSettlement {
  what: 'recorded' | 'changed' | 'known';
  row: SettlementRow;
  lines: number;
}

/**
 * Records a provider's settlement in the open transaction, once, even if several connections lead to its account: its
 * own amounts, and the payments and refunds here that its lines name. A repeated report updates it to the provider's
 * current state. A failed settlement releases its lines and stays failed.
 */
export async function recordSettlement(
  work: SettlementRecording,
  facts: SettlementFacts,
): Promise<RecordedSettlement> {
  const { trx, connection, recordedAt } = work;
  const before = await findRecorded(work, facts);
  if ('id' in before) return (await change(work, before.id, facts)) ?? recordSettlement(work, facts);
  const id = newIdentifier('settlement');
  const named = { kind: 'payout', reference: facts.reference } as const;
  // Waits for another transaction that records it.
  const isFirst = await addReference(trx, connection, named, id, recordedAt);
  const meanwhile = isFirst ? before : await findRecorded(work, facts);
  if ('id' in meanwhile) return recordSettlement(work, facts);
  const recorded = await insertNew(work, { ...facts, reference: meanwhile.newReference }, id);
  return recorded ?? recordSettlement(work, facts);
}

/**
 * Finds the settlement, also if it was reported through another connection. A reference that was generated here may
 * belong to another account's settlement, which shares no line with this one: that one is kept.
 *
 * @returns the settlement, or the reference to record it by
 */
async function findRecorded(
  { trx, connection }: SettlementRecording,
  { reference, accountReference, lines = [] }: SettlementFacts,
): Promise<SettlementRow | { newReference: string }> {
  const references = typeof accountReference === 'string' ? [reference, accountReference] : [reference];
  const known = await findReferenced(trx, connection, references);
  if (accountReference === undefined) return known[0] ?? { newReference: reference };
  const reported = new Set(lines.map(nameOf));
  for (const row of known) {
    const named = await listNamedLines(trx, connection.scope, row.id);
    if (named.some((line) => reported.has(nameOf(line)))) return row;
    const isOwn = row.connectionId === connection.id;
    if (isOwn && (row.reference === accountReference || named.length === 0)) return row;
  }
  const taken = known.find(({ connectionId }) => connectionId === connection.id);
  if (taken === undefined) return { newReference: reference };
  return accountReference === null ? taken : { newReference: accountReference };
}

function nameOf({ kind, reference }: Pick<NamedLine, 'kind' | 'reference'>): string {
  return `${kind} ${reference}`;
}

async function insertNew(
  { trx, connection, now, recordedAt }: SettlementRecording,
  facts: SettlementFacts,
  id: string,
): Promise<RecordedSettlement | undefined> {
  const { scope, provider } = connection;
  const failed = facts.status === 'failed';
  const period = periodOf(facts, now);
  const matched = failed ? cameBack(facts) : await match(trx, connection, facts, period, null);
  const row: SettlementRow = {
    id,
    provider,
    connectionId: connection.id,
    reference: facts.reference,
    currency: facts.currency,
    ...period,
    ...totalsOf(matched),
    status: failed ? 'failed' : 'settled',
    createdAt: now,
  };
  if (!(await insertSettlement(trx, scope, row))) return undefined;
  const { ids, returned } = matched;
  await linkLines(trx, scope, row.id, matched);
  await replaceNamedLines(trx, scope, row.id, matched.lines);
  const lines = ids.length + returned.length;
  await recordSettlementEvent(trx, scope, row, lines, recordedAt);
  return { what: 'recorded', row, lines };
}

async function change(
  { trx, connection, now, recordedAt }: SettlementRecording,
  id: string,
  facts: SettlementFacts,
): Promise<RecordedSettlement | undefined> {
  const { scope } = connection;
  // Lock order: payments and refunds before their settlement.
  if (facts.lines !== undefined) await findNamed(trx, connection, facts.lines, 'lock');
  const before = await findSettlement(trx, scope, { id }, 'lock');
  if (before === undefined) return undefined;
  const named = await listNamedLines(trx, scope, id);
  const linked = named.filter(({ targetId }) => targetId !== null).length;
  const known: RecordedSettlement = { what: 'known', row: before, lines: linked };
  if (before.status === 'failed') return known;
  if (facts.status === 'failed') {
    const row: SettlementRow = { ...before, status: 'failed' };
    await saveSettlement(trx, scope, row);
    await unlinkLines(trx, scope, id);
    await recordSettlementEvent(trx, scope, row, 0, recordedAt);
    return { what: 'changed', row, lines: 0 };
  }
  // Without named lines there is no better information than when it was recorded.
  if (facts.lines === undefined) return known;
  const period = periodOf(facts, now);
  // Under the lock, because a line may have been linked while this transaction waited.
  const matched = await match(trx, connection, facts, period, id);
  const row: SettlementRow = {
    ...before,
    ...(facts.periodStart === null && facts.periodEnd === null ? {} : period),
    ...totalsOf(matched),
  };
  if (exactJson([row, matched.lines]) === exactJson([before, named])) return known;
  const lines = matched.ids.length + matched.returned.length;
  await saveSettlement(trx, scope, row);
  await unlinkLines(trx, scope, id, matched);
  await linkLines(trx, scope, id, matched);
  await replaceNamedLines(trx, scope, id, matched.lines);
  await recordSettlementEvent(trx, scope, row, lines, recordedAt);
  return { what: 'changed', row, lines };
}

type Matched = MatchedSettlement & SettledIds;

/** @param own the settlement being matched again, whose lines are its own */
async function match(
  trx: DbTransaction,
  connection: ConnectionRef,
  facts: SettlementFacts,
  period: Pick<SettlementRow, 'periodEnd'>,
  own: string | null,
): Promise<Matched> {
  if (facts.lines === undefined) return matchUnnamed(trx, connection, facts, period.periodEnd);
  // The rows of a settlement that is matched again are locked.
  const known = await findNamed(trx, connection, facts.lines, own === null ? 'lock' : 'read');
  const totals = { currency: facts.currency, net: facts.amount, fees: facts.fees };
  const matched = matchSettlement(totals, facts.lines, (line) => {
    const found = known(line);
    if (found === undefined) return undefined;
    const { settledBy, returnedBy } = found;
    return {
      ...found,
      settledBy: settledBy === own ? null : settledBy,
      returnedBy: returnedBy === own ? null : returnedBy,
    };
  });
  return { ...matched, ...settledIdsOf(matched.lines) };
}

/**
 * Matches a settlement without named lines: it counts everything unsettled of the connection if that adds up to the
 * payout exactly. Otherwise its payments are not guessed, nor are those of another connection, which may lead to
 * another account.
 */
async function matchUnnamed(
  trx: DbTransaction,
  connection: ConnectionRef,
  { amount, fees, currency }: SettlementFacts,
  periodEnd: Instant,
): Promise<Matched> {
  const { scope, provider } = connection;
  const unsettled = await lockUnsettled(trx, scope, { provider, currency, periodEnd });
  const ours = await findTargetsAmong(
    trx,
    connection,
    unsettled.map(({ id }) => id),
  );
  // Another account at the same provider has its own payouts.
  const lines = unsettled.filter(({ id }) => ours.has(id));
  const totals = settlementTotals(lines, fees);
  if (lines.length > 0 && totals.net === amount) {
    const ids = lines.map(({ id }) => id);
    return { ...totals, unmatched: 0n, difference: null, lines: [], ids, returned: [] };
  }
  const words = displayMoney({ amount: totals.net, currency });
  const difference = `The provider does not list what it paid out. The unsettled payments and refunds here add up to ${words}.`;
  return { ...cameBack({ amount, fees }), difference };
}

/** Returns a match that counts nothing here. */
function cameBack({ amount, fees }: Pick<SettlementFacts, 'amount' | 'fees'>): Matched {
  const totals = settlementTotals([], fees);
  const unmatched = amount - totals.net;
  return { ...totals, net: amount, unmatched, difference: null, lines: [], ids: [], returned: [] };
}

function totalsOf({ paid, refunded, fees, net, unmatched, difference }: Matched) {
  return { paid, refunded, fees, net, unmatched, difference };
}

/** Returns the period. A payout without a period start covers the day before its end, which is exclusive. */
function periodOf(facts: SettlementFacts, now: Instant): { periodStart: Instant; periodEnd: Instant } {
  const end = facts.periodEnd ?? now;
  const periodStart = facts.periodStart ?? end - DAY_MS;
  return { periodStart, periodEnd: Math.max(end, periodStart + 1) };
}
