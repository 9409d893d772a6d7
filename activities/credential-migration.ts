import { heartbeat } from '@temporalio/activity';
import type { CredentialMigrationSteps } from '../src/connections/credential-migration-steps';
import type { CredentialMigrationActivities } from '../workflows/activity-types';
import { withSafeFailures } from './failures';

export interface CredentialMigrationActivityDependencies {
  credentialMigration: CredentialMigrationSteps;
}

export function createCredentialMigrationActivities({
  credentialMigration,
}: CredentialMigrationActivityDependencies): CredentialMigrationActivities {
  return {
    migrateCredentials: ({ migrationId, after }) =>
      withSafeFailures(() => {
        return credentialMigration.migrateBatch(migrationId, after, () => {
          heartbeat();
        });
      }),
    endCredentialMigration: ({ migrationId, skipped }) =>
      withSafeFailures(() => credentialMigration.end(migrationId, skipped)),
  };
}
