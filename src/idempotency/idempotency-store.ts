import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { claimLock } from '../db/advisory-locks';
import { nothing, together, type Call } from '../db/calls';
import { hasSqlState } from '../db/sql-state';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { insertCall } from '../db/write-calls';
import type { WorkspaceScope } from '../tenancy/actor';

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

/** The answer that a command has been given under its claim; undefined where none is stored for this request. */
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
export type KeyUse = { kind: 'free' | 'claimed' } | { kind: 'answered'; answer: StoredAnswer };

/**
 * The same, and whether the key is unused.
 *
 * @throws TollgateError idempotency_key_reused
 */
export async function findKeyUse(trx: DbTransaction, scope: WorkspaceScope, claim: Claim): Promise<KeyUse> {
  const [use] = await together(trx, [keyUseCall(scope, claim)]);
  return use;
}

/**
 * The same as a call. A key belongs to one request, whatever its kind: usage events hold theirs, commands hold theirs
 * from when they are accepted, everything else stands with its answer. What was answered comes first: a command that
 * lost its key to an answer given at the same moment holds nothing.
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
    read: (rows) => keyUseOf(rows as KeyRow[], claim),
  };
}

/** A request that holds a key, with the answer that it was given. */
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

/** The refusal of a key that belongs to another request. */
export function keyReused(): TollgateError {
  return new TollgateError(
    'idempotency_key_reused',
    'This Idempotency-Key was first used for another request.',
  );
}

/** Excludes other transactions under the key until this one ends. What stands in a SELECT's list is evaluated in its order. */
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
