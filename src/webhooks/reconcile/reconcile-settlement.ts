import { recordSettlement } from '../../payments/settlement-recording';
import { linkLateLines } from '../../payments/settlement-late-lines';
import type { SettlementFacts } from '../../providers/canonical-event';
import type { Reconciliation } from './reconciliation';
import { noteChanges } from './webhook-result';

/**
 * Records a payout as a settlement, once per reference, with the provider's facts. Any part that matches no record here
 * remains as its difference. A pending payout is not recorded yet.
 */
export async function reconcileSettlement(work: Reconciliation, facts: SettlementFacts): Promise<void> {
  const { trx, connection, recordedAt, notes } = work;
  if (facts.status === 'pending') {
    notes.push(`The payout ${facts.reference} is not paid out yet.`);
    return;
  }
  const { what, row, lines } = await recordSettlement(
    { trx, connection, now: work.now, recordedAt },
    { ...facts, periodEnd: facts.periodEnd ?? work.event.occurredAt },
  );
  if (what === 'known') return;
  const { net, currency, status, difference } = row;
  noteChanges(work.changes, row.id, null, { status, net, currency, lines, difference });
}

/** Adds records that have become known with this event to the settlements that name them. */
export async function matchSettlementLines({
  trx,
  connection,
  newReferences,
}: Reconciliation): Promise<void> {
  await linkLateLines({ trx, connection }, newReferences);
}
