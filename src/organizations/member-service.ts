import { recordOrganizationAudit } from '../audit/audit-store';
import type { Database, DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { requireRole, roleAllows, type Role } from '../operators/roles';
import { revokeAllSessions } from '../operators/session-store';
import { reviewAccess } from './access-review';
import { endInvitationsOf } from './end-invitations';
import {
  toInvitationResource,
  toMemberResource,
  type MemberChange,
  type MemberResource,
} from './member-resource';
import {
  deleteMember,
  endResetLinksBy,
  findMember,
  listMembers,
  listOwners,
  updateMemberRole,
  type MemberRow,
} from './member-store';
import { asMember, changeMembership, type OrganizationOperator } from './organization-transaction';

/** An organization's members. Admins manage those who are not owners; owners manage all. */
export interface Members {
  list(actor: OrganizationOperator): Promise<MemberResource[]>;
  /**
   * Changes a member's role. A lower role ends the invitations that they made above it and, if another operator changes
   * it, their sessions.
   *
   * @throws TollgateError role_forbidden, operator_not_found, last_owner
   */
  changeRole(actor: OrganizationOperator, operatorId: string, role: Role): Promise<MemberChange>;
  /**
   * Removes a member, and ends the invitations that they made or that are addressed to them, and their sessions. Every
   * member may remove themselves, and then stays logged in.
   *
   * @throws TollgateError role_forbidden, operator_not_found, last_owner
   */
  remove(actor: OrganizationOperator, operatorId: string): Promise<MemberChange>;
}

export function createMembers(database: Database): Members {
  return {
    list: (actor) =>
      asMember(database, actor, 'viewer', async (trx, held) =>
        (await listMembers(trx, actor.workspaceId)).map((member) => toMemberResource(member, held)),
      ),

    changeRole: (actor, operatorId, role) =>
      changeMembership(database, actor, 'admin', async (trx, held) => {
        const { workspaceId } = actor;
        const member = await requireMember(trx, workspaceId, operatorId);
        if (member.role === 'owner' || role === 'owner') requireRole(held, 'owner');
        if (member.role === role) return { ...toMemberResource(member, held), ...NOTHING_ENDED };
        if (member.role === 'owner') await keepAnOwner(trx, workspaceId, operatorId);
        await updateMemberRole(trx, workspaceId, operatorId, role);
        const ended = roleAllows(role, member.role)
          ? NOTHING_ENDED.ended
          : await endRights(trx, actor, member, role);
        await recordOrganizationAudit(trx, actor, {
          action: 'member.role_changed',
          target: operatorId,
          detail: { email: member.email, from: member.role, to: role, sessionsEnded: ended.sessions },
        });
        const isLess = ended !== NOTHING_ENDED.ended;
        const review = isLess ? await reviewAccess(trx, actor, operatorId) : NOTHING_ENDED.review;
        return { ...toMemberResource({ ...member, role }, held), ended, review };
      }),

    remove: (actor, operatorId) =>
      changeMembership(
        database,
        actor,
        operatorId === actor.operatorId ? 'viewer' : 'admin',
        async (trx, held) => {
          const { workspaceId } = actor;
          const member = await requireMember(trx, workspaceId, operatorId);
          if (member.role === 'owner') {
            requireRole(held, 'owner');
            await keepAnOwner(trx, workspaceId, operatorId);
          }
          await deleteMember(trx, workspaceId, operatorId);
          const ended = await endRights(trx, actor, member, null);
          await recordOrganizationAudit(trx, actor, {
            action: operatorId === actor.operatorId ? 'member.left' : 'member.removed',
            target: operatorId,
            detail: { email: member.email, role: member.role, sessionsEnded: ended.sessions },
          });
          return {
            ...toMemberResource(member, held),
            ended,
            review: await reviewAccess(trx, actor, operatorId),
          };
        },
      ),
  };
}

const NOTHING_ENDED: Pick<MemberChange, 'ended' | 'review'> = {
  ended: { invitations: [], sessions: 0 },
  review: [],
};

/** Ends what depended on the rights a member has just lost. `left`: their current role, null for none. */
async function endRights(
  trx: DbTransaction,
  actor: OrganizationOperator,
  member: MemberRow,
  left: Role | null,
): Promise<MemberChange['ended']> {
  const { operator_id: operatorId, email } = member;
  const invitations = await endInvitationsOf(trx, actor, { operatorId, email }, left);
  if (left !== 'owner') await endResetLinksBy(trx, actor.workspaceId, operatorId, actor.receivedAt);
  // A member who gives up a right stays logged in; one who loses it to another operator must log in again.
  const isOwnAct = operatorId === actor.operatorId;
  const sessions = isOwnAct ? 0 : await revokeAllSessions(trx, operatorId, actor.receivedAt);
  return { invitations: invitations.map(toInvitationResource), sessions };
}

async function requireMember(
  trx: DbTransaction,
  workspaceId: string,
  operatorId: string,
): Promise<MemberRow> {
  const member = await findMember(trx, workspaceId, operatorId);
  if (member === undefined)
    throw new TollgateError('operator_not_found', 'No member of this organization has this id.');
  return member;
}

/** @throws TollgateError last_owner if the organization has no other owner */
async function keepAnOwner(trx: DbTransaction, workspaceId: string, leaving: string): Promise<void> {
  const owners = await listOwners(trx, workspaceId);
  if (owners.every((owner) => owner === leaving)) {
    throw new TollgateError('last_owner', 'This is the only owner of the organization.');
  }
}
