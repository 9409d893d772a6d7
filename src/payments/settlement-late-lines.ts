import { matchSettlement, type KnownLine, type NamedLine } from '../domain/provider-settlement';
import { settledIdsOf, kindOf } from './settled-ids';
import { linkLines } from './settlement-line-store';
import {
  findNamed,
  findSettlementsAwaiting,
  listNamedLines,
  replaceNamedLines,
} from './settlement-named-line-store';
import type { SettlementRecording } from './settlement-recording';
import { findSettlement, saveSettlement } from './settlement-store';

/**
 * Counts payments and refunds that became known after the settlement that names them, in the open transaction. The
 * settlement's difference shrinks accordingly.
 *
 * @param names references that have become known
 */
export async function linkLateLines(
  { trx, connection }: Pick<SettlementRecording, 'trx' | 'connection'>,
  names: readonly Pick<NamedLine, 'kind' | 'reference'>[],
): Promise<void> {
  if (names.length === 0) return;
  const { scope } = connection;
  for (const id of await findSettlementsAwaiting(trx, connection, names)) {
    const before = await findSettlement(trx, scope, { id }, 'lock');
    if (before?.status !== 'settled') continue;
    const named = await listNamedLines(trx, scope, id);
    const linked = new Map<NamedLine, KnownLine>();
    for (const line of named) {
      const { targetId, amount } = line;
      if (targetId !== null) linked.set(line, { ...linkedAs(targetId, amount), currency: before.currency });
    }
    const unlinked = named.filter((line) => !linked.has(line));
    const found = await findNamed(trx, connection, unlinked, 'read');
    const matched = matchSettlement(before, named, (line) => linked.get(line) ?? found(line));
    const { paid, refunded, unmatched, difference } = matched;
    await saveSettlement(trx, scope, { ...before, paid, refunded, unmatched, difference });
    await linkLines(trx, scope, id, settledIdsOf(matched.lines));
    await replaceNamedLines(trx, scope, id, matched.lines);
  }
}

/** Returns the row that a line is linked to; it had the line's amount. */
function linkedAs(id: string, amount: bigint): Omit<KnownLine, 'currency'> {
  return { id, kind: kindOf(id), amount: amount < 0n ? -amount : amount, settledBy: null, returnedBy: null };
}
