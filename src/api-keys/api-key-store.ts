import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';

/** What decides whether a key may be used; found before any workspace is known. */
export interface FoundApiKey {
  workspaceId: string;
  environment: Environment;
  id: string;
  expiresAt: Instant | null;
  revokedAt: Instant | null;
}

/** The key with this hash, whichever workspace it belongs to. */
export async function findApiKeyByHash(database: Database, hash: Buffer): Promise<FoundApiKey | undefined> {
  const { rows } = await database.raw<{ rows: FoundApiKey[] }>(
    `SELECT workspace_id AS "workspaceId", environment, id, expires_at AS "expiresAt", revoked_at AS "revokedAt"
       FROM tollgate.find_api_key(?)`,
    [hash],
  );
  return rows[0];
}
