import { roleAllows, type Role } from '../operators/roles';

/** Role offered by an open invitation, and its author's current role; null for a former member. */
export interface OfferedRole {
  role: Role;
  inviterRole: Role | null;
}

/**
 * Whether an open invitation can still be accepted: its author is a member whose role covers the offered one.
 * Acceptance checks this again, so that an author who lost the right admits no one.
 */
export function isInvitationValid({ role, inviterRole }: OfferedRole): boolean {
  return inviterRole !== null && roleAllows(inviterRole, role);
}

/**
 * Whether a new invitation by a member with the role `held` may end this one. Only an owner replaces what an owner
 * offered.
 */
export function mayReplaceInvitation(held: Role, { role, inviterRole }: OfferedRole): boolean {
  return held === 'owner' || (role !== 'owner' && inviterRole !== 'owner');
}
