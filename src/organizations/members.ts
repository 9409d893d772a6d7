import { recordOrganizationAudit } from '../audit/audit-store';
import type { Database, Transaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { requireRole, type Role } from '../operators/roles';
import { toMemberResource, type MemberResource } from './member-resource';
import {
  deleteMember,
  findMember,
  listMembers,
  lockOwners,
  updateMemberRole,
  type MemberRow,
} from './member-store';
import { asMember, type OrganizationOperator } from './organization-transaction';

/** An organization's members. Admins work with those who are not owners; owners with all. */
export interface Members {
  list(actor: OrganizationOperator): Promise<MemberResource[]>;
  /**
   * @throws TollgateError role_forbidden, operator_not_found, last_owner
   */
  changeRole(actor: OrganizationOperator, operatorId: string, role: Role): Promise<MemberResource>;
  /**
   * Takes a member out; anybody may take out themselves.
   *
   * @throws TollgateError role_forbidden, operator_not_found, last_owner
   */
  remove(actor: OrganizationOperator, operatorId: string): Promise<void>;
}

export function createMembers(database: Database): Members {
  return {
    list: (actor) =>
      asMember(database, actor, 'viewer', async (trx) =>
        (await listMembers(trx, actor.workspaceId)).map(toMemberResource),
      ),

    changeRole: (actor, operatorId, role) =>
      asMember(database, actor, 'admin', async (trx, held) => {
        const { workspaceId } = actor;
        const member = await requireMember(trx, workspaceId, operatorId);
        if (member.role === 'owner' || role === 'owner') requireRole(held, 'owner');
        if (member.role === role) return toMemberResource(member);
        if (member.role === 'owner') await keepAnOwner(trx, workspaceId, operatorId);
        await updateMemberRole(trx, workspaceId, operatorId, role);
        await recordOrganizationAudit(trx, actor, {
          action: 'member.role_changed',
          target: operatorId,
          detail: { email: member.email, from: member.role, to: role },
        });
        return toMemberResource({ ...member, role });
      }),

    remove: (actor, operatorId) =>
      asMember(database, actor, operatorId === actor.operatorId ? 'viewer' : 'admin', async (trx, held) => {
        const { workspaceId } = actor;
        const member = await requireMember(trx, workspaceId, operatorId);
        if (member.role === 'owner') {
          requireRole(held, 'owner');
          await keepAnOwner(trx, workspaceId, operatorId);
        }
        await deleteMember(trx, workspaceId, operatorId);
        await recordOrganizationAudit(trx, actor, {
          action: operatorId === actor.operatorId ? 'member.left' : 'member.removed',
          target: operatorId,
          detail: { email: member.email, role: member.role },
        });
      }),
  };
}

async function requireMember(trx: Transaction, workspaceId: string, operatorId: string): Promise<MemberRow> {
  const member = await findMember(trx, workspaceId, operatorId);
  if (member === undefined)
    throw new TollgateError('operator_not_found', 'No member of this organization has this id.');
  return member;
}

/** @throws TollgateError last_owner when nobody else owns the organization */
async function keepAnOwner(trx: Transaction, workspaceId: string, leaving: string): Promise<void> {
  const owners = await lockOwners(trx, workspaceId);
  if (owners.every((owner) => owner === leaving)) {
    throw new TollgateError('last_owner', 'This is the only owner of the organization.');
  }
}
