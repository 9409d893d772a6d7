import type { Logger } from 'pino';
import type { Database, DbTransaction } from '../db/pools';
import { inOrganization, inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { defaultPartitionSize, dropPartitions, makePartitions } from '../events/partitions-store';
import { abandonStaleOperations } from '../operations/abandon-stale-operations';
import { deleteDeadJobs } from '../outbox/dead-jobs-store';
import { deleteOldPlatformAudit } from '../platform-audit/platform-audit-retention-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { listScopes, listWorkspaceIds } from '../db/workspace-list-store';
import { forgetRolledSecrets } from '../webhook-endpoints/forget-secrets';
import {
  deleteEndedSessions,
  deleteOldAnswers,
  deleteOldInvitations,
  deleteOldOperations,
  deleteOldPortalSessions,
  deleteOldReservations,
  deleteOldResetLinks,
  deleteOldWebhookFailures,
  deleteOldWebhooks,
} from './expired-rows-store';
import { deleteOldWebhookMessages, deleteOldWebhookResends } from './old-webhooks-store';

const DAY_MS = 86_400_000;
/** Partitions are created this far ahead, so that failing maintenance is noticed long before one is missing. */
export const DAYS_AHEAD = 14;
/** Retention of stored answers, and of ended sessions, invitations and dead jobs. */
const RETENTION_MS = 30 * DAY_MS;
/**
 * Shortest retention of webhooks, so that a repeated one is recognized for longer than any provider keeps its events
 * for redelivery.
 */
const MIN_WEBHOOK_DAYS = 60;

export interface MaintenanceOptions {
  /** Opened with a role subject to row-level security. Tenants' rows are deleted tenant by tenant. */
  database: Database;
  migratorUrl: string;
  /** Retention of developer events, and of providers' webhooks (at least 60 days) with their failures. */
  retentionDays: number;
  /** Retention of the platform's audit; at least 30 days. */
  platformAuditDays: number;
  log: Logger;
}

/**
 * Runs one round of maintenance: partitions, retention and expired rows. Every step can be interrupted and repeated.
 */
export async function maintain(options: MaintenanceOptions, now: Instant): Promise<void> {
  await maintainPartitions(options, now);
  const before = now - RETENTION_MS;
  const { database, migratorUrl, log } = options;
  const sessions = await deleteEndedSessions(database, before, now);
  let invitations = 0;
  for (const workspaceId of await listWorkspaceIds(database)) {
    invitations += await inOrganization(database, workspaceId, 'SYSTEM', async (trx) => {
      await deleteOldResetLinks(trx, workspaceId, before);
      return deleteOldInvitations(trx, workspaceId, before);
    });
  }
  let givenUp = 0;
  let rolledSecrets = 0;
  for (const scope of await listScopes(database)) {
    givenUp += await inWorkspace(database, scope, 'SYSTEM', (trx) =>
      abandonStaleOperations(trx, scope, before, now),
    );
    rolledSecrets += await inWorkspace(database, scope, 'SYSTEM', (trx) =>
      forgetRolledSecrets(trx, scope, now),
    );
  }
  // Operations are deleted before answers, because an existing operation's key must find its answer.
  const operations = await deleteInBatches(database, before, deleteOldOperations);
  const answers = await deleteInBatches(database, before, deleteOldAnswers);
  const reservations = await deleteInBatches(database, before, deleteOldReservations);
  const webhookMessages = await deleteInBatches(database, before, deleteOldWebhookMessages);
  const webhookResends = await deleteInBatches(database, before, deleteOldWebhookResends);
  const portalSessions = await deleteInBatches(database, before, deleteOldPortalSessions);
  const eventsFrom = now - options.retentionDays * DAY_MS;
  const webhookFailures = await deleteInBatches(database, eventsFrom, deleteOldWebhookFailures);
  const webhooksFrom = now - Math.max(options.retentionDays, MIN_WEBHOOK_DAYS) * DAY_MS;
  const webhooks = await deleteInBatches(database, webhooksFrom, deleteOldWebhooks);
  const platformAudit = await deleteOldPlatformAudit(migratorUrl, now - options.platformAuditDays * DAY_MS);
  const deadJobs = await deleteDeadJobs(migratorUrl, before);
  log.info(
    {
      sessions,
      invitations,
      givenUp,
      operations,
      answers,
      reservations,
      portalSessions,
      webhookFailures,
      webhooks,
      webhookMessages,
      webhookResends,
      rolledSecrets,
      platformAudit,
      deadJobs,
    },
    'deleted what has expired',
  );
}

async function maintainPartitions(options: MaintenanceOptions, now: Instant): Promise<void> {
  const { migratorUrl, retentionDays, log } = options;
  const { made, blocked } = await makePartitions(migratorUrl, { from: now, days: DAYS_AHEAD });
  const dropped = await dropPartitions(migratorUrl, now - retentionDays * DAY_MS);
  log.info({ made, dropped }, 'developer events have their partitions');
  const bytes = await defaultPartitionSize(migratorUrl);
  if (bytes > 0 || blocked.length > 0) {
    log.warn(
      { bytes, blocked },
      'the default partition of developer_events holds rows: maintenance was late; they stay readable, and retention does not drop them',
    );
  }
}

async function deleteInBatches(
  database: Database,
  before: Instant,
  deleteSome: (trx: DbTransaction, scope: WorkspaceScope, before: Instant) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (const scope of await listScopes(database)) {
    for (;;) {
      const deleted = await inWorkspace(database, scope, 'SYSTEM', (trx) => deleteSome(trx, scope, before));
      total += deleted;
      if (deleted === 0) break;
    }
  }
  return total;
}
