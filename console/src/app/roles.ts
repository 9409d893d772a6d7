import type { Role } from '../api/resources';
import { useWorkspace } from './workspace';

/** Each has the rights of those before it (docs/decisions/operators.md). */
const ROLES: readonly Role[] = ['viewer', 'developer', 'admin', 'owner'];

/** Returns the roles that an operator may grant: an owner any, an admin any except owner. */
export function useGivenRoles(): Role[] {
  const notOwner = useRefusal('owner');
  return ROLES.filter((role) => role !== 'owner' || notOwner === null);
}

/** Returns why the operator's role is not sufficient, as a sentence; null if it is. The API refuses the same. */
export function useRefusal(needed: Role): string | null {
  const { role } = useWorkspace();
  if (ROLES.indexOf(role) >= ROLES.indexOf(needed)) return null;
  return `This needs the role ${needed}, and you are ${role}. ${needed === 'owner' ? 'An owner' : 'An admin'} of the organization can change it.`;
}
