import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';

/** Operators belong to the platform, not to one organization; these take the database or any open transaction. */
export interface OperatorRow {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  is_platform_administrator: boolean;
  created_at: Instant;
}

const COLUMNS = ['id', 'email', 'name', 'password_hash', 'is_platform_administrator', 'created_at'] as const;

/** The operator with this e-mail address, however its letters are cased. */
export async function findOperatorByEmail(
  database: Database,
  email: string,
): Promise<OperatorRow | undefined> {
  return database('tollgate.operators')
    .whereRaw('lower(email) = lower(?)', [email])
    .first<OperatorRow | undefined>(...COLUMNS);
}

/** False when the e-mail address is taken; a race of two is settled by the unique index. */
export async function insertOperator(database: Database, operator: OperatorRow): Promise<boolean> {
  const at = new Date(operator.created_at);
  const inserted = await database('tollgate.operators')
    .insert({ ...operator, created_at: at, password_changed_at: at })
    .onConflict()
    .ignore()
    .returning<{ id: string }[]>('id');
  return inserted.length === 1;
}

export async function updatePassword(
  database: Database,
  id: string,
  passwordHash: string,
  now: Instant,
): Promise<void> {
  await database('tollgate.operators')
    .where({ id })
    .update({ password_hash: passwordHash, password_changed_at: new Date(now) });
}
