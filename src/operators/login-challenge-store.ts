import type { Database, DbTransaction } from '../db/pools';
import { MINUTE_MS, type Instant } from '../domain/instant';

const TABLE = 'tollgate.operator_login_challenges';
/** How long a log-in waits for its code. */
export const CHALLENGE_MS = 5 * MINUTE_MS;
/** Challenges kept per operator: the newest from known devices, and as many from unknown ones. */
const MAX_CHALLENGES = 20;

/**
 * Stores a log-in that waits for its code, and forgets the operator's expired ones and the oldest beyond the limit.
 *
 * @param challenge.fromKnownDevice whether the operator has logged in from the device before: strangers who have the
 *   password then do not end it by beginning many log-ins
 */
export async function insertChallenge(
  trx: DbTransaction,
  challenge: { operatorId: string; tokenHash: Buffer; fromKnownDevice: boolean },
  now: Instant,
): Promise<void> {
  const { operatorId: operator_id, tokenHash: token_hash, fromKnownDevice: from_known_device } = challenge;
  const kind = { operator_id, from_known_device };
  await trx(TABLE).insert({
    ...kind,
    token_hash,
    created_at: new Date(now),
    expires_at: new Date(now + CHALLENGE_MS),
  });
  const kept = trx(TABLE)
    .where(kind)
    .where('expires_at', '>', new Date(now))
    .orderBy('created_at', 'desc')
    .limit(MAX_CHALLENGES)
    .select('token_hash');
  await trx(TABLE).where(kind).whereNotIn('token_hash', kept).delete();
}

/** Returns the operator whose log-in waits under this token. */
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

/** Ends the wait; false if it has ended already. If two callers race, only one succeeds. */
export async function takeChallenge(trx: DbTransaction, tokenHash: Buffer): Promise<boolean> {
  return (await trx(TABLE).where({ token_hash: tokenHash }).delete()) === 1;
}

/** Deletes all challenges of the operator. */
export async function deleteChallenges(trx: DbTransaction, operatorId: string): Promise<void> {
  await trx(TABLE).where({ operator_id: operatorId }).delete();
}
