import { Client } from 'pg';
import { listAuditRecords } from '../../src/audit/audit-list-store';
import { listCustomers } from '../../src/customers/customer-store';
import { openDatabase, type DbTransaction } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { DAY_MS, MINUTE_MS } from '../../src/domain/instant';
import { blankAudit } from '../../src/erasure/blank-audit-store';
import { blankEvents } from '../../src/erasure/blank-events-store';
import { listGrants } from '../../src/organizations/access-review-store';
import { firstIdentifierAt } from '../../src/identifiers/identifier';
import { listDeliveries } from '../../src/webhook-endpoints/delivery-store';
import { listUsageEvents } from '../../src/usage-history/usage-event-store';
import { AWAITED_CONDITIONS } from '../../src/subscriptions/awaited-conditions';
import { deleteOldEventsWithoutDay, deleteOldReservations } from '../../src/maintenance/expired-rows-store';
import { deleteSequencesOfDeletedOperations } from '../../src/maintenance/old-webhooks-store';
import {
  findNamed,
  findSettlementsAwaiting,
  listUnknownLines,
} from '../../src/payments/settlement-named-line-store';
import { findReferenced } from '../../src/payments/settlement-store';
import { listEntities } from '../../src/usage-entities/entity-row-store';
import { listReservations } from '../../src/usage-reservations/reservation-row-store';
import { createLogger } from '../../src/telemetry/logger';
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

