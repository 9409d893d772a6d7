import type { Database, DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';

/**
 * Operators belong to the platform, not to one organization. These functions take the database or any open transaction.
 */
export interface OperatorRow {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  is_platform_administrator: boolean;
  created_at: Instant;
}

const COLUMNS = ['id', 'email', 'name', 'password_hash', 'is_platform_administrator', 'created_at'] as const;

/** Returns the operator with this e-mail address, ignoring case. */
export async function findOperatorByEmail(
  database: Database,
  email: string,
): Promise<OperatorRow | undefined> {
  return database('tollgate.operators')
    .whereRaw('lower(email) = lower(?)', [email])
    .first<OperatorRow | undefined>(...COLUMNS);
}

/**
 * Locks the operator with this id. Until the transaction ends, no other transaction changes their password or second
 * factor, or adds them to an organization.
 */
export async function lockOperator(trx: DbTransaction, id: string): Promise<OperatorRow | undefined> {
  return trx('tollgate.operators')
    .where({ id })
    .forUpdate()
    .first<OperatorRow | undefined>(...COLUMNS);
}

/** Inserts an operator; false if the e-mail address is taken. The unique index decides races. */
export async function insertOperator(database: Database, operator: OperatorRow): Promise<boolean> {
  const at = new Date(operator.created_at);
  const inserted = await database('tollgate.operators')
    .insert({ ...operator, created_at: at, password_changed_at: at })
    .onConflict()
    .ignore()
    .returning<{ id: string }[]>('id');
  return inserted.length === 1;
}

/** A password that was proved. Valid as long as it is the operator's current one. */
export type ProvedPassword = Pick<OperatorRow, 'id' | 'password_hash'>;

/** Whether a proved password is still the operator's. It cannot change until the transaction ends. */
export async function holdPassword(trx: DbTransaction, proved: ProvedPassword): Promise<boolean> {
  const { id, password_hash: hash } = proved;
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    'SELECT FROM tollgate.operators WHERE id = ? AND password_hash = ? FOR SHARE',
    [id, hash],
  );
  return rows.length === 1;
}

/** Replaces the password that was verified; false if it has changed since. */
export async function replacePassword(
  trx: DbTransaction,
  proved: ProvedPassword,
  passwordHash: string,
  now: Instant,
): Promise<boolean> {
  const changed = await trx('tollgate.operators')
    .where({ id: proved.id, password_hash: proved.password_hash })
    .update({ password_hash: passwordHash, password_changed_at: new Date(now) });
  return changed === 1;
}

/** Replaces any password, for a reset. The caller must hold the operator's row lock. */
export async function setPassword(
  trx: DbTransaction,
  operatorId: string,
  passwordHash: string,
  now: Instant,
): Promise<void> {
  await trx('tollgate.operators')
    .where({ id: operatorId })
    .update({ password_hash: passwordHash, password_changed_at: new Date(now) });
}
