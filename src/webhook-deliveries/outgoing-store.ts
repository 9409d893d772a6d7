import { keyLookupsCall, lazyCommitCall, rowsAs, type Call } from '../db/calls';
import { plainArray, textArray } from '../db/parameters';
import type { Database } from '../db/pools';
import { inWorkspaceAtOnce } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { toSealedSecrets } from '../webhook-endpoints/endpoint-secret-store';
import type { SealedSecrets } from '../webhook-endpoints/sealed-secret';

/** Where to send, and the secrets that sign. */
export interface OutgoingEndpoint {
  id: string;
  url: string;
  failingSince: Instant | null;
  secrets: SealedSecrets;
}

/** A delivery that this process may send until `lease`. */
export interface ClaimedDelivery extends WorkspaceScope {
  endpointId: string;
  messageId: string;
  /** Attempts made before this one. */
  attempts: number;
  lease: Instant;
  /** The payload to send; null if it has not been rendered yet. */
  payload: string | null;
}

interface Claim {
  at: Instant;
  lease: Instant;
  /** Maximum number of deliveries to claim of each endpoint, by its id. */
  shares: ReadonlyMap<string, number>;
}

/**
 * Claims due deliveries of one tenant until `lease`, and reads what is needed to send them, in one round trip. No other
 * process claims them before then. Deliveries of an endpoint that was disabled concurrently are claimed too, and left
 * untouched.
 */
export async function claimOutgoing(
  database: Database,
  scope: WorkspaceScope,
  claim: Claim,
): Promise<{ endpoints: Map<string, OutgoingEndpoint>; claimed: ClaimedDelivery[] }> {
  // If a crash undoes the claim, the delivery is claimed and sent again, as if its process had been killed.
  const [, , claimed, endpoints] = await inWorkspaceAtOnce(database, scope, 'SYSTEM', [
    lazyCommitCall(),
    keyLookupsCall(),
    claimCall(scope, claim),
    endpointsCall(scope, [...claim.shares.keys()]),
  ]);
  return { endpoints, claimed };
}

function claimCall(scope: WorkspaceScope, { at, lease, shares }: Claim): Call<ClaimedDelivery[]> {
  const { workspaceId, environment } = scope;
  return {
    name: 'claim_webhook_deliveries',
    text: `WITH due AS (
             SELECT d.endpoint_id, d.message_id
               FROM unnest($3::text[], $4::integer[]) AS s (endpoint, share)
              CROSS JOIN LATERAL (
                SELECT d.endpoint_id, d.message_id
                  FROM tollgate.webhook_deliveries d
                 WHERE d.workspace_id = $1 AND d.environment = $2 AND d.endpoint_id = s.endpoint
                   AND d.status = 'pending' AND d.next_attempt_at <= $5::timestamptz
                 ORDER BY d.next_attempt_at LIMIT s.share
                   FOR UPDATE SKIP LOCKED) d
           )
           UPDATE tollgate.webhook_deliveries d SET next_attempt_at = $6::timestamptz
             FROM due JOIN tollgate.webhook_messages m
               ON m.workspace_id = $1 AND m.environment = $2 AND m.id = due.message_id
            WHERE d.workspace_id = $1 AND d.environment = $2
              AND d.endpoint_id = due.endpoint_id AND d.message_id = due.message_id
           RETURNING d.endpoint_id AS "endpointId", d.message_id AS "messageId", d.attempts, m.payload`,
    values: [
      ...[workspaceId, environment, textArray([...shares.keys()])],
      plainArray([...shares.values()].map(String)),
      new Date(at).toISOString(),
      new Date(lease).toISOString(),
    ],
    read: (rows) =>
      rowsAs<Omit<ClaimedDelivery, 'lease' | keyof WorkspaceScope>>(rows).map((row) => ({
        ...row,
        workspaceId,
        environment,
        lease,
      })),
  };
}

/** Returns the enabled endpoints by id. */
function endpointsCall(
  { workspaceId, environment }: WorkspaceScope,
  endpointIds: readonly string[],
): Call<Map<string, OutgoingEndpoint>> {
  return {
    name: 'outgoing_endpoints',
    text: `SELECT id, url, failing_since, secret_envelope, previous_secret_envelope, previous_secret_until, older_secrets
             FROM tollgate.webhook_endpoints
            WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::text[]) AND disabled_at IS NULL`,
    values: [workspaceId, environment, textArray(endpointIds)],
    read: (rows) =>
      new Map(
        rowsAs<EndpointRow>(rows).map((row) => {
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