const ROWS = `(SELECT n, now() - n * interval '20 minutes' AS at FROM generate_series(1, 5000) AS n) AS q`;
const ROW = `'org_1', 'sandbox', 'id_' || n`;

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
    `INSERT INTO tollgate.subscription_transactions (workspace_id, environment, id, subscription_id, customer_id, kind, status, currency,
         subtotal, tax_amount, total, amount_paid, tax, lines, period_start, period_end, due_at, created_at)
       SELECT ${ROW}, 'sub_' || n, 'cus_' || n, 'initial', 'paid', 'USD', 0, 0, 0, 0, '{}', '[]', at, at + interval '1 day', at, at
         FROM ${ROWS}`,
    `INSERT INTO tollgate.payments (workspace_id, environment, id, customer_id, provider, status, currency, amount, applied_amount,
         received_at, created_at)
       SELECT ${ROW}, 'cus_' || n, 'internal', 'succeeded', 'USD', 1, 0, at, at FROM ${ROWS}`,
    `INSERT INTO tollgate.checkouts (workspace_id, environment, id, customer_id, subscription_id, provider, status, expires_at,
         created_at, updated_at)
       SELECT ${ROW}, 'cus_' || n, 'sub_' || n, 'internal', 'complete', at, at, at FROM ${ROWS}`,
    `INSERT INTO tollgate.operations (workspace_id, environment, id, kind, subscription_id, target_id, input, idempotency_key, fingerprint,
         status, reason, request_id, created_at)
       SELECT ${ROW}, 'cancel', 'sub_' || n, 'sub_' || n, '{}', n, '', 'succeeded', 'SYSTEM', 'req_' || n, at FROM ${ROWS}`,
    `INSERT INTO tollgate.webhook_events (workspace_id, environment, id, connection_id, provider, event_type, dedupe_key, status, body,
         headers, received_at)
       SELECT ${ROW}, 'conn_1', 'provider_a', 'x', n, 'applied', '', '{}', at FROM ${ROWS}`,
    `INSERT INTO tollgate.webhook_deliveries (workspace_id, environment, endpoint_id, message_id, status, created_at, ended_at)
       SELECT 'org_1', 'sandbox', 'whep_1', 'id_' || n, 'delivered', at, at FROM ${ROWS}`,
    `INSERT INTO tollgate.webhook_messages (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at,
         created_at)
       SELECT ${ROW}, 'subscription.updated', 'subscription', 'sub_' || n, 1, at, at FROM ${ROWS}`,
    `INSERT INTO tollgate.audit_records (workspace_id, environment, id, operator_id, reason, action, target, detail, created_at)
       SELECT ${ROW}, 'opr_1', 'OPERATOR', 'customer.updated', 'cus_' || n, '{}', at FROM ${ROWS}`,
    `INSERT INTO tollgate.audit_records (workspace_id, id, operator_id, reason, action, detail, created_at)
       SELECT 'org_1', 'org_' || n, 'opr_1', 'OPERATOR', 'member.changed', '{}', at FROM ${ROWS}`,
    `INSERT INTO tollgate.webhook_failures (workspace_id, environment, id, connection_id, provider, kind, reason, minute, first_at, last_at)
       SELECT ${ROW}, 'conn_1', 'provider_a', 'signature', '', at, at, at FROM ${ROWS}`,
    `INSERT INTO tollgate.usage_events (workspace_id, environment, idempotency_key, id, fingerprint, customer_id, feature_id, quantity,
         source, deductions, answer, recorded_at)
       SELECT 'org_1', 'sandbox', n, 'uev_' || n, '', 'cus_' || n, 'feat_1', 1, 'api', '[]', '{}', at FROM ${ROWS}`,
    `INSERT INTO tollgate.usage_reversals (workspace_id, environment, event_id, customer_id, feature_id, quantity, deductions, reason,
         actor, reversed_at)
       SELECT 'org_1', 'sandbox', 'uev_' || n, 'cus_' || n, 'feat_1', 1, '[]', '', '{}', at FROM ${ROWS} WHERE n % 5 = 0`,
    `INSERT INTO tollgate.provider_connections (workspace_id, environment, id, provider, display_name, api_mode, settings, created_at,
         updated_at)
       SELECT ${ROW}, 'provider_a', '', 'sandbox', '{}', at, at FROM ${ROWS} LIMIT 3`,
    `INSERT INTO tollgate.settlements (workspace_id, environment, id, provider, connection_id, reference, currency, period_start,
         period_end, paid, refunded, net, unmatched, created_at)
       SELECT ${ROW}, 'provider_a', 'id_1', 'po_' || n, 'USD', at, at + interval '1 day', 0, 0, 1, 1, at FROM ${ROWS}`,
    `INSERT INTO tollgate.settlement_lines (workspace_id, environment, settlement_id, "position", kind, reference, amount, fee)
       SELECT ${ROW}, 1, 'payment', 'pi_' || n, 1, 0 FROM ${ROWS}`,
    `INSERT INTO tollgate.provider_references (workspace_id, environment, provider, kind, reference, connection_id, target_id, created_at)
       SELECT 'org_1', 'sandbox', 'provider_a', 'payment', 'pi_' || n, 'id_1', 'id_' || n, at FROM ${ROWS}`,
    `INSERT INTO tollgate.webhook_endpoints (workspace_id, environment, id, url, secret_envelope, created_at, updated_at)
       SELECT ${ROW}, '', '{}', at, at FROM ${ROWS} LIMIT 3`,
    `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
       SELECT 'org_1', 'sandbox', 'evt_' || n, 'USAGE_CHECKED', 'OK', 'x', 'api', json_build_object('customerId', 'cus_' || n % 500), now()
         FROM generate_series(1, 5000) AS n`,
    `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
       SELECT 'org_1', 'sandbox', 'evt_old_' || n, 'USAGE_CHECKED', 'OK', 'x', 'api', '{}', now() - interval '2 days' - n * interval '20 minutes'
         FROM generate_series(1, 5000) AS n`,
    `INSERT INTO tollgate.webhook_sequences (workspace_id, environment, resource_kind, resource_id, last)
       SELECT 'org_1', 'sandbox', 'operation', 'op_' || lpad(n::text, 26, '0'), 1 FROM generate_series(1, 5000) AS n`,
    `INSERT INTO tollgate.customers (workspace_id, environment, id, external_id, name, email, metadata, created_at, updated_at)
       SELECT 'org_1', 'sandbox', 'cus_' || lpad(n::text, 5, '0'), 'c' || n, 'Name ' || n, 'mail' || n || '@example.test', '{}', at, at
         FROM ${ROWS}`,
    `INSERT INTO tollgate.usage_reservations (workspace_id, environment, id, customer_id, feature_id, quantity, deductions, status,
         created_at, expires_at, ended_at)
       SELECT ${ROW}, 'cus_' || n, 'feat_1', 1, '[]', 'released', at, at, at FROM ${ROWS}`,
    `INSERT INTO tollgate.customer_entities (workspace_id, environment, customer_id, entity, created_at)
       SELECT 'org_1', 'sandbox', 'cus_7', n, at FROM ${ROWS}`,
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

const NEWEST = 'ORDER BY created_at DESC, id DESC LIMIT 51';
const RECEIVED = 'ORDER BY received_at DESC, id DESC LIMIT 51';
const FAILED = 'ORDER BY first_at DESC, id DESC LIMIT 51';

