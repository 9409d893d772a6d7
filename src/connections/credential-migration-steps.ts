import type { Clock } from '../clock/system-clock';
import type { KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import { endMigration, findMigration, listSealedPlaces } from './credential-migration-store';
import { migrateConnection } from './migrate-connection';
import { migrateEndpoint } from './migrate-endpoint';

/** Result of one batch. Ids and counts only, because it is stored in a workflow's history. */
interface MigrationBatch {
  /** The last connection or webhook endpoint checked; null at the end. */
  after: string | null;
  looked: number;
  skipped: number;
}

/** The migration's steps, each of which may be repeated. */
export interface CredentialMigrationSteps {
  /** @param done is called after each connection or endpoint */
  migrateBatch(migrationId: string, after: string, done: () => void): Promise<MigrationBatch>;
  /** @param skipped how many were left unchanged */
  end(migrationId: string, skipped: number): Promise<void>;
}

const BATCH = 100;

export function createCredentialMigrationSteps(dependencies: {
  database: Database;
  keyRing: KeyRing;
  clock: Clock;
}): CredentialMigrationSteps {
  const { database, clock } = dependencies;
  return {
    async migrateBatch(migrationId, after, done) {
      if ((await findMigration(database, migrationId))?.status !== 'running') {
        return { after: null, looked: 0, skipped: 0 };
      }
      const places = await listSealedPlaces(database, after, BATCH);
      let skipped = 0;
      for (const { workspaceId, environment, id, kind } of places) {
        const run = { migrationId, now: clock.now() };
        const migrateOne = kind === 'connection' ? migrateConnection : migrateEndpoint;
        const outcome = await migrateOne(dependencies, { workspaceId, environment }, id, run);
        if (outcome === 'skipped') skipped += 1;
        done();
      }
      const last = places.length < BATCH ? undefined : places.at(-1);
      return { after: last?.id ?? null, looked: places.length, skipped };
    },

    async end(migrationId, skipped) {
      const status = skipped === 0 ? 'complete' : 'failed';
      await endMigration(database, migrationId, { status, skipped, now: clock.now() });
    },
  };
}
