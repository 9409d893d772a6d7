import type { Instant } from '../domain/instant';
import type { DbTransaction } from './pools';

/**
 * Stores the values that applied until an edit. The caller holds the lock of what is edited, in whose order edits apply.
 * An edit whose time is before that of the previous one (requests can overtake each other, and clocks of processes
 * differ) counts as made at the same instant. Of two edits at the same instant, the first has stored the values that
 * applied before.
 *
 * @param table its key is the columns of `of` and `until`
 * @param of the columns that name what is edited
 * @param until the workspace's time of the edit
 */
export async function insertEarlier(
  trx: DbTransaction,
  table: 'tollgate.earlier_plan_prices' | 'tollgate.earlier_tax_settings',
  of: Record<string, string>,
  values: Record<string, string>,
  until: Instant,
): Promise<void> {
  const previous = trx(table).where(of).max('until');
  const from = trx.raw('greatest(?::timestamptz, ?)', [new Date(until), previous]);
  await trx(table)
    .insert({ ...of, until: from, ...values })
    .onConflict()
    .ignore();
}
