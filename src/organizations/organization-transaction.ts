import type { OrganizationActor } from '../audit/audit-store';
import type { Database, Transaction } from '../db/pools';
import { inOrganization } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { requireRole, type Role } from '../operators/roles';
import { findMember } from './member-store';

/** An operator who acts on an organization as a whole. */
export interface OrganizationOperator extends OrganizationActor {
  operatorId: string;
}

/**
 * Runs `work` in a transaction of the organization, for one of its members with the needed role. Membership is
 * read in the same transaction, so that a role which was just taken away no longer opens anything.
 *
 * @throws TollgateError organization_forbidden for one who is not a member; role_forbidden
 */
export async function asMember<Result>(
  database: Database,
  actor: OrganizationOperator,
  needed: Role,
  work: (trx: Transaction, role: Role) => Promise<Result>,
): Promise<Result> {
  return inOrganization(database, actor.workspaceId, actor.reason, async (trx) => {
    const member = await findMember(trx, actor.workspaceId, actor.operatorId);
    if (member === undefined) {
      throw new TollgateError('organization_forbidden', 'There is no such organization among yours.');
    }
    requireRole(member.role, needed);
    return work(trx, member.role);
  });
}
