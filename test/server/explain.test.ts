import { Client } from 'pg';
import { systemClock } from '../../src/clock/system-clock';
import { createTemporalClient } from '../../src/temporal/client';
import { createWorkflowProbe } from '../../src/temporal/workflow-probe';
import { databaseUrl } from '../support/cluster';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { processSettings } from '../support/process-settings';
import { explain } from '../../src/server/explain';

function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

test('a connection that was refused on every address of its host says so', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
  expect(explain(new AggregateError([refused]))).toBe(
    'Postgres has not answered (connect ECONNREFUSED ::1:5432). Check that it is running and accepts connections, and that the address of the database (TOLLGATE_DATABASE_…) leads to it.',
  );
  expect(explain(new AggregateError([refused], 'all of them failed'))).toBe('all of them failed');
});

test.each([
  [
    '28P01',
    'password authentication failed for user "tollgate_app"',
    /^Postgres refused the log-in: password .* Correct/,
  ],
  [
    '28000',
    'no pg_hba.conf entry for host "10.0.0.7"',
    /^Postgres refused the log-in: no pg_hba\.conf .* Correct its pg_hba/,
  ],
  [
    '28000',
    'role "tollgate_migrator" does not exist',
    /^Postgres refused the log-in: role .* Run npm run migrate with TOLLGATE_DATABASE_ADMIN_URL, which creates/,
  ],
  [
    '3D000',
    'database "tolgate" does not exist',
    /^Postgres refused the log-in: database .* Correct the address/,
  ],
  [
    '42501',
    'permission denied to set role "tollgate_owner"',
    /^The database role may not do this: permission denied to set role "tollgate_owner"\. Check that each .* all name the same database/,
  ],
  [
    '55P03',
    '0046_backlog.sql: canceling statement due to lock timeout',
    /^Another transaction holds a lock that this needs \(0046_backlog\.sql: canceling .*\. End it, .* docs\/upgrade\.md/,
  ],
  ['53100', 'could not extend file', /^The disk of Postgres is full \(could not extend file\)\. Free space/],
  [
    '53300',
    'sorry, too many clients already',
    /^Postgres accepts no further connection \(sorry, .*\)\. Raise max_connections/,
  ],
  [
    'CERT_HAS_EXPIRED',
    'certificate has expired',
    /^The certificate of Postgres is not valid \(certificate has expired\)\. Renew it/,
  ],
  [
    'CERT_SIGNATURE_FAILURE',
    'certificate signature failure',
    /^The certificate of Postgres is not valid \(certificate signature failure\)\. Renew it/,
  ],
  [
    'ERR_OSSL_X509_KEY_VALUES_MISMATCH',
    'key values mismatch',
    /^The TLS connection to Postgres failed \(key values mismatch\)\. Check that sslcert and sslkey .* \(TOLLGATE_DATABASE_…\)/,
  ],
  [
    undefined,
    'getaddrinfo EAI_AGAIN db.internal',
    /^Postgres has not answered \(getaddrinfo .* leads to it\.$/,
  ],
  [
    undefined,
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
    /^Postgres asks for a password\. Set it in the address/,
  ],
  [
    undefined,
    'The server does not support SSL connections',
    /^Postgres does not offer TLS, which sslmode .* Correct it/,
  ],
  // The driver's message for a host that sends no answer, or one of another kind.
  [undefined, 'Connection terminated unexpectedly', /^Postgres has not answered .* leads to it\.$/],
])('a database that answers %s says what to look at', (code, message, said) => {
  expect(explain(Object.assign(new Error(message), code !== undefined && { code }))).toMatch(said);
});

// Postgres ends the session, like one that it cannot serve at the moment.
test.each([
  [
    'role=nobody_such',
    /^Postgres refused the log-in: role "nobody_such" does not exist\. Run npm run migrate with/,
  ],
  ['nothing_such=1', /^Postgres refused a setting of the session: unrecognized .* Correct the options/],
  ['lock_timeout=soon', /^Postgres refused a setting of the session: invalid value .* Correct the options/],
])('a session that asks for %s is told what to correct', async (setting, said) => {
  const connectionString = databaseUrl(process.env['TOLLGATE_TEST_POSTGRES_URL'] ?? '', 'postgres');
  const refused: unknown = await new Client({ connectionString, options: `-c ${setting}` })
    .connect()
    .catch((error: unknown) => error);
  expect(explain(refused)).toMatch(said);
});

test('a certificate of an address that cannot be read is named with what to correct', () => {
  const open = (): unknown => new Client('postgres://me@host/db?sslrootcert=/nowhere/ca.pem');
  expect(explain(thrownBy(open))).toBe(
    'The file /nowhere/ca.pem cannot be read (ENOENT). If sslrootcert, sslcert or sslkey names it, correct the address of the database (TOLLGATE_DATABASE_…).',
  );
});

test('a folder in place of a certificate says what to correct', () => {
  const open = (): unknown => new Client('postgres://me@host/db?sslrootcert=/');
  expect(explain(thrownBy(open))).toBe(
    'A file cannot be read (EISDIR). If sslrootcert, sslcert or sslkey names it, correct the address of the database (TOLLGATE_DATABASE_…).',
  );
});

test('an address to listen on that is of another machine, and a name of none, are named with what to set', () => {
  const other = Object.assign(new Error('listen EADDRNOTAVAIL'), {
    code: 'EADDRNOTAVAIL',
    address: '192.0.2.1',
  });
  expect(explain(other)).toBe(
    'This machine has no address 192.0.2.1 to listen on. Set TOLLGATE_LISTEN_HOST to one that it has.',
  );
  const linkLocal = Object.assign(new Error('listen EINVAL: invalid argument fe80::1:4003'), {
    code: 'EINVAL',
    syscall: 'listen',
    address: 'fe80::1',
  });
  expect(explain(linkLocal)).toBe(
    'This machine cannot listen on fe80::1. Set TOLLGATE_LISTEN_HOST to an address that it has; a link-local one needs its interface (fe80::1%eth0).',
  );
  const forbidden = Object.assign(new Error('listen EACCES'), { code: 'EACCES', port: 80 });
  expect(explain(forbidden)).toMatch(/^This account may not listen on port 80\. Set another/);
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), {
    code: 'ENOTFOUND',
    hostname: 'db.invalid',
  });
  expect(explain(unknown)).toBe(
    'No address was found for the name "db.invalid". Correct the setting that contains it: the address of a database, or TOLLGATE_LISTEN_HOST.',
  );
});

