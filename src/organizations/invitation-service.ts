import { recordOrganizationAudit } from '../audit/audit-store';
import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { SECRET_LINK_PAGES, secretLink } from '../domain/secret-links';
import { DAY_MS } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import { requireRole, type Role } from '../operators/roles';
import { hashToken, newSessionToken } from '../operators/session-token';
import { endInvitations, openInvitationsTo } from './end-invitations';
import { isInvitationValid, mayReplaceInvitation } from './invitation-rights';
import { findOpenInvitation, insertInvitation, listOpenInvitations } from './invitation-store';
import { toInvitationResource, type InvitationResource } from './member-resource';
import { isMemberByEmail } from './member-store';
import { asMember, changeMembership, type OrganizationOperator } from './organization-transaction';

/** How long an invitation can be accepted: seven days. */
const INVITATION_MS = 7 * DAY_MS;

export interface Invitations {
  /**
   * Invites an address, and ends earlier invitations to it. The link is shown once and not stored.
   *
   * @throws TollgateError role_forbidden, also if an owner has invited this address; resource_conflict for an existing
   *   member
   */
  invite(
    actor: OrganizationOperator,
    invited: { email: string; role: Role },
  ): Promise<{ invitation: InvitationResource; link: string }>;
  list(actor: OrganizationOperator): Promise<InvitationResource[]>;
  /** @throws TollgateError invitation_not_found if it is not open */
  revoke(actor: OrganizationOperator, invitationId: string): Promise<void>;
}

export function createInvitations(dependencies: {
  database: Database;
  urls: { console: string };
}): Invitations {
  const { database, urls } = dependencies;
  return {
    invite: (actor, { email, role }) =>
      changeMembership(database, actor, 'admin', async (trx, held) => {
        const { workspaceId, receivedAt: now } = actor;
        requireRole(held, role);
        if (await isMemberByEmail(trx, workspaceId, email)) throw memberAlready();
        const earlier = await openInvitationsTo(trx, workspaceId, email, now);
        if (!earlier.every((invitation) => mayReplaceInvitation(held, invitation))) {
          throw new TollgateError(
            'role_forbidden',
            'An owner has invited this address; only an owner replaces that invitation.',
            { extra: { requiredRole: 'owner', role: held } },
          );
        }
        await endInvitations(trx, actor, earlier, 'a new invitation to the same address');
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
        return {
          invitation: toInvitationResource(row),
          link: secretLink(urls.console, SECRET_LINK_PAGES.invitation, token),
        };
      }),

    list: (actor) =>
      asMember(database, actor, 'admin', async (trx) => {
        const open = await listOpenInvitations(trx, actor.workspaceId, actor.receivedAt);
        return open.filter(isInvitationValid).map(toInvitationResource);
      }),

    revoke: (actor, invitationId) =>
      changeMembership(database, actor, 'admin', async (trx, held) => {
        const invitation = await findOpenInvitation(trx, actor.workspaceId, invitationId, actor.receivedAt);
        if (invitation === undefined)
          throw new TollgateError('invitation_not_found', 'No open invitation has this id.');
        requireRole(held, invitation.role);
        await endInvitations(trx, actor, [invitation], null);
      }),
  };
}

function memberAlready(): TollgateError {
  return new TollgateError('resource_conflict', 'A member already has this e-mail address.', {
    errors: [{ pointer: '/email', message: 'is a member already', fix: 'Change the member’s role instead.' }],
  });
}
