import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { POSTGRES } from './activity-options';
import type { CredentialMigrationActivities } from './activity-types';

const { migrateCredentials, endCredentialMigration } = proxyActivities<CredentialMigrationActivities>({
  ...POSTGRES,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
});

/** A run and its progress. */
export interface CredentialMigrationInput {
  migrationId: string;
  /** The connection after which to continue; empty at the beginning. */
  after: string;
  looked: number;
  skipped: number;
}

/**
 * Re-encrypts every connection's envelope with the active key, batch by batch. A batch that was interrupted is
 * repeated, and skips what it had already done. The history holds ids and counts only.
 */
export async function credentialMigration(input: CredentialMigrationInput): Promise<void> {
  const { migrationId } = input;
  let { after, looked, skipped } = input;
  for (;;) {
    setCurrentDetails(`Looked at ${looked} connections, left ${skipped}`);
    const batch = await migrateCredentials({ migrationId, after });
    looked += batch.looked;
    skipped += batch.skipped;
    if (batch.after === null) break;
    after = batch.after;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof credentialMigration>({ migrationId, after, looked, skipped });
    }
  }
  await endCredentialMigration({ migrationId, skipped });
  setCurrentDetails(`Looked at ${looked} connections, left ${skipped}`);
}
