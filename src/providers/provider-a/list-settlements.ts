import type { SettlementFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SettlementRange } from '../provider-operations';
import { clientFor } from './client';
import { readOutcome } from './outcomes';
import { readPages } from './read-pages';
import { payoutWire } from './schemas';
import { isOpen, settlementOf } from './settlement-facts';

/**
 * Lists the paid and failed payouts that arrive in the range, oldest first; a bank may return a payout days after it
 * was paid. A payout whose lines the provider is still compiling is skipped: its `payout.reconciliation_completed`
 * reports when the fees are known. A payout can be marked as paid after its arrival day, so ranges must overlap.
 */
export function listSettlements(
  access: ConnectionAccess,
  { from, to }: SettlementRange,
): Promise<Outcome<SettlementFacts[]>> {
  return readOutcome(async () => {
    const client = clientFor(access);
    const arrival = { gte: Math.ceil(from / 1000), lt: Math.ceil(to / 1000) };
    const payouts = await readPages(
      (paging) => client.payouts.list({ arrival_date: arrival, ...paging }),
      payoutWire,
    );
    const settlements: SettlementFacts[] = [];
    for (const payout of payouts.reverse()) {
      if (isOpen(payout)) continue;
      const settlement = await settlementOf(client, payout);
      if (settlement === undefined) return undefined;
      settlements.push(settlement);
    }
    return settlements;
  });
}

/** Fetches a payout, with the fees and the period of its balance transactions. */
export function fetchSettlement(
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<SettlementFacts>> {
  return readOutcome(async () => {
    const client = clientFor(access);
    return settlementOf(client, payoutWire.parse(await client.payouts.retrieve(reference)));
  });
}
