import type { Database, DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';

/** Second factors belong to the platform, like operators. These functions always name the operator. */
const TABLE = 'tollgate.operator_second_factors';

export interface SecondFactorRow {
  operator_id: string;
  key_id: string;
  envelope: Buffer;
  revision: number;
  created_at: Instant;
  confirmed_at: Instant | null;
  /** The session that started an unconfirmed enrolment. */
  enrolling_session: string | null;
  last_step: string | null;
}

/** A secret as stored. */
export interface SealedTotpSecret {
  keyId: string;
  envelope: Buffer;
  revision: number;
}

const COLUMNS = [
  ...(['operator_id', 'key_id', 'envelope', 'revision'] as const),
  ...(['created_at', 'confirmed_at', 'enrolling_session', 'last_step'] as const),
];

/** Whether the operator has a confirmed second factor. */
export async function hasSecondFactor(database: Database, operatorId: string): Promise<boolean> {
  const row = await database(TABLE)
    .where({ operator_id: operatorId })
    .whereNotNull('confirmed_at')
    .first<{ operator_id: string } | undefined>('operator_id');
  return row !== undefined;
}

/** Returns the operator's second factor, confirmed or not. */
export async function findSecondFactor(
  database: Database,
  operatorId: string,
): Promise<SecondFactorRow | undefined> {
  return database(TABLE)
    .where({ operator_id: operatorId })
    .first<SecondFactorRow | undefined>(...COLUMNS);
}

/** Returns the operator's second factor, confirmed or not, and locks its row until the transaction ends. */
export async function lockSecondFactor(
  trx: DbTransaction,
  operatorId: string,
): Promise<SecondFactorRow | undefined> {
  return trx(TABLE)
    .where({ operator_id: operatorId })
    .forUpdate()
    .first<SecondFactorRow | undefined>(...COLUMNS);
}

/** Starts an enrolment, replacing an earlier unconfirmed one; false if there is a confirmed one. */
export async function beginEnrolment(
  trx: DbTransaction,
  operatorId: string,
  enrolment: SealedTotpSecret & { sessionId: string; now: Instant },
): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `INSERT INTO tollgate.operator_second_factors AS f
       (operator_id, key_id, envelope, revision, created_at, enrolling_session)
     VALUES (:operatorId, :keyId, :envelope, :revision, :at, :sessionId)
     ON CONFLICT (operator_id) DO UPDATE
       SET key_id = excluded.key_id, envelope = excluded.envelope, revision = excluded.revision,
           created_at = excluded.created_at, enrolling_session = excluded.enrolling_session, last_step = NULL
     WHERE f.confirmed_at IS NULL`,
    {
      operatorId,
      keyId: enrolment.keyId,
      envelope: enrolment.envelope,
      revision: enrolment.revision,
      at: new Date(enrolment.now),
      sessionId: enrolment.sessionId,
    },
  );
  return rowCount === 1;
}

/** Marks the enrolment as confirmed. */
export async function confirmEnrolment(
  trx: DbTransaction,
  operatorId: string,
  step: number,
  now: Instant,
): Promise<void> {
  await trx(TABLE)
    .where({ operator_id: operatorId })
    .update({ confirmed_at: new Date(now), enrolling_session: null, last_step: step });
}

/**
 * Claims a time step of the given enrolment; false if it or a later one was claimed already, or if the enrolment has
 * been replaced. If two callers race, only one succeeds.
 */
export async function takeStep(
  database: Database,
  { operator_id, created_at }: Pick<SecondFactorRow, 'operator_id' | 'created_at'>,
  step: number,
): Promise<boolean> {
  const taken = await database(TABLE)
    .where({ operator_id, created_at: new Date(created_at) })
    .whereNotNull('confirmed_at')
    .where((rows) => {
      void rows.whereNull('last_step').orWhere('last_step', '<', step);
    })
    .update({ last_step: step });
  return taken === 1;
}

/** Stores the re-sealed secret with its new revision. */
export async function replaceSealedSecret(
  trx: DbTransaction,
  operatorId: string,
  sealed: SealedTotpSecret,
): Promise<void> {
  await trx(TABLE)
    .where({ operator_id: operatorId })
    .update({ key_id: sealed.keyId, envelope: sealed.envelope, revision: sealed.revision });
}

/** Lists operators whose secret is not sealed under this key, in id order, starting after a given id. */
export async function listSealedOtherwise(
  database: Database,
  keyId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await database(TABLE)
    .whereNot({ key_id: keyId })
    .where('operator_id', '>', after)
    .orderBy('operator_id')
    .limit(limit)
    .select<{ operator_id: string }[]>('operator_id');
  return rows.map((row) => row.operator_id);
}

/** Deletes the operator's second factor, confirmed or not; false if there was no confirmed one. */
export async function deleteSecondFactor(trx: DbTransaction, operatorId: string): Promise<boolean> {
  const rows = await trx(TABLE)
    .where({ operator_id: operatorId })
    .delete()
    .returning<{ confirmed_at: Instant | null }[]>('confirmed_at');
  return rows.some((row) => row.confirmed_at !== null);
}