test.each([
  ['subscriptions', "provider = 'provider_c'", NEWEST, 'subscriptions_provider'],
  ['subscription_transactions', "status = 'void'", NEWEST, 'subscription_transactions_not_paid'],
  ['payments', "status = 'failed'", NEWEST, 'payments_not_succeeded'],
  ['payments', "provider = 'provider_c'", NEWEST, 'payments_provider'],
  ['payments', "checkout_id = 'chk_7'", NEWEST, 'payments_checkout'],
  ['checkouts', "customer_id = 'cus_7'", NEWEST, 'checkouts_customer'],
  ['checkouts', "status = 'open'", NEWEST, 'checkouts_status'],
  ['checkouts', "kind = 'payment'", NEWEST, 'checkouts_kind'],
  ['checkouts', "provider = 'provider_b'", NEWEST, 'checkouts_provider'],
  ['operations', "subscription_id = 'sub_7'", NEWEST, 'operations_subscription'],
  ['operations', "status = 'refused'", NEWEST, 'operations_status'],
  ['operations', "kind = 'refund'", NEWEST, 'operations_kind'],
  ['operations', "request_id = 'req_7'", '', 'operations_request'],
  ['webhook_messages', "type = 'refund.failed'", NEWEST, 'webhook_messages_type'],
  ['webhook_events', "connection_id = 'conn_2'", RECEIVED, 'webhook_events_connection'],
  ['webhook_events', "provider = 'provider_b'", RECEIVED, 'webhook_events_provider'],
  ['webhook_failures', "kind = 'unavailable'", FAILED, 'webhook_failures_kind'],
  [
    'webhook_deliveries',
    "endpoint_id = 'whep_1' AND status = 'failed'",
    'ORDER BY message_id DESC LIMIT 51',
    'webhook_deliveries_not_delivered',
  ],
  ['audit_records', "action = 'customer.erased'", NEWEST, 'audit_records_environment_action'],
  ['audit_records', "operator_id = 'opr_2'", NEWEST, 'audit_records_environment_operator'],
  ['audit_records', "api_key_id = 'key_1'", NEWEST, 'audit_records_api_key'],
])('%s with %s are found by an index', async (table, condition, order, index) => {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT * FROM tollgate.${table} WHERE workspace_id = 'org_1' AND environment = 'sandbox' AND ${condition} ${order}`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`${index} `);
});

const SCOPE = { workspaceId: 'org_1', environment: 'sandbox' } as const;
const OF_CUSTOMER = { scope: SCOPE, customerId: 'cus_7', ids: ['cus_7'], names: [], requestedAt: 0, at: 0 };

test.each([
  [
    'connections and webhook endpoints',
    'tollgate_app',
    (trx: DbTransaction): Promise<unknown> => listGrants(trx, SCOPE, null, 0),
  ],
  [
    'a customer',
    'tollgate_worker',
    (trx: DbTransaction): Promise<unknown> => blankAudit({ trx, ...OF_CUSTOMER }, null),
  ],
] as const)('the audit records of %s are found by an index', async (_, role, read) => {
  const log = createLogger('test', 'silent');
  const runtime = openDatabase(database.url(role), { max: 1, applicationName: 'plans', log });
  try {
    const scans = await inWorkspace(runtime, SCOPE, 'SYSTEM', async (trx) => {
      await read(trx);
      const { rows } = await trx.raw<{ rows: { whole: string }[] }>(
        `SELECT seq_scan::text AS whole FROM pg_stat_xact_user_tables WHERE relid = 'tollgate.audit_records'::regclass`,
      );
      return rows;
    });
    expect(scans).toEqual([{ whole: '0' }]);
  } finally {
    await runtime.destroy();
  }
});

test.each([
  [
    'the audit records of an environment',
    'tollgate_app',
    'audit_records_environment',
    (trx: DbTransaction): Promise<unknown> => listAuditRecords(trx, SCOPE, {}, { take: 50 }),
  ],
  [
    'the audit records of the organization',
    'tollgate_app',
    'audit_records_organization',
    (trx: DbTransaction): Promise<unknown> => listAuditRecords(trx, SCOPE, {}, { take: 50 }),
  ],
  [
    'the reservations of a customer',
    'tollgate_app',
    'usage_reservations_customer',
    (trx: DbTransaction): Promise<unknown> => listReservations(trx, SCOPE, 'cus_7', { limit: 51 }),
  ],
  [
    'the entities of a customer',
    'tollgate_app',
    'customer_entities_newest',
    (trx: DbTransaction): Promise<unknown> => listEntities(trx, SCOPE, 'cus_7', { limit: 51 }),
  ],
  [
    'old reservations',
    'tollgate_worker',
    'usage_reservations_expiry',
    (trx: DbTransaction): Promise<unknown> => deleteOldReservations(trx, SCOPE, Date.now() - 69 * DAY_MS),
  ],
  [
    'old events of the default partition',
    'tollgate_worker',
    'developer_events_default_pkey',
    (trx: DbTransaction): Promise<unknown> => deleteOldEventsWithoutDay(trx, SCOPE, Date.now() - 69 * DAY_MS),
  ],
  [
    'sequences of old operations',
    'tollgate_worker',
    'webhook_sequences_pkey',
    (trx: DbTransaction): Promise<unknown> => deleteSequencesOfDeletedOperations(trx, SCOPE, 0),
  ],
] as const)('%s are found by their index', async (_, role, index, read) => {
  const log = createLogger('test', 'silent');
  const runtime = openDatabase(database.url(role), { max: 1, applicationName: 'plans', log });
  try {
    const used = await inWorkspace(runtime, SCOPE, 'SYSTEM', async (trx) => {
      // The tests' Postgres plans for any value; how old a row must be decides between its index and the table.
      await trx.raw("SET LOCAL plan_cache_mode = 'force_custom_plan'");
      await read(trx);
      const { rows } = await trx.raw<{ rows: { used: boolean }[] }>(
        'SELECT pg_stat_get_xact_numscans(CAST(? AS regclass)) > 0 AS used',
        [`tollgate.${index}`],
      );
      return rows;
    });
    expect(used).toEqual([{ used: true }]);
  } finally {
    await runtime.destroy();
  }
});

const CONNECTION = { scope: SCOPE, id: 'id_2', provider: 'provider_a' } as const;
const LINES = [{ kind: 'payment', reference: 'pi_7' }];

test.each([
  [
    'settlements by their references',
    ['settlements'],
    (trx: DbTransaction): Promise<unknown> => findReferenced(trx, CONNECTION, ['po_7']),
  ],
  [
    'what lines name',
    ['provider_references', 'payments'],
    (trx: DbTransaction): Promise<unknown> => findNamed(trx, CONNECTION, LINES, 'lock'),
  ],
  [
    'settlements that await a payment',
    ['settlement_lines', 'settlements'],
    (trx: DbTransaction): Promise<unknown> => findSettlementsAwaiting(trx, CONNECTION, LINES),
  ],
  [
    'the unknown lines of a settlement',
    ['settlement_lines', 'settlements'],
    (trx: DbTransaction): Promise<unknown> =>
      listUnknownLines(trx, CONNECTION, { listed: ['id_7'], since: 0 }, 200),
  ],
] as const)('another connection of the provider finds %s by few rows', async (_, tables, read) => {
  const log = createLogger('test', 'silent');
  const runtime = openDatabase(database.url('tollgate_worker'), { max: 1, applicationName: 'plans', log });
  try {
    const few = await inWorkspace(runtime, SCOPE, 'SYSTEM', async (trx) => {
      // The tests' Postgres plans for any value; how many settlements the connection has decides.
      await trx.raw("SET LOCAL plan_cache_mode = 'force_custom_plan'");
      await read(trx);
      const { rows } = await trx.raw<{ rows: { table: string; few: boolean }[] }>(
        `SELECT relname AS table, seq_tup_read + idx_tup_fetch BETWEEN 1 AND 50 AS few
           FROM pg_stat_xact_user_tables WHERE schemaname = 'tollgate' AND relname = ANY (?) ORDER BY relname`,
        [[...tables]],
      );
      return rows;
    });
    expect(few).toEqual([...tables].sort().map((table) => ({ table, few: true })));
  } finally {
    await runtime.destroy();
  }
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

test('a search of customers reads the newest of them and those that match', async () => {
  const log = createLogger('test', 'silent');
  const runtime = openDatabase(database.url('tollgate_app'), { max: 1, applicationName: 'plans', log });
  const readIn = async (trx: DbTransaction): Promise<number> => {
    const { rows } = await trx.raw<{ rows: { read: string }[] }>(
      `SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relid = 'tollgate.customers'::regclass`,
    );
    return Number(rows[0]?.read);
  };
  const searched = (search: string): Promise<unknown> =>
    inWorkspace(runtime, SCOPE, 'SYSTEM', async (trx) => {
      const before = await readIn(trx);
      const found = await listCustomers(trx, SCOPE, { take: 2, search });
      return [found.map(({ externalId }) => externalId), { few: (await readIn(trx)) - before < 2_500 }];
    });
  try {
    expect(await searched('godot')).toEqual([[], { few: true }]);
    // Older than those that are read first.
    for (const search of ['c7', 'NAME 7', 'mail7'])
      expect(await searched(search)).toEqual([['c799', 'c798', 'c797'], { few: true }]);
    for (const search of ['c', 'name', 'Mail'])
      expect(await searched(search)).toEqual([['c5000', 'c4999', 'c4998'], { few: true }]);
  } finally {
    await runtime.destroy();
  }
});

test('the deliveries of a time are read from where it begins', async () => {
  const start = Date.now() - 20 * DAY_MS;
  const times = Array.from({ length: 4_000 }, (_, minutes) => start + minutes * 5 * 60_000);
  const ids = times.map((at) => `${firstIdentifierAt('webhookMessage', at)}0000000000000000`);
  const values = [ids, times.map((at) => new Date(at).toISOString())];
  const scope = "SELECT 'org_1', 'sandbox'";
  const from = 'FROM unnest($1::text[], $2::timestamptz[]) AS t (id, at)';
  await database.query('SET session_replication_role = replica');
  await database.query(
    `INSERT INTO tollgate.webhook_messages (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at, created_at)
     ${scope}, id, 'subscription.changed', 'subscription', id, 1, at, at ${from}`,
    values,
  );
  const [endpoint] = await database.query<{ id: string }>(
    'SELECT id FROM tollgate.webhook_endpoints LIMIT 1',
  );
  const endpointId = endpoint?.id ?? '';
  await database.query(
    `INSERT INTO tollgate.webhook_deliveries (workspace_id, environment, endpoint_id, message_id, status, created_at, ended_at)
     ${scope}, $3, id, 'delivered', at, at ${from}`,
    [...values, endpointId],
  );
  await database.query('RESET session_replication_role');
  await database.query('ANALYZE tollgate.webhook_messages, tollgate.webhook_deliveries');
  const log = createLogger('test', 'silent');
  const runtime = openDatabase(database.url('tollgate_app'), { max: 1, applicationName: 'plans', log });
  try {
    for (const range of [
      { to: start + 2 * DAY_MS },
      { from: start + 2 * DAY_MS, to: start + 2 * DAY_MS + MINUTE_MS },
      { before: ids[500] ?? '' },
    ]) {
      const read = await inWorkspace(runtime, SCOPE, 'SYSTEM', async (trx) => {
        await listDeliveries(trx, SCOPE, { endpointId, status: undefined }, { take: 50, ...range });
        const { rows } = await trx.raw<{ rows: { few: boolean }[] }>(
          `SELECT max(seq_tup_read + idx_tup_fetch) < 1500 AS few FROM pg_stat_xact_user_tables
            WHERE relid IN ('tollgate.webhook_messages'::regclass, 'tollgate.webhook_deliveries'::regclass)`,
        );
        return rows;
      });
      expect([range, read]).toEqual([range, [{ few: true }]]);
    }
  } finally {
    await runtime.destroy();
  }
});

test('an erasure looks up the events of its customer', async () => {
  const log = createLogger('test', 'silent');
  const runtime = openDatabase(database.url('tollgate_worker'), { max: 1, applicationName: 'plans', log });
  try {
    const read = await inWorkspace(runtime, SCOPE, 'SYSTEM', async (trx) => {
      await trx.raw("SET LOCAL plan_cache_mode = 'force_custom_plan'");
      const { blanked } = await blankEvents({ trx, ...OF_CUSTOMER }, null);
      const { rows } = await trx.raw<{ rows: { used: boolean }[] }>(
        `SELECT sum(pg_stat_get_xact_numscans(inhrelid)) > 0 AS used FROM pg_inherits
          WHERE inhparent = 'tollgate.developer_events_customer'::regclass`,
      );
      return [blanked, rows];
    });
    expect(read).toEqual([{ events: 10 }, [{ used: true }]]);
  } finally {
    await runtime.destroy();
  }
});

test('uses that were reversed are looked up by their id', async () => {
  const log = createLogger('test', 'silent');
  const runtime = openDatabase(database.url('tollgate_app'), { max: 1, applicationName: 'plans', log });
  try {
    const all = { customerId: null, featureId: null, reversed: true, order: 'newest', limit: 51 } as const;
    const read = await inWorkspace(runtime, SCOPE, 'SYSTEM', async (trx) => {
      await listUsageEvents(trx, SCOPE, all);
      const { rows } = await trx.raw<{ rows: { whole: string }[] }>(
        "SELECT sum(seq_scan)::text AS whole FROM pg_stat_xact_user_tables WHERE relname LIKE 'usage\\_events\\_%'",
      );
      return rows;
    });
    expect(read).toEqual([{ whole: '0' }]);
  } finally {
    await runtime.destroy();
  }
});
