import { isEnvironment, type Environment } from './workspace';

const KEY = 'tollgate.last-place';

interface Place {
  organization: string;
  environment: Environment;
}

/** Where this browser last worked; undefined where it did not, or keeps nothing. */
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
    // A browser that keeps nothing starts at the first organization.
  }
}
