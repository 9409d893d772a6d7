import type { Database, DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';

const TABLE = 'tollgate.operator_login_challenges';
/** How long a log-in waits for its code. */
export const CHALLENGE_MS = 5 * 60_000;
/** The challenges of an operator that are kept: the newest. */
const MOST_CHALLENGES = 20;

/** A log-in waits for its code; the operator's expired ones, and the oldest beyond a number, are forgotten. */
export async function insertChallenge(
  trx: DbTransaction,
  operatorId: string,
  tokenHash: Buffer,
  now: Instant,
): Promise<void> {
  await trx(TABLE).insert({
    token_hash: tokenHash,
    operator_id: operatorId,
    created_at: new Date(now),
    expires_at: new Date(now + CHALLENGE_MS),
  });
  const kept = trx(TABLE)
    .where({ operator_id: operatorId })
    .where('expires_at', '>', new Date(now))
    .orderBy('created_at', 'desc')
    .limit(MOST_CHALLENGES)
    .select('token_hash');
  await trx(TABLE).where({ operator_id: operatorId }).whereNotIn('token_hash', kept).delete();
}

/** Whose log-in waits under this token. */
export async function findChallenge(
  database: Database,
  tokenHash: Buffer,
  now: Instant,
): Promise<string | undefined> {
  const row = await database(TABLE)
    .where({ token_hash: tokenHash })
    .where('expires_at', '>', new Date(now))
    .first<{ operator_id: string } | undefined>('operator_id');
  return row?.operator_id;
}

/** Ends the wait; false when it has ended already. Of two at once one ends it. */
export async function takeChallenge(trx: DbTransaction, tokenHash: Buffer): Promise<boolean> {
  return (await trx(TABLE).where({ token_hash: tokenHash }).delete()) === 1;
}

/** Ends all of the operator's. */
export async function deleteChallenges(trx: DbTransaction, operatorId: string): Promise<void> {
  await trx(TABLE).where({ operator_id: operatorId }).delete();
}
