import { TollgateError } from '../domain/errors';

/**
 * The roles of an organization's members, from least to most. Each may do everything the ones before it may:
 *
 * - viewer reads, except the audit records;
 * - developer works with the catalogue, customers, credits and subscriptions of both environments, with the sandbox's
 *   API keys and provider connections, and the sandbox clock;
 * - admin works with the production API keys and provider connections, the settings, the members who are not owners,
 *   and reads the audit records;
 * - owner does everything, and makes other owners. An organization keeps at least one.
 */
export const roles = ['viewer', 'developer', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** Whether the role `held` covers the role `needed`. */
export function roleAllows(held: Role, needed: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed);
}

/** @throws TollgateError role_forbidden that names the needed role */
export function requireRole(held: Role, needed: Role): void {
  if (roleAllows(held, needed)) return;
  throw new TollgateError(
    'role_forbidden',
    `This needs the role ${needed}; yours in this organization is ${held}.`,
    {
      extra: { requiredRole: needed, role: held },
    },
  );
}
