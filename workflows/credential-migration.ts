import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { POSTGRES } from './activity-options';
import type { CredentialMigrationActivities } from './activity-types';

const { migrateCredentials, endCredentialMigration } = proxyActivities<CredentialMigrationActivities>({
  ...POSTGRES,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
});

/** A run, and how far it has come. */
export interface CredentialMigrationInput {
  migrationId: string;
  /** The connection after which it goes on; empty at the beginning. */
  after: string;
  looked: number;
  skipped: number;
}

/**
 * Brings every connection's envelope to the active key, batch by batch. A batch that was cut off is repeated, and
 * finds what it had done. Ids and counts only stand here.
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
