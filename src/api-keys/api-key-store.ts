import { dateOrNull } from '../db/parameters';
import { createdWithin } from '../db/created-within';
import type { IdPart } from '../pagination/page-by-id';
import type { Database, DbTransaction } from '../db/pools';
import { tenantColumns, tenantColumnsOf } from '../db/tenant-columns';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { KeyLimits } from '../domain/key-limits';
import type { KeyScope } from '../domain/key-scopes';
import type { WorkspaceScope } from '../tenancy/actor';

/** What decides whether a key may be used; found before any workspace is known. */
export interface FoundApiKey {
  workspaceId: string;
  environment: Environment;
  id: string;
  expiresAt: Instant | null;
  revokedAt: Instant | null;
  /** null for a key that was made before keys had scopes. */
  scopes: readonly KeyScope[] | null;
  limits: KeyLimits;
}

/** The key with this hash, of any workspace. */
export async function findApiKeyByHash(database: Database, hash: Buffer): Promise<FoundApiKey | undefined> {
  const { rows } = await database.raw<{ rows: FoundApiKey[] }>(
    `SELECT workspace_id AS "workspaceId", environment, id, expires_at AS "expiresAt", revoked_at AS "revokedAt",
            scopes, json_build_object('requestsPerSecond', requests_per_second,
                                      'concurrentRequests', concurrent_requests) AS limits
       FROM tollgate.find_api_key(?)`,
    [hash],
  );
  return rows[0];
}

/** A key as operators see it; the hash stays in the table. */
export interface ApiKeyRow {
  id: string;
  name: string;
  last_four: string;
  created_by: string | null;
  created_by_name: string | null;
  created_at: Instant;
  expires_at: Instant | null;
  last_used_at: Instant | null;
  revoked_at: Instant | null;
  scopes: KeyScope[] | null;
  rolled_from: string | null;
}

export async function insertApiKey(
  trx: DbTransaction,
  scope: WorkspaceScope,
  key: {
    id: string;
    name: string;
    hash: Buffer;
    lastFour: string;
    createdBy: string | null;
    createdAt: Instant;
    expiresAt: Instant | null;
    scopes: readonly KeyScope[] | null;
    /** The key that this one takes the place of. */
    rolledFrom: string | null;
  },
): Promise<void> {
  await trx('tollgate.api_keys').insert({
    ...tenantColumns(scope),
    id: key.id,
    name: key.name,
    key_hash: key.hash,
    last_four: key.lastFour,
    created_by: key.createdBy,
    created_at: new Date(key.createdAt),
    expires_at: dateOrNull(key.expiresAt),
    scopes: key.scopes === null ? null : [...key.scopes],
    rolled_from: key.rolledFrom,
  });
}

/** Newest first; up to `take + 1` keys whose id is smaller than `before`. */
export async function listApiKeys(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: IdPart,
): Promise<ApiKeyRow[]> {
  const query = keys(trx, scope)
    .orderBy('k.id', 'desc')
    .limit(page.take + 1);
  createdWithin(query, 'k.created_at', page);
  if (page.before !== undefined) void query.where('k.id', '<', page.before);
  return query.select<ApiKeyRow[]>(COLUMNS);
}

export async function findApiKey(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<ApiKeyRow | undefined> {
  return keys(trx, scope).where('k.id', id).first<ApiKeyRow | undefined>(COLUMNS);
}

/** Those of the keys that may still be used. @param now real time */
export async function findLiveKeys(
  trx: DbTransaction,
  scope: WorkspaceScope,
  ids: readonly string[],
  now: Instant,
): Promise<Set<string>> {
  const live = await trx('tollgate.api_keys')
    .where(tenantColumns(scope))
    .whereIn('id', ids)
    .whereNull('revoked_at')
    .where((key) => {
      void key.whereNull('expires_at').orWhere('expires_at', '>', new Date(now));
    })
    .select<{ id: string }[]>('id');
  return new Set(live.map(({ id }) => id));
}

/** True when it was revoked now, false when it was already, or is not there. */
export async function revokeApiKey(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  now: Instant,
): Promise<boolean> {
  const revoked = await trx('tollgate.api_keys')
    .where({ ...tenantColumns(scope), id })
    .whereNull('revoked_at')
    .update({ revoked_at: new Date(now) });
  return revoked === 1;
}

/**
 * Lets a key end at an instant, unless it ends sooner.
 *
 * @returns false where it is revoked or has expired by `now`, or is not there
 */
export async function expireApiKey(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  { at, now }: { at: Instant; now: Instant },
): Promise<boolean> {
  const expiring = await trx('tollgate.api_keys')
    .where({ ...tenantColumns(scope), id })
    .whereNull('revoked_at')
    .whereRaw('(expires_at IS NULL OR expires_at > ?)', [new Date(now)])
    .update({ expires_at: trx.raw('LEAST(expires_at, ?::timestamptz)', [new Date(at)]) });
  return expiring === 1;
}

/** A key that was made by rolling this one; undefined where there is none. */
export async function findSuccessor(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<ApiKeyRow | undefined> {
  return keys(trx, scope).where('k.rolled_from', id).orderBy('k.id').first<ApiKeyRow | undefined>(COLUMNS);
}

/** Moves `last_used_at` of several keys forward; in the order of ids, so that two processes cannot deadlock. */
export async function touchApiKeys(
  trx: DbTransaction,
  scope: WorkspaceScope,
  used: readonly { id: string; at: Instant }[],
): Promise<void> {
  for (const { id, at } of [...used].sort((one, other) => (one.id < other.id ? -1 : 1))) {
    await trx('tollgate.api_keys')
      .where({ ...tenantColumns(scope), id })
      .whereRaw('(last_used_at IS NULL OR last_used_at < ?)', [new Date(at)])
      .update({ last_used_at: new Date(at) });
  }
}

const COLUMNS = {
  id: 'k.id',
  name: 'k.name',
  last_four: 'k.last_four',
  created_by: 'k.created_by',
  created_by_name: 'o.name',
  created_at: 'k.created_at',
  expires_at: 'k.expires_at',
  last_used_at: 'k.last_used_at',
  revoked_at: 'k.revoked_at',
  scopes: 'k.scopes',
  rolled_from: 'k.rolled_from',
};

function keys(trx: DbTransaction, scope: WorkspaceScope) {
  return trx('tollgate.api_keys as k')
    .leftJoin('tollgate.operators as o', 'o.id', 'k.created_by')
    .where(tenantColumnsOf('k', scope));
}
