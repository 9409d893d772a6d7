import { createTestDatabase, type TestDatabase } from '../support/database';
import { lintCatalogue } from './catalogue-lint';

describe('the catalogue lint', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('finds nothing in the schema', async () => {
    expect(await lintCatalogue(database)).toEqual([]);
  });

  const planted: [string, string, string][] = [
    [
      'a table without row-level security',
      'CREATE TABLE tollgate.fault (workspace_id text, environment text)',
      'forced row-level security: fault',
    ],
    [
      'row-level security that does not bind the owner',
      'ALTER TABLE tollgate.plans NO FORCE ROW LEVEL SECURITY',
      'forced row-level security: plans',
    ],
    [
      'a partition without row-level security',
      'ALTER TABLE tollgate.usage_events_00 DISABLE ROW LEVEL SECURITY',
      'forced row-level security: usage_events_00',
    ],
    [
      'a view with its owner’s rights',
      'CREATE VIEW tollgate.fault AS SELECT * FROM tollgate.plans',
      'owner’s rights: fault',
    ],
    [
      'a materialized view',
      'CREATE MATERIALIZED VIEW tollgate.fault AS SELECT * FROM tollgate.plans',
      'owner’s rights: fault',
    ],
    [
      'a unique index without the tenant',
      'CREATE UNIQUE INDEX fault ON tollgate.customers (external_id)',
      'unique index that does not begin with the tenant: tollgate.fault',
    ],
    [
      'a unique index with the tenant behind',
      'CREATE UNIQUE INDEX fault ON tollgate.customers (external_id, workspace_id, environment)',
      'unique index that does not begin with the tenant: tollgate.fault',
    ],
    [
      'a unique index without the environment',
      'CREATE UNIQUE INDEX fault ON tollgate.plans (workspace_id, slug)',
      'unique index that does not begin with the tenant: tollgate.fault',
    ],
    [
      'a foreign key without the tenant',
      `ALTER TABLE tollgate.plans ADD CONSTRAINT plan_id_key UNIQUE (id);
       ALTER TABLE tollgate.subscriptions ADD CONSTRAINT fault FOREIGN KEY (plan_id) REFERENCES tollgate.plans (id)`,
      'tenant on both sides: fault on subscriptions',
    ],
    [
      'a policy without a check',
      'CREATE POLICY fault ON tollgate.plans TO tollgate_runtime USING (workspace_id = (SELECT tollgate.workspace_id()))',
      'lacks USING or WITH CHECK: fault on plans',
    ],
    [
      'a policy that lets everything through',
      'CREATE POLICY fault ON tollgate.plans TO tollgate_runtime USING (true) WITH CHECK (true)',
      'does not name the tenant: fault on plans',
    ],
    [
      'a policy without the environment',
      `CREATE POLICY fault ON tollgate.plans TO tollgate_runtime USING (workspace_id = (SELECT tollgate.workspace_id()))
         WITH CHECK (workspace_id = (SELECT tollgate.workspace_id()))`,
      'does not name the tenant: fault on plans',
    ],
    [
      'a lookup that may write',
      'CREATE POLICY fault ON tollgate.plans TO tollgate_lookup USING (true) WITH CHECK (true)',
      'more than read: fault on plans',
    ],
    [
      'TRUNCATE',
      'GRANT TRUNCATE ON tollgate.usage_events TO tollgate_runtime',
      'TRUNCATE on usage_events to tollgate_runtime',
    ],
    ['a grant to everybody', 'GRANT SELECT ON tollgate.organizations TO PUBLIC', 'SELECT on organizations'],
    [
      'a definer function outside the list',
      "CREATE FUNCTION tollgate.fault() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS 'SELECT count(*) FROM tollgate.plans'",
      'not on the list: tollgate.fault()',
    ],
    [
      'a listed function that anybody may call',
      'GRANT EXECUTE ON FUNCTION tollgate.list_workspaces() TO PUBLIC',
      'not on the list: tollgate.list_workspaces()',
    ],
    [
      'a listed function that follows the caller’s search path',
      'ALTER FUNCTION tollgate.list_workspaces() RESET search_path',
      'not on the list: tollgate.list_workspaces()',
    ],
    [
      'a table of the running service',
      'ALTER TABLE tollgate.plans OWNER TO tollgate_runtime',
      'escapes the walls: plans',
    ],
  ];

  test.each(planted)('finds %s', async (_, fault, finding) => {
    await database.query('BEGIN');
    try {
      await database.query(fault);
      expect(await lintCatalogue(database)).toEqual(
        expect.arrayContaining([expect.stringContaining(finding)]),
      );
    } finally {
      await database.query('ROLLBACK');
    }
    expect(await lintCatalogue(database)).toEqual([]);
  });
});
