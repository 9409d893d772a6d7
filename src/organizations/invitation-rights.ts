import { roleAllows, type Role } from '../operators/roles';

/** An open invitation, and the role that whoever made it has now; null for one who is no longer a member. */
export interface OfferedRole {
  role: Role;
  inviterRole: Role | null;
}

/**
 * Whether an open invitation can still be accepted: whoever made it is a member, whose role reaches the one it
 * gives. It is asked at acceptance too, so that a right which ended lets nobody in.
 */
export function invitationStands({ role, inviterRole }: OfferedRole): boolean {
  return inviterRole !== null && roleAllows(inviterRole, role);
}

/** Whether a new invitation by a member with the role `held` may end this one: what an owner offered, only an owner replaces. */
export function mayReplaceInvitation(held: Role, { role, inviterRole }: OfferedRole): boolean {
  return held === 'owner' || (role !== 'owner' && inviterRole !== 'owner');
}
