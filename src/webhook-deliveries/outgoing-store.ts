import { contextCall, inOneRoundTrip, type Call } from '../db/calls';
import { textArray } from '../db/parameters';
import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { toSealedSecrets } from '../webhook-endpoints/endpoint-store';
import type { SealedSecrets } from '../webhook-endpoints/sealed-secret';

/** Where to send to, and what signs it. */
export interface OutgoingEndpoint {
  id: string;
  url: string;
  failingSince: Instant | null;
  secrets: SealedSecrets;
}

/** What the claimed deliveries of one tenant are made of, read in one round trip. */
export async function readOutgoing(
  database: Database,
  scope: WorkspaceScope,
  ids: { endpointIds: readonly string[]; messageIds: readonly string[] },
): Promise<{ endpoints: Map<string, OutgoingEndpoint>; payloads: Map<string, string | null> }> {
  const [, endpoints, payloads] = await inOneRoundTrip(database, [
    contextCall(scope, 'SYSTEM', null),
    endpointsCall(scope, ids.endpointIds),
    payloadsCall(scope, ids.messageIds),
  ]);
  return { endpoints, payloads };
}

/** Enabled endpoints by id. */
function endpointsCall(
  { workspaceId, environment }: WorkspaceScope,
  endpointIds: readonly string[],
): Call<Map<string, OutgoingEndpoint>> {
  return {
    name: 'outgoing_endpoints',
    text: `SELECT id, url, failing_since, secret_envelope, previous_secret_envelope, previous_secret_until
             FROM tollgate.webhook_endpoints
            WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::text[]) AND disabled_at IS NULL`,
    values: [workspaceId, environment, textArray(endpointIds)],
    read: (rows) =>
      new Map(
        (rows as unknown as EndpointRow[]).map((row) => {
          const { id, url, failing_since: failingSince } = row;
          return [id, { id, url, failingSince, secrets: toSealedSecrets(row) }];
        }),
      ),
  };
}

type EndpointRow = Parameters<typeof toSealedSecrets>[0] & {
  id: string;
  url: string;
  failing_since: Instant | null;
};

/** What is sent, by the message's id; null where it was not rendered yet. */
function payloadsCall(
  { workspaceId, environment }: WorkspaceScope,
  messageIds: readonly string[],
): Call<Map<string, string | null>> {
  return {
    name: 'outgoing_payloads',
    text: `SELECT id, payload FROM tollgate.webhook_messages
            WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::text[])`,
    values: [workspaceId, environment, textArray(messageIds)],
    read: (rows) =>
      new Map(
        (rows as unknown as { id: string; payload: string | null }[]).map((row) => [row.id, row.payload]),
      ),
  };
}
