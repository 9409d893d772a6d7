import type { Database, Transaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';

/** One statement deletes at most this many rows, so that none holds its locks for long. */
const BATCH = 5_000;

/** Sessions that ended before an instant, and throttle rows that no longer throttle; both are the platform's. */
export async function deleteEndedSessions(
  database: Database,
  before: Instant,
  now: Instant,
): Promise<number> {
  await database('tollgate.login_throttle').where('expire', '<', now).delete();
  return database('tollgate.operator_sessions')
    .where('expires_at', '<', new Date(before))
    .orWhere('revoked_at', '<', new Date(before))
    .delete();
}

/** The organization's invitations that were used, withdrawn or out of date before an instant. */
export async function deleteOldInvitations(
  trx: Transaction,
  workspaceId: string,
  before: Instant,
): Promise<number> {
  return trx('tollgate.member_invitations')
    .where('workspace_id', workspaceId)
    .where((ended) => {
      void ended
        .where('expires_at', '<', new Date(before))
        .orWhere('accepted_at', '<', new Date(before))
        .orWhere('revoked_at', '<', new Date(before));
    })
    .delete();
}

/** Some of the workspace's stored answers from before an instant; 0 when none are left. */
export async function deleteOldAnswers(
  trx: Transaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  const tenant = { workspace_id: scope.workspaceId, environment: scope.environment };
  return trx('tollgate.idempotency_answers')
    .where(tenant)
    .whereIn(
      'idempotency_key',
      trx('tollgate.idempotency_answers')
        .select('idempotency_key')
        .where(tenant)
        .where('created_at', '<', new Date(before))
        .limit(BATCH),
    )
    .delete();
}

/** Some of the workspace's failed webhooks from before an instant; 0 when none are left. */
export async function deleteOldWebhookFailures(
  trx: Transaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  const tenant = { workspace_id: scope.workspaceId, environment: scope.environment };
  return trx('tollgate.webhook_failures')
    .where(tenant)
    .whereIn(
      'id',
      trx('tollgate.webhook_failures')
        .select('id')
        .where(tenant)
        .where('first_at', '<', new Date(before))
        .limit(BATCH),
    )
    .delete();
}

/**
 * Some of the workspace's finished commands from before an instant, with which their answers go; 0 when none are left.
 * A pending one stays, however old: what a provider has still to say of it is written down with its help.
 */
export async function deleteOldOperations(
  trx: Transaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  const tenant = { workspace_id: scope.workspaceId, environment: scope.environment };
  return trx('tollgate.operations')
    .where(tenant)
    .whereIn(
      'id',
      trx('tollgate.operations')
        .select('id')
        .where(tenant)
        .whereNotIn('status', ['pending', 'accepted'])
        .where('created_at', '<', new Date(before))
        .limit(BATCH),
    )
    .delete();
}
