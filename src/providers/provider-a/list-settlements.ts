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
 * The payouts that were paid, or have failed, and arrive in the range, oldest first: a bank may send one back days after
 * it was paid. One whose lines the provider still puts together is left out: its `payout.reconciliation_completed` tells
 * when its fees are known. A payout can be marked as paid after the day of its arrival, so ranges are to overlap.
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

/** A payout, with its fees and its period from the balance transactions that it brought. */
export function fetchSettlement(
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<SettlementFacts>> {
  return readOutcome(async () => {
    const client = clientFor(access);
    return settlementOf(client, payoutWire.parse(await client.payouts.retrieve(reference)));
  });
}
