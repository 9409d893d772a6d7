import { Client } from 'pg';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { usageEventQuery, type UsageEventPart } from '../../src/usage-history/usage-event-store';
import { HistoryWorkspace } from './history-workspace';
import type { RecordedUse } from './recorded-uses';
import { useStarted } from '../support/use-started';

const T = Date.parse('2026-05-05T10:00:00Z');
const history = useStarted(() => HistoryWorkspace.start());
const ids: Record<string, string> = {};
let uses: RecordedUse[];

beforeAll(async () => {
  const { seed } = history.world;
  for (const key of ['tokens', 'calls']) ids[key] = await history.feature(key);
  for (const name of ['ann', 'bob']) ids[name] = await seed.customer(name);
  for (let n = 0; n < 30; n += 1) {
    const use = await history.uses.add(
      (n % 3 === 0 ? ids['bob'] : ids['ann']) ?? '',
      (n % 5 === 0 ? ids['calls'] : ids['tokens']) ?? '',
      n + 0.5,
      // Two uses at each time.
      T + Math.floor(n / 2) * 60_000,
      {
        properties: { n, name: `use ${n}` },
        ...(n % 7 === 0 && { late: true, recordedAt: T + DAY_MS + n, entity: `seat ${n}` }),
      },
    );
    if (n % 4 === 0) await history.uses.reverse(use, 0.5, T + 1_000);
  }
  uses = [...history.uses.uses].sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
});

type Item = Record<string, unknown> & { id: string };

async function walk(query: Record<string, string>, take = 7): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ;) {
    const parameters = { ...query, take: String(take), ...(cursor !== undefined && { cursor }) };
    const { status, body, text } = await history.api.send(
      'GET',
      `/v1/usage/events?${new URLSearchParams(parameters).toString()}`,
    );
    if (status !== 200) throw new Error(text);
    items.push(...(body['data'] as Item[]));
    cursor = body['nextCursor'] as string | undefined;
    if (cursor === undefined) return items;
  }
}

const numberOf = (use: RecordedUse): number => Number(use.properties?.['n']);
const idsOf = (choose: (use: RecordedUse, n: number) => boolean): string[] =>
  uses.filter((use) => choose(use, numberOf(use))).map(({ id }) => id);

test.each<[Record<string, string>, (use: RecordedUse, n: number) => boolean]>([
  [{}, () => true],
  [{ customer: 'bob' }, (_, n) => n % 3 === 0],
  [{ feature: 'calls' }, (_, n) => n % 5 === 0],
  [{ feature: 'calls', customer: 'ann' }, (_, n) => n % 5 === 0 && n % 3 !== 0],
  [{ late: 'true' }, (_, n) => n % 7 === 0],
  [{ late: 'false' }, (_, n) => n % 7 !== 0],
  [{ late: 'true', customer: 'ann' }, (_, n) => n % 7 === 0 && n % 3 !== 0],
  [{ reversed: 'true' }, (_, n) => n % 4 === 0],
  [{ reversed: 'false', feature: 'tokens' }, (_, n) => n % 4 !== 0 && n % 5 !== 0],
  [
    { from: '2026-05-05T10:03:00Z', to: '2026-05-05T10:09:00Z' },
    ({ at }) => at >= T + 180_000 && at < T + 540_000,
  ],
  [{ from: '2026-05-05T10:03:00Z', customer: 'ann' }, ({ at }, n) => at >= T + 180_000 && n % 3 !== 0],
])('%j: newest first by the time of use, each once', async (query, choose) => {
  const listed = await walk(query);
  expect(listed.map(({ id }) => id)).toEqual(idsOf(choose));
});

test('a use with all that is known of it', async () => {
  const use = uses.find((one) => numberOf(one) === 28);
  const { status, body } = await history.api.send('GET', `/v1/usage/events/${use?.id ?? ''}`);
  expect([status, body]).toEqual([
    200,
    {
      id: use?.id,
      externalId: 'ann',
      customerId: ids['ann'],
      feature: 'tokens',
      quantity: 28.5,
      source: 'api',
      timestamp: '2026-05-05T10:14:00.000Z',
      recordedAt: '2026-05-06T10:00:00.028Z',
      late: true,
      entity: 'seat 28',
      properties: { n: 28, name: 'use 28' },
      idempotencyKey: expect.any(String) as string,
      deductions: [{ from: 'overage', quantity: 28.5, subscriptionId: 'sub_none' }],
      reversal: {
        quantity: 0.5,
        reason: 'A mistake.',
        reversedAt: '2026-05-05T10:00:01.000Z',
        actor: { operatorId: null, apiKeyId: 'key_1' },
      },
    },
  ]);
  const [listed] = (await history.operator.get('/api/billing/usage/events', { query: { take: '1' } })).body[
    'data'
  ] as Item[];
  expect(listed?.id).toBe(uses[0]?.id);
  const shown = await history.operator.get(`/api/billing/usage/events/${use?.id ?? ''}`);
  expect(shown.body).toEqual(body);
});

