import { nothing, together } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WebhookType } from '../domain/webhook-types';
import { newIdentifier } from '../identifiers/identifier';
import type { WorkspaceScope } from '../tenancy/actor';

/** Content of a message about an endpoint. */
interface EndpointMessage {
  type: Extract<WebhookType, `webhook_endpoint.${string}`>;
  endpointId: string;
  /** Workspace time. */
  happenedAt: Instant;
  /** Real time. */
  createdAt: Instant;
}

/** Sends a message to one enabled endpoint only, whatever types it subscribes to. @returns the message's id */
export async function announceTo(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  { type, endpointId, happenedAt, createdAt }: EndpointMessage,
): Promise<string> {
  const id = newIdentifier('webhookMessage');
  const times = [happenedAt, createdAt].map((at) => new Date(at).toISOString());
  const announce = {
    name: 'announce_to_endpoint',
    text: "SELECT tollgate.announce($1, $2, $3, $4, 'webhook_endpoint', $5, $6, $7, NULL, $5)",
    values: [workspaceId, environment, id, type, endpointId, ...times],
    read: nothing,
  };
  await together(trx, [announce]);
  return id;
}
