import type { LoginRole } from '../../src/db/migrate';

export const TEMPLATE = 'tollgate_template';

export const testPasswords: Record<LoginRole, string> = {
  tollgate_migrator: 'test-migrator',
  tollgate_app: 'test-app',
  tollgate_worker: 'test-worker',
  tollgate_relay: 'test-relay',
  tollgate_deliverer: 'test-deliverer',
};

/** Returns the URL of a database of the test cluster, for the superuser or for one of the service's roles. */
export function databaseUrl(adminUrl: string, database: string, role?: LoginRole): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  if (role !== undefined) {
    url.username = role;
    url.password = testPasswords[role];
  }
  return url.href;
}
