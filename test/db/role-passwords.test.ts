import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { prepareRoles, type LoginRole } from '../../src/db/migrate';
import { findFreePort } from '../../src/embedded/free-port';
import { startPostgresCluster, type PostgresCluster } from '../../src/embedded/postgres-cluster';
import { databaseUrl } from '../support/cluster';
import { until } from '../support/until';

/** Some are changed by clients before they prove them (SASLprep). */
const passwords: Record<LoginRole, string> = {
  tollgate_migrator: 'planted-plain',
  tollgate_app: "planted 'quoted' \\",
  tollgate_worker: 'planted-Grüße',
  tollgate_relay: 'planted-ﬁ\u00A0x\u00ADy',
  tollgate_deliverer: 'planted-密码🔑',
};

/** A cluster that logs every statement, as some deployments do. */
let cluster: PostgresCluster;
let directory: string;
let serverLog = '';
beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'tollgate-role-passwords-'));
  chmodSync(directory, 0o755);
  cluster = await startPostgresCluster({
    dataDirectory: path.join(directory, 'data'),
    port: await findFreePort(),
    superuserPassword: 'test-superuser',
    settings: { fsync: 'off', log_statement: 'all' },
    log: (line) => (serverLog += `${line}\n`),
  });
});
afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

test('each role gets its password, and Postgres logs none of them', async () => {
  await prepareRoles(cluster.adminUrl, passwords);
  await until(() => Promise.resolve(serverLog.includes('REVOKE CREATE ON SCHEMA public')));
  for (const role of Object.keys(passwords) as LoginRole[]) {
    expect(serverLog).toContain(`ALTER ROLE "${role}" PASSWORD`);
    await logIn(role, passwords[role]);
    await expect(logIn(role, `${passwords[role]}x`)).rejects.toThrow('password authentication failed');
  }
  expect(serverLog).not.toContain('planted');
});

async function logIn(role: LoginRole, password: string): Promise<void> {
  const url = new URL(databaseUrl(cluster.adminUrl, 'postgres', role));
  url.password = encodeURIComponent(password);
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.end();
}
