import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { seedEvents } from '../support/events';
import { CatalogueSeeder } from '../support/catalogue';
import { createWorkspace, type TestWorkspace } from '../support/workspace';

describe('with the service’s own role', () => {
  let database: TestDatabase;
  let client: Client;
  let mine: TestWorkspace;
  let other: TestWorkspace;
  let tables: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    mine = await createWorkspace(database);
    other = await createWorkspace(database);
    for (const workspace of [mine, other]) {
      for (const scope of [workspace.sandbox, workspace.production]) {
        const seed = new CatalogueSeeder(database, scope);
        const plan = await seed.plan('pro', [{ feature: 'ai_tokens', quota: 10 }]);
        await seed.subscription(await seed.customer('acct_1'), plan);
        await seedEvents(database, scope, [{}]);
      }
    }
    const named = await database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'tollgate'
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
    );
    tables = named.map((row) => row.name);
    client = new Client({ connectionString: database.url('tollgate_app') });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** Runs the work in a transaction with this tenant context, then rolls it back. */
  async function within<Result>(
    scope: { workspaceId: string; environment: string } | null,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await client.query('BEGIN');
    try {
      if (scope !== null) {
        await client.query(
          "SELECT set_config('tollgate.workspace_id', $1, true), set_config('tollgate.environment', $2, true)",
          [scope.workspaceId, scope.environment],
        );
      }
      return await work();
    } finally {
      await client.query('ROLLBACK');
    }
  }
  const rowsOf = async (table: string): Promise<{ workspace_id: string; environment?: string | null }[]> =>
    (
      await client.query<{ workspace_id: string; environment?: string | null }>(
        `SELECT * FROM tollgate.${table}`,
      )
    ).rows;

  test('no context, no rows, in any table of a tenant', async () => {
    expect(tables.length).toBeGreaterThan(12);
    for (const table of tables) expect(await within(null, () => rowsOf(table))).toEqual([]);
    // After a transaction the setting reads as '' rather than NULL.
    await within(mine.sandbox, () => Promise.resolve());
    for (const table of tables) expect(await within(null, () => rowsOf(table))).toEqual([]);
  });

  test('a context shows its own workspace and environment only', async () => {
    for (const table of tables) {
      const rows = await within(mine.sandbox, () => rowsOf(table));
      expect(rows.filter((row) => row.workspace_id !== mine.workspaceId)).toEqual([]);
      expect(rows.filter((row) => (row.environment ?? 'sandbox') !== 'sandbox')).toEqual([]);
    }
    expect(await within(mine.sandbox, () => rowsOf('plans'))).toHaveLength(1);
    expect(
      await within({ workspaceId: mine.workspaceId, environment: 'none' }, () => rowsOf('plans')),
    ).toEqual([]);
  });

  test('another workspace’s rows cannot be written, moved or deleted', async () => {
    const write = (sql: string, values: unknown[] = []): Promise<unknown> =>
      within(mine.sandbox, async () => (await client.query(sql, values)).rowCount);
    expect(
      await write('UPDATE tollgate.plans SET name = $1 WHERE workspace_id = $2', [
        'taken',
        other.workspaceId,
      ]),
    ).toBe(0);
    expect(await write('DELETE FROM tollgate.plans WHERE workspace_id = $1', [other.workspaceId])).toBe(0);
    await expect(write('UPDATE tollgate.plans SET workspace_id = $1', [other.workspaceId])).rejects.toThrow(
      /row-level security/,
    );
    await expect(write("UPDATE tollgate.plans SET environment = 'production'")).rejects.toThrow(
      /row-level security/,
    );
    await expect(
      write(
        `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
         VALUES ($1, 'sandbox', 'evt_x', 'USAGE_TRACKED', 'OK', 'm', 's', '{}', $2)`,
        [other.workspaceId, new Date()],
      ),
    ).rejects.toThrow(/row-level security/);
  });

  test('a reference to another workspace’s or environment’s row is refused, also for a superuser', async () => {
    for (const stranger of [other.sandbox, mine.production]) {
      await expect(
        database.query(
          `UPDATE tollgate.subscriptions SET customer_id = (SELECT id FROM tollgate.customers WHERE workspace_id = $1 AND environment = $2)
            WHERE workspace_id = $3 AND environment = 'sandbox'`,
          [stranger.workspaceId, stranger.environment, mine.workspaceId],
        ),
      ).rejects.toThrow(/foreign key/);
    }
  });

  test('a partition that is named directly shows nothing', async () => {
    const today = `developer_events_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`;
    await expect(within(mine.sandbox, () => rowsOf(today))).rejects.toThrow(/permission denied/);
    await expect(within(mine.sandbox, () => rowsOf('usage_events_00'))).rejects.toThrow(/permission denied/);
  });

  test.each([
    ['TRUNCATE tollgate.usage_events'],
    ['TRUNCATE tollgate.login_throttle'],
    ['ALTER TABLE tollgate.plans DISABLE ROW LEVEL SECURITY'],
    ['DROP POLICY tenant ON tollgate.plans'],
    ['DROP TABLE tollgate.plans'],
    ['CREATE TABLE tollgate.own (id text)'],
    ['CREATE TABLE public.own (id text)'],
    ['CREATE TEMPORARY TABLE own (id text)'],
    ['SET ROLE tollgate_owner'],
    ['SET ROLE tollgate_lookup'],
    ['SET ROLE tollgate_outbox'],
    ['SET ROLE tollgate_migrator'],
    ['SET SESSION AUTHORIZATION postgres'],
    ['UPDATE tollgate.usage_events SET quantity = 1'],
    ['DELETE FROM tollgate.usage_events'],
    ['UPDATE tollgate.developer_events SET message = $$x$$'],
    ['DELETE FROM tollgate.developer_events'],
    ['UPDATE tollgate.audit_records SET action = $$x$$'],
    ['DELETE FROM tollgate.audit_records'],
    ['DELETE FROM tollgate.customers'],
    ['SELECT tollgate.make_developer_event_partition(current_date)'],
    ["SELECT graphile_worker.add_job('x')"],
    ["SELECT tollgate.enqueue('anything', '{}', 'k')"],
    ['SELECT password_hash FROM pg_catalog.pg_authid'],
  ])('%s is refused', async (statement) => {
    await expect(within(mine.sandbox, () => client.query(statement))).rejects.toThrow(
      /permission denied|must be owner|cannot set|unknown task|does not exist/,
    );
  });

  test('the events of a customer are looked up only in the context’s tenant', async () => {
    const found = async (scope: { workspaceId: string; environment: string } | null): Promise<unknown[]> =>
      within(scope, async () => {
        const { rows } = await client.query<{ id: string }>(
          `SELECT id FROM tollgate.find_customer_events('cus_walled', '-infinity', 'infinity', 'infinity', '', 50)`,
        );
        return rows;
      });
    await seedEvents(database, mine.sandbox, [{ data: { customerId: 'cus_walled' } }]);
    expect(await found(mine.sandbox)).toHaveLength(1);
    for (const scope of [mine.production, other.sandbox, null]) expect(await found(scope)).toEqual([]);
  });

  test('a search of customers looks in the context’s tenant alone', async () => {
    const found = async (scope: { workspaceId: string; environment: string } | null): Promise<unknown[]> =>
      within(scope, async () => {
        const { rows } = await client.query<{ id: string }>(
          `SELECT id FROM tollgate.find_customers('Walled', NULL, NULL, NULL, 50)`,
        );
        return rows;
      });
    for (const [id, externalId, name, email] of [
      ['cus_w1', 'Walled-1', null, null],
      ['cus_w2', 'w2', 'walled', null],
      ['cus_w3', 'w3', null, 'WALLED@example.test'],
    ])
      await database.query(
        `INSERT INTO tollgate.customers (workspace_id, environment, id, external_id, name, email, metadata, created_at, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, '{}', now(), now())`,
        [mine.sandbox.workspaceId, mine.sandbox.environment, id, externalId, name, email],
      );
    expect(await found(mine.sandbox)).toEqual([{ id: 'cus_w3' }, { id: 'cus_w2' }, { id: 'cus_w1' }]);
    for (const scope of [mine.production, other.sandbox, null]) expect(await found(scope)).toEqual([]);
  });

  test('lookups before a tenant is known answer ids and nothing else', async () => {
    const { rows } = await client.query<Record<string, unknown>>('SELECT * FROM tollgate.list_workspaces()');
    expect(Object.keys(rows[0] ?? {})).toEqual(['workspace_id']);
    expect(rows).toHaveLength(2);
  });
});
