import { webhookEndpointsLock } from '../db/advisory-locks';
import { createdWithin } from '../db/created-within';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { whereAnyOf } from '../db/where-any-of';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { IdPart } from '../pagination/page-by-id';
import type { WorkspaceScope } from '../tenancy/actor';
import type { EndpointRow } from './endpoint-resource';
import type { SealedSecret } from './sealed-secret';

const TABLE = 'tollgate.webhook_endpoints';
const COLUMNS = {
  id: 'id',
  url: 'url',
  description: 'description',
  eventTypes: 'event_types',
  disabledAt: 'disabled_at',
  disabledReason: 'disabled_reason',
  failingSince: 'failing_since',
  secretLastFour: 'secret_last_four',
  previousSecretUntil: 'previous_secret_until',
  olderSecretsUntil: 'older_secrets_until',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

/** Counts the environment's endpoints, and keeps other transactions from adding any. */
export async function countEndpoints(trx: DbTransaction, scope: WorkspaceScope): Promise<number> {
  const { workspaceId, environment } = scope;
  await trx.raw(`SELECT pg_advisory_xact_lock(${webhookEndpointsLock('?::text', '?::text')})`, [
    workspaceId,
    environment,
  ]);
  const row = await trx(TABLE).where(tenantColumns(scope)).count<{ count: string }[]>({ count: '*' });
  return Number(row[0]?.count ?? 0);
}

export async function insertEndpoint(
  trx: DbTransaction,
  scope: WorkspaceScope,
  endpoint: {
    id: string;
    url: string;
    description: string;
    eventTypes: readonly string[] | null;
    sealed: SealedSecret;
    lastFour: string;
    now: Instant;
  },
): Promise<void> {
  const at = new Date(endpoint.now);
  await trx(TABLE).insert({
    ...tenantColumns(scope),
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    event_types: endpoint.eventTypes === null ? null : [...endpoint.eventTypes],
    secret_envelope: JSON.stringify(endpoint.sealed),
    secret_last_four: endpoint.lastFour,
    created_at: at,
    updated_at: at,
  });
}

/** Lists endpoints newest first: up to `take + 1` whose id is smaller than `before`. */
export async function listEndpoints(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: IdPart,
): Promise<EndpointRow[]> {
  const query = trx(TABLE)
    .where(tenantColumns(scope))
    .orderBy('id', 'desc')
    .limit(page.take + 1);
  createdWithin(query, 'created_at', page);
  if (page.before !== undefined) void query.where('id', '<', page.before);
  return query.select<EndpointRow[]>(COLUMNS);
}

export async function findEndpoint(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<EndpointRow | undefined> {
  return trx(TABLE)
    .where({ ...tenantColumns(scope), id })
    .first<EndpointRow | undefined>(COLUMNS);
}

/** @throws TollgateError webhook_endpoint_not_found */
export async function requireEndpoint(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  lock?: 'lock',
): Promise<EndpointRow> {
  const query = trx(TABLE).where({ ...tenantColumns(scope), id });
  if (lock === 'lock') void query.forNoKeyUpdate();
  const row = await query.first<EndpointRow | undefined>(COLUMNS);
  if (row === undefined) throw endpointNotFound();
  return row;
}

export function endpointNotFound(): TollgateError {
  return new TollgateError(
    'webhook_endpoint_not_found',
    'No webhook endpoint of this environment has this id.',
  );
}

/** Changes the given members; the others stay. */
export async function updateEndpoint(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  change: {
    url?: string | undefined;
    description?: string | undefined;
    eventTypes?: readonly string[] | null | undefined;
    disabled?: { at: Instant; reason: 'operator' | 'failing' | 'gone' } | null | undefined;
    now: Instant;
  },
): Promise<void> {
  const { url, description, eventTypes, disabled, now } = change;
  await trx(TABLE)
    .where({ ...tenantColumns(scope), id })
    .update({
      updated_at: new Date(now),
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(eventTypes !== undefined && { event_types: eventTypes === null ? null : [...eventTypes] }),
      ...(disabled !== undefined && {
        disabled_at: disabled === null ? null : new Date(disabled.at),
        disabled_reason: disabled === null ? null : disabled.reason,
      }),
      // An endpoint that is enabled again or has a new address has not failed yet.
      ...((disabled === null || url !== undefined) && { failing_since: null }),
    });
}

/** Deletes deliveries of an endpoint with their attempts. @returns how many; fewer than `limit` if none remain */
export async function deleteDeliveries(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  limit: number,
): Promise<number> {
  const deliveries = 'tollgate.webhook_deliveries';
  const of = { ...tenantColumns(scope), endpoint_id: id };
  const some = trx(deliveries).where(of).limit(limit).select('message_id');
  return whereAnyOf(trx(deliveries).where(of), 'message_id', some).delete();
}

/** Deletes an endpoint with its deliveries and attempts. @returns whether it existed */
export async function deleteEndpoint(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<boolean> {
  const deleted = await trx(TABLE)
    .where({ ...tenantColumns(scope), id })
    .delete();
  return deleted === 1;
}
