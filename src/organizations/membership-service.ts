import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { enrolmentRequired } from './enrolment-required';
import type { Role } from '../operators/roles';
import { findMemberships, type Membership } from './membership-store';

export interface Memberships {
  /** Lists the organizations that the operator belongs to. */
  of(operatorId: string): Promise<Membership[]>;
  /** Returns the operator's role there; null if they are not a member, or must enrol a second factor first. */
  roleIn(operatorId: string, workspaceId: string): Promise<Role | null>;
  /**
   * Returns the operator's role there.
   *
   * @throws TollgateError organization_forbidden, the same for another's organization as for an unknown one;
   *   second_factor_enrolment_required
   */
  require(operatorId: string, workspaceId: string): Promise<Role>;
}

export function createMemberships(database: Database): Memberships {
  async function find(operatorId: string, workspaceId: string): Promise<Membership | undefined> {
    const memberships = await findMemberships(database, operatorId);
    return memberships.find((membership) => membership.workspaceId === workspaceId);
  }
  return {
    of: (operatorId) => findMemberships(database, operatorId),
    async roleIn(operatorId, workspaceId) {
      const found = await find(operatorId, workspaceId);
      return found === undefined || found.mustEnrol ? null : found.role;
    },
    async require(operatorId, workspaceId) {
      const found = await find(operatorId, workspaceId);
      if (found === undefined)
        throw new TollgateError('organization_forbidden', 'You are not a member of such an organization.');
      if (found.mustEnrol) throw enrolmentRequired();
      return found.role;
    },
  };
}
