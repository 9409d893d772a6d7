import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Role } from '../operators/roles';
import { findMemberships, type Membership } from './membership-store';

export interface Memberships {
  /** The organizations that the operator belongs to. */
  of(operatorId: string): Promise<Membership[]>;
  /** The operator's role there, or null for one who is not a member. */
  roleIn(operatorId: string, workspaceId: string): Promise<Role | null>;
  /**
   * The operator's role there.
   *
   * @throws TollgateError organization_forbidden, the same for an organization of others as for none
   */
  require(operatorId: string, workspaceId: string): Promise<Role>;
}

export function createMemberships(database: Database): Memberships {
  async function roleIn(operatorId: string, workspaceId: string): Promise<Role | null> {
    const memberships = await findMemberships(database, operatorId);
    return memberships.find((membership) => membership.workspaceId === workspaceId)?.role ?? null;
  }
  return {
    of: (operatorId) => findMemberships(database, operatorId),
    roleIn,
    async require(operatorId, workspaceId) {
      const role = await roleIn(operatorId, workspaceId);
      if (role === null)
        throw new TollgateError('organization_forbidden', 'You are not a member of such an organization.');
      return role;
    },
  };
}
