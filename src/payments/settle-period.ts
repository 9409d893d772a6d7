import { recordAudit } from '../audit/audit-store';
import type { DbTransaction } from '../db/pools';
import { countInWords } from '../domain/count-in-words';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { MAX_SUM } from '../domain/money';
import { displayMoney } from '../domain/display-text';
import { settlementTotals, type SettlementTotals } from '../domain/settlement';
import { recordDeveloperEvent } from '../events/developer-event-store';
import { newIdentifier } from '../identifiers/identifier';
import { SOURCES } from '../subscriptions/record-command-effect';
import { readSettings } from '../settings/settings-store';
import type { Actor } from '../tenancy/actor';
import type { CreateSettlementInput } from './settlement-resource';
import { lockUnsettled, linkLines } from './settlement-line-store';
import { findOverlapping, insertSettlement, type SettlementRow } from './settlement-store';

/**
 * Settles in the open transaction the local-billing payments and refunds up to the period's end that are not settled
 * yet. That includes late ones of an earlier period, so that every amount is in one settlement.
 *
 * @throws TollgateError validation_failed (`/periodEnd`), settlement_overlaps, settlement_empty, settlement_too_large
 */
export async function settlePeriod(
  trx: DbTransaction,
  actor: Actor,
  input: CreateSettlementInput,
): Promise<SettlementRow> {
  const { scope, now } = actor;
  requirePast(input.periodEnd, now);
  // Concurrent settlements run one after the other, so that the second one sees the first.
  const { defaultCurrency } = await readSettings(trx, scope, 'for update');
  const { periodStart, periodEnd, currency = defaultCurrency } = input;
  const what = { provider: 'internal', currency, periodStart, periodEnd } as const;
  const other = await findOverlapping(trx, scope, what);
  if (other !== undefined) throw overlaps(other);
  const lines = await lockUnsettled(trx, scope, what);
  if (lines.length === 0) {
    throw new TollgateError(
      'settlement_empty',
      `No payment or refund in ${currency} before ${new Date(periodEnd).toISOString()} remains to be settled.`,
    );
  }
  // Local billing has no fees.
  const totals = settlementTotals(lines, 0n);
  requireKeepable(totals, currency);
  const row: SettlementRow = {
    id: newIdentifier('settlement'),
    ...what,
    ...totals,
    status: 'settled',
    connectionId: null,
    reference: null,
    unmatched: 0n,
    difference: null,
    createdAt: now,
  };
  await insertSettlement(trx, scope, row);
  await linkLines(trx, scope, row.id, { ids: lines.map(({ id }) => id), returned: [] });
  await announce(trx, actor, row, lines.length);
  return row;
}

async function announce(trx: DbTransaction, actor: Actor, row: SettlementRow, lines: number): Promise<void> {
  const { currency } = row;
  const [start, end] = [row.periodStart, row.periodEnd].map((at) => new Date(at).toISOString());
  const data = {
    settlementId: row.id,
    provider: row.provider,
    currency,
    periodStart: start,
    periodEnd: end,
    paid: row.paid.toString(),
    refunded: row.refunded.toString(),
    fees: row.fees.toString(),
    net: row.net.toString(),
    lines,
  };
  const net = displayMoney({ amount: row.net, currency });
  const event = {
    type: 'SETTLEMENT_RECORDED',
    status: 'OK',
    message: `Settled ${net} up to ${end ?? ''}: ${countInWords(lines, 'line')}.`,
    source: SOURCES[actor.reason],
    data,
  } as const;
  await recordDeveloperEvent(trx, actor.scope, event, actor.receivedAt);
  await recordAudit(trx, actor, { action: 'settlement.created', target: row.id, detail: data });
}

/** Refuses totals that are too large to store: each line may be as large as an amount can be. */
function requireKeepable({ paid, refunded }: SettlementTotals, currency: string): void {
  for (const [what, amount] of Object.entries({ payments: paid, refunds: refunded })) {
    if (amount <= MAX_SUM) continue;
    throw new TollgateError(
      'settlement_too_large',
      `The ${what} to be settled add up to ${displayMoney({ amount, currency })}.`,
    );
  }
}

function requirePast(periodEnd: Instant, now: Instant): void {
  if (periodEnd <= now) return;
  const message = 'is after the workspace’s current time';
  throw new TollgateError('validation_failed', `/periodEnd: ${message}`, {
    errors: [{ pointer: '/periodEnd', message, fix: 'Settle a period that is over.' }],
  });
}

function overlaps(other: SettlementRow): TollgateError {
  const [start, end] = [other.periodStart, other.periodEnd].map((at) => new Date(at).toISOString());
  return new TollgateError(
    'settlement_overlaps',
    `The settlement "${other.id}" in ${other.currency} covers ${start ?? ''} to ${end ?? ''}.`,
    { extra: { settlementId: other.id } },
  );
}
