import type { Database, DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { Role } from '../operators/roles';

export interface NewInvitationRow {
  id: string;
  email: string;
  role: Role;
  invited_by: string;
  created_at: Instant;
  expires_at: Instant;
}

export interface InvitationRow extends NewInvitationRow {
  /** The author's current role; null for a former member. */
  inviterRole: Role | null;
}

const COLUMNS = {
  id: 'i.id',
  email: 'i.email',
  role: 'i.role',
  invited_by: 'i.invited_by',
  created_at: 'i.created_at',
  expires_at: 'i.expires_at',
  inviterRole: 'm.role',
};

/** Finds the invitation of a link's token before any organization is known. */
export async function findInvitationByToken(
  database: Database,
  tokenHash: Buffer,
): Promise<{ workspaceId: string; id: string } | undefined> {
  const { rows } = await database.raw<{ rows: { workspaceId: string; id: string }[] }>(
    'SELECT workspace_id AS "workspaceId", id FROM tollgate.find_invitation(?)',
    [tokenHash],
  );
  return rows[0];
}

/** Returns the invitation if it is neither used, nor revoked, nor expired. */
export async function findOpenInvitation(
  trx: DbTransaction,
  workspaceId: string,
  id: string,
  now: Instant,
): Promise<InvitationRow | undefined> {
  return open(trx, workspaceId, now).where('i.id', id).first<InvitationRow | undefined>(COLUMNS);
}

/** Lists the invitations that are neither used, nor revoked, nor expired, newest first. */
export async function listOpenInvitations(
  trx: DbTransaction,
  workspaceId: string,
  now: Instant,
): Promise<InvitationRow[]> {
  return open(trx, workspaceId, now).orderBy('i.id', 'desc').select<InvitationRow[]>(COLUMNS);
}

export async function insertInvitation(
  trx: DbTransaction,
  workspaceId: string,
  invitation: NewInvitationRow & { token_hash: Buffer },
): Promise<void> {
  await trx('tollgate.member_invitations').insert({
    ...invitation,
    workspace_id: workspaceId,
    created_at: new Date(invitation.created_at),
    expires_at: new Date(invitation.expires_at),
  });
}

export async function acceptInvitation(
  trx: DbTransaction,
  workspaceId: string,
  id: string,
  now: Instant,
): Promise<void> {
  await trx('tollgate.member_invitations')
    .where({ workspace_id: workspaceId, id })
    .update({ accepted_at: new Date(now) });
}

export async function revokeInvitations(
  trx: DbTransaction,
  workspaceId: string,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  await trx('tollgate.member_invitations')
    .where({ workspace_id: workspaceId })
    .whereIn('id', ids)
    .update({ revoked_at: new Date(now) });
}

function open(trx: DbTransaction, workspaceId: string, now: Instant) {
  return trx('tollgate.member_invitations as i')
    .leftJoin('tollgate.organization_members as m', (join) => {
      void join.on('m.workspace_id', 'i.workspace_id').andOn('m.operator_id', 'i.invited_by');
    })
    .where('i.workspace_id', workspaceId)
    .whereNull('i.accepted_at')
    .whereNull('i.revoked_at')
    .where('i.expires_at', '>', new Date(now));
}
