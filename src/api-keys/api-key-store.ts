import { inPlaces } from '../db/batch';
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

/** What decides whether a key may be used, found before any workspace is known. */
export interface FoundApiKey {
  workspaceId: string;
  environment: Environment;
  id: string;
  expiresAt: Instant | null;
  revokedAt: Instant | null;
  /** null for a key created before keys had scopes. */
  scopes: readonly KeyScope[] | null;
  limits: KeyLimits;
}

/** Returns the keys with these hashes, of any workspace, in their order; null for a hash that no key has. */
export async function findApiKeysByHash(
  database: Database,
  hashes: readonly Buffer[],
): Promise<(FoundApiKey | null)[]> {
  const { rows } = await database.raw<{ rows: (FoundApiKey & { place: number })[] }>(
    `SELECT asked.place::integer, k.workspace_id AS "workspaceId", k.environment, k.id, k.expires_at AS "expiresAt",
            k.revoked_at AS "revokedAt", k.scopes,
            json_build_object('requestsPerSecond', k.requests_per_second,
                              'concurrentRequests', k.concurrent_requests) AS limits
       FROM unnest(?::bytea[]) WITH ORDINALITY AS asked (hash, place), tollgate.find_api_key(asked.hash) AS k`,
    [[...hashes]],
  );
  return inPlaces(hashes.length, rows);
}

/** A key as shown to operators. The hash stays in the table. */
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
    /** The key that this one replaces. */
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

/** Lists keys newest first: up to `take + 1` whose id is smaller than `before`. */
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

/** Returns those of the keys that are still valid. @param now real time */
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

/** Revokes a key; true if it was revoked now, false if it was already, or does not exist. */
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
 * Makes a key expire at an instant, unless it expires sooner.
 *
 * @returns false if it is revoked, has expired by `now`, or does not exist
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

/** Returns the key that was created by rolling this one; undefined if there is none. */
export async function findSuccessor(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<ApiKeyRow | undefined> {
  return keys(trx, scope).where('k.rolled_from', id).orderBy('k.id').first<ApiKeyRow | undefined>(COLUMNS);
}

/** Moves `last_used_at` of several keys forward, never back; in id order, so that two processes cannot deadlock. */
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
