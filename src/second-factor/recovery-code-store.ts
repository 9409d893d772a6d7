import type { Database, DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';

const TABLE = 'tollgate.operator_recovery_codes';

/** Replaces all earlier codes, including used ones, by new ones. */
export async function replaceRecoveryCodes(
  trx: DbTransaction,
  operatorId: string,
  hashes: readonly Buffer[],
  now: Instant,
): Promise<void> {
  await deleteRecoveryCodes(trx, operatorId);
  const at = new Date(now);
  await trx(TABLE).insert(
    hashes.map((hash) => ({ operator_id: operatorId, code_hash: hash, created_at: at })),
  );
}

/**
 * Uses a code; false if the operator has none with that hash, or it was used. If two callers race, only one succeeds.
 */
export async function takeRecoveryCode(
  database: Database,
  operatorId: string,
  hash: Buffer,
  now: Instant,
): Promise<boolean> {
  const taken = await database(TABLE)
    .where({ operator_id: operatorId, code_hash: hash })
    .whereNull('used_at')
    .update({ used_at: new Date(now) });
  return taken === 1;
}

/** Counts the codes that are still unused. */
export async function countRecoveryCodes(database: Database, operatorId: string): Promise<number> {
  const row = await database(TABLE)
    .where({ operator_id: operatorId })
    .whereNull('used_at')
    .count<{ count: string }[]>({ count: '*' });
  return Number(row[0]?.count ?? 0);
}

export async function deleteRecoveryCodes(trx: DbTransaction, operatorId: string): Promise<void> {
  await trx(TABLE).where({ operator_id: operatorId }).delete();
}