test('a Temporal that does not answer is named with what to look at', async () => {
  const client = createTemporalClient({ address: '127.0.0.1:1', namespace: 'default' });
  const failed: unknown = await createWorkflowProbe(
    client,
    systemClock,
  )('subscription/sandbox/sub_1').catch((error: unknown) => error);
  await client.connection.close();
  expect(explain(failed)).toMatch(
    /^Temporal has not answered \(.+\)\. Check that it is running, and that TEMPORAL_ADDRESS leads to it\.$/,
  );
});

test('the error names what was tried, and then what Temporal answered', () => {
  const answered = Object.assign(new Error('7 PERMISSION_DENIED: not for you'), {
    code: 7,
    details: 'not for you',
    metadata: {},
  });
  expect(explain(answered)).toBe('7 PERMISSION_DENIED: not for you');
  expect(explain(new Error('Failed to start workflow', { cause: answered }))).toBe(
    'Failed to start workflow: not for you',
  );
});

describe('a database that was never migrated', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    for (const schema of ['tollgate', 'tollgate_migrations'])
      await database.query(`ALTER SCHEMA ${schema} RENAME TO not_${schema}`);
  });
  afterAll(() => database.drop());

  test.each(['api', 'deliver', 'verify', 'operator-create'])('%s ends and says what to run', async (name) => {
    const process = new EntryPoint(
      name,
      { ...processSettings(database), NODE_ENV: 'test', TEMPORAL_ADDRESS: '127.0.0.1:1' },
      {
        args:
          name === 'operator-create'
            ? ['--email', 'ada@example.test', '--name', 'Ada', '--organization', 'Ada']
            : [],
      },
    );
    const { code } = await process.exit;
    expect([code, process.output]).toEqual([
      1,
      expect.stringMatching(/run npm run migrate first, or correct the address .* if it names another one/),
    ]);
  });
});
