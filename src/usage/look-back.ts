import type { Statement, StatementResult } from '../db/statement-group';
import type { Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { tallyOf } from './counter';
import type { PairState } from './pair-state';
import type { TakenDeduction } from './stored-deduction';
import {
  readCounters,
  readEnded,
  type CounterKey,
  type CounterRow,
  type EndedRow,
  type PastPair,
} from './past-usage-store';

/** A use of a pair at an instant. */
export interface DatedUse {
  state: PairState;
  at: Instant;
  /** Units that all calls of the batch use of the pair. */
  units: Decimal;
}

/** What is held for a use of a pair. */
export interface HeldUse {
  state: PairState;
  deductions: readonly TakenDeduction[];
}

/** Sends a statement within the batch's transaction, after its locks, and answers its rows. */
type Read = (statement: Statement) => Promise<StatementResult['rows']>;

/**
 * Reads what the context does not have: counters of usage periods before a customer's latest, and subscriptions that
 * ended after a use that is reported late, where those that are open do not cover it. Nothing is sent where no use asks
 * for it, which is the rule.
 */
export async function lookBack(
  scope: WorkspaceScope,
  uses: readonly DatedUse[],
  held: readonly HeldUse[],
  read: Read,
): Promise<void> {
  await addCounters(scope, uses, held, read);
  if (await addEnded(scope, uses, read)) await addCounters(scope, uses, held, read);
}

async function addCounters(
  scope: WorkspaceScope,
  uses: readonly DatedUse[],
  held: readonly HeldUse[],
  read: Read,
): Promise<void> {
  const wanted = new Map<string, { state: PairState; key: CounterKey }>();
  for (const { state, at } of uses) {
    for (const key of state.unread(at)) wanted.set(Object.values(key).join(' '), { state, key });
  }
  for (const { state, deductions } of held) {
    for (const key of state.unreadOf(deductions)) wanted.set(Object.values(key).join(' '), { state, key });
  }
  if (wanted.size === 0) return;
  const asked = [...wanted.values()];
  const keys = asked.map(({ key }) => key);
  const found = (await read(readCounters(scope, keys))) as unknown as CounterRow[];
  const rows = new Map(found.map((row) => [Number(row.key) - 1, row]));
  asked.forEach(({ state, key }, index) => {
    const row = rows.get(index);
    state.addCounter(key, row === undefined ? null : tallyOf(row));
  });
}

/** @returns whether any ended */
async function addEnded(scope: WorkspaceScope, uses: readonly DatedUse[], read: Read): Promise<boolean> {
  const since = new Map<PairState, Instant>();
  for (const { state, at, units } of uses) {
    if (state.asksForEnded(at, units)) since.set(state, Math.min(at, since.get(state) ?? at));
  }
  const states: PairState[] = [];
  const pairs: PastPair[] = [];
  for (const [state, at] of since) {
    const { customerId, featureId } = state;
    if (customerId === null || featureId === null) continue;
    states.push(state);
    pairs.push({ customerId, featureId, since: at });
  }
  if (pairs.length === 0) return false;
  const rows = (await read(readEnded(scope, pairs))) as unknown as EndedRow[];
  states.forEach((state, index) => {
    state.addEnded(rows.filter((row) => Number(row.pair) === index + 1));
  });
  return rows.length > 0;
}
