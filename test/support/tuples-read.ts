import type { DbTransaction } from '../../src/db/pools';

/** Returns how many rows and index entries of a table the transaction has read. */
export async function tuplesRead(trx: DbTransaction, table: string): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ read: number }] }>(
    `SELECT sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int AS read
       FROM pg_class
      WHERE oid = :table::regclass
         OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = :table::regclass)`,
    { table },
  );
  return rows[0].read;
}
