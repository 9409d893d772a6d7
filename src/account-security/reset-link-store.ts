import type { Database, DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { Role } from '../operators/roles';

const TABLE = 'tollgate.member_reset_links';

/** An open link, with the data needed to decide whether it is still valid. */
export interface ResetLinkRow {
  id: string;
  operatorId: string;
  email: string;
  issuedBy: string;
  /** The issuer's current role; null for a former member. */
  issuerRole: Role | null;
  expiresAt: Instant;
}

/** Finds the organization and the id of a token's link, before any organization is known. */
export async function findResetLinkByToken(
  database: Database,
  tokenHash: Buffer,
): Promise<{ workspaceId: string; id: string } | undefined> {
  const { rows } = await database.raw<{ rows: { workspaceId: string; id: string }[] }>(
    'SELECT workspace_id AS "workspaceId", id FROM tollgate.find_reset_link(?)',
    [tokenHash],
  );
  return rows[0];
}

/**
 * Returns the link if it is neither used, nor replaced, nor expired, and if its member has belonged to the organization
 * since before it was issued: it does not become valid again if a removed member rejoins. It also ends when the
 * password is changed without it: the link is then no longer needed, and would undo that change.
 */
export async function findOpenResetLink(
  trx: DbTransaction,
  workspaceId: string,
  id: string,
  now: Instant,
): Promise<ResetLinkRow | undefined> {
  return trx(`${TABLE} as l`)
    .join('tollgate.operators as o', 'o.id', 'l.operator_id')
    .join('tollgate.organization_members as t', (join) => {
      void join
        .on('t.workspace_id', 'l.workspace_id')
        .andOn('t.operator_id', 'l.operator_id')
        .andOn('t.created_at', '<=', 'l.created_at');
    })
    .leftJoin('tollgate.organization_members as m', (join) => {
      void join
        .on('m.workspace_id', 'l.workspace_id')
        .andOn('m.operator_id', 'l.issued_by')
        .andOn('m.created_at', '<=', 'l.created_at');
    })
    .where('l.workspace_id', workspaceId)
    .where('l.id', id)
    .whereNull('l.used_at')
    .whereNull('l.revoked_at')
    .where('l.expires_at', '>', new Date(now))
    .where('o.password_changed_at', '<=', trx.ref('l.created_at'))
    .first<ResetLinkRow | undefined>({
      id: 'l.id',
      operatorId: 'l.operator_id',
      email: 'o.email',
      issuedBy: 'l.issued_by',
      issuerRole: 'm.role',
      expiresAt: 'l.expires_at',
    });
}

/** Adds a link, and ends earlier ones of the same member. */
export async function insertResetLink(
  trx: DbTransaction,
  workspaceId: string,
  link: {
    id: string;
    operatorId: string;
    tokenHash: Buffer;
    issuedBy: string;
    createdAt: Instant;
    expiresAt: Instant;
  },
): Promise<void> {
  await trx(TABLE)
    .where({ workspace_id: workspaceId, operator_id: link.operatorId })
    .whereNull('used_at')
    .whereNull('revoked_at')
    .update({ revoked_at: new Date(link.createdAt) });
  await trx(TABLE).insert({
    workspace_id: workspaceId,
    id: link.id,
    operator_id: link.operatorId,
    token_hash: link.tokenHash,
    issued_by: link.issuedBy,
    created_at: new Date(link.createdAt),
    expires_at: new Date(link.expiresAt),
  });
}

export async function useResetLink(
  trx: DbTransaction,
  workspaceId: string,
  id: string,
  now: Instant,
): Promise<void> {
  await trx(TABLE)
    .where({ workspace_id: workspaceId, id })
    .update({ used_at: new Date(now) });
}
