import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WebhookType } from '../domain/webhook-types';
import { newIdentifier } from '../identifiers/identifier';
import type { WorkspaceScope } from '../tenancy/actor';

/** What a message about an endpoint says. */
interface EndpointMessage {
  type: Extract<WebhookType, `webhook_endpoint.${string}`>;
  endpointId: string;
  /** The workspace's time. */
  happenedAt: Instant;
  /** Real time. */
  createdAt: Instant;
}

/** Tells one endpoint alone, whatever types it takes. @returns the message's id */
export async function announceTo(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  { type, endpointId, happenedAt, createdAt }: EndpointMessage,
): Promise<string> {
  const id = newIdentifier('webhookMessage');
  await trx.raw(
    `WITH numbered AS (
       INSERT INTO tollgate.webhook_sequences AS s (workspace_id, environment, resource_kind, resource_id, last)
       VALUES (:workspaceId, :environment, 'webhook_endpoint', :endpointId, 1)
       ON CONFLICT (workspace_id, environment, resource_kind, resource_id) DO UPDATE SET last = s.last + 1
       RETURNING last
     ), written AS (
       INSERT INTO tollgate.webhook_messages
         (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at, created_at)
       SELECT :workspaceId, :environment, :id, :type, 'webhook_endpoint', :endpointId, last, :happenedAt, :createdAt
         FROM numbered
       RETURNING id, created_at
     )
     INSERT INTO tollgate.webhook_deliveries
       (workspace_id, environment, endpoint_id, message_id, next_attempt_at, created_at)
     SELECT :workspaceId, :environment, :endpointId, id, created_at, created_at FROM written`,
    {
      ...{ workspaceId, environment, endpointId, id, type },
      ...{ happenedAt: new Date(happenedAt), createdAt: new Date(createdAt) },
    },
  );
  return id;
}
