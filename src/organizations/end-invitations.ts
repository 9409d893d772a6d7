import type { Instant } from '../domain/instant';
import { recordOrganizationAudit } from '../audit/audit-store';
import type { DbTransaction } from '../db/pools';
import { lowerCase } from '../domain/letter-case';
import type { Role } from '../operators/roles';
import { isInvitationValid } from './invitation-rights';
import { listOpenInvitations, revokeInvitations, type InvitationRow } from './invitation-store';
import type { OrganizationOperator } from './organization-transaction';

/** Returns the open invitations to one address. Addresses are compared ignoring case. */
export async function openInvitationsTo(
  trx: DbTransaction,
  workspaceId: string,
  email: string,
  now: Instant,
): Promise<InvitationRow[]> {
  const open = await listOpenInvitations(trx, workspaceId, now);
  return open.filter((invitation) => sameAddress(invitation.email, email));
}

/**
 * Ends the open invitations that lose their basis when a member loses rights: those that the member made above their
 * current role, and those to their own address.
 *
 * @param left the member's current role; null for a former member
 * @returns the invitations that were ended
 */
export async function endInvitationsOf(
  trx: DbTransaction,
  actor: OrganizationOperator,
  member: { operatorId: string; email: string },
  left: Role | null,
): Promise<InvitationRow[]> {
  const open = await listOpenInvitations(trx, actor.workspaceId, actor.receivedAt);
  const ended = open.filter(
    ({ invited_by: maker, role, email }) =>
      sameAddress(email, member.email) ||
      (maker === member.operatorId && !isInvitationValid({ role, inviterRole: left })),
  );
  await endInvitations(trx, actor, ended, 'the member who made it, or whom it invites, lost this right');
  return ended;
}

/** Revokes the invitations, each with an audit record that gives the reason. */
export async function endInvitations(
  trx: DbTransaction,
  actor: OrganizationOperator,
  ended: readonly InvitationRow[],
  because: string | null,
): Promise<void> {
  if (ended.length === 0) return;
  const ids = ended.map(({ id }) => id);
  await revokeInvitations(trx, actor.workspaceId, ids, actor.receivedAt);
  for (const { id, email, role } of ended) {
    const detail = { email, role, ...(because !== null && { because }) };
    await recordOrganizationAudit(trx, actor, { action: 'invitation.revoked', target: id, detail });
  }
}

function sameAddress(one: string, other: string): boolean {
  return lowerCase(one) === lowerCase(other);
}
