import { asOwner } from './owner-session';

/**
 * Deletes rows by a statement that takes a part of them, again until it takes fewer than a part: none holds its locks
 * for long.
 *
 * @param migratorUrl the address of tollgate_migrator, which may act as the owners of what no running service may delete
 * @param role the owner that it acts as
 * @param statement deletes at most `batch` rows
 * @returns how many rows there were
 */
export async function deleteInBatches(
  migratorUrl: string,
  role: 'tollgate_owner' | 'tollgate_outbox',
  statement: { text: string; values: unknown[]; batch: number },
): Promise<number> {
  const { text, values, batch } = statement;
  return asOwner(migratorUrl, { role }, async (client) => {
    for (let total = 0; ;) {
      const { rowCount } = await client.query(text, values);
      total += rowCount ?? 0;
      if ((rowCount ?? 0) < batch) return total;
    }
  });
}
