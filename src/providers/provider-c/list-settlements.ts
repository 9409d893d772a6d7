import type { Instant } from '../../domain/instant';
import { DAY_MS } from '../../domain/instant';
import type { SettlementFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SettlementRange } from '../provider-operations';
import type { Fetched } from './client';
import { instantOf } from './values';
import { MAX_PAGES_OF_MONEY, readPages } from './read-pages';
import { refund, settledTransaction, settlement, type RefundData, type SettlementData } from './schemas';
import { settlementFacts } from './settlement-facts';

/** The provider does not say which of a settlement's dates its filter refers to, and they are days apart. */
const MARGIN_MS = 7 * DAY_MS;
const PAID_OUT = 'success';

/**
 * Lists the merchant's own settlements (none of subaccounts) that were paid out in the range, earliest first, each with
 * its transactions.
 */
export async function listSettlements(
  access: ConnectionAccess,
  range: SettlementRange,
): Promise<Outcome<SettlementFacts[]>> {
  const paidOut = await listPaidOut(access, range);
  if (paidOut.kind !== 'done') return paidOut;
  const refunds = await listBorne(access, paidOut.value);
  if (refunds.kind !== 'done') return refunds;
  const found: SettlementFacts[] = [];
  for (const { at, data } of paidOut.value) {
    const path = `/settlement/${data.id}/transactions`;
    const transactions = await readPages(access, path, {}, settledTransaction, MAX_PAGES_OF_MONEY);
    if (transactions.kind !== 'done') return transactions;
    const borne = refunds.value.filter(({ settlement }) => settlementOf(settlement) === data.id);
    const facts = settlementFacts(data, at, transactions.value, borne);
    if (facts === undefined) {
      const reason = `Provider C reports a settlement that cannot be read: ${data.id}, ${data.currency}.`;
      return { kind: 'unknown', reason };
    }
    found.push(facts);
  }
  return { kind: 'done', value: found };
}

/** How long before a payout its refunds are searched for at first. */
const REFUNDS_MS = 90 * DAY_MS;

/**
 * Lists the refunds that name the settlement that bore them; no list is read if nothing was deducted. A refund waits
 * until a payout has the money for it. If the recent refunds do not explain the deductions, all older ones are read
 * too.
 */
async function listBorne(
  access: ConnectionAccess,
  paidOut: readonly { at: Instant; data: SettlementData }[],
): Promise<Fetched<RefundData[]>> {
  const bearing = paidOut.filter(({ data }) => Number(data.deductions ?? 0) > 0);
  const first = bearing[0];
  if (first === undefined) return { kind: 'done', value: [] };
  const from = new Date(first.at - REFUNDS_MS).toISOString();
  const later = await readPages(access, '/refund', { from }, refund, MAX_PAGES_OF_MONEY);
  if (later.kind !== 'done' || bearing.every(({ data }) => isExplained(data, later.value))) return later;
  const older = await readPages(access, '/refund', { to: from }, refund, MAX_PAGES_OF_MONEY);
  // The older refunds only improve a settlement; a failure to read them must not keep it from being recorded.
  if (older.kind !== 'done') return later;
  // The two lists share one instant.
  const known = new Set(later.value.map(({ id }) => id));
  return { kind: 'done', value: [...later.value, ...older.value.filter(({ id }) => !known.has(id))] };
}

function isExplained({ id, deductions }: SettlementData, refunds: readonly RefundData[]): boolean {
  const borne = refunds.filter(({ settlement }) => settlementOf(settlement) === id);
  return borne.reduce((sum, { amount }) => sum + Number(amount), 0) >= Number(deductions ?? 0);
}

function settlementOf(settlement: RefundData['settlement']): number | null {
  return typeof settlement === 'object' && settlement !== null ? settlement.id : (settlement ?? null);
}

async function listPaidOut(
  access: ConnectionAccess,
  { from, to }: SettlementRange,
): Promise<Fetched<{ at: Instant; data: SettlementData }[]>> {
  const filter = {
    status: PAID_OUT,
    subaccount: 'none',
    from: new Date(from - MARGIN_MS).toISOString(),
    to: new Date(to + MARGIN_MS).toISOString(),
  };
  const listed = await readPages(access, '/settlement', filter, settlement);
  if (listed.kind !== 'done') return listed;
  const found: { at: Instant; data: SettlementData }[] = [];
  for (const data of listed.value) {
    if (data.status !== PAID_OUT) continue;
    const at = instantOf(data.settlement_date);
    if (at === null) {
      return {
        kind: 'unknown',
        reason: `Provider C does not report when it paid the settlement ${data.id} out.`,
      };
    }
    if (at >= from && at < to) found.push({ at, data });
  }
  return { kind: 'done', value: found.sort((a, b) => a.at - b.at || a.data.id - b.data.id) };
}
