import { randomUUID } from 'node:crypto';
import { newIdentifier } from '../../src/identifiers/identifier';
import { createCustomer } from '../catalog/offer';
import { connect } from '../connections/connection-calls';
import { CatalogueSeeder } from '../support/catalogue';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';
import { Erasing, tablesNaming } from './erasing';

/** More than one batch of everything that an erasure processes, with other customers' rows in between. */
// The uses below were written without their counters.
const service = useService({ planted: { differences: true } });
let operator: OperatorClient;
let erasing: Erasing;
beforeAll(async () => {
  operator = await logIn(service, { role: 'admin' });
  erasing = new Erasing(service);
});

/** Inserts rows with SQL, every second of which names another customer. */
async function plant(id: string, externalId: string, other: string): Promise<void> {
  const { database } = service;
  const scope = { workspaceId: operator.workspaceId, environment: 'sandbox' } as const;
  const featureId = await new CatalogueSeeder(database, scope).feature('planted');
  const connection = await connect(operator, {});
  const values = [operator.workspaceId, id, externalId, other];
  const who = `CASE WHEN n % 2 = 0 THEN $2 ELSE 'cus_' || $4 END`;
  const named = `CASE WHEN n % 2 = 0 THEN $3 ELSE $4 END`;
  const insert = (sql: string, more: unknown[] = []) => database.query(sql, [...values, ...more]);
  await insert(
    `INSERT INTO tollgate.usage_events (workspace_id, environment, idempotency_key, id, fingerprint, customer_id, feature_id,
            quantity, source, deductions, answer, recorded_at)
     SELECT $1, 'sandbox', ${named} || ':' || n, 'uev_' || n, '\\x01', ${who}, $5, 1, 'api', '[]',
            json_build_object('externalId', ${named}), now() FROM generate_series(1, 12000) n`,
    [featureId],
  );
  await insert(
    `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
     SELECT $1, 'sandbox', 'evt_' || n, CASE WHEN n % 3 = 0 THEN 'USAGE_CHECKED' ELSE 'PAYMENT_RECORDED' END, 'OK',
            ${named} || ' did.', 'api',
            CASE WHEN n % 5 = 0 THEN json_build_object('payer', ${who}, 'name', ${named})
                 ELSE json_build_object('customerId', ${who}, 'externalId', ${named}) END,
            now() - n % 7 * interval '1 millisecond' FROM generate_series(1, 9000) n
      WHERE n % 15 <> 0`,
  );
  await insert(
    `INSERT INTO tollgate.operations (workspace_id, environment, id, kind, target_id, input, idempotency_key, fingerprint, status,
            reason, request_id, created_at, finished_at)
     SELECT $1, 'sandbox', 'op_' || n, 'create_checkout', ${who}, jsonb_build_object('name', ${named}), ${named} || '-' || n,
            '\\x01', 'succeeded', 'API_KEY', 'req', now(), now() FROM generate_series(1, 3000) n`,
  );
  await insert(
    `INSERT INTO tollgate.idempotency_answers (workspace_id, environment, idempotency_key, fingerprint, status, body, created_at)
     SELECT $1, 'sandbox', CASE WHEN n <= 3000 THEN ${named} || '-' || n ELSE 'answer-' || n END, '\\x01', 201,
            json_build_object('id', ${who}, 'name', ${named}), now() FROM generate_series(1, 6000) n`,
  );
  await insert(
    `INSERT INTO tollgate.webhook_events (workspace_id, environment, id, connection_id, provider, event_type, dedupe_key, status,
            body, headers, received_at)
     SELECT $1, 'sandbox', 'whk_' || n, $5, 'provider_a', 'x', n::text, 'applied',
            convert_to('{"customer":"' || ${who} || '","name":"' || ${named} || '"}', 'UTF8'), '{"a":"b"}', now()
       FROM generate_series(1, 240) n`,
    [connection],
  );
  await insert(
    `INSERT INTO tollgate.webhook_messages (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at,
            created_at, payload)
     SELECT $1, 'sandbox', 'msg_' || n, 'customer.created', 'customer', ${who}, n, now(), now(),
            json_build_object('id', ${who}, 'name', ${named})::text FROM generate_series(1, 4500) n`,
  );
  await database.query(
    `INSERT INTO tollgate.customer_entities (workspace_id, environment, customer_id, entity, created_at)
     SELECT $1, 'sandbox', $2, $3 || ':' || n, now() FROM generate_series(1, 10500) n`,
    [operator.workspaceId, id, externalId],
  );
  await database.query(
    `INSERT INTO tollgate.usage_reservations (workspace_id, environment, id, customer_id, feature_id, entity, quantity,
            deductions, status, created_at, expires_at, ended_at)
     SELECT $1, 'sandbox', 'rsv_' || n, $2, $4, $3 || ':' || n, 1, '[]', 'released', now(), now(), now()
       FROM generate_series(1, 10500) n`,
    [operator.workspaceId, id, externalId, featureId],
  );
}

test('every batch is blanked, in as many calls as it takes, and no other customer is changed', async () => {
  const { id, externalId } = await createCustomer(operator, `jane-${randomUUID()}`);
  const other = newIdentifier('customer').slice('cus_'.length);
  await plant(id, externalId, other);
  const before = await othersRows(other);
  const erased = await operator.delete(`/api/customers/${id}`);
  const erasureId = String(erased.body['id']);
  const scope = { workspaceId: operator.workspaceId, environment: 'sandbox' } as const;
  let calls = 1;
  while ((await erasing.steps.next(scope, erasureId)).kind === 'more') calls += 1;
  expect(calls).toBeGreaterThan(1);
  expect(await tablesNaming(service.database, [externalId])).toEqual([]);
  expect(await othersRows(other)).toEqual(before);
  const { body } = await operator.get(`/api/customer-erasures/${erasureId}`);
  expect(body).toMatchObject({
    status: 'complete',
    blanked: {
      usage: 6_000,
      events: 4_200,
      operations: 1_500,
      answers: 1_500,
      webhooks: 120,
      webhookMessages: 2_250,
      entities: 10_500,
      reservations: 10_500,
    },
  });
  // A key remains the use's own, so that it cannot be used again.
  const [kept] = await service.database.query<{ keys: number; quantity: string }>(
    `SELECT count(DISTINCT idempotency_key)::int AS keys, sum(quantity)::text AS quantity FROM tollgate.usage_events
      WHERE customer_id = $1`,
    [id],
  );
  expect(kept).toEqual({ keys: 6_000, quantity: '6000' });
});

/** Returns a digest of each table's rows that name the other customer. */
async function othersRows(other: string): Promise<unknown> {
  const tables = [
    'usage_events',
    'developer_events',
    'operations',
    'idempotency_answers',
    'webhook_events',
    'webhook_messages',
  ];
  const digests: unknown[] = [];
  for (const table of tables) {
    const [digest] = await service.database.query<{ rows: number }>(
      `SELECT count(*)::int AS rows, md5(string_agg(t::text, ',' ORDER BY t::text)) AS digest FROM tollgate.${table} t
        WHERE strpos(t::text, $1) > 0 OR strpos(t::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0`,
      [other],
    );
    expect(digest?.rows).toBeGreaterThan(100);
    digests.push(digest);
  }
  return digests;
}
