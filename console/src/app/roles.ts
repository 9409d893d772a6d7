import type { Role } from '../api/resources';
import { useWorkspace } from './workspace';

/** Each has the rights of those before it (docs/decisions/operators.md). */
const ROLES: readonly Role[] = ['viewer', 'developer', 'admin', 'owner'];

/** The roles that an operator may give: an owner each, an admin all but the owner's. */
export function useGivenRoles(): Role[] {
  const notOwner = useRefusal('owner');
  return ROLES.filter((role) => role !== 'owner' || notOwner === null);
}

/** Why the operator's role is not enough, as a sentence; null where it is. The API refuses the same. */
export function useRefusal(needed: Role): string | null {
  const { role } = useWorkspace();
  if (ROLES.indexOf(role) >= ROLES.indexOf(needed)) return null;
  return `This needs the role ${needed}, and you are ${role}. ${needed === 'owner' ? 'An owner' : 'An admin'} of the organization can change it.`;
}
