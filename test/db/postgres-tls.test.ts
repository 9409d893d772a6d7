import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { classifyFailure } from '../../src/db/failure';
import { migrate, prepareRoles } from '../../src/db/migrate';
import { openDatabase, openPipelinedPool } from '../../src/db/pools';
import { findFreePort } from '../../src/embedded/free-port';
import { postgresAccount } from '../../src/embedded/postgres-account';
import { startPostgresCluster, type PostgresCluster } from '../../src/embedded/postgres-cluster';
import { createLogger } from '../../src/telemetry/logger';
import { createAuthority } from '../support/certificates';
import { testPasswords } from '../support/cluster';
import { EntryPoint } from '../support/entry-point';

/** The modes and certificates of docs/deployment.md, against the embedded Postgres with `ssl = on`. */
const authority = createAuthority();
const stranger = createAuthority();

/** The app's role logs in with its certificate only, the worker's with its password over TLS. */
const ACCESS = `host    all postgres         127.0.0.1/32 scram-sha-256
hostssl all tollgate_app     samehost     cert
hostssl all all              samehost     scram-sha-256
`;

let directory: string;
let cluster: PostgresCluster;
const file = (name: string): string => path.join(directory, name);
/** Postgres accepts a key file only if no other account can read it. */
async function write(files: Record<string, string>): Promise<void> {
  const account = await postgresAccount();
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(file(name), text);
    chmodSync(file(name), 0o600);
    if (account !== undefined) chownSync(file(name), account.uid, account.gid);
  }
}

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'tollgate-postgres-tls-'));
  chmodSync(directory, 0o755);
  const [server, client, other] = [authority.issue('postgres'), authority.issue('tollgate_app'), stranger];
  await write({
    'access.conf': ACCESS,
    'authority.pem': authority.cert,
    'server.pem': server.cert,
    'server.key': server.key,
    'client.pem': client.cert,
    'client.key': client.key,
    'stranger.pem': other.cert,
  });
  cluster = await startPostgresCluster({
    dataDirectory: file('data'),
    port: await findFreePort(),
    superuserPassword: 'test-superuser',
    settings: {
      listen_addresses: 'localhost',
      fsync: 'off',
      hba_file: file('access.conf'),
      ssl: 'on',
      ssl_ca_file: file('authority.pem'),
      ssl_cert_file: file('server.pem'),
      ssl_key_file: file('server.key'),
    },
  });
  await prepareRoles(cluster.adminUrl, testPasswords);
});
afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

const url = (role: 'tollgate_app' | 'tollgate_worker' | 'tollgate_migrator', tls: object): string => {
  const password = role === 'tollgate_app' ? '' : `:${testPasswords[role]}`;
  const query = new URLSearchParams(Object.entries(tls));
  return `postgres://${role}${password}@localhost:${cluster.port}/postgres?${query.toString()}`;
};
const verifyFull = (root = 'authority.pem'): object => ({ sslmode: 'verify-full', sslrootcert: file(root) });
const withCertificate = (): object => ({
  ...verifyFull(),
  sslcert: file('client.pem'),
  sslkey: file('client.key'),
});
const ENCRYPTED = 'SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

async function connect(address: string): Promise<unknown> {
  const client = new Client({ connectionString: address });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<{ ssl: boolean }>(ENCRYPTED)).rows[0];
  } finally {
    await client.end().catch(() => undefined);
  }
}

test('verify-full takes a server of the named authority', async () => {
  expect(await connect(url('tollgate_worker', verifyFull()))).toEqual({ ssl: true, client_dn: null });
});

test('without TLS, such a server refuses', async () => {
  await expect(connect(url('tollgate_worker', { sslmode: 'disable' }))).rejects.toThrow(/no encryption/);
});

test('a server of another authority is refused', async () => {
  await expect(connect(url('tollgate_worker', verifyFull('stranger.pem')))).rejects.toThrow(
    /unable to verify|self-signed certificate|signature/i,
  );
});

test('a client certificate logs a role in, and without one it is refused', async () => {
  expect(await connect(url('tollgate_app', withCertificate()))).toEqual({
    ssl: true,
    client_dn: '/CN=tollgate_app',
  });
  await expect(connect(url('tollgate_app', verifyFull()))).rejects.toThrow(/certificate/);
});

test('a certificate that either side refuses, or that has another key, is an outage, not a defect', async () => {
  const other = stranger.issue('tollgate_app');
  await write({ 'other.pem': other.cert, 'other.key': other.key });
  const refused = [
    // Both authorities have one name, as after a renewal.
    url('tollgate_worker', verifyFull('stranger.pem')),
    url('tollgate_app', { ...withCertificate(), sslkey: file('other.key') }),
    url('tollgate_app', { ...withCertificate(), sslcert: file('other.pem'), sslkey: file('other.key') }),
  ];
  for (const address of refused) {
    const options = { max: 1, applicationName: 'test', log: createLogger('test', 'fatal') };
    const database = openDatabase(address, options);
    const failure: unknown = await database.raw('SELECT 1').catch((error: unknown) => error);
    await database.destroy();
    expect([classifyFailure(failure), failure]).toEqual(['connection', expect.any(Error)]);
  }
});

test('migrate, both pools and verify go by an address with certificates', async () => {
  await migrate(url('tollgate_migrator', verifyFull()));
  const options = { max: 1, applicationName: 'test', log: createLogger('test', 'fatal') };
  const database = openDatabase(url('tollgate_app', withCertificate()), options);
  const pool = openPipelinedPool(url('tollgate_app', withCertificate()), options);
  const { rows } = await database.raw<{ rows: unknown[] }>(ENCRYPTED);
  expect([rows, (await pool.query(ENCRYPTED)).rows]).toMatchObject([[{ ssl: true }], [{ ssl: true }]]);
  await Promise.all([database.destroy(), pool.end()]);
  const verify = new EntryPoint('verify', { TOLLGATE_DATABASE_URL: url('tollgate_app', withCertificate()) });
  expect((await verify.exit).code).toBe(0);
});

test.each(['verify-full', 'verify-ca', 'require', 'prefer'])(
  '%s refuses a server whose certificate names another host',
  async (sslmode) => {
    const { cert, key } = authority.issue('postgres', 'elsewhere.test');
    await write({ 'server.pem': cert, 'server.key': key });
    const admin = new Client({ connectionString: cluster.adminUrl });
    await admin.connect();
    await admin.query('SELECT pg_reload_conf()');
    await admin.end();
    const address = url('tollgate_worker', { sslmode, sslrootcert: file('authority.pem') });
    const refused = async (): Promise<string> => connect(address).then(() => 'taken', String);
    // The server takes a moment to read its new certificate.
    let answer = await refused();
    for (let tries = 0; answer === 'taken' && tries < 50; tries += 1) answer = await refused();
    expect(answer).toContain("does not match certificate's altnames");
  },
);

test('no-verify encrypts, and takes any server', async () => {
  const address = url('tollgate_worker', { sslmode: 'no-verify', sslrootcert: file('stranger.pem') });
  expect(await connect(address)).toMatchObject({ ssl: true });
});
