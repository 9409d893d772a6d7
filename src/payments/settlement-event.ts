import type { DbTransaction } from '../db/pools';
import { countInWords } from '../domain/count-in-words';
import type { Instant } from '../domain/instant';
import { displayMoney } from '../domain/display-text';
import { recordDeveloperEvent } from '../events/developer-event-store';
import type { WorkspaceScope } from '../tenancy/actor';
import type { SettlementRow } from './settlement-store';

/** Records a provider's settlement in the developer events: its status and its unexplained difference. */
export async function recordSettlementEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: SettlementRow,
  lines: number,
  recordedAt: Instant,
): Promise<void> {
  const failed = row.status === 'failed';
  await recordDeveloperEvent(
    trx,
    scope,
    {
      type: 'SETTLEMENT_RECORDED',
      status: failed ? 'ERROR' : 'OK',
      message: messageOf(row, lines),
      source: 'billing',
      data: {
        settlementId: row.id,
        settlementStatus: row.status,
        provider: row.provider,
        connectionId: row.connectionId,
        payout: row.reference,
        currency: row.currency,
        paid: row.paid.toString(),
        refunded: row.refunded.toString(),
        fees: row.fees.toString(),
        net: row.net.toString(),
        unmatched: row.unmatched.toString(),
        lines,
      },
    },
    recordedAt,
  );
}

function messageOf({ net, currency, reference, status, difference }: SettlementRow, lines: number): string {
  const what = displayMoney({ amount: net, currency });
  if (status === 'failed') {
    return `The payout ${reference ?? ''} of ${what} failed at the payment provider; its payments move to the next payout.`;
  }
  return `The payment provider paid out ${what}: ${countInWords(lines, 'line')}.${difference === null ? '' : ` ${difference}`}`;
}
