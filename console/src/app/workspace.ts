import { useParams } from '@tanstack/react-router';
import { useSession } from '../api/session';
import type { Organization, Role } from '../api/resources';

export type Environment = 'sandbox' | 'production';

/** The organization's environment named in the address, to which everything on a page belongs. */
export interface Workspace {
  organization: Organization;
  organizationId: string;
  env: Environment;
  role: Role;
  /** Prefix of its pages' addresses. */
  base: string;
  /** Query parameters of every call for the environment. */
  query: { organizationId: string; env: Environment };
}

/** @throws Error outside of `/o/{organization}/{environment}` */
export function useWorkspace(): Workspace {
  const { organization: slug, environment } = useParams({ strict: false });
  const { organizations } = useSession();
  const organization = organizations.find((known) => known.slug === slug);
  if (organization === undefined || !isEnvironment(environment))
    throw new Error('This view is of no organization.');
  const { id, role } = organization;
  const query = { organizationId: id, env: environment };
  const base = `/o/${organization.slug}/${environment}`;
  return { organization, organizationId: id, env: environment, role, base, query };
}

export function isEnvironment(word: string | undefined): word is Environment {
  return word === 'sandbox' || word === 'production';
}
