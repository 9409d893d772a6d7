import { setTimeout as pause } from 'node:timers/promises';
import type { KeyRing } from '../credentials/key-ring';
import { lockKeyRing, readActiveKeyId } from '../credentials/key-ring-store';
import { switchActiveKey } from '../credentials/switch-active-key';
import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import { recordPlatformAudit, type PlatformOperator } from '../platform-audit/platform-audit-store';
import { resealSecondFactors } from '../second-factor/reseal-second-factors';
import {
  endMigration,
  findMigration,
  findRunningMigration,
  insertMigration,
} from './credential-migration-store';
import { reportCredentials } from './credential-report';
import type { CredentialReport } from './credential-report-schema';

/** The installation's credential keys, and the migration of everything sealed with them. */
export interface ProviderCredentials {
  report(operator: PlatformOperator): Promise<CredentialReport>;
  /**
   * Migrates every second factor and every connection to the active key, and waits up to 30 seconds. Joins a run that
   * is still in progress.
   *
   * @throws TollgateError temporal_unavailable, key_unavailable
   */
  migrate(operator: PlatformOperator): Promise<{ done: boolean; report: CredentialReport }>;
  /** @throws TollgateError key_switch_refused */
  switchActiveKey(operator: PlatformOperator, keyId: string): Promise<CredentialReport>;
}

/** Starts a run's workflow, unless it already exists. */
export type StartMigration = (migrationId: string) => Promise<void>;

/** Used if no Temporal is configured: nothing is migrated. */
export const migrationWithoutTemporal: StartMigration = () =>
  Promise.reject(
    new TollgateError('temporal_unavailable', 'No Temporal is configured for this service.', {
      retryAfter: 60,
    }),
  );

const PAUSE_MS = 200;
/** How long a caller waits for a run. */
const TIMEOUT_MS = 30_000;

export function createProviderCredentials(dependencies: {
  database: Database;
  keyRing: KeyRing;
  startMigration: StartMigration;
  timeoutMs?: number;
}): ProviderCredentials {
  const { database, keyRing, startMigration, timeoutMs = TIMEOUT_MS } = dependencies;

  const begin = (operator: PlatformOperator): Promise<{ id: string; keyId: string; isNew: boolean }> =>
    database.transaction(async (trx) => {
      // Concurrent requests get the same run.
      await lockKeyRing(trx);
      const keyId = await readActiveKeyId(trx);
      if (keyId === undefined) {
        throw new TollgateError('key_unavailable', 'No credential keys are configured.', { retryAfter: 60 });
      }
      const running = await findRunningMigration(trx, keyId);
      if (running !== undefined) return { id: running.id, keyId, isNew: false };
      const id = newIdentifier('migration');
      const { operatorId: requestedBy, receivedAt: now } = operator;
      await insertMigration(trx, { id, keyId, requestedBy, now });
      const detail = { migrationId: id, keyId };
      await recordPlatformAudit(trx, operator, { action: 'credential_migration.started', detail });
      return { id, keyId, isNew: true };
    });

  const ended = async (id: string): Promise<boolean> => {
    for (let waited = 0; waited < timeoutMs; waited += PAUSE_MS) {
      if ((await findMigration(database, id))?.status !== 'running') return true;
      await pause(PAUSE_MS);
    }
    return false;
  };

  return {
    report: () => reportCredentials(database),

    async migrate(operator) {
      const { id, keyId, isNew } = await begin(operator);
      try {
        // Done here and not in the workflow, because the worker has no access to operators.
        await resealSecondFactors({ database, keyRing }, keyId);
        await startMigration(id);
      } catch (error) {
        // A request answered with 503 must have no effect, even if Temporal has accepted it after all. A run that
        // another request began may have been answered with 202.
        if (isNew)
          await endMigration(database, id, { status: 'failed', skipped: 0, now: operator.receivedAt });
        throw error;
      }
      const done = await ended(id);
      return { done, report: await reportCredentials(database) };
    },

    async switchActiveKey(operator, keyId) {
      await switchActiveKey(database, keyRing, operator, keyId);
      return reportCredentials(database);
    },
  };
}
