import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { claimLock } from '../db/advisory-locks';
import { hasSqlState } from '../db/sql-state';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { WorkspaceScope } from '../tenancy/scope';

/** An answer as it was, or is now, given. `body` is JSON text, so that a replay is the same bytes. */
export interface StoredAnswer {
  status: number;
  body: string;
  replayed: boolean;
}

export interface Claim {
  key: string;
  fingerprint: Buffer;
}

/**
 * Runs `work` once for an idempotency key, in the open transaction: claim and work are one, so a crash leaves
 * neither. A second call with the same key waits for the first up to two seconds. A refusal that `work` throws
 * rolls the claim back with the rest, so that a retry is decided again.
 *
 * @throws TollgateError idempotency_key_reused for another request under the same key; idempotency_key_in_use
 *   while another call holds the key
 */
export async function runOnce(
  trx: DbTransaction,
  scope: WorkspaceScope,
  claim: Claim,
  receivedAt: Instant,
  work: () => Promise<{ status: number; body: unknown }>,
): Promise<StoredAnswer> {
  await lockKey(trx, scope, claim.key);
  const stored = await findStoredAnswer(trx, scope, claim);
  if (stored !== undefined) return stored;
  const answer = await work();
  const body = JSON.stringify(answer.body);
  await trx('tollgate.idempotency_answers').insert({
    ...tenantColumns(scope),
    idempotency_key: claim.key,
    fingerprint: claim.fingerprint,
    status: answer.status,
    body,
    created_at: new Date(receivedAt),
  });
  return { status: answer.status, body, replayed: false };
}

/**
 * The answer that was given under the claim before, without waiting for one that is still being made. A key that
 * another request holds is refused whether or not that one has been answered yet.
 *
 * @throws TollgateError idempotency_key_reused for another request under the same key
 */
export async function findStoredAnswer(
  trx: DbTransaction,
  scope: WorkspaceScope,
  claim: Claim,
): Promise<StoredAnswer | undefined> {
  const use = await findKeyUse(trx, scope, claim);
  return use.kind === 'answered' ? use.answer : undefined;
}

/** Whether a key is free, belongs to the claim's request, or has its answer. */
type KeyUse = { kind: 'free' | 'claimed' } | { kind: 'answered'; answer: StoredAnswer };

/**
 * The same, and whether the key is of nobody yet.
 *
 * @throws TollgateError idempotency_key_reused
 */
export async function findKeyUse(trx: DbTransaction, scope: WorkspaceScope, claim: Claim): Promise<KeyUse> {
  const holder = await findHolder(trx, scope, claim.key);
  if (holder === undefined) return { kind: 'free' };
  if (!holder.fingerprint.equals(claim.fingerprint)) throw keyReused();
  const { answer } = holder;
  return answer === null ? { kind: 'claimed' } : { kind: 'answered', answer: { ...answer, replayed: true } };
}

/** The refusal of a key that belongs to another request. */
export function keyReused(): TollgateError {
  return new TollgateError(
    'idempotency_key_reused',
    'This Idempotency-Key was first used for another request.',
  );
}

async function lockKey(trx: DbTransaction, scope: WorkspaceScope, key: string): Promise<void> {
  try {
    // One round trip: what stands in a SELECT's list is evaluated in its order.
    await trx.raw(
      `SELECT set_config('lock_timeout', '2s', true),
              pg_advisory_xact_lock(${claimLock('?::text', '?::text', '?::text')}),
              set_config('lock_timeout', '5s', true)`,
      [scope.workspaceId, scope.environment, key],
    );
  } catch (error) {
    if (hasSqlState(error, 'lock_not_available')) {
      throw new TollgateError(
        'idempotency_key_in_use',
        'A request with this Idempotency-Key is still running.',
        { retryAfter: 1 },
      );
    }
    throw error;
  }
}

/** The request that a key belongs to; its answer is null while none is stored. */
interface Holder {
  fingerprint: Buffer;
  answer: Pick<StoredAnswer, 'status' | 'body'> | null;
}

/**
 * A key belongs to one request, whatever its kind: usage events hold theirs, commands hold theirs from when they are
 * accepted, everything else stands with its answer. What was answered comes first: a command that lost its key to an
 * answer given at the same moment holds nothing.
 */
async function findHolder(
  trx: DbTransaction,
  scope: WorkspaceScope,
  key: string,
): Promise<Holder | undefined> {
  const { rows } = await trx.raw<{
    rows: { fingerprint: Buffer; status: number | null; body: string | null }[];
  }>(
    `SELECT fingerprint, status, body::text AS body FROM tollgate.idempotency_answers
      WHERE workspace_id = :workspaceId AND environment = :environment AND idempotency_key = :key
     UNION ALL
     SELECT fingerprint, 200, answer::text FROM tollgate.usage_events
      WHERE workspace_id = :workspaceId AND environment = :environment AND idempotency_key = :key
     UNION ALL
     SELECT fingerprint, NULL, NULL FROM tollgate.operations
      WHERE workspace_id = :workspaceId AND environment = :environment AND idempotency_key = :key`,
    { workspaceId: scope.workspaceId, environment: scope.environment, key },
  );
  for (const { fingerprint, status, body } of rows) {
    if (status !== null && body !== null) return { fingerprint, answer: { status, body } };
  }
  const [accepted] = rows;
  return accepted && { fingerprint: accepted.fingerprint, answer: null };
}
