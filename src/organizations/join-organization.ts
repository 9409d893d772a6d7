import { recordOrganizationAudit } from '../audit/audit-store';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { OperatorRow } from '../operators/operator-store';
import { endInvitations, openInvitationsTo } from './end-invitations';
import { acceptInvitation, type InvitationRow } from './invitation-store';
import { insertMember } from './member-store';

/**
 * Makes an operator a member by an invitation, which is used up, in the open transaction of the organization.
 *
 * @param joining.operator must have proved that the account is theirs
 * @throws TollgateError resource_conflict if they are a member already
 */
export async function joinOrganization(
  trx: DbTransaction,
  workspaceId: string,
  joining: {
    invitation: InvitationRow;
    operator: Pick<OperatorRow, 'id' | 'email'>;
    ip: string;
    now: Instant;
  },
): Promise<void> {
  const { invitation, operator, ip, now } = joining;
  const { id: invitationId, role, invited_by: invitedBy } = invitation;
  const { id: operatorId, email } = operator;
  if (!(await insertMember(trx, { workspaceId, operatorId, role, now }))) {
    throw new TollgateError('resource_conflict', 'You are a member of this organization already.');
  }
  await acceptInvitation(trx, workspaceId, invitationId, now);
  const actor = { workspaceId, operatorId, reason: 'OPERATOR' as const, ip, receivedAt: now };
  const others = await openInvitationsTo(trx, workspaceId, email, now);
  await endInvitations(trx, actor, others, 'another invitation to the same address was accepted');
  await recordOrganizationAudit(trx, actor, {
    action: 'member.joined',
    target: operatorId,
    detail: { email, role, invitationId, invitedBy },
  });
}
