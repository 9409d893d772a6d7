import type { Instant } from '../domain/instant';
import type { DbTransaction } from './pools';

interface Earlier {
  /** Its key is the columns of `of` and `until`. */
  table: 'tollgate.earlier_plan_prices' | 'tollgate.earlier_tax_settings';
  /** The columns that name what is edited. */
  of: Record<string, string>;
  values: Record<string, string>;
  /** The workspace's time of the edit. */
  until: Instant;
}

/**
 * Stores the values that applied until an edit. The caller holds the lock of what is edited, in whose order edits
 * apply. An edit whose time is before that of the previous one (requests can overtake each other, and clocks of
 * processes differ) counts as made at the same instant. Of two edits at the same instant, the first has stored the
 * values that applied before.
 */
export async function insertEarlier(
  trx: DbTransaction,
  { table, of, values, until }: Earlier,
): Promise<void> {
  const previous = trx(table).where(of).max('until');
  const from = trx.raw('greatest(?::timestamptz, ?)', [new Date(until), previous]);
  await trx(table)
    .insert({ ...of, until: from, ...values })
    .onConflict()
    .ignore();
}
