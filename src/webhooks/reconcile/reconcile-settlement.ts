import { settlementTotals } from '../../domain/settlement';
import { moneyInWords } from '../../domain/plain-words';
import { recordDeveloperEvent } from '../../events/developer-event-store';
import { newIdentifier } from '../../identifiers/identifier';
import {
  insertSettlement,
  lockUnsettled,
  type SettlementLine,
  type SettlementRow,
} from '../../payments/settlement-store';
import type { SettlementFacts } from '../../providers/canonical-event';
import { noteChanges, type Reconciliation } from './reconciliation';
import { addReference, findTargetsAmong } from './reference-store';

/** A payout that does not say where its period begins is of the day before it. */
const DAY_MS = 86_400_000;

/**
 * Records a payout as a settlement of what the connection took in and gave back until its period's end and that no
 * settlement counts yet, when that comes to the payout exactly. Which payments a payout is of is never guessed.
 *
 * @returns false when the lines known here do not come to the payout
 */
export async function reconcileSettlement(work: Reconciliation, facts: SettlementFacts): Promise<boolean> {
  const { trx, connection, targets, notes, recordedAt } = work;
  const payout = { kind: 'payout', reference: facts.reference } as const;
  if (targets.of(payout, 'stl_') !== undefined) return true;
  const periodEnd = facts.periodEnd ?? work.event.occurredAt ?? work.now;
  const periodStart = facts.periodStart ?? periodEnd - DAY_MS;
  const { currency, fees } = facts;
  const what = { provider: connection.provider, currency, periodStart, periodEnd };
  const lines = await ofConnection(work, await lockUnsettled(trx, connection.scope, what));
  const totals = settlementTotals({ ...amountsOf(lines), fees });
  if (lines.length === 0 || totals.net !== facts.amount) {
    const words = (amount: bigint) => moneyInWords({ amount, currency });
    notes.push(
      `The payout ${facts.reference} is ${words(facts.amount)}; what is known here and not settled comes to ${words(totals.net)}.`,
    );
    return false;
  }
  const row: SettlementRow = { id: newIdentifier('settlement'), ...what, ...totals, createdAt: work.now };
  if (!(await addReference(trx, connection, payout, row.id, recordedAt))) return true;
  await insertSettlement(trx, connection.scope, row, lines);
  noteChanges(work.changes, row.id, null, { net: row.net, currency, lines: lines.length });
  await announce(work, row, facts.reference, lines.length);
  return true;
}

/** Another account of the same provider has payouts of its own. */
async function ofConnection(
  { trx, connection }: Reconciliation,
  lines: readonly SettlementLine[],
): Promise<SettlementLine[]> {
  const ids = lines.map(({ id }) => id);
  const ours = await findTargetsAmong(trx, connection, ids);
  return lines.filter(({ id }) => ours.has(id));
}

function amountsOf(lines: readonly SettlementLine[]): { payments: bigint[]; refunds: bigint[] } {
  const of = (kind: SettlementLine['kind']) =>
    lines.filter((line) => line.kind === kind).map(({ amount }) => amount);
  return { payments: of('payment'), refunds: of('refund') };
}

async function announce(
  { trx, connection, recordedAt }: Reconciliation,
  row: SettlementRow,
  payout: string,
  lines: number,
): Promise<void> {
  const { currency, net } = row;
  const event = {
    type: 'SETTLEMENT_RECORDED',
    status: 'OK',
    message: `The payment provider paid out ${moneyInWords({ amount: net, currency })}: ${lines} ${lines === 1 ? 'line' : 'lines'}.`,
    source: 'billing',
    data: {
      settlementId: row.id,
      provider: row.provider,
      connectionId: connection.id,
      payout,
      currency,
      paid: row.paid.toString(),
      refunded: row.refunded.toString(),
      fees: row.fees.toString(),
      net: net.toString(),
      lines,
    },
  } as const;
  await recordDeveloperEvent(trx, connection.scope, event, recordedAt);
}
