import { inPlaces } from '../db/batch';
import type { Database, DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** A link or a session found by its token's hash, before its tenant is known. */
export interface FoundPortalSession extends WorkspaceScope {
  id: string;
}

/** A live session, with the customer whose page it opens. */
export interface LivePortalSession {
  id: string;
  customerId: string;
  externalId: string;
  returnUrl: string | null;
  lastSeenAt: Instant;
}

/** The hash of a token that a browser sent, and the environment of the host that received it. */
export interface PortalClaim {
  hash: Buffer;
  environment: Environment;
}

/**
 * Finds links or sessions of their host's environment only, in the order of the claims: a sandbox's link opens nothing
 * in production. Null for a claim that nothing was found for.
 */
export async function findPortalSessions(
  database: Database,
  by: 'link' | 'session',
  claims: readonly PortalClaim[],
): Promise<(FoundPortalSession | null)[]> {
  const { rows } = await database.raw<{ rows: (FoundPortalSession & { place: number })[] }>(
    `SELECT asked.place::integer, f.workspace_id AS "workspaceId", f.environment, f.id
       FROM unnest(?::bytea[], ?::text[]) WITH ORDINALITY AS asked (hash, environment, place),
            tollgate.${by === 'link' ? 'find_portal_link' : 'find_portal_session'}(asked.hash, asked.environment) AS f`,
    [claims.map(({ hash }) => hash), claims.map(({ environment }) => environment)],
  );
  return inPlaces(claims.length, rows);
}

export async function insertPortalSession(
  trx: DbTransaction,
  scope: WorkspaceScope,
  link: {
    id: string;
    customerId: string;
    apiKeyId: string;
    linkHash: Buffer;
    returnUrl: string | null;
    createdAt: Instant;
    linkExpiresAt: Instant;
  },
): Promise<void> {
  await trx('tollgate.portal_sessions').insert({
    ...tenantColumns(scope),
    id: link.id,
    customer_id: link.customerId,
    api_key_id: link.apiKeyId,
    link_hash: link.linkHash,
    return_url: link.returnUrl,
    created_at: new Date(link.createdAt),
    link_expires_at: new Date(link.linkExpiresAt),
  });
}

/**
 * SQL condition: the customer is not erased, and the key that requested the link is neither revoked nor expired. A
 * leaked key may be rolled rather than revoked.
 */
const STILL_TRUSTED = `
       AND EXISTS (SELECT FROM tollgate.customers c WHERE c.workspace_id = s.workspace_id
                      AND c.environment = s.environment AND c.id = s.customer_id AND c.erased_at IS NULL)
       AND EXISTS (SELECT FROM tollgate.api_keys k WHERE k.workspace_id = s.workspace_id
                      AND k.environment = s.environment AND k.id = s.api_key_id AND k.revoked_at IS NULL
                      AND (k.expires_at IS NULL OR k.expires_at > :now))`;

/**
 * Turns a link into a session, once. If two requests race, the second waits for the row and finds it opened.
 *
 * @returns false if the link was already opened, has expired or was ended, its key was revoked or has expired, or the
 *   customer was erased
 */
export async function openPortalSession(
  trx: DbTransaction,
  { workspaceId, environment, id }: FoundPortalSession,
  session: { hash: Buffer; now: Instant; expiresAt: Instant },
): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `UPDATE tollgate.portal_sessions s
        SET opened_at = :now, session_hash = :hash, last_seen_at = :now, expires_at = :expiresAt
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment AND s.id = :id
        AND s.opened_at IS NULL AND s.ended_at IS NULL AND s.link_expires_at > :now ${STILL_TRUSTED}`,
    {
      workspaceId,
      environment,
      id,
      hash: session.hash,
      now: new Date(session.now),
      expiresAt: new Date(session.expiresAt),
    },
  );
  return rowCount === 1;
}

/** @param idleSince sessions last used before this have ended */
export async function findLivePortalSession(
  trx: DbTransaction,
  { workspaceId, environment, id }: FoundPortalSession,
  { now, idleSince }: { now: Instant; idleSince: Instant },
): Promise<LivePortalSession | undefined> {
  const { rows } = await trx.raw<{ rows: LivePortalSession[] }>(
    `SELECT s.id, s.customer_id AS "customerId", c.external_id AS "externalId", s.return_url AS "returnUrl",
            s.last_seen_at AS "lastSeenAt"
       FROM tollgate.portal_sessions s
       JOIN tollgate.customers c ON c.workspace_id = s.workspace_id AND c.environment = s.environment
                                AND c.id = s.customer_id
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment AND s.id = :id
        AND s.ended_at IS NULL AND s.expires_at > :now AND s.last_seen_at > :idleSince ${STILL_TRUSTED}`,
    { workspaceId, environment, id, now: new Date(now), idleSince: new Date(idleSince) },
  );
  return rows[0];
}

export async function touchPortalSession(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  now: Instant,
): Promise<void> {
  await trx('tollgate.portal_sessions')
    .where({ ...tenantColumns(scope), id })
    .where('last_seen_at', '<', new Date(now))
    .update({ last_seen_at: new Date(now) });
}

/** Ends links and sessions that have not ended yet; returns how many. */
export async function endPortalSessions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  of: { id: string } | { customerId: string },
  now: Instant,
): Promise<number> {
  const named = 'id' in of ? { id: of.id } : { customer_id: of.customerId };
  return trx('tollgate.portal_sessions')
    .where({ ...tenantColumns(scope), ...named })
    .whereNull('ended_at')
    .update({ ended_at: new Date(now) });
}
