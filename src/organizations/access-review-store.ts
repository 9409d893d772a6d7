import type { DbTransaction } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * An access that outlives the membership of its maker: a key, a connection whose secrets they entered, a webhook
 * endpoint whose address they chose or whose secret they were shown, a member they invited.
 */
export interface GrantRow {
  kind: 'api_key' | 'provider_connection' | 'webhook_endpoint' | 'member';
  /** Null for a member, who belongs to both. */
  environment: Environment | null;
  id: string;
  name: string;
  operatorId: string;
  operatorName: string;
  /**
   * What they chose or know, and nobody else has replaced: `address` and `secret` of an endpoint, the secrets of a
   * connection by name. Null for the others.
   */
  parts: string[] | null;
  /** When they created it, or last entered its secrets or its address; for a member, when they joined. */
  at: Instant;
  lastUsedAt: Instant | null;
}

/**
 * Lists the active keys, enabled connections and enabled webhook endpoints of one environment that `operatorId` made;
 * if null, those made by former members. A connection counts as made by those who entered its current secrets, or if it
 * has none, by its creator. An endpoint counts as made by those who chose its current address or were shown its current
 * secret; if a key did, by the key's creator, who may still know the key. The transaction must be the environment's.
 */
export async function listGrants(
  trx: DbTransaction,
  scope: WorkspaceScope,
  operatorId: string | null,
  now: Instant,
): Promise<GrantRow[]> {
  const { rows } = await trx.raw<{ rows: GrantRow[] }>(
    `WITH entered AS (
       SELECT DISTINCT ON (a.target, s.member) a.target, s.member, a.operator_id, a.created_at
         FROM tollgate.audit_records a
         LEFT JOIN LATERAL jsonb_array_elements_text(a.detail -> 'secrets') AS s (member) ON true
        WHERE a.workspace_id = :workspaceId AND a.environment = :environment
          AND a.target IN (SELECT ${asTarget('id')} FROM tollgate.provider_connections
                            WHERE workspace_id = :workspaceId AND environment = :environment AND disabled_at IS NULL)
          AND (a.action = 'provider_connection.created'
               OR a.action = 'provider_connection.updated' AND s.member IS NOT NULL)
        ORDER BY a.target, s.member, a.created_at DESC, a.id DESC),
     pointed AS (
       SELECT DISTINCT ON (a.target, part.name) a.target, part.name AS part,
              coalesce(a.operator_id, k.created_by) AS operator_id, a.created_at
         FROM tollgate.audit_records a
         LEFT JOIN tollgate.api_keys k ON k.workspace_id = a.workspace_id AND k.environment = a.environment
                                      AND k.id = a.api_key_id
        CROSS JOIN LATERAL (VALUES
          ('address', a.action = 'webhook_endpoint.created'
                      OR a.action = 'webhook_endpoint.updated' AND a.detail -> 'url' IS NOT NULL),
          ('secret', a.action IN ('webhook_endpoint.created', 'webhook_endpoint.secret_rolled'))) AS part (name, is_set)
        WHERE a.workspace_id = :workspaceId AND a.environment = :environment AND part.is_set
          AND a.target IN (SELECT ${asTarget('id')} FROM tollgate.webhook_endpoints
                            WHERE workspace_id = :workspaceId AND environment = :environment AND disabled_at IS NULL)
        ORDER BY a.target, part.name, a.created_at DESC, a.id DESC)
     SELECT 'api_key' AS kind, k.environment, k.id, k.name, o.id AS "operatorId", o.name AS "operatorName",
            CAST(NULL AS text[]) AS parts, k.created_at AS at, k.last_used_at AS "lastUsedAt"
       FROM tollgate.api_keys k
       JOIN tollgate.operators o ON o.id = k.created_by
      WHERE k.workspace_id = :workspaceId AND k.environment = :environment AND k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > :now) AND ${chosen('k.workspace_id', 'k.created_by')}
     UNION ALL
     SELECT 'provider_connection', c.environment, c.id, c.display_name, o.id, o.name,
            coalesce(array_agg(e.member ORDER BY e.member) FILTER (WHERE e.member IS NOT NULL), '{}'),
            max(e.created_at), NULL
       FROM tollgate.provider_connections c
       JOIN entered e ON e.target = c.id
       JOIN tollgate.operators o ON o.id = e.operator_id
      WHERE c.workspace_id = :workspaceId AND c.environment = :environment
        AND (e.member IS NOT NULL
             OR NOT EXISTS (SELECT FROM entered known WHERE known.target = c.id AND known.member IS NOT NULL))
        AND ${chosen('c.workspace_id', 'e.operator_id')}
      GROUP BY c.environment, c.id, c.display_name, o.id, o.name
     UNION ALL
     SELECT 'webhook_endpoint', w.environment, w.id, w.url, o.id, o.name, array_agg(p.part ORDER BY p.part),
            max(p.created_at), NULL
       FROM tollgate.webhook_endpoints w
       JOIN pointed p ON p.target = w.id
       JOIN tollgate.operators o ON o.id = p.operator_id
      WHERE w.workspace_id = :workspaceId AND w.environment = :environment
        AND ${chosen('w.workspace_id', 'p.operator_id')}
      GROUP BY w.environment, w.id, w.url, o.id, o.name
     ORDER BY at DESC, id`,
    { ...scope, operatorId, now: new Date(now) },
  );
  return rows;
}

/**
 * A target may be any object, so its column has the database's collation and not that of ids, and its index finds only
 * values that have the same. Without it, every audit record of the organization is read.
 */
function asTarget(id: string): string {
  return `${id} COLLATE "default"`;
}

/** Lists the members who joined by an invitation of `operatorId`; if null, of former members. */
export async function listInvitedMembers(
  trx: DbTransaction,
  workspaceId: string,
  operatorId: string | null,
): Promise<GrantRow[]> {
  const { rows } = await trx.raw<{ rows: GrantRow[] }>(
    `SELECT 'member' AS kind, NULL AS environment, o.id, o.name, maker.id AS "operatorId",
            maker.name AS "operatorName", NULL AS parts, max(i.accepted_at) AS at, NULL AS "lastUsedAt"
       FROM tollgate.organization_members own
       JOIN tollgate.operators o ON o.id = own.operator_id
       JOIN tollgate.member_invitations i ON i.workspace_id = own.workspace_id AND lower(i.email) = lower(o.email)
       JOIN tollgate.operators maker ON maker.id = i.invited_by
      WHERE own.workspace_id = :workspaceId AND i.accepted_at IS NOT NULL AND ${chosen('i.workspace_id', 'i.invited_by')}
      GROUP BY o.id, o.name, maker.id, maker.name
      ORDER BY at DESC, o.id`,
    { workspaceId, operatorId },
  );
  return rows;
}

function chosen(workspace: string, maker: string): string {
  return `(${maker} = :operatorId
           OR CAST(:operatorId AS text) IS NULL AND ${maker} IS NOT NULL AND NOT EXISTS (
             SELECT FROM tollgate.organization_members m
              WHERE m.workspace_id = ${workspace} AND m.operator_id = ${maker}))`;
}
