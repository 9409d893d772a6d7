import { Client } from 'pg';
import { AWAITED_CONDITIONS } from '../../src/subscriptions/awaited-conditions';
import { createTestDatabase, type TestDatabase } from '../support/database';

/**
 * With row-level security, only leakproof conditions and index predicates can use an index. The tests ask the planner
 * which index it would use to find one row of many.
 */
let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  await seed(database);
  client = new Client({ connectionString: database.url('tollgate_app') });
  await client.connect();
  await client.query(`SET tollgate.workspace_id = 'org_1'; SET tollgate.environment = 'sandbox'`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Inserts rows of one workspace, few of which match the queries; the objects they refer to do not matter here. */
async function seed({ adminUrl }: TestDatabase): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  const work = (member: string): string =>
    `jsonb_build_object('${member}', jsonb_build_object('expiresAt', 1))`;
  for (const statement of [
    'SET session_replication_role = replica',
    `INSERT INTO tollgate.subscriptions (workspace_id, environment, id, customer_id, plan_group_id, plan_id, provider, status,
         seats, unit_amount, currency, billing_interval, pricing, time_zone, started_at, billing_anchor, current_period_start,
         current_period_end, metadata, tax, created_at, updated_at, past_due_since, provider_work, drift)
       SELECT 'org_1', 'sandbox', 'sub_' || n, 'cus_' || n, 'pgrp_1', 'plan_1', 'provider_a',
              CASE WHEN n % 100 = 1 THEN 'past_due' ELSE 'active' END, 1, 100, 'USD', 'month', 'flat', 'UTC', a, a, a,
              a + interval '1 month', CASE WHEN n % 500 = 2 THEN '{"nextCycleSync": {"state": "failed"}}' ELSE '{}' END::jsonb, '{}',
              a, a, NULL, CASE n % 500 WHEN 3 THEN ${work('request')} WHEN 4 THEN ${work('unsettled')} END,
              CASE WHEN n % 500 = 5 THEN '{}'::jsonb END
         FROM (SELECT n, now() - n * interval '20 minutes' AS a FROM generate_series(1, 5000) AS n) AS q`,
    `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
       SELECT 'org_1', 'sandbox', 'evt_' || n, 'USAGE_CHECKED', 'OK', 'x', 'api', json_build_object('customerId', 'cus_' || n % 500), now()
         FROM generate_series(1, 5000) AS n`,
    'ANALYZE',
  ])
    await admin.query(statement);
  await admin.end();
}

const TENANT = "s.workspace_id = 'org_1' AND s.environment = 'sandbox'";
const BOUNDARY = `s.status IN ('trialing', 'active', 'past_due') AND LEAST(s.current_period_end, s.cancel_at) >= now()
  AND LEAST(s.current_period_end, s.cancel_at) < now() + interval '1 hour'`;

test.each([
  ['what is under way at a provider', AWAITED_CONDITIONS.approval, 'subscriptions_at_provider'],
  ['a call without an outcome', AWAITED_CONDITIONS.provider, 'subscriptions_at_provider'],
  ['what falls due', BOUNDARY, 'subscriptions_boundary'],
  ['a state', "s.status = 'trialing'", 'subscriptions_status'],
  [
    'a preparation that failed',
    "s.metadata -> 'nextCycleSync' ->> 'state' = 'failed'",
    'subscriptions_preparation_failed',
  ],
  ['a difference', 's.drift IS NOT NULL', 'subscriptions_drift'],
])('%s is found by an index', async (_, condition, index) => {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT s.id FROM tollgate.subscriptions s WHERE ${TENANT} AND ${condition}`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`${index} `);
});

test('the events of a customer are found by its index', async () => {
  const [source] = await database.query<{ body: string }>(
    `SELECT prosrc AS body FROM pg_proc WHERE proname = 'find_customer_events'`,
  );
  const values = {
    customer: "'cus_1'",
    from_at: "timestamptz '-infinity'",
    to_at: "timestamptz 'infinity'",
    before_at: "timestamptz 'infinity'",
    before_id: "''",
    at_most: '50',
  };
  const body = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), value),
    source?.body ?? '',
  );
  const admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
  try {
    await admin.query(
      `SET ROLE tollgate_lookup; SET tollgate.workspace_id = 'org_1'; SET tollgate.environment = 'sandbox'`,
    );
    const { rows } = await admin.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${body}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Cond: .*customerId/);
  } finally {
    await admin.end();
  }
});
