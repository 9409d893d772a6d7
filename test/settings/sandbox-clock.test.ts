import { newIdentifier } from '../../src/identifiers/identifier';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const path = '/api/sandbox/clock';
const DAY = 86_400_000;

/** A monthly subscription by SQL whose period ends then; anchored there, so that further ends follow monthly. */
async function subscribe(
  client: OperatorClient,
  end: number,
  more: { status?: string; environment?: string; trialEnd?: number } = {},
): Promise<string> {
  const { database } = service;
  const scope = [client.workspaceId, more.environment ?? 'sandbox'];
  const ids = {
    group: newIdentifier('planGroup'),
    plan: newIdentifier('plan'),
    customer: newIdentifier('customer'),
  };
  const subscription = newIdentifier('subscription');
  const now = new Date();
  await database.query('INSERT INTO tollgate.plan_groups VALUES ($1, $2, $3, $3, $3, $4, $4)', [
    ...scope,
    ids.group,
    now,
  ]);
  await database.query(
    `INSERT INTO tollgate.plans VALUES ($1, $2, $3, $4, $3, $3, 1000, 'USD', 'month', 'flat', 0, '{}', $5, $5)`,
    [...scope, ids.plan, ids.group, now],
  );
  await database.query(`INSERT INTO tollgate.customers VALUES ($1, $2, $3, $3, NULL, NULL, '{}', $4, $4)`, [
    ...scope,
    ids.customer,
    now,
  ]);
  await database.query(
    `INSERT INTO tollgate.subscriptions (workspace_id, environment, id, customer_id, plan_group_id, plan_id, provider, status, seats,
       unit_amount, currency, billing_interval, pricing, time_zone, started_at, billing_anchor, trial_end, current_period_start,
       current_period_end, metadata, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'internal', $7, 1, 1000, 'USD', 'month', 'flat', 'UTC', $8, $9, $10, $8, $9, '{}', $8, $8)`,
    [
      ...[...scope, subscription, ids.customer, ids.group, ids.plan, more.status ?? 'active'],
      ...[
        new Date(end - 31 * DAY),
        new Date(end),
        more.trialEnd === undefined ? null : new Date(more.trialEnd),
      ],
    ],
  );
  return subscription;
}

const time = (value: unknown): number => Date.parse(String(value));
const at = (instant: number): string => new Date(instant).toISOString();

test('starts at real time, goes on, and never back', async () => {
  const client = await logIn(service, { role: 'developer' });
  const first = await client.get(path);
  expect(first.body['offsetMs']).toBe(0);
  expect(Math.abs(time(first.body['now']) - Date.now())).toBeLessThan(60_000);
  const to = at(Date.now() + 90 * DAY);
  expect(await client.post(path, { body: { to } })).toMatchObject({
    status: 200,
    body: { now: to, fired: [], firedMore: false },
  });
  const second = await client.get(path);
  expect(time(second.body['now'])).toBeGreaterThanOrEqual(time(to));
  const back = await client.post(path, { body: { to: at(Date.now() + 89 * DAY) } });
  expect(back).toMatchObject({ status: 409, body: { code: 'clock_backwards' } });
  expect(time((await client.get(path)).body['now'])).toBeGreaterThanOrEqual(time(to));
});

test('is the sandbox’s and the organization’s own', async () => {
  const client = await logIn(service, { role: 'owner' });
  const other = await logIn(service, { role: 'owner' });
  await client.post(path, { body: { to: at(Date.now() + DAY) } });
  expect((await other.get(path)).body['offsetMs']).toBe(0);
  for (const answer of [
    await client.get(path, { env: 'production' }),
    await client.post(path, { env: 'production', body: { by: 'next_boundary' } }),
  ]) {
    expect(answer).toMatchObject({ status: 409, body: { code: 'sandbox_only' } });
  }
});