test('an unknown event, customer, feature or filter, and a foreign cursor, are refused', async () => {
  const codeOf = async (path: string): Promise<unknown> => (await history.api.send('GET', path)).body['code'];
  expect(await codeOf('/v1/usage/events/uev_none')).toBe('usage_event_not_found');
  expect(await codeOf('/v1/usage/events?customer=nobody')).toBe('customer_not_found');
  expect(await codeOf('/v1/usage/events?feature=nothing')).toBe('feature_not_found');
  expect(await codeOf('/v1/usage/events?late=yes')).toBe('validation_failed');
  const { body } = await history.api.send('GET', '/v1/usage/events?take=1');
  const cursor = String(body['nextCursor']);
  expect(await codeOf(`/v1/usage/events?take=1&customer=ann&cursor=${cursor}`)).toBe('cursor_invalid');
  expect(await codeOf(`/v1/usage/export?format=csv&after=${cursor}`)).toBe('cursor_invalid');
  expect(await codeOf('/v1/usage/export')).toBe('validation_failed');
  // Its last bucket would end in the year 10000.
  const end = 'from=9999-12-31T23:00:00Z&to=9999-12-31T23:59:59Z';
  expect(await codeOf(`/v1/usage/series?interval=month&${end}`)).toBe('validation_failed');
  expect(await codeOf(`/v1/usage/events?${end}`)).toBeUndefined();
});

test.each<[string, Partial<UsageEventPart>, RegExp]>([
  ['no filter', {}, /feature_id_used_at_id_idx/],
  ['a rare feature', { featureId: 'feat_2' }, /feature_id_used_at_id_idx/],
  ['a customer', { customerId: 'cus_7' }, /customer_id_used_at_id_idx/],
  ['an entity of a customer', { customerId: 'cus_7', entity: 'user_7' }, /customer_id_entity_used_at_id_idx/],
  ['late uses', { late: true }, /environment_used_at_id_idx/],
  ['a time', { from: T, to: T + HOUR_MS }, /feature_id_used_at_id_idx/],
])('%s among many is found by an index', async (_, part, index) => {
  const { database } = history.world.service;
  const admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
  await admin.query('SET session_replication_role = replica');
  await admin.query(`
    INSERT INTO tollgate.features (workspace_id, environment, id, key, name, kind, created_at, updated_at)
      SELECT 'org_many', 'sandbox', 'feat_' || n, 'f' || n, 'f', 'metered', now(), now() FROM generate_series(1, 2) n ON CONFLICT DO NOTHING`);
  await admin.query(`
    INSERT INTO tollgate.usage_events (workspace_id, environment, idempotency_key, id, fingerprint, customer_id, feature_id, quantity,
        source, deductions, answer, recorded_at, late, entity)
      SELECT 'org_many', 'sandbox', 'key_' || n, 'uev_' || n, '', 'cus_' || n % 500, CASE WHEN n % 10000 = 0 THEN 'feat_2' ELSE 'feat_1' END,
             1, 'api', '[]', '{}', timestamptz '2026-05-01' + n * interval '1 minute', n % 5000 = 0,
             'user_' || n % 3000
        FROM generate_series(1, 20000) n ON CONFLICT DO NOTHING`);
  await admin.query('ANALYZE tollgate.usage_events, tollgate.features');
  await admin.end();
  const scope = { workspaceId: 'org_many', environment: 'sandbox' } as const;
  for (const order of ['newest', 'oldest'] as const) {
    const { query, bindings } = usageEventQuery(scope, {
      customerId: null,
      featureId: null,
      limit: 51,
      order,
      ...part,
      after: { position: '2026-05-05 10:30:00Z', id: 'uev_5' },
    });
    const plan = await history.worker.transaction(async (trx) => {
      await trx.raw(
        `SELECT set_config('tollgate.workspace_id', 'org_many', true), set_config('tollgate.environment', 'sandbox', true)`,
      );
      const { rows } = await trx.raw<{ rows: { 'QUERY PLAN': string }[] }>(`EXPLAIN ${query}`, bindings);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on usage_events/);
  }
});
