import { together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { insertCall } from '../db/write-calls';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { Actor, TransactionReason } from '../tenancy/actor';

/** The action. `detail` is for people and holds no secret: ids, names, what changed to what. */
export interface AuditedAct {
  /** Dotted, in the past tense: `plan.created`. */
  action: string;
  /** Id of the object acted on. */
  target: string | null;
  detail?: Readonly<Record<string, unknown>>;
}

/** The actor on an organization as a whole (members, invitations), where no environment is involved. */
export interface OrganizationActor {
  workspaceId: string;
  operatorId: string | null;
  /** The key behind an `API_KEY` action. */
  apiKeyId?: string | null;
  reason: TransactionReason;
  ip: string | null;
  receivedAt: Instant;
}

/**
 * Records an action in the transaction that performs it, so that neither exists without the other. The time is real
 * time, in a sandbox too, because the record says when a person acted.
 */
export async function recordAudit(trx: DbTransaction, actor: Actor, act: AuditedAct): Promise<void> {
  await together(trx, [auditCall(actor, act)]);
}

/** Builds the call of `recordAudit`. */
export function auditCall(actor: Actor, act: AuditedAct): Call<void> {
  const { workspaceId, environment } = actor.scope;
  return recordCall({ ...actor, workspaceId }, environment, act);
}

/** Records an action on the organization as a whole, which both environments' lists show. */
export async function recordOrganizationAudit(
  trx: DbTransaction,
  actor: OrganizationActor,
  act: AuditedAct,
): Promise<void> {
  await together(trx, [recordCall(actor, null, act)]);
}

function recordCall(actor: OrganizationActor, environment: string | null, act: AuditedAct): Call<void> {
  return insertCall('audit_record', 'tollgate.audit_records', {
    workspace_id: actor.workspaceId,
    id: newIdentifier('audit'),
    environment,
    operator_id: actor.operatorId,
    api_key_id: actor.apiKeyId ?? null,
    reason: actor.reason,
    action: act.action,
    target: act.target,
    detail: JSON.stringify(act.detail ?? {}),
    ip: actor.ip,
    created_at: new Date(actor.receivedAt),
  });
}