test('goes to the next boundary, and lists what lay on the way', async () => {
  const client = await logIn(service, { role: 'developer' });
  const start = Math.floor(Date.now() / 1000) * 1000;
  const soon = await subscribe(client, start + 3 * DAY);
  const trial = await subscribe(client, start + 5 * DAY, { status: 'trialing', trialEnd: start + 5 * DAY });
  await subscribe(client, start + DAY, { status: 'cancelled' });
  await subscribe(client, start + DAY, { environment: 'production' });
  await subscribe(await logIn(service, { role: 'owner' }), start + DAY);

  const first = await client.post(path, { body: { by: 'next_boundary' } });
  expect(first.body).toMatchObject({
    now: at(start + 3 * DAY),
    fired: [{ subscriptionId: soon, boundary: at(start + 3 * DAY), what: 'period_end' }],
  });
  const second = await client.post(path, { body: { by: 'next_boundary' } });
  expect(second.body).toMatchObject({
    now: at(start + 5 * DAY),
    fired: [{ subscriptionId: trial, boundary: at(start + 5 * DAY), what: 'trial_end' }],
  });
  // Nothing has turned the periods: the next boundary is counted from the anchor.
  const third = await client.post(path, { body: { by: 'next_boundary' } });
  expect(third.body['fired']).toMatchObject([{ subscriptionId: soon, what: 'period_end' }]);
  expect(time(third.body['now'])).toBeGreaterThan(start + 30 * DAY);

  const records = await client.get('/api/audit');
  expect(records.status).toBe(403);
  const [row] = await service.database.query<{ count: string }>(
    "SELECT count(*) FROM tollgate.audit_records WHERE workspace_id = $1 AND action = 'sandbox_clock.advanced'",
    [client.workspaceId],
  );
  expect(row?.count).toBe('3');
  const jobs = await service.database.query<{ key: string }>(
    'SELECT key FROM graphile_worker.jobs ORDER BY key',
  );
  expect(jobs.map(({ key }) => key)).toEqual([soon, trial].map((id) => `subscription/sandbox/${id}`).sort());
});

test('a long way has every boundary on it, in order', async () => {
  const client = await logIn(service, { role: 'developer' });
  const start = Math.floor(Date.now() / 1000) * 1000;
  await subscribe(client, start + 3 * DAY);
  await subscribe(client, start + 4 * DAY);
  const { body } = await client.post(path, { body: { to: at(start + 366 * DAY) } });
  const fired = body['fired'] as { subscriptionId: string; boundary: string }[];
  expect(fired).toHaveLength(24);
  expect(fired.map(({ boundary }) => boundary)).toEqual(fired.map(({ boundary }) => boundary).sort());
});

test('without a subscription has no next boundary', async () => {
  const client = await logIn(service, { role: 'developer' });
  expect(await client.post(path, { body: { by: 'next_boundary' } })).toMatchObject({
    status: 409,
    body: { code: 'clock_no_boundary' },
  });
});

test.each<[object]>([
  [{}],
  [{ to: 'tomorrow' }],
  [{ to: '2030-01-01T00:00:00' }],
  [{ to: 1 }],
  [{ by: 'week' }],
  [{ to: '2400-01-01T00:00:00Z' }],
  [{ to: '2030-01-01T00:00:00Z', by: 'next_boundary' }],
])('%j is refused', async (body) => {
  const client = await logIn(service, { role: 'developer' });
  expect(await client.post(path, { body })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
  expect((await client.get(path)).body['offsetMs']).toBe(0);
});

test('advances at once follow each other: none goes back', async () => {
  const client = await logIn(service, { role: 'developer' });
  await client.post(path, { body: { to: at(Date.now() + 1_000) } });
  // The furthest first: those that come while it is under way must not take its place.
  for (let round = 1; round <= 5; round += 1) {
    const furthest = Date.now() + round * 100 * DAY;
    const targets = Array.from({ length: 8 }, (_, index) => furthest - index * DAY);
    const answers = await Promise.all(
      targets.map((target) => client.post(path, { body: { to: at(target) } })),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(time((await client.get(path)).body['now'])).toBeGreaterThanOrEqual(furthest);
  }
});
