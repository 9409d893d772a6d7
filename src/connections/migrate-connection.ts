import { requireActiveKey } from '../credentials/active-key';
import type { Secrets } from '../credentials/envelope';
import type { KeyRing } from '../credentials/key-ring';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { isTollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { recordCredentialsEvent } from './record-credentials-event';
import {
  lockConnection,
  replaceEnvelope,
  updatePublicSide,
  type SealedConnectionRow,
} from './connection-store';
import { countMigrated } from './credential-migration-store';
import { findPublicSecrets, withoutPublicSecrets, type PublicSecret } from './find-public-secrets';
import { openSecrets, sealSecrets } from './sealed-secrets';
import { findForeignSecrets, rememberSecrets } from './secret-environment';

/** Outcome for one object. `skipped`: its envelope cannot be opened here, so it was left unchanged. */
export type MigrationOutcome = 'current' | 'migrated' | 'skipped';

/**
 * Re-encrypts one connection with the active key, and moves recognized secrets out of its public settings, in one
 * transaction that also counts it. A repetition finds nothing left to do.
 */
export async function migrateConnection(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  scope: WorkspaceScope,
  id: string,
  run: { migrationId: string; now: Instant },
): Promise<MigrationOutcome> {
  try {
    return await inWorkspace(database, scope, 'SYSTEM', (trx) => migrate(trx, keyRing, scope, id, run));
  } catch (error) {
    if (!isTollgateError(error)) throw error;
    if (error.code === 'credential_corrupt' || error.code === 'key_unavailable') return 'skipped';
    throw error;
  }
}

async function migrate(
  trx: DbTransaction,
  keyRing: KeyRing,
  scope: WorkspaceScope,
  id: string,
  { migrationId, now }: { migrationId: string; now: Instant },
): Promise<MigrationOutcome> {
  const key = await requireActiveKey(trx, keyRing);
  const row = await lockConnection(trx, scope, id);
  if (row === undefined) return 'current';
  const found = findPublicSecrets(row.provider, row.settings);
  const isOld = row.envelope !== null && row.key_id !== key.id;
  if (!isOld && found.length === 0) return 'current';

  const stored = openSecrets(keyRing, scope, row);
  const { adopted, removed } = await sortSecrets(trx, keyRing, scope, stored, found);
  const secrets = { ...stored, ...adopted };
  let { revision } = row;
  if (Object.keys(secrets).length > 0) {
    const sealed = sealSecrets(key, scope, row, secrets);
    // The lock prevents a concurrent edit; if one happens nevertheless, this connection is left to the next run.
    const isResealed = Object.keys(adopted).length === 0;
    if (!(await replaceEnvelope(trx, scope, row, sealed, { isResealed, now }))) return 'skipped';
    await rememberSecrets(trx, keyRing, scope, { connectionId: id, secrets, now });
    ({ revision } = sealed);
  }
  if (revision !== row.revision || removed.length > 0)
    await announce(trx, scope, row, { changed: Object.keys(adopted), removed, revision }, now);
  if (found.length > 0) {
    await updatePublicSide(trx, scope, id, { settings: withoutPublicSecrets(row.settings, found), now });
  }
  await countMigrated(trx, migrationId, { migrated: 1, scrubbed: found.length > 0 ? 1 : 0, now });
  return 'migrated';
}

/**
 * Returns the public secrets that are stored nowhere else, and the names of those that are not kept. Secrets of the
 * other environment are removed, because sealing one would turn it into a credential.
 */
async function sortSecrets(
  trx: DbTransaction,
  keyRing: KeyRing,
  scope: WorkspaceScope,
  stored: Secrets,
  found: readonly PublicSecret[],
): Promise<{ adopted: Record<string, string>; removed: string[] }> {
  const adopted: Record<string, string> = {};
  const foreign = new Set<string>();
  for (const { member, value } of found) {
    if (member in stored || member in adopted) continue;
    const [named] = await findForeignSecrets(trx, keyRing, scope, { [member]: value });
    if (named === undefined) adopted[member] = value;
    else foreign.add(member);
  }
  return { adopted, removed: [...foreign].filter((member) => !(member in adopted)) };
}

async function announce(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: SealedConnectionRow,
  change: { changed: readonly string[]; removed: readonly string[]; revision: number },
  now: Instant,
): Promise<void> {
  const connection = { id: row.id, provider: row.provider, displayName: row.display_name };
  const { revision: secretVersion, ...members } = change;
  await recordCredentialsEvent(
    trx,
    scope,
    { connection, ...members, secretVersion, source: 'migration' },
    now,
  );
}
