import { asOwner } from './owner-session';

/**
 * Deletes rows in batches until one is not full, so that no statement holds its locks for long.
 *
 * @param migratorUrl the address of tollgate_migrator, which may act as the owners of tables from which no running
 *   service may delete
 * @param role the owner to act as
 * @param statement deletes at most `batch` rows
 * @param stopping ends it after the batch in progress
 * @returns how many rows were deleted
 */
export async function deleteInBatches(
  migratorUrl: string,
  role: 'tollgate_owner' | 'tollgate_outbox',
  statement: { text: string; values: unknown[]; batch: number },
  stopping?: AbortSignal,
): Promise<number> {
  const { text, values, batch } = statement;
  return asOwner(migratorUrl, { role }, async (client) => {
    for (let total = 0; ;) {
      const { rowCount } = await client.query(text, values);
      total += rowCount ?? 0;
      if ((rowCount ?? 0) < batch || stopping?.aborted === true) return total;
    }
  });
}
