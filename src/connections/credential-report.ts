import { listRecordedKeys } from '../credentials/key-check-store';
import {
  countEnvelopesByKey,
  countSecondFactorsByKey,
  listRuntimes,
  readActiveKeyId,
  type KeyRingRuntime,
} from '../credentials/key-ring-store';
import { idOfPublished } from '../credentials/published-key';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { toTime } from '../schemas/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import type { CredentialReport } from './credential-report-schema';
import { findLatestMigration, listSealedPlaces } from './credential-migration-store';
import { listAllConnections } from './connection-store';
import { findPublicSecrets } from './find-public-secrets';

const PAGE = 1_000;

/** Reports pending migrations, and which process holds which keys. Reads each workspace in its own transaction. */
export async function reportCredentials(database: Database): Promise<CredentialReport> {
  const activeKeyId = (await readActiveKeyId(database)) ?? null;
  const { oldKey, legacy, publicSecrets, endpointSecrets, connections } = await countPending(
    database,
    activeKeyId,
  );
  const [envelopes, factors, recorded, runtimes, migration] = await Promise.all([
    countEnvelopesByKey(database),
    countSecondFactorsByKey(database),
    listRecordedKeys(database),
    listRuntimes(database),
    findLatestMigration(database),
  ]);
  const keyIds = new Set([
    ...envelopes.map(({ keyId }) => keyId),
    ...runtimes.flatMap((runtime) => runtime.keyIds.map(idOfPublished)),
    ...(activeKeyId === null ? [] : [activeKeyId]),
  ]);
  const secondFactors = total(factors);
  const oldSecondFactors = total(factors.filter(({ keyId }) => keyId !== activeKeyId));
  return {
    pending: oldKey + legacy + publicSecrets + endpointSecrets + oldSecondFactors,
    oldKey,
    legacy,
    publicSecrets,
    endpointSecrets,
    oldSecondFactors,
    connections,
    secondFactors,
    activeKeyId,
    keys: [...keyIds].sort().map((id) => ({
      id,
      active: id === activeKeyId,
      envelopes: envelopes.find(({ keyId }) => keyId === id)?.envelopes ?? 0,
      ...holding(id, runtimes, recorded),
    })),
    runtimes: runtimes.map(({ id, process, keyIds: held, seenAt }) => ({
      id,
      process,
      keyIds: held.map(idOfPublished),
      seenAt: toTime(seenAt),
    })),
    migration:
      migration === undefined
        ? null
        : {
            ...migration,
            startedAt: toTime(migration.startedAt),
            updatedAt: toTime(migration.updatedAt),
          },
  };
}

function total(counts: readonly { envelopes: number }[]): number {
  return counts.reduce((sum, { envelopes }) => sum + envelopes, 0);
}

/** Returns whether every process holds the recorded key of an id, and whether any holds a different one under it. */
function holding(
  id: string,
  runtimes: readonly KeyRingRuntime[],
  recorded: readonly string[],
): { heldByAll: boolean; mismatch: boolean } {
  const ofId = (keyIds: readonly string[]): string | undefined =>
    keyIds.find((published) => idOfPublished(published) === id);
  const held = runtimes.map(({ keyIds }) => ofId(keyIds));
  const different = new Set([ofId(recorded), ...held].filter((published) => published !== undefined));
  const mismatch = different.size > 1;
  return { heldByAll: !mismatch && !held.includes(undefined), mismatch };
}

type Pending = Pick<
  CredentialReport,
  'oldKey' | 'legacy' | 'publicSecrets' | 'endpointSecrets' | 'connections'
>;

async function countPending(database: Database, activeKeyId: string | null): Promise<Pending> {
  const pending = { oldKey: 0, legacy: 0, publicSecrets: 0, endpointSecrets: 0, connections: 0 };
  const scopes = new Map<string, WorkspaceScope>();
  for (let after = ''; ;) {
    const places = await listSealedPlaces(database, after, PAGE);
    for (const { workspaceId, environment, kind, keyIds } of places) {
      if (kind === 'webhook_endpoint') {
        if (keyIds.some((keyId) => keyId !== activeKeyId)) pending.endpointSecrets += 1;
        continue;
      }
      scopes.set(`${workspaceId} ${environment}`, { workspaceId, environment });
    }
    const last = places.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  for (const scope of scopes.values()) {
    const rows = await inWorkspace(database, scope, 'SYSTEM', (trx) => listAllConnections(trx, scope));
    for (const { provider, settings, key_id: keyId } of rows) {
      pending.connections += 1;
      if (keyId !== null && keyId !== activeKeyId) pending.oldKey += 1;
      if (findPublicSecrets(provider, settings).length === 0) continue;
      pending[keyId === null ? 'legacy' : 'publicSecrets'] += 1;
    }
  }
  return pending;
}
