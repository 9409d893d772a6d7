import { Client } from 'pg';
import { PARTITIONS_LOCK } from '../../src/db/advisory-locks';
import { openDatabase } from '../../src/db/pools';
import { dropPartitions, makePartitions } from '../../src/events/partitions-store';
import { deleteOldPlatformAudit } from '../../src/platform-audit/platform-audit-retention-store';
import type { LoginRole } from '../../src/db/migrate';
import { CatalogueSeeder } from '../support/catalogue';
import { databaseUrl } from '../support/cluster';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { seedEvents } from '../support/events';
import { maintain } from '../../src/maintenance/maintain';
import { createLogger } from '../../src/telemetry/logger';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import { DAY_MS } from '../../src/domain/instant';
import { createOperator } from '../support/operator';
import { until } from '../support/until';
import { createWorkspace, type TestWorkspace } from '../support/workspace';

describe('the commands of a deployment', () => {
  let database: TestDatabase;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    database = await createTestDatabase();
    workspace = await createWorkspace(database);
  });
  afterAll(() => database.drop());

  async function run(
    name: string,
    args: string[] = [],
    more: Record<string, string> = {},
  ): Promise<{ code: number | null; output: string }> {
    const process = new EntryPoint(
      name,
      {
        TOLLGATE_DATABASE_URL: database.url('tollgate_app'),
        TOLLGATE_DATABASE_WORKER_URL: database.url('tollgate_worker'),
        TOLLGATE_DATABASE_MIGRATOR_URL: database.url('tollgate_migrator'),
        ...more,
      },
      { args },
    );
    const { code } = await process.exit;
    return { code, output: process.output };
  }
  const startMigrate = (): EntryPoint =>
    new EntryPoint('migrate', { TOLLGATE_DATABASE_MIGRATOR_URL: database.url('tollgate_migrator') });
  const partitions = async (): Promise<string[]> =>
    (
      await database.query<{ name: string }>(
        "SELECT relname AS name FROM pg_class WHERE relname ~ '^developer_events_\\d{8}$' ORDER BY 1",
      )
    ).map((row) => row.name);
  /** Makes the rounds that use the tables fail while `work` runs. */
  async function withoutTables<Result>(names: string[], work: () => Promise<Result>): Promise<Result> {
    for (const name of names) await database.query(`ALTER TABLE tollgate.${name} RENAME TO ${name}_away`);
    try {
      return await work();
    } finally {
      for (const name of names) await database.query(`ALTER TABLE tollgate.${name}_away RENAME TO ${name}`);
    }
  }
  const nameOf = (at: number): string =>
    `developer_events_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`;

  test('migrate is repeatable, makes the roles able to log in, and partitions for the days ahead', async () => {
    const last = nameOf(Date.now() + 13 * DAY_MS);
    const { code, output } = await run('migrate', [], { TOLLGATE_DATABASE_ADMIN_URL: database.adminUrl });
    expect([code, output]).toEqual([0, expect.stringContaining('The schema is current.')]);
    expect(await partitions()).toContain(last);
    expect((await run('verify')).code).toBe(0);
  });

  test('migrate does not change a schema that a later version has migrated', async () => {
    await database.query(
      "INSERT INTO tollgate_migrations.applied (name, batch) VALUES ('9999_later.sql', 9999)",
    );
    const { code, output } = await run('migrate');
    await database.query("DELETE FROM tollgate_migrations.applied WHERE name = '9999_later.sql'");
    expect([code, output]).toEqual([0, expect.stringContaining('The schema is current.')]);
  });

  test('migrate takes the passwords of addresses that name their host in the query', async () => {
    const { host, port, pathname, username, password } = new URL(database.url('tollgate_app'));
    const withoutHost = `postgres://${username}:${password}@${pathname}?host=${host.split(':')[0] ?? ''}&port=${port}`;
    const { code, output } = await run('migrate', [], {
      TOLLGATE_DATABASE_ADMIN_URL: database.adminUrl,
      TOLLGATE_DATABASE_URL: withoutHost,
      // A percent sign that encodes nothing: this URL is of another user, whose password the command does not set.
      TOLLGATE_DATABASE_RELAY_URL: 'postgres://somebody:100%@127.0.0.1/none',
    });
    expect([code, output]).toEqual([0, expect.stringContaining('The database roles exist.')]);
    expect((await run('verify', [], { TOLLGATE_DATABASE_URL: withoutHost })).code).toBe(0);
  });

  test('migrate and maintain say that they wait for another process that changes the partitions', async () => {
    const other = new Client({ connectionString: database.adminUrl });
    await other.connect();
    await other.query(`SELECT pg_advisory_lock(${PARTITIONS_LOCK})`);
    const migration = startMigrate();
    const maintenance = new EntryPoint(
      'maintain',
      {
        TOLLGATE_DATABASE_WORKER_URL: database.url('tollgate_worker'),
        TOLLGATE_DATABASE_MIGRATOR_URL: database.url('tollgate_migrator'),
      },
      { args: ['--once'] },
    );
    try {
      await migration.says(/changes the partitions of the events\. Waiting/);
      await maintenance.says(/another process changes the partitions of the events/);
    } finally {
      await other.end();
    }
    expect([(await migration.exit).code, (await maintenance.exit).code]).toEqual([0, 0]);
  });

  test('usage:rebuild refuses an organization that is none', async () => {
    const { code, output } = await run('usage-rebuild', ['--workspace', 'org_none']);
    expect([code, output.trim()]).toEqual([
      1,
      'usage:rebuild: There is no organization "org_none"; name it by its id (org_…).',
    ]);
    const { workspaceId } = workspace;
    expect((await run('usage-rebuild', ['--workspace', workspaceId])).code).toBe(0);
  });

  test('migrate does not block the service when it cannot get a lock, keeps what has run, and tries again', async () => {
    const names = async (): Promise<unknown[]> =>
      database.query('SELECT name FROM tollgate_migrations.applied WHERE name ~ $1 ORDER BY 1', [
        '^00(15|46)',
      ]);
    await database.query("DELETE FROM tollgate_migrations.applied WHERE name ~ '^00(15|46)'");
    await database.query('DROP INDEX tollgate.webhook_failures_newest, tollgate.subscriptions_past_due');
    await database.query('DROP FUNCTION tollgate.measure_backlog, tollgate.measure_outbox');
    const busy = new Client({ connectionString: database.adminUrl });
    await busy.connect();
    try {
      // A long transaction of the service: a migration that waited for its lock would block every later transaction.
      await busy.query('BEGIN; LOCK TABLE tollgate.subscriptions IN ROW EXCLUSIVE MODE');
      const migration = startMigrate();
      await migration.says(/tried again/);
      expect(migration.output).toMatch(
        /^The migration waits, and is tried again: 0046_backlog\.sql: canceling statement due to lock timeout$/m,
      );
      expect(migration.output).not.toContain('CREATE');
      // An earlier migration does not hold its locks while another one waits.
      expect(await names()).toEqual([{ name: '0015_webhook_failures_index.sql' }]);
      await busy.query('COMMIT');
      expect((await migration.exit).code).toBe(0);
      expect(migration.output).toContain('Migrated: 0015_webhook_failures_index.sql, 0046_backlog.sql.');
      expect(await names()).toHaveLength(2);
    } finally {
      await busy.end();
    }
  });

  test('migrate tries again after a deadlock with the service', async () => {
    // It locks several tables, and finds that its indexes exist.
    await database.query("DELETE FROM tollgate_migrations.applied WHERE name LIKE '0077%'");
    // The migration detects the deadlock: before its lock time-out, and long before the service does.
    await database.query(`ALTER DATABASE ${database.name} SET deadlock_timeout = '2s'`);
    const busy = new Client({ connectionString: database.adminUrl });
    await busy.connect();
    try {
      await busy.query("BEGIN; SET LOCAL deadlock_timeout = '60s'");
      await busy.query('LOCK TABLE tollgate.webhook_events IN ROW EXCLUSIVE MODE');
      const migration = startMigrate();
      const retries = (): number => migration.output.split('tried again').length - 1;
      // On a busy machine the lock time-out may come before the deadlock; the next attempt meets it again.
      while (!migration.output.includes('deadlock detected')) {
        const before = retries();
        await busy.query('SAVEPOINT without_checkouts');
        await busy.query(
          `DO $$ BEGIN
             WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'tollgate.webhook_events'::regclass) LOOP
               PERFORM pg_sleep(0.02);
             END LOOP;
             LOCK TABLE tollgate.checkouts IN ROW EXCLUSIVE MODE;
           END $$`,
        );
        await busy.query('ROLLBACK TO SAVEPOINT without_checkouts');
        await until(() => retries() > before);
      }
      await busy.query('COMMIT');
      expect([(await migration.exit).code, migration.output]).toEqual([
        0,
        expect.stringContaining('tried again: 0077_list_filters.sql: deadlock detected'),
      ]);
    } finally {
      await busy.end();
      await database.query(`ALTER DATABASE ${database.name} RESET deadlock_timeout`);
    }
  });

  test('the search of customers is migrated while customers change', async () => {
    await database.query("DELETE FROM tollgate_migrations.applied WHERE name LIKE '%\\_customer\\_search%'");
    await database.query('DROP POLICY lookup ON tollgate.customers');
    await database.query('DROP FUNCTION tollgate.find_customers');
    const busy = new Client({ connectionString: database.adminUrl });
    await busy.connect();
    try {
      // A change reads its customer before it writes. If the migration holds a lock against writes by then, it cannot get
      // one against reads.
      await busy.query("BEGIN; SET LOCAL deadlock_timeout = '60s'; SELECT FROM tollgate.customers");
      const migration = startMigrate();
      await until(async () => {
        const waiting = await database.query(
          "SELECT FROM pg_locks WHERE NOT granted AND relation = 'tollgate.customers'::regclass",
        );
        return waiting.length > 0;
      });
      await busy.query('UPDATE tollgate.customers SET name = name');
      await busy.query('COMMIT');
      expect((await migration.exit).code).toBe(0);
      expect(migration.output).toContain('0082_customer_search.sql');
      expect(migration.output).not.toContain('deadlock');
    } finally {
      await busy.end();
    }
  });

  test('migrate names an index whose build was interrupted, which no query uses', async () => {
    const setValid = (valid: boolean) =>
      database.query(
        "UPDATE pg_index SET indisvalid = $1 WHERE indexrelid = 'tollgate.customers_name'::regclass",
        [valid],
      );
    const named = 'No query uses the index tollgate.customers_name: its build was interrupted';
    await setValid(false);
    const before = await run('migrate');
    await setValid(true);
    expect([before.code, before.output]).toEqual([0, expect.stringContaining(named)]);
    expect((await run('migrate')).output).not.toContain('No query uses');
  });

  test('migrate names all addresses that are wrong', async () => {
    const migration = new EntryPoint('migrate', {
      TOLLGATE_DATABASE_ADMIN_URL: database.adminUrl,
      TOLLGATE_DATABASE_MIGRATOR_URL: 'migrator',
      TOLLGATE_DATABASE_URL: 'app',
      TOLLGATE_DATABASE_RELAY_URL: 'relay',
    });
    expect((await migration.exit).code).toBe(1);
    const wrong = ['TOLLGATE_DATABASE_MIGRATOR_URL', 'TOLLGATE_DATABASE_URL', 'TOLLGATE_DATABASE_RELAY_URL'];
    expect(migration.output.match(/TOLLGATE_\w+/g)).toEqual(wrong);
  });

  test('a migration whose process is killed gives up its locks, and the next process continues', async () => {
    await database.query("DELETE FROM tollgate_migrations.applied WHERE name LIKE '0078%'");
    // As building an index on millions of rows.
    await database.query(
      `CREATE FUNCTION public.take_long() RETURNS event_trigger LANGUAGE plpgsql
         AS $$ BEGIN PERFORM pg_sleep(120); END $$`,
    );
    await database.query(
      "CREATE EVENT TRIGGER take_long ON ddl_command_start WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION public.take_long()",
    );
    const killed = startMigrate();
    await until(async () => {
      const building = await database.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
      );
      return building.length > 0;
    });
    killed.kill();
    await database.query('DROP EVENT TRIGGER take_long');
    await database.query('DROP FUNCTION public.take_long()');
    const { code, output } = await run('migrate');
    expect([code, output]).toEqual([0, expect.stringContaining('Migrated: 0078_audit_filters.sql.')]);
  });

  test('of migrations that begin at once in an empty database each ends well, and each file runs once', async () => {
    const name = `empty_${database.name}`;
    const admin = new Client({ connectionString: database.adminUrl });
    await admin.connect();
    const at = (role?: LoginRole): string => databaseUrl(database.adminUrl, name, role);
    try {
      await admin.query(`CREATE DATABASE ${name}`);
      const migrations = [0, 1, 2].map(() => {
        const addresses = {
          TOLLGATE_DATABASE_ADMIN_URL: at(),
          TOLLGATE_DATABASE_MIGRATOR_URL: at('tollgate_migrator'),
        };
        return new EntryPoint('migrate', addresses);
      });
      const codes = await Promise.all(migrations.map(async ({ exit }) => (await exit).code));
      expect([codes, migrations.map(({ output }) => output)]).toEqual([[0, 0, 0], expect.anything()]);
      expect(migrations.filter(({ output }) => output.includes('Migrated: 0001'))).toHaveLength(1);
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.end();
    }
  });

  test('maintain keeps the retention: older days go, younger ones stay, and days ahead are made', async () => {
    await dropPartitions(database.url('tollgate_migrator'), Date.now() + 60 * DAY_MS);
    expect(await partitions()).toEqual([]);
    const now = Date.now();
    await makePartitions(database.url('tollgate_migrator'), { from: now - 10 * DAY_MS, days: 10 });
    const { code } = await run('maintain', ['--once'], { TOLLGATE_EVENT_RETENTION_DAYS: '3' });
    expect(code).toBe(0);
    const left = await partitions();
    expect(left).not.toContain(nameOf(now - 5 * DAY_MS));
    expect(left).toContain(nameOf(now - 2 * DAY_MS));
    expect(left).toContain(nameOf(now + 13 * DAY_MS));
  });

  test('maintain deletes nothing by a clock that differs from that of Postgres', async () => {
    const before = await partitions();
    for (const days of [90, -90]) {
      const off = `const real = Date.now; Date.now = () => real() + ${days * DAY_MS}`;
      const { code, output } = await run('maintain', ['--once'], {
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(off)}`,
      });
      expect([code, output]).toEqual([
        1,
        expect.stringContaining(
          'Nothing was deleted and no partition was created, because the clocks differ',
        ),
      ]);
      const [, here, there] = /it is (\S+) on this machine, and (\S+) where/.exec(output) ?? [];
      expect(Math.round((Date.parse(String(here)) - Date.parse(String(there))) / DAY_MS)).toBe(days);
    }
    expect(await partitions()).toEqual(before);
  });

  test('several that create and drop partitions at once do not block each other', async () => {
    const url = database.url('tollgate_migrator');
    const from = Date.now();
    const dropped = await Promise.all([0, 1, 2].map(() => dropPartitions(url, from + 60 * DAY_MS)));
    expect(new Set(dropped.flat()).size).toBe(dropped.flat().length);
    expect(await partitions()).toEqual([]);
    const made = await Promise.all([0, 1, 2].map(() => makePartitions(url, { from, days: 14 })));
    expect(made.reduce((sum, one) => sum + one.made, 0)).toBe(14);
  });

  test('partitions are made while events are written', async () => {
    const busy = new Client({ connectionString: database.adminUrl });
    await busy.connect();
    try {
      await busy.query('BEGIN');
      // As an event of today does, which is written to its own partition.
      await busy.query('LOCK TABLE ONLY tollgate.developer_events IN ROW EXCLUSIVE MODE');
      const from = Date.now() + 20 * DAY_MS;
      const made = await makePartitions(database.url('tollgate_migrator'), { from, days: 1 });
      expect(made).toEqual({ made: 1, blocked: [] });
    } finally {
      await busy.end();
    }
  });

  test.each([
    ['migrate', ['--dry-run'], 1],
    ['migrate', ['--help'], 0],
    ['verify', ['org_1'], 1],
    ['api', ['--port', '80'], 1],
    ['worker', ['--queues=billing'], 1],
    ['relay', ['--help'], 0],
    ['deliver', ['once'], 1],
  ])('%s %j does nothing, and says why', async (name, args, expected) => {
    // Nothing listens there: a command that continued would report it.
    const nowhere = 'postgres://tollgate_migrator:x@127.0.0.1:1/none';
    const { code, output } = await run(name, args, {
      TOLLGATE_DATABASE_URL: nowhere,
      TOLLGATE_DATABASE_MIGRATOR_URL: nowhere,
    });
    expect([code, output]).toEqual([expected, expect.not.stringContaining('ECONNREFUSED')]);
    expect(output).toMatch(/unknown option|too many arguments|Usage/);
  });

  test('the platform’s audit and failed webhooks are kept for their time, and no role ends them sooner', async () => {
    const { workspaceId } = workspace;
    await database.query(
      `INSERT INTO tollgate.provider_connections (workspace_id, environment, id, provider, display_name, api_mode, settings, created_at, updated_at)
       VALUES ($1, 'sandbox', 'conn_1', 'provider_a', 'A', 'sandbox', '{}', now(), now())`,
      [workspaceId],
    );
    for (const days of [29, 59, 61, 91]) {
      await database.query(
        `INSERT INTO tollgate.platform_audit (id, action, detail, minute, created_at, last_at)
         SELECT 'paud_' || $1::text || '_' || n, 'operator.login_failed', '{}', at, at, at
           FROM generate_series(1, $2) n, (SELECT now() - $1::int * interval '1 day' AS at) a`,
        [days, days === 91 ? 6_000 : 1],
      );
      for (const status of ['applied', 'ignored', 'unmatched', 'failed'])
        await database.query(
          `INSERT INTO tollgate.webhook_events (workspace_id, environment, id, connection_id, provider, event_type, dedupe_key, status, body, headers, received_at)
           VALUES ($1, 'sandbox', $2, 'conn_1', 'provider_a', 'x', $2, $3, '', '{}', now() - $4::int * interval '1 day')`,
          [workspaceId, `whk_${status}_${days}`, status, days],
        );
      await database.query(
        `INSERT INTO tollgate.webhook_failures (workspace_id, environment, id, connection_id, provider, kind, reason, minute, first_at, last_at)
         SELECT $1, 'sandbox', 'whf_' || $2::text, 'conn_1', 'provider_a', 'signature', '', at, at, at
           FROM (SELECT now() - $2::int * interval '1 day' AS at) a`,
        [workspaceId, days],
      );
    }
    const settings = { TOLLGATE_PLATFORM_AUDIT_RETENTION_DAYS: '60' };
    const { code, output } = await run('maintain', ['--once'], settings);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/"platformAudit":6001,.*"webhookFailures":1,.*"webhooks":2/),
    ]);
    const left = async (table: string) =>
      (await database.query<{ id: string }>(`SELECT id FROM tollgate.${table} ORDER BY id`)).map(
        ({ id }) => id,
      );
    const planted = (await left('platform_audit')).filter((id) => /_1$/.test(id));
    expect(planted).toEqual(['paud_29_1', 'paud_59_1']);
    expect(await left('webhook_failures')).toEqual(['whf_29', 'whf_59', 'whf_61']);
    expect((await left('webhook_events')).filter((id) => /_(61|91)$/.test(id))).toEqual([
      ...['whk_applied_61', 'whk_failed_61', 'whk_failed_91'],
      ...['whk_ignored_61', 'whk_unmatched_61', 'whk_unmatched_91'],
    ]);
    const shorter = { ...settings, TOLLGATE_EVENT_RETENTION_DAYS: '1' };
    expect((await run('maintain', ['--once'], shorter)).output).toMatch(/"webhooks":2,/);
    expect((await left('webhook_events')).filter((id) => /_(applied|ignored)_/.test(id))).toEqual([
      ...['whk_applied_29', 'whk_applied_59', 'whk_ignored_29', 'whk_ignored_59'],
    ]);
    // Nor does the owner delete young rows, whatever instant is passed.
    await deleteOldPlatformAudit(database.url('tollgate_migrator'), Date.now() + DAY_MS);
    expect((await left('platform_audit')).filter((id) => /_1$/.test(id))).toEqual(['paud_29_1']);
    expect((await run('maintain', ['--once'], { TOLLGATE_PLATFORM_AUDIT_RETENTION_DAYS: '30' })).code).toBe(
      1,
    );
  });

  test('events of a day without a partition are kept, and maintain reports this and continues', async () => {
    const far = Date.now() + 12 * DAY_MS;
    await database.query(`DROP TABLE tollgate.${nameOf(far)}`);
    const [id] = await seedEvents(database, workspace.sandbox, [{ createdAt: far }]);
    const { code, output } = await run('maintain', ['--once']);
    expect(code).toBe(0);
    expect(output).toContain('default partition');
    expect(output).toContain(new Date(far).toISOString().slice(0, 10));
    expect(await database.query('SELECT id FROM tollgate.developer_events WHERE id = $1', [id])).toEqual([
      { id },
    ]);
    await database.query('DELETE FROM tollgate.developer_events WHERE id = $1', [id]);
  });

  test('the default partition is read once for all days ahead, and its own events keep no day of them', async () => {
    const now = Date.now();
    const url = database.url('tollgate_migrator');
    const reads = async (): Promise<number> => {
      const [row] = await database.query<{ reads: string }>(
        "SELECT seq_scan AS reads FROM pg_stat_user_tables WHERE relid = 'tollgate.developer_events_default'::regclass",
      );
      return Number(row?.reads);
    };
    await dropPartitions(url, now + 60 * DAY_MS);
    await seedEvents(database, workspace.sandbox, [{ createdAt: now }]);
    // Postgres may count what this session has read before only a second later.
    await database.query('SELECT pg_stat_force_next_flush()');
    const before = await reads();
    expect(await makePartitions(url, { from: now, days: 14, besideEvents: true })).toEqual({
      made: 12,
      blocked: [0, 1].map((ahead) => new Date(now + ahead * DAY_MS).toISOString().slice(0, 10)),
    });
    await until(async () => (await reads()) > before);
    expect(await reads()).toBe(before + 1);
    await database.query('TRUNCATE tollgate.developer_events_default');
    expect(await makePartitions(url, { from: now, days: 14 })).toEqual({ made: 2, blocked: [] });
  });

  test('events that have no partition expire, too, and no role deletes those of the last day', async () => {
    const now = Date.now();
    const other = await createWorkspace(database);
    const seed = (days: number, scope = workspace.sandbox) =>
      seedEvents(database, scope, [{ createdAt: now - days * DAY_MS }]);
    await seed(91);
    await seed(91, other.production);
    const [young] = await seed(89);
    const inDefault = () =>
      database.query('SELECT id FROM tollgate.developer_events_default ORDER BY created_at');
    expect(await inDefault()).toHaveLength(3);
    expect((await run('maintain', ['--once'])).output).toContain('"eventsWithoutDay":2');
    expect(await inDefault()).toEqual([{ id: young }]);
    await database.query(`DROP TABLE tollgate.${nameOf(now)}`);
    const [justNow] = await seed(0);
    const worker = new Client({ connectionString: database.url('tollgate_worker') });
    await worker.connect();
    try {
      const deleteAll = async (scope: WorkspaceScope) => {
        await worker.query(
          "SELECT set_config('tollgate.workspace_id', $1, false), set_config('tollgate.environment', $2, false)",
          [scope.workspaceId, scope.environment],
        );
        await worker.query('DELETE FROM tollgate.developer_events_default');
      };
      await deleteAll(other.sandbox);
      expect(await inDefault()).toEqual([{ id: young }, { id: justNow }]);
      await deleteAll(workspace.sandbox);
      expect(await inDefault()).toEqual([{ id: justNow }]);
    } finally {
      await worker.end();
      await database.query('DELETE FROM tollgate.developer_events_default');
    }
  });

  test('maintain deletes what has expired, of every workspace, and nothing younger', async () => {
    const other = await createWorkspace(database);
    const { operatorId } = await createOperator(database, {
      workspaceId: workspace.workspaceId,
      role: 'owner',
    });
    const old = new Date(Date.now() - 31 * DAY_MS);
    const young = new Date(Date.now() - 29 * DAY_MS);
    for (const [name, at] of [
      ['old', old],
      ['young', young],
    ] as const) {
      for (const { workspaceId, environment } of [workspace.sandbox, workspace.production, other.sandbox]) {
        await database.query(
          `INSERT INTO tollgate.idempotency_answers (workspace_id, environment, idempotency_key, fingerprint, status, body, created_at)
           VALUES ($1, $2, $3, '\\x00', 200, '{}', $4)`,
          [workspaceId, environment, name, at],
        );
        for (const status of ['succeeded', 'refused', 'pending', 'accepted']) {
          await database.query(
            `INSERT INTO tollgate.operations (workspace_id, environment, id, kind, target_id, input, idempotency_key,
                                              fingerprint, status, reason, request_id, created_at, finished_at)
             VALUES ($1, $2, $3, 'refund', 'pay_1', '{}', $3, '\\x00', $4, 'OPERATOR', 'req_1', $5, $6)`,
            [
              workspaceId,
              environment,
              `${name} ${status}`,
              status,
              at,
              ['pending', 'accepted'].includes(status) ? null : at,
            ],
          );
        }
      }
      await database.query(
        `INSERT INTO tollgate.member_invitations (workspace_id, id, email, role, token_hash, invited_by, created_at, expires_at)
         VALUES ($1, $2, 'a@b.test', 'viewer', $3, $4, $5, $5)`,
        [workspace.workspaceId, name, Buffer.from(name), operatorId, at],
      );
      await database.query(
        `INSERT INTO tollgate.operator_sessions (id_hash, id, operator_id, created_at, last_seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $4, $4)`,
        [Buffer.from(name), name, operatorId, at],
      );
    }
    await database.query(
      "INSERT INTO tollgate.login_throttle (key, points, expire) VALUES ('old', 1, $1), ('young', 1, $2)",
      [Date.now() - 1000, Date.now() + 15 * 60_000],
    );
    expect((await run('maintain', ['--once'])).code).toBe(0);
    const left = async (table: string, column: string): Promise<string[]> =>
      (await database.query<{ name: string }>(`SELECT ${column} AS name FROM tollgate.${table}`)).map(
        (row) => row.name,
      );
    expect(await left('idempotency_answers', 'idempotency_key')).toEqual(['young', 'young', 'young']);
    // Accepted operations continue. Pending ones of an earlier version are given up, and kept from then on.
    const commands = [
      'old accepted',
      'old pending',
      'young accepted',
      'young pending',
      'young refused',
      'young succeeded',
    ];
    expect(
      await database.query("SELECT DISTINCT status FROM tollgate.operations WHERE id = 'old pending'"),
    ).toEqual([{ status: 'abandoned' }]);
    expect([...new Set(await left('operations', 'id'))].sort()).toEqual(commands);
    expect(await left('operations', 'id')).toHaveLength(3 * commands.length);
    await database.query('DELETE FROM tollgate.operations');
    await database.query('DELETE FROM graphile_worker._private_jobs');
    expect(await left('member_invitations', 'id')).toEqual(['young']);
    expect(await left('operator_sessions', 'id')).toEqual(['young']);
    expect(await left('login_throttle', 'key')).toEqual(['young']);
  });

  test('expired throttles of log-ins, which strangers fill, are deleted in batches', async () => {
    await database.query(
      `INSERT INTO tollgate.login_throttle (key, points, expire)
       SELECT 'stranger ' || i, 1, 1000 + i / 2 FROM generate_series(1, 240000) i`,
    );
    await database.query(`CREATE FUNCTION public.refuse_many() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF (SELECT count(*) FROM gone) > 100001 THEN RAISE 'too many rows'; END IF; RETURN NULL; END $$`);
    await database.query(`CREATE TRIGGER refuse_many AFTER DELETE ON tollgate.login_throttle
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_many()`);
    const { code, output } = await run('maintain', ['--once']);
    await database.query('DROP FUNCTION public.refuse_many CASCADE');
    expect([code, output]).toEqual([0, expect.anything()]);
    expect(await database.query("SELECT FROM tollgate.login_throttle WHERE key LIKE 'stranger%'")).toEqual(
      [],
    );
  });

  test('a part of maintenance that fails does not hold up the others', async () => {
    const { workspaceId, environment } = workspace.production;
    await database.query(
      `INSERT INTO tollgate.idempotency_answers (workspace_id, environment, idempotency_key, fingerprint, status, body, created_at)
       VALUES ($1, $2, 'old', '\\x00', 200, '{}', $3)`,
      [workspaceId, environment, new Date(Date.now() - 31 * DAY_MS)],
    );
    // With a wrong password, the migrator's role cannot log in.
    const migratorUrl = new URL(database.url('tollgate_migrator'));
    migratorUrl.password = 'wrong';
    const log = createLogger('test', 'silent');
    const worker = openDatabase(database.url('tollgate_worker'), { max: 1, applicationName: 'test', log });
    try {
      const options = { database: worker, migratorUrl: migratorUrl.href, retentionDays: 90 };
      await expect(maintain({ ...options, platformAuditDays: 365, log }, Date.now())).rejects.toThrow(
        'password authentication failed',
      );
    } finally {
      await worker.destroy();
    }
    expect(
      await database.query("SELECT FROM tollgate.idempotency_answers WHERE idempotency_key = 'old'"),
    ).toEqual([]);
  });

  test('maintain --once rolls usage up although another round fails', async () => {
    const { workspaceId, environment } = workspace.sandbox;
    const featureId = await new CatalogueSeeder(database, workspace.sandbox).feature('rolled_up');
    await database.query(
      `INSERT INTO tollgate.usage_events (workspace_id, environment, idempotency_key, id, fingerprint, customer_id, feature_id,
              quantity, source, deductions, answer, recorded_at, transaction_id)
       VALUES ($1, $2, 'rolled up', 'uev_rolled_up', '\\x01', 'cus_rolled_up', $3, 3, 'api', '[]', '{}', $4, pg_current_xact_id())`,
      [workspaceId, environment, featureId, new Date()],
    );
    const sums = () =>
      database.query('SELECT quantity::int AS quantity FROM tollgate.usage_quarters WHERE customer_id = $1', [
        'cus_rolled_up',
      ]);
    // A round leaves out what is newer than a transaction that is open elsewhere in the cluster.
    await withoutTables(['login_throttle'], () =>
      until(async () => {
        const { code, output } = await run('maintain', ['--once']);
        expect([code, output]).toEqual([1, expect.stringContaining('login_throttle')]);
        return (await sums()).length > 0;
      }),
    );
    expect(await sums()).toEqual([{ quantity: 3 }]);
    // It was recorded without its deductions, which verify would name.
    await database.query("DELETE FROM tollgate.usage_events WHERE customer_id = 'cus_rolled_up'");
    await database.query('DELETE FROM tollgate.usage_quarters; DELETE FROM tollgate.usage_customer_days');
  });

  test('maintain --once says of each round that failed why', async () => {
    const { code, output } = await withoutTables(['login_throttle', 'operations'], () =>
      run('maintain', ['--once']),
    );
    const told = output.split('\n').filter((line) => line.startsWith('maintain: '));
    expect([code, told]).toEqual([
      1,
      [expect.stringContaining('operations'), expect.stringContaining('login_throttle')],
    ]);
  });

  test('maintain deletes and counts the jobs that a newer one has replaced, and no job whose work is still owed', async () => {
    const job = async (name: string, row: { attempts: number; lockedAt?: Date; at: Date; runAt?: Date }) => {
      await database.query("SELECT tollgate.enqueue('poke-subscription', '{}', $1)", [name]);
      await database.query(
        `UPDATE graphile_worker._private_jobs SET key = NULL, last_error = $1, attempts = $2, locked_at = $3,
                updated_at = $4, run_at = $5 WHERE key = $1`,
        [name, row.attempts, row.lockedAt ?? null, row.at, row.runAt ?? row.at],
      );
    };
    const [old, young] = [new Date(Date.now() - 31 * DAY_MS), new Date(Date.now() - 29 * DAY_MS)];
    await database.query("SELECT tollgate.enqueue('poke-subscription', '{}', 'waits')");
    await job('dead', { attempts: 25, at: old });
    await job('dead of late', { attempts: 25, at: young });
    await job('dead, to run later', { attempts: 25, at: old, runAt: young });
    await job('on its last attempt', { attempts: 25, at: old, lockedAt: old });
    await job('with attempts left', { attempts: 24, at: old });
    await database.query(`SELECT tollgate.enqueue('poke-subscription', '{}', 'given up')`);
    await database.query(
      "UPDATE graphile_worker._private_jobs SET attempts = 25, updated_at = $1, run_at = $1 WHERE key = 'given up'",
      [old],
    );
    const { code, output } = await run('maintain', ['--once']);
    expect([code, output]).toEqual([0, expect.stringContaining('"deadJobs":1')]);
    const left = await database.query<{ name: string }>(
      'SELECT coalesce(key, last_error) AS name FROM graphile_worker._private_jobs ORDER BY id',
    );
    expect(left.map(({ name }) => name)).toEqual([
      'waits',
      'dead of late',
      'dead, to run later',
      'with attempts left',
      'given up',
      // It was released, which gives it a new id.
      'on its last attempt',
    ]);
    // The next signal under its key is tried again.
    await database.query("SELECT tollgate.enqueue('poke-subscription', '{}', 'given up')");
    expect(
      await database.query("SELECT attempts FROM graphile_worker._private_jobs WHERE key = 'given up'"),
    ).toEqual([{ attempts: 0 }]);
  });

  test('verify exits 1 and names the workspace when something does not add up', async () => {
    await database.query(
      `INSERT INTO tollgate.customers (workspace_id, environment, id, external_id, metadata, created_at, updated_at)
       VALUES ($1, 'sandbox', 'cus_1', 'acct_1', '{}', $2, $2)`,
      [workspace.workspaceId, new Date()],
    );
    await database.query(
      `INSERT INTO tollgate.credit_grants (workspace_id, environment, id, customer_id, amount, remaining, created_at)
       VALUES ($1, 'sandbox', 'crd_off', 'cus_1', 2, 1, $2)`,
      [workspace.workspaceId, new Date()],
    );
    const { code, output } = await run('verify');
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`${workspace.workspaceId} sandbox .*: 1 difference$`, 'm'));
    expect(output).toContain('crd_off');
  });
});
