import { dateOrNull } from '../db/parameters';
import type { Database, DbTransaction } from '../db/pools';
import { tenantColumns, tenantColumnsOf } from '../db/tenant-columns';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** What decides whether a key may be used; found before any workspace is known. */
export interface FoundApiKey {
  workspaceId: string;
  environment: Environment;
  id: string;
  expiresAt: Instant | null;
  revokedAt: Instant | null;
}

/** The key with this hash, of any workspace. */
export async function findApiKeyByHash(database: Database, hash: Buffer): Promise<FoundApiKey | undefined> {
  const { rows } = await database.raw<{ rows: FoundApiKey[] }>(
    `SELECT workspace_id AS "workspaceId", environment, id, expires_at AS "expiresAt", revoked_at AS "revokedAt"
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
  });
}

/** Newest first; up to `take + 1` keys whose id is smaller than `before`. */
export async function listApiKeys(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: { take: number; before?: string },
): Promise<ApiKeyRow[]> {
  const query = keys(trx, scope)
    .orderBy('k.id', 'desc')
    .limit(page.take + 1);
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
};

function keys(trx: DbTransaction, scope: WorkspaceScope) {
  return trx('tollgate.api_keys as k')
    .leftJoin('tollgate.operators as o', 'o.id', 'k.created_by')
    .where(tenantColumnsOf('k', scope));
}
