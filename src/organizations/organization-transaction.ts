import type { OrganizationActor } from '../audit/audit-store';
import type { Database, DbTransaction } from '../db/pools';
import { inOrganization } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { mustEnrol } from '../domain/second-factor';
import { requireRole, type Role } from '../operators/roles';
import { enrolmentRequired } from './enrolment-required';
import { findMember } from './member-store';
import { findOrganization, lockOrganization } from './organization-store';

/** An operator who acts on an organization as a whole. */
export interface OrganizationOperator extends OrganizationActor {
  operatorId: string;
}

type MemberWork<Result> = (trx: DbTransaction, role: Role) => Promise<Result>;

/**
 * Runs `work` in a transaction of the organization, for a member with the needed role. Membership is read in the same
 * transaction, so that a role that was just revoked no longer grants anything.
 *
 * @throws TollgateError organization_forbidden if the operator is not a member; second_factor_enrolment_required;
 *   role_forbidden
 */
export async function asMember<Result>(
  database: Database,
  actor: OrganizationOperator,
  needed: Role,
  work: MemberWork<Result>,
): Promise<Result> {
  return inOrganization(database, actor.workspaceId, actor.reason, (trx) =>
    withRole(trx, actor, needed, work),
  );
}

/**
 * Does the same for changes of members, invitations or the organization itself. Such changes run one at a time, each
 * based on the result of the one before: if two admins demote each other at once, one succeeds and the other is
 * refused.
 *
 * @throws TollgateError organization_forbidden if the operator is not a member; second_factor_enrolment_required;
 *   role_forbidden
 */
export async function changeMembership<Result>(
  database: Database,
  actor: OrganizationOperator,
  needed: Role,
  work: MemberWork<Result>,
): Promise<Result> {
  return inOrganization(database, actor.workspaceId, actor.reason, async (trx) => {
    await lockOrganization(trx, actor.workspaceId);
    return withRole(trx, actor, needed, work);
  });
}

async function withRole<Result>(
  trx: DbTransaction,
  actor: OrganizationOperator,
  needed: Role,
  work: MemberWork<Result>,
): Promise<Result> {
  const member = await findMember(trx, actor.workspaceId, actor.operatorId);
  if (member === undefined) {
    throw new TollgateError('organization_forbidden', 'You are not a member of such an organization.');
  }
  const organization = await findOrganization(trx, actor.workspaceId);
  const requireSecondFactor = organization?.require_second_factor === true;
  if (mustEnrol({ requireSecondFactor }, member.has_second_factor)) throw enrolmentRequired();
  requireRole(member.role, needed);
  return work(trx, member.role);
}
