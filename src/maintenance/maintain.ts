import type { Logger } from 'pino';
import { forEachWorkspace } from '../db/each-workspace';
import type { Database, DbTransaction } from '../db/pools';
import { inOrganization, inWorkspace } from '../db/workspace-transaction';
import { ENVIRONMENTS } from '../domain/environment';
import { DAY_MS, type Instant } from '../domain/instant';
import { earliestReported } from '../domain/time-of-use';
import { defaultPartitionSize, dropPartitions, makePartitions } from '../events/partitions-store';
import { abandonStaleOperations } from '../operations/abandon-stale-operations';
import { deleteDeadJobs } from '../outbox/dead-jobs-store';
import { deleteOldPlatformAudit } from '../platform-audit/platform-audit-retention-store';
import { readSettings } from '../settings/settings-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { listWorkspaceIds } from '../db/workspace-list-store';
import { forgetRolledSecrets } from '../webhook-endpoints/forget-secrets';
import {
  deleteEndedSessions,
  deleteOldAnswers,
  deleteOldEventsWithoutDay,
  deleteOldInvitations,
  deleteOldOperations,
  deleteOldPortalSessions,
  deleteOldReservations,
  deleteOldResetLinks,
  deleteOldWebhookFailures,
  deleteOldWebhooks,
} from './expired-rows-store';
import {
  deleteOldWebhookMessages,
  deleteOldWebhookResends,
  deleteSequencesOfDeletedOperations,
} from './old-webhooks-store';

/** Partitions are created this far ahead, so that failing maintenance is noticed long before one is missing. */
export const DAYS_AHEAD = 14;
/** Retention of stored answers, and of ended sessions, invitations and replaced jobs. */
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
  /** Ends the round early, after the batch in progress. */
  stopping?: AbortSignal;
}

/**
 * Runs one round of maintenance: partitions, retention and expired rows. Every step can be interrupted and repeated.
 *
 * @throws the first failure, after the parts that do not depend on it are done
 */
export async function maintain(options: MaintenanceOptions, now: Instant): Promise<void> {
  const { database, migratorUrl, log, stopping } = options;
  const before = now - RETENTION_MS;
  const deleted = new Map<string, number>();
  const count = (name: string, more: number): void => void deleted.set(name, (deleted.get(name) ?? 0) + more);
  const failures: unknown[] = [];
  const attempt = async (part: string, work: () => Promise<void>): Promise<void> => {
    if (stopping?.aborted === true) return;
    try {
      await work();
    } catch (error) {
      if (isStop(error, stopping)) return;
      log.error({ part, err: error }, 'a part of maintenance failed; the others go on');
      failures.push(error);
    }
  };
  await attempt('partitions', () => maintainPartitions(options, now));
  await attempt('sessions', async () => {
    count('sessions', await deleteEndedSessions(database, before, now));
  });
  await attempt('platformAudit', async () => {
    count(
      'platformAudit',
      await deleteOldPlatformAudit(migratorUrl, now - options.platformAuditDays * DAY_MS, stopping),
    );
  });
  await attempt('deadJobs', async () => {
    count('deadJobs', await deleteDeadJobs(migratorUrl, before, stopping));
  });
  const workspaces = (await listWorkspaceIds(database)).map((workspaceId) => ({ workspaceId }));
  await attempt('organizations', () =>
    forEachWorkspace(workspaces, log, ({ workspaceId }) =>
      inOrganization(database, workspaceId, 'SYSTEM', async (trx) => {
        await deleteOldResetLinks(trx, workspaceId, before);
        count('invitations', await deleteOldInvitations(trx, workspaceId, before));
      }),
    ),
  );
  const scopes = workspaces.flatMap((own) => ENVIRONMENTS.map((environment) => ({ ...own, environment })));
  const steps = Object.entries(createSteps(options, now));
  await attempt('environments', () =>
    forEachWorkspace(scopes, log, async (scope) => {
      for (const [name, step] of steps) count(name, await repeat(database, scope, step, stopping));
    }),
  );
  log.info(Object.fromEntries(deleted), 'deleted what has expired');
  if (failures.length > 0) throw failures[0];
}

/** Returns whether work failed only because the process was asked to stop while it waited. */
function isStop(error: unknown, stopping: AbortSignal | undefined): boolean {
  return stopping?.aborted === true && error instanceof Error && error.name === 'AbortError';
}

/** One batch of a step in a workspace. Returns the number of rows; 0 if none remain. */
type Step = (trx: DbTransaction, scope: WorkspaceScope) => Promise<number>;

/** The steps in each workspace, in their order, by the name of what they count. */
function createSteps({ retentionDays }: MaintenanceOptions, now: Instant): Record<string, Step> {
  const before = now - RETENTION_MS;
  const eventsFrom = now - retentionDays * DAY_MS;
  const webhooksFrom = now - Math.max(retentionDays, MIN_WEBHOOK_DAYS) * DAY_MS;
  return {
    givenUp: (trx, scope) => abandonStaleOperations(trx, scope, before, now),
    rolledSecrets: (trx, scope) => forgetRolledSecrets(trx, scope, now),
    // Operations are deleted before answers, because an existing operation's key must find its answer.
    operations: (trx, scope) => deleteOldOperations(trx, scope, before),
    answers: (trx, scope) => deleteOldAnswers(trx, scope, before),
    webhookSequences: (trx, scope) => deleteSequencesOfDeletedOperations(trx, scope, before),
    // A late use that names its reservation is decided like any other only while the reservation is found.
    reservations: async (trx, scope) => {
      const { usageReportedDays: reportedDays } = await readSettings(trx, scope);
      return deleteOldReservations(trx, scope, Math.min(before, earliestReported(now, { reportedDays })));
    },
    webhookMessages: (trx, scope) => deleteOldWebhookMessages(trx, scope, before),
    webhookResends: (trx, scope) => deleteOldWebhookResends(trx, scope, before),
    portalSessions: (trx, scope) => deleteOldPortalSessions(trx, scope, before),
    eventsWithoutDay: (trx, scope) => deleteOldEventsWithoutDay(trx, scope, eventsFrom),
    webhookFailures: (trx, scope) => deleteOldWebhookFailures(trx, scope, eventsFrom),
    webhooks: (trx, scope) => deleteOldWebhooks(trx, scope, webhooksFrom),
  };
}

/** Repeats a step until nothing remains or the process stops, each batch in its own transaction. */
async function repeat(
  database: Database,
  scope: WorkspaceScope,
  step: Step,
  stopping?: AbortSignal,
): Promise<number> {
  let total = 0;
  while (stopping?.aborted !== true) {
    const rows = await inWorkspace(database, scope, 'SYSTEM', (trx) => step(trx, scope));
    if (rows === 0) break;
    total += rows;
  }
  return total;
}

async function maintainPartitions(options: MaintenanceOptions, now: Instant): Promise<void> {
  const { migratorUrl, retentionDays, log, stopping } = options;
  const { made, blocked } = await makePartitions(migratorUrl, {
    from: now,
    days: DAYS_AHEAD,
    besideEvents: true,
    stopping,
    onWait: () => {
      log.warn('another process changes the partitions of the events: waiting until it has ended');
    },
  });
  const dropped = await dropPartitions(migratorUrl, now - retentionDays * DAY_MS, stopping);
  log.info({ made, dropped }, 'developer events have their partitions');
  const bytes = await defaultPartitionSize(migratorUrl, stopping);
  if (bytes > 0 || blocked.length > 0) {
    log.warn(
      { bytes, blocked },
      'the default partition of developer_events holds rows: maintenance was late; they stay readable until they expire',
    );
  }
}
