import { recordOrganizationAudit } from '../audit/audit-store';
import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import { requireRole, type Role } from '../operators/roles';
import { hashToken, newSessionToken } from '../operators/session-token';
import {
  insertInvitation,
  listOpenInvitations,
  lockOpenInvitation,
  revokeInvitation,
  revokeInvitationsTo,
} from './invitation-store';
import { toInvitationResource, type InvitationResource } from './member-resource';
import { isMemberByEmail } from './member-store';
import { asMember, type OrganizationOperator } from './organization-transaction';

/** How long an invitation can be accepted: seven days. */
const INVITATION_MS = 7 * 86_400_000;

export interface Invitations {
  /**
   * Invites somebody, and ends earlier invitations to the same address. The link is shown once and not kept.
   *
   * @throws TollgateError role_forbidden; resource_conflict for one who is a member already
   */
  invite(
    actor: OrganizationOperator,
    invited: { email: string; role: Role },
  ): Promise<{ invitation: InvitationResource; link: string }>;
  list(actor: OrganizationOperator): Promise<InvitationResource[]>;
  /** @throws TollgateError invitation_not_found when it is not open */
  revoke(actor: OrganizationOperator, invitationId: string): Promise<void>;
}

export function createInvitations(dependencies: {
  database: Database;
  urls: { console: string };
}): Invitations {
  const { database, urls } = dependencies;
  return {
    invite: (actor, { email, role }) =>
      asMember(database, actor, 'admin', async (trx, held) => {
        const { workspaceId, receivedAt: now } = actor;
        if (role === 'owner') requireRole(held, 'owner');
        if (await isMemberByEmail(trx, workspaceId, email)) {
          throw new TollgateError(
            'resource_conflict',
            'Somebody with this e-mail address is a member already.',
            {
              errors: [
                {
                  pointer: '/email',
                  message: 'is a member already',
                  fix: 'Change the member’s role instead.',
                },
              ],
            },
          );
        }
        await revokeInvitationsTo(trx, workspaceId, email, now);
        const token = newSessionToken();
        const row = {
          id: newIdentifier('invitation'),
          email,
          role,
          invited_by: actor.operatorId,
          created_at: now,
          expires_at: now + INVITATION_MS,
        };
        await insertInvitation(trx, workspaceId, { ...row, token_hash: hashToken(token) });
        await recordOrganizationAudit(trx, actor, {
          action: 'invitation.created',
          target: row.id,
          detail: { email, role },
        });
        return { invitation: toInvitationResource(row), link: `${urls.console}/invite/${token}` };
      }),

    list: (actor) =>
      asMember(database, actor, 'admin', async (trx) =>
        (await listOpenInvitations(trx, actor.workspaceId, actor.receivedAt)).map(toInvitationResource),
      ),

    revoke: (actor, invitationId) =>
      asMember(database, actor, 'admin', async (trx, held) => {
        const { workspaceId, receivedAt: now } = actor;
        const invitation = await lockOpenInvitation(trx, workspaceId, invitationId, now);
        if (invitation === undefined)
          throw new TollgateError('invitation_not_found', 'No open invitation has this id.');
        if (invitation.role === 'owner') requireRole(held, 'owner');
        await revokeInvitation(trx, workspaceId, invitationId, now);
        await recordOrganizationAudit(trx, actor, {
          action: 'invitation.revoked',
          target: invitationId,
          detail: { email: invitation.email, role: invitation.role },
        });
      }),
  };
}
