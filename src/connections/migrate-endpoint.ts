import type { KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { isTollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { migrateEndpointSecrets } from '../webhook-endpoints/migrate-secrets';
import { countMigrated } from './credential-migration-store';
import type { MigrationOutcome } from './migrate-connection';

/** Re-encrypts the secrets of one webhook endpoint with the active key, in one transaction that also counts it. */
export async function migrateEndpoint(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  scope: WorkspaceScope,
  id: string,
  { migrationId, now }: { migrationId: string; now: Instant },
): Promise<MigrationOutcome> {
  try {
    return await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      if (!(await migrateEndpointSecrets(trx, keyRing, scope, id, now))) return 'current';
      await countMigrated(trx, migrationId, { migrated: 1, scrubbed: 0, now });
      return 'migrated';
    });
  } catch (error) {
    if (!isTollgateError(error)) throw error;
    if (error.code === 'credential_corrupt' || error.code === 'key_unavailable') return 'skipped';
    throw error;
  }
}
