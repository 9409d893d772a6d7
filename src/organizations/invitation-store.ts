import type { Database, Transaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { Role } from '../operators/roles';

export interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  invited_by: string;
  created_at: Instant;
  expires_at: Instant;
}

const COLUMNS = ['id', 'email', 'role', 'invited_by', 'created_at', 'expires_at'] as const;

/** Which organization a link's token invites to, found before any organization is known. */
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

/** The invitation, if it can still be accepted; locked, so that of two who accept at once one finds it used. */
export async function lockOpenInvitation(
  trx: Transaction,
  workspaceId: string,
  id: string,
  now: Instant,
): Promise<InvitationRow | undefined> {
  return open(trx, workspaceId, now)
    .where({ id })
    .forUpdate()
    .first<InvitationRow | undefined>(...COLUMNS);
}

/** The invitations that can still be accepted, newest first. */
export async function listOpenInvitations(
  trx: Transaction,
  workspaceId: string,
  now: Instant,
): Promise<InvitationRow[]> {
  return open(trx, workspaceId, now)
    .orderBy('id', 'desc')
    .select<InvitationRow[]>(...COLUMNS);
}

export async function insertInvitation(
  trx: Transaction,
  workspaceId: string,
  invitation: InvitationRow & { token_hash: Buffer },
): Promise<void> {
  await trx('tollgate.member_invitations').insert({
    ...invitation,
    workspace_id: workspaceId,
    created_at: new Date(invitation.created_at),
    expires_at: new Date(invitation.expires_at),
  });
}

export async function acceptInvitation(
  trx: Transaction,
  workspaceId: string,
  id: string,
  now: Instant,
): Promise<void> {
  await trx('tollgate.member_invitations')
    .where({ workspace_id: workspaceId, id })
    .update({ accepted_at: new Date(now) });
}

export async function revokeInvitation(
  trx: Transaction,
  workspaceId: string,
  id: string,
  now: Instant,
): Promise<void> {
  await trx('tollgate.member_invitations')
    .where({ workspace_id: workspaceId, id })
    .update({ revoked_at: new Date(now) });
}

/** Ends the earlier invitations to one address: the newest link is the one that works. */
export async function revokeInvitationsTo(
  trx: Transaction,
  workspaceId: string,
  email: string,
  now: Instant,
): Promise<void> {
  await open(trx, workspaceId, now)
    .whereRaw('lower(email) = lower(?)', [email])
    .update({ revoked_at: new Date(now) });
}

function open(trx: Transaction, workspaceId: string, now: Instant) {
  return trx('tollgate.member_invitations')
    .where({ workspace_id: workspaceId })
    .whereNull('accepted_at')
    .whereNull('revoked_at')
    .where('expires_at', '>', new Date(now));
}
