import type { Call, Results } from '../db/calls';
import type { Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { tallyOf } from './counter';
import type { PairState } from './pair-state';
import { readTerms, subscriptionOf, termsOfEach, type TermsKey } from './former-terms-store';
import type { TakenDeduction } from './stored-deduction';
import { readCounters, readEnded, type CounterKey, type PastUse } from './past-usage-store';
import { unreadCountersAt, unreadCountersOf, unreadTermsAt } from './unread-of-pair';

/** A use of a pair at an instant. */
export interface DatedUse {
  state: PairState;
  at: Instant;
  /** Units of the pair that all calls of the batch use together. */
  units: Decimal;
}

/** Units held for a use of a pair. */
export interface HeldUse {
  state: PairState;
  deductions: readonly TakenDeduction[];
}

/** Sends calls together in the batch's transaction, after its locks. */
export type ReadTogether = <const Calls extends readonly Call<unknown>[]>(
  calls: Calls,
) => Promise<Results<Calls>>;

/**
 * Reads what the context lacks: counters of usage periods before a customer's latest, terms before the latest hundred
 * changes, and, if the open subscriptions do not cover a use that is reported late, subscriptions that ended after it.
 * Sends nothing unless a use needs it, which is rare.
 */
export async function lookBack(
  scope: WorkspaceScope,
  uses: readonly DatedUse[],
  held: readonly HeldUse[],
  read: ReadTogether,
): Promise<void> {
  const addPeriods = async (): Promise<void> => {
    await addTerms(scope, uses, read);
    await addCounters(scope, uses, held, read);
  };
  await addPeriods();
  if (await addEnded(scope, uses, read)) await addPeriods();
}

async function addTerms(scope: WorkspaceScope, uses: readonly DatedUse[], read: ReadTogether): Promise<void> {
  const wanted = new Map<string, { state: PairState; key: TermsKey }>();
  for (const { state, at } of uses) {
    for (const key of unreadTermsAt(state, at)) wanted.set(Object.values(key).join(' '), { state, key });
  }
  if (wanted.size === 0) return;
  const requested = [...wanted.values()];
  const keys = requested.map(({ key }) => key);
  const [rows] = await read([readTerms(scope, keys)]);
  const found = termsOfEach(keys, rows);
  const subscriptions = new Map(requested.map((one) => [subscriptionOf(one.key), one]));
  for (const [name, { state, key }] of subscriptions)
    state.addTerms(key.subscriptionId, found.get(name) ?? []);
}

async function addCounters(
  scope: WorkspaceScope,
  uses: readonly DatedUse[],
  held: readonly HeldUse[],
  read: ReadTogether,
): Promise<void> {
  const wanted = new Map<string, { state: PairState; key: CounterKey }>();
  for (const { state, at } of uses) {
    for (const key of unreadCountersAt(state, at)) wanted.set(Object.values(key).join(' '), { state, key });
  }
  for (const { state, deductions } of held) {
    for (const key of unreadCountersOf(state, deductions))
      wanted.set(Object.values(key).join(' '), { state, key });
  }
  if (wanted.size === 0) return;
  const requested = [...wanted.values()];
  const keys = requested.map(({ key }) => key);
  const [found] = await read([readCounters(scope, keys)]);
  const rows = new Map(found.map((row) => [Number(row.key) - 1, row]));
  requested.forEach(({ state, key }, index) => {
    const row = rows.get(index);
    state.addCounter(key, row === undefined ? null : tallyOf(row));
  });
}

/** @returns whether any subscription ended */
async function addEnded(
  scope: WorkspaceScope,
  uses: readonly DatedUse[],
  read: ReadTogether,
): Promise<boolean> {
  const requested = new Map<string, { state: PairState; use: PastUse }>();
  for (const { state, at, units } of uses) {
    const { customerId, featureId } = state;
    if (customerId === null || featureId === null || !state.asksForEnded(at, units)) continue;
    const use = { customerId, featureId, at };
    requested.set(Object.values(use).join(' '), { state, use });
  }
  if (requested.size === 0) return false;
  const questions = [...requested.values()];
  const pastUses = questions.map(({ use }) => use);
  const [rows] = await read([readEnded(scope, pastUses)]);
  questions.forEach(({ state }, index) => {
    state.addEnded(rows.filter((row) => Number(row.use) === index + 1));
  });
  return rows.length > 0;
}
