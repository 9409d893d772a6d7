import { z } from 'zod';
import { consoleRoutes } from '../../src/http/console/routes';
import type { Route } from '../../src/http/route';
import { makeMore, startDemoService } from '../support/demo';
import { routesOf } from '../support/routes';
import { useStarted } from '../support/use-started';

/** Every list of the console, filtered by time, over the demo's data. */
const bench = useStarted(startDemoService);
let ids: Record<string, string>;
beforeAll(async () => {
  const { customerId } = await makeMore(bench);
  const first = async (path: string) => String((await items(path, { take: '1' }))[0]?.['id']);
  ids = {
    plans: await first('/api/plans'),
    customers: customerId,
    subscriptions: await first('/api/billing/subscriptions'),
    'webhook-endpoints': await first('/api/webhook-endpoints'),
    'provider-connections': bench.demo.connections.provider_a.id,
  };
});

const lists = routesOf(consoleRoutes).filter(
  ({ method, query, access }) =>
    method === 'get' &&
    access === 'operator' &&
    query instanceof z.ZodObject &&
    ['from', 'to', 'cursor'].every((name) => name in query.shape),
);

/** Lists for which the demo has no items. */
const EMPTY = [
  'listWebhooks',
  'listWebhookFailures',
  'listSettlements',
  'listRefunds',
  'listOperations',
  'listConnectionDrift',
  'listReservations',
  'listEntities',
];

type Item = Record<string, unknown>;

function pathOf({ path }: Route): string {
  return path.replace(/([\w-]+)\/\{\w+\}/, (_, collection: string) => `${collection}/${ids[collection]}`);
}

/** Returns all items, page by page. */
async function items(path: string, query: Record<string, string> = {}): Promise<Item[]> {
  const found: Item[] = [];
  for (let more: { cursor?: string } = {}; ;) {
    const answer = await bench.operator.get(path, { query: { take: '50', ...query, ...more } });
    if (answer.status !== 200) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`);
    found.push(...(answer.body['data'] as Item[]));
    if (query['take'] !== undefined || answer.body['hasMore'] !== true) return found;
    more = { cursor: answer.body['nextCursor'] as string };
  }
}

function timeOf(item: Item): number {
  // A use is filtered by the time at which it happened.
  const { timestamp, createdAt, receivedAt, firstAt, at } = item;
  return Date.parse(String(timestamp ?? createdAt ?? receivedAt ?? firstAt ?? at));
}

test('there are lists, and those with items are known', async () => {
  const empty = [];
  for (const list of lists) {
    if ((await items(pathOf(list), { take: '1' })).length === 0) empty.push(list.operationId);
  }
  expect(lists.length).toBeGreaterThan(15);
  expect(empty.sort()).toEqual([...EMPTY].sort());
});

test('a time that ends before it begins is refused by each list: it would read as if there were nothing', async () => {
  for (const list of lists) {
    const query = { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
    const { status, body } = await bench.operator.get(pathOf(list), { query });
    expect([list.operationId, status, body['errors']]).toEqual([
      list.operationId,
      400,
      [expect.objectContaining({ pointer: '/query/to', message: 'lies before from' })],
    ]);
    // An empty time range returns nothing, and is not an error.
    const empty = await bench.operator.get(pathOf(list), { query: { from: query.to, to: query.to } });
    expect([list.operationId, empty.status]).toEqual([list.operationId, 200]);
  }
});

test('a window of renewals that ends before it begins is refused, too', async () => {
  const query = { renewsFrom: '2026-02-01T00:00:00Z', renewsTo: '2026-01-01T00:00:00Z' };
  const { status, body } = await bench.operator.get('/api/billing/subscriptions', { query });
  expect([status, body['detail']]).toEqual([400, '/query/renewsTo: lies before renewsFrom']);
});

test('a time divides each list: what is earlier, and what is not', async () => {
  for (const list of lists.filter(({ operationId }) => !EMPTY.includes(operationId))) {
    const path = pathOf(list);
    const all = await items(path, { take: '200' });
    const middle = all[Math.floor(all.length / 2)];
    const oldest = Math.min(...all.map(timeOf));
    const at = timeOf(middle ?? {});
    const window = { from: new Date(oldest).toISOString(), to: new Date(at).toISOString() };
    const earlier = await items(path, window);
    const later = await items(path, { from: window.to });
    expect([list.operationId, earlier.filter((item) => timeOf(item) >= at).length]).toEqual([
      list.operationId,
      0,
    ]);
    expect([list.operationId, later.filter((item) => timeOf(item) < at).length]).toEqual([
      list.operationId,
      0,
    ]);
    const expected = all.map(({ id }) => id);
    const found = new Set([...later, ...earlier].map(({ id }) => id));
    expect([list.operationId, expected.filter((id) => !found.has(id))]).toEqual([list.operationId, []]);
    expect(later.map(({ id }) => id)).toContain(middle?.['id']);
  }
});

test('a cursor of one window is refused in another', async () => {
  const from = '2020-01-01T00:00:00Z';
  const { body } = await bench.operator.get('/api/customers', { query: { take: '1', from } });
  const cursor = String(body['nextCursor']);
  for (const other of [{}, { from: '2021-01-01T00:00:00Z' }, { from, to: '2090-01-01T00:00:00Z' }]) {
    expect(
      await bench.operator.get('/api/customers', { query: { take: '1', cursor, ...other } }),
    ).toMatchObject({ status: 400, body: { code: 'cursor_invalid' } });
  }
});

test('a time that is none is refused', async () => {
  for (const from of ['yesterday', '2026-01-01', '2026-13-01T00:00:00Z', '']) {
    expect(await bench.operator.get('/api/customers', { query: { from } })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer: '/query/from' }] },
    });
  }
});
