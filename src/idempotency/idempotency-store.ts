import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { claimLock } from '../db/advisory-locks';
import { nothing, rowsAs, together, type Call } from '../db/calls';
import { hasSqlState } from '../db/sql-state';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { insertCall } from '../db/write-calls';
import type { WorkspaceScope } from '../tenancy/actor';

/** An answer, new or replayed. `body` is JSON text, so that a replay has the same bytes. */
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
 * Runs `work` once per idempotency key, in the open transaction: claim and work commit together, so a crash leaves
 * neither. A second call with the same key waits for the first up to two seconds. A refusal that `work` throws also
 * rolls the claim back, so that a retry is decided again.
 *
 * @throws TollgateError idempotency_key_reused for another request under the same key; idempotency_key_in_use while
 *   another call holds the key
 */
export async function runOnce(
  trx: DbTransaction,
  scope: WorkspaceScope,
  claim: Claim,
  receivedAt: Instant,
  work: () => Promise<{ status: number; body: unknown }>,
): Promise<StoredAnswer> {
  const [, use] = await together(trx, [lockKeyCall(scope, claim.key), keyUseCall(scope, claim)]);
  if (use.kind === 'answered') return use.answer;
  const answer = await work();
  const body = JSON.stringify(answer.body);
  await together(trx, [insertAnswerCall(scope, claim, { status: answer.status, body }, receivedAt)]);
  return { status: answer.status, body, replayed: false };
}

/** Stores the answer of a claim whose key the transaction has locked. `body` is JSON text. */
export function insertAnswerCall(
  scope: WorkspaceScope,
  { key, fingerprint }: Claim,
  { status, body }: Pick<StoredAnswer, 'status' | 'body'>,
  receivedAt: Instant,
): Call<void> {
  return insertCall('idempotency_answer', 'tollgate.idempotency_answers', {
    ...tenantColumns(scope),
    idempotency_key: key,
    fingerprint,
    status,
    body,
    created_at: new Date(receivedAt),
  });
}

/** Reads a command's stored answer; undefined if none is stored for this request. */
export function commandAnswerCall(
  { workspaceId, environment }: WorkspaceScope,
  { key, fingerprint }: Claim,
): Call<Pick<StoredAnswer, 'status' | 'body'> | undefined> {
  return {
    name: 'command_answer',
    text: `SELECT status, body::text AS body, fingerprint FROM tollgate.idempotency_answers
            WHERE workspace_id = $1 AND environment = $2 AND idempotency_key = $3`,
    values: [workspaceId, environment, key],
    read: ([row]) => {
      const stored = row as (Pick<StoredAnswer, 'status' | 'body'> & { fingerprint: Buffer }) | undefined;
      if (stored === undefined || !stored.fingerprint.equals(fingerprint)) return undefined;
      return { status: stored.status, body: stored.body };
    },
  };
}

/**
 * Returns the answer stored under the claim, without waiting for one in progress. A key of another request is refused
 * whether or not that request has been answered yet.
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

/** Whether a key is free, is held by the claim's request, or has an answer. */
export type KeyUse = { kind: 'free' | 'claimed' } | { kind: 'answered'; answer: StoredAnswer };

/**
 * Returns the use of the claim's key.
 *
 * @throws TollgateError idempotency_key_reused
 */
export async function findKeyUse(trx: DbTransaction, scope: WorkspaceScope, claim: Claim): Promise<KeyUse> {
  const [use] = await together(trx, [keyUseCall(scope, claim)]);
  return use;
}

/**
 * Returns the same as a call. A key belongs to one request, whatever its kind: usage events hold their keys, commands
 * hold theirs once accepted, and other requests store theirs with the answer. Stored answers come first: a command that
 * lost its key to a concurrent answer does not hold it.
 */
export function keyUseCall({ workspaceId, environment }: WorkspaceScope, claim: Claim): Call<KeyUse> {
  return {
    name: 'idempotency_key_use',
    text: `SELECT fingerprint, status, body::text AS body FROM tollgate.idempotency_answers
            WHERE workspace_id = $1 AND environment = $2 AND idempotency_key = $3
           UNION ALL
           SELECT fingerprint, 200, answer::text FROM tollgate.usage_events
            WHERE workspace_id = $1 AND environment = $2 AND idempotency_key = $3
           UNION ALL
           SELECT fingerprint, NULL, NULL FROM tollgate.operations
            WHERE workspace_id = $1 AND environment = $2 AND idempotency_key = $3`,
    values: [workspaceId, environment, claim.key],
    read: (rows) => keyUseOf(rowsAs<KeyRow>(rows), claim),
  };
}

/** A request that holds a key, with its answer if there is one. */
type KeyRow = { fingerprint: Buffer; status: number | null; body: string | null };

function keyUseOf(rows: readonly KeyRow[], { fingerprint }: Claim): KeyUse {
  const holder = rows.find(({ status, body }) => status !== null && body !== null) ?? rows[0];
  if (holder === undefined) return { kind: 'free' };
  if (!holder.fingerprint.equals(fingerprint)) throw keyReused();
  const { status, body } = holder;
  return status === null || body === null
    ? { kind: 'claimed' }
    : { kind: 'answered', answer: { status, body, replayed: true } };
}

/** Builds the refusal of a key that belongs to another request. */
export function keyReused(): TollgateError {
  return new TollgateError(
    'idempotency_key_reused',
    'This Idempotency-Key was first used for another request.',
  );
}

/**
 * Locks the key against other transactions until this one ends. The expressions of a SELECT list are evaluated in
 * order.
 */
export function lockKeyCall({ workspaceId, environment }: WorkspaceScope, key: string): Call<void> {
  return {
    name: 'lock_idempotency_key',
    text: `SELECT set_config('lock_timeout', '2s', true),
                  pg_advisory_xact_lock(${claimLock('$1::text', '$2::text', '$3::text')}),
                  set_config('lock_timeout', '5s', true)`,
    values: [workspaceId, environment, key],
    read: nothing,
    failed: (error) =>
      hasSqlState(error, 'lock_not_available')
        ? new TollgateError(
            'idempotency_key_in_use',
            'A request with this Idempotency-Key is still running.',
            { retryAfter: 1 },
          )
        : error,
  };
}
