import { roleAllows, type Role } from '../operators/roles';

/** An open invitation, and its maker's current role; null for a former member. */
export interface OfferedRole {
  role: Role;
  inviterRole: Role | null;
}

/**
 * Whether an open invitation can still be accepted: its maker is a member whose role reaches the one it
 * gives. Acceptance checks it again, so that a lost right admits no one.
 */
export function invitationStands({ role, inviterRole }: OfferedRole): boolean {
  return inviterRole !== null && roleAllows(inviterRole, role);
}

/** Whether a new invitation by a member with the role `held` may end this one: what an owner offered, only an owner replaces. */
export function mayReplaceInvitation(held: Role, { role, inviterRole }: OfferedRole): boolean {
  return held === 'owner' || (role !== 'owner' && inviterRole !== 'owner');
}
