import { isEnvironment, type Environment } from './workspace';

const KEY = 'tollgate.last-place';

interface Place {
  organization: string;
  environment: Environment;
}

/** Returns where this browser was last used; undefined if unknown, or if it has no storage. */
export function lastPlace(): Place | undefined {
  try {
    const [organization = '', environment] = (localStorage.getItem(KEY) ?? '').split('/');
    return isEnvironment(environment) ? { organization, environment } : undefined;
  } catch {
    return undefined;
  }
}

export function rememberPlace({ organization, environment }: Place): void {
  try {
    localStorage.setItem(KEY, `${organization}/${environment}`);
  } catch {
    // A browser without storage starts at the first organization.
  }
}
