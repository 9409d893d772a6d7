import type { Client } from '@temporalio/client';
import type { credentialMigration } from '../../workflows/credential-migration';
import type { Clock } from '../clock/system-clock';
import type { StartMigration } from '../connections/credential-migration-service';
import { CALL_TIMEOUT_MS } from './client';
import { billingQueue } from './task-queues';
import { unavailabilityOf } from './unavailable';
import { credentialMigrationWorkflowId } from './workflow-ids';

/** Starts a migration's workflow unless it is running; a terminated one is started again and skips what is done. */
export function createMigrationStart(client: Client, clock: Clock): StartMigration {
  return async (migrationId) => {
    try {
      await client.withDeadline(clock.now() + CALL_TIMEOUT_MS, () =>
        client.workflow.start<typeof credentialMigration>('credentialMigration', {
          workflowId: credentialMigrationWorkflowId(migrationId),
          // Migrations belong to the installation, so they run on production's queue.
          taskQueue: billingQueue('production'),
          args: [{ migrationId, after: '', looked: 0, skipped: 0 }],
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        }),
      );
    } catch (error) {
      throw unavailabilityOf(error, 'the migration') ?? error;
    }
  };
}
