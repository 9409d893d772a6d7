import { newIdentifier } from '../../src/identifiers/identifier';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

// The tests put rows into states that no recorded event led to.
const service = useService({ planted: { differences: true } });

const path = '/api/sandbox/clock';

interface Row {
  status?: string;
  environment?: string;
  provider?: string;
  trialEnd?: number;
  /** Price of a month, in minor units; free if omitted, so that nothing becomes past due. */
  price?: number;
  paymentDueAt?: number;
  incompleteUntil?: number;
  pastDueSince?: number;
}

/**
 * Inserts a monthly subscription with SQL whose period ends at `end`. It is anchored there, so that further periods end
 * monthly.
 */
async function subscribe(client: OperatorClient, end: number, more: Row = {}): Promise<string> {
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
    `INSERT INTO tollgate.plans VALUES ($1, $2, $3, $4, $3, $3, $6, 'USD', 'month', 'flat', 0, '{}', $5, $5)`,
    [...scope, ids.plan, ids.group, now, more.price ?? 0],
  );
  await database.query(`INSERT INTO tollgate.customers VALUES ($1, $2, $3, $3, NULL, NULL, '{}', $4, $4)`, [
    ...scope,
    ids.customer,
    now,
  ]);
  const status = more.status ?? 'active';
  const readAt = more.pastDueSince === undefined ? undefined : more.pastDueSince + HOUR_MS;
  const wakes = status === 'cancelled' ? null : (more.incompleteUntil ?? more.paymentDueAt ?? readAt ?? end);
  const columns = {
    workspace_id: client.workspaceId,
    environment: more.environment ?? 'sandbox',
    id: subscription,
    customer_id: ids.customer,
    plan_group_id: ids.group,
    plan_id: ids.plan,
    provider: more.provider ?? 'internal',
    status,
    seats: 1,
    unit_amount: more.price ?? 0,
    currency: 'USD',
    billing_interval: 'month',
    pricing: 'flat',
    tax: { behavior: 'none', rates: [] },
    time_zone: 'UTC',
    started_at: new Date(end - 31 * DAY_MS),
    billing_anchor: new Date(end),
    trial_end: dateOrNull(more.trialEnd),
    current_period_start: new Date(end - 31 * DAY_MS),
    current_period_end: new Date(end),
    payment_due_at: dateOrNull(more.paymentDueAt),
    incomplete_until: dateOrNull(more.incompleteUntil),
    past_due_since: dateOrNull(more.pastDueSince),
    metadata: {},
    next_wake_at: dateOrNull(wakes ?? undefined),
    created_at: now,
    updated_at: now,
  };
  await insert('subscriptions', columns);
  return subscription;
}

async function insert(table: string, columns: Record<string, unknown>): Promise<void> {
  const values = Object.values(columns);
  await service.database.query(
    `INSERT INTO tollgate.${table} (${Object.keys(columns).join(', ')})
     VALUES (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
    values,
  );
}

/** Inserts the checkout of an incomplete subscription. */
async function checkoutOf(client: OperatorClient, subscription: string, status = 'open'): Promise<string> {
  const id = newIdentifier('checkout');
  const [row] = await service.database.query<{ customer_id: string }>(
    'SELECT customer_id FROM tollgate.subscriptions WHERE id = $1',
    [subscription],
  );
  await insert('checkouts', {
    workspace_id: client.workspaceId,
    environment: 'sandbox',
    id,
    customer_id: row?.customer_id,
    subscription_id: subscription,
    provider: 'internal',
    status,
    expires_at: new Date(),
    created_at: new Date(),
    updated_at: new Date(),
  });
  return id;
}

async function jobsOf(client: OperatorClient): Promise<{ key: string; task: string; payload: unknown }[]> {
  return service.database.query(
    `SELECT j.key, t.identifier AS task, j.payload
       FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE j.payload->>'workspaceId' = $1 ORDER BY j.key`,
    [client.workspaceId],
  );
}

const dateOrNull = (instant: number | undefined): Date | null =>
  instant === undefined ? null : new Date(instant);
const time = (value: unknown): number => Date.parse(String(value));
const at = (instant: number): string => new Date(instant).toISOString();

test('starts at real time, is advanced, and never goes back', async () => {
  const client = await logIn(service, { role: 'developer' });
  const first = await client.get(path);
  expect(first.body['offsetMs']).toBe(0);
  expect(Math.abs(time(first.body['now']) - Date.now())).toBeLessThan(60_000);
  const to = at(Date.now() + 90 * DAY_MS);
  expect(await client.post(path, { body: { to } })).toMatchObject({
    status: 200,
    body: { now: to, fired: [], firedMore: false },
  });
  const second = await client.get(path);
  expect(time(second.body['now'])).toBeGreaterThanOrEqual(time(to));
  const back = await client.post(path, { body: { to: at(Date.now() + 89 * DAY_MS) } });
  expect(back).toMatchObject({ status: 409, body: { code: 'clock_backwards' } });
  expect(time((await client.get(path)).body['now'])).toBeGreaterThanOrEqual(time(to));
});

test('is the sandbox’s and the organization’s own', async () => {
  const client = await logIn(service, { role: 'owner' });
  const other = await logIn(service, { role: 'owner' });
  await client.post(path, { body: { to: at(Date.now() + DAY_MS) } });
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
  const soon = await subscribe(client, start + 3 * DAY_MS);
  // At another time of day: from 29 and 31 January, both renew on the last day of February.
  const trialEnd = start + 5 * DAY_MS + HOUR_MS;
  const trial = await subscribe(client, trialEnd, { status: 'trialing', trialEnd });
  await subscribe(client, start + DAY_MS, { status: 'cancelled' });
  await subscribe(client, start + DAY_MS, { environment: 'production' });
  await subscribe(await logIn(service, { role: 'owner' }), start + DAY_MS);

  const first = await client.post(path, { body: { by: 'next_boundary' } });
  expect(first.body).toMatchObject({
    now: at(start + 3 * DAY_MS),
    fired: [{ subscriptionId: soon, boundary: at(start + 3 * DAY_MS), what: 'period_end' }],
  });
  const second = await client.post(path, { body: { by: 'next_boundary' } });
  expect(second.body).toMatchObject({
    now: at(trialEnd),
    fired: [{ subscriptionId: trial, boundary: at(trialEnd), what: 'trial_end' }],
  });
  // The periods have not been renewed: the next boundary is computed from the anchor.
  const third = await client.post(path, { body: { by: 'next_boundary' } });
  expect(third.body['fired']).toMatchObject([{ subscriptionId: soon, what: 'period_end' }]);
  expect(time(third.body['now'])).toBeGreaterThan(start + 30 * DAY_MS);

  const records = await client.get('/api/audit');
  expect(records.status).toBe(403);
  const [row] = await service.database.query<{ count: string }>(
    "SELECT count(*) FROM tollgate.audit_records WHERE workspace_id = $1 AND action = 'sandbox_clock.advanced'",
    [client.workspaceId],
  );
  expect(row?.count).toBe('3');
  const jobs = await jobsOf(client);
  expect(jobs.map(({ key }) => key)).toEqual(
    [soon, trial].map((id) => `clock/subscription/sandbox/${id}`).sort(),
  );
});

test('each workflow is signalled when its instant comes by the clock as it is now', async () => {
  const client = await logIn(service, { role: 'developer' });
  const start = Math.floor(Date.now() / 1000) * 1000;
  const reached = await subscribe(client, start + 3 * DAY_MS);
  const ahead = await subscribe(client, start + 9 * DAY_MS);
  const unpaid = { status: 'incomplete', price: 2900, incompleteUntil: start + 8 * DAY_MS };
  const checkout = await checkoutOf(client, await subscribe(client, start + 31 * DAY_MS, unpaid));
  await service.database.query('UPDATE tollgate.checkouts SET expires_at = $2 WHERE id = $1', [
    checkout,
    new Date(start + 8 * DAY_MS),
  ]);
  const runsAt = async (): Promise<Record<string, number>> => {
    const rows = await service.database.query<{ id: string; run_at: number }>(
      `SELECT coalesce(payload->>'subscriptionId', payload->>'checkoutId') AS id, run_at
         FROM graphile_worker._private_jobs WHERE payload->>'workspaceId' = $1`,
      [client.workspaceId],
    );
    return Object.fromEntries(rows.map(({ id, run_at: at }) => [id, at]));
  };
  /**
   * Advances the sandbox's clock, and returns a function from an instant in the sandbox to the real time at which it
   * occurs.
   */
  const advanceTo = async (to: number): Promise<(instant: number) => number> => {
    await client.post(path, { body: { to: at(to) } });
    const { body } = await client.get(path);
    return (instant) => instant - Number(body['offsetMs']);
  };

  const first = await advanceTo(start + 4 * DAY_MS);
  expect(await runsAt()).toEqual({
    [reached]: first(start + 4 * DAY_MS),
    [checkout]: first(start + 8 * DAY_MS),
    [ahead]: first(start + 9 * DAY_MS),
  });
  // The row's current wake time counts, and a later advance replaces jobs that have not been sent.
  await service.database.query(
    `UPDATE tollgate.subscriptions SET next_wake_at = CASE id WHEN $1 THEN $3::timestamptz ELSE $4 END WHERE id IN ($1, $2)`,
    [reached, ahead, new Date(start + 20 * DAY_MS), new Date(start + 12 * DAY_MS)],
  );
  const second = await advanceTo(start + 10 * DAY_MS);
  expect(await runsAt()).toEqual({
    [reached]: second(start + 20 * DAY_MS),
    [checkout]: second(start + 10 * DAY_MS),
    [ahead]: second(start + 12 * DAY_MS),
  });
});

test('a signal that waits for its workflow’s other news is not put off', async () => {
  const client = await logIn(service, { role: 'developer' });
  const start = Math.floor(Date.now() / 1000) * 1000;
  const id = await subscribe(client, start + 9 * DAY_MS);
  const job = { workspaceId: client.workspaceId, environment: 'sandbox', subscriptionId: id };
  await service.database.query("SELECT tollgate.enqueue('poke-subscription', $1, $2)", [
    JSON.stringify(job),
    `subscription/sandbox/${id}`,
  ]);
  await client.post(path, { body: { to: at(start + DAY_MS) } });
  const due = await service.database.query<{ key: string }>(
    "SELECT key FROM graphile_worker._private_jobs WHERE payload->>'subscriptionId' = $1 AND run_at <= now()",
    [id],
  );
  expect(due).toEqual([{ key: `subscription/sandbox/${id}` }]);
});

test('a long way has every boundary on it, in order', async () => {
  const client = await logIn(service, { role: 'developer' });
  const start = Math.floor(Date.now() / 1000) * 1000;
  await subscribe(client, start + 3 * DAY_MS);
  await subscribe(client, start + 4 * DAY_MS);
  const { body } = await client.post(path, { body: { to: at(start + 366 * DAY_MS) } });
  const fired = body['fired'] as { subscriptionId: string; boundary: string }[];
  expect(fired).toHaveLength(24);
  expect(fired.map(({ boundary }) => boundary)).toEqual(fired.map(({ boundary }) => boundary).sort());
});

test('an unpaid payment becomes past due and expires on the way, and between them the period turns', async () => {
  const client = await logIn(service, { role: 'developer' });
  const end = Math.floor(Date.now() / 1000) * 1000 + 20 * DAY_MS;
  const id = await subscribe(client, end, { price: 2900, paymentDueAt: end - 15 * DAY_MS });
  const first = await client.post(path, { body: { by: 'next_boundary' } });
  expect(first.body).toMatchObject({
    now: at(end - 15 * DAY_MS),
    fired: [{ subscriptionId: id, boundary: at(end - 15 * DAY_MS), what: 'past_due' }],
  });
  const second = await client.post(path, { body: { to: at(end + 200 * DAY_MS) } });
  expect(second.body).toMatchObject({
    fired: [
      { subscriptionId: id, boundary: at(end), what: 'period_end' },
      { subscriptionId: id, boundary: at(end + 15 * DAY_MS), what: 'expired' },
    ],
    firedMore: false,
  });
  // The row has not been stepped, but the subscription has ended by then.
  expect(await client.post(path, { body: { by: 'next_boundary' } })).toMatchObject({
    status: 409,
    body: { code: 'clock_no_boundary' },
  });
});

test('an unpaid checkout expires on the way, and its workflow is signalled', async () => {
  const client = await logIn(service, { role: 'developer' });
  const start = Math.floor(Date.now() / 1000) * 1000;
  const incomplete = { status: 'incomplete', price: 2900 };
  const id = await subscribe(client, start + 31 * DAY_MS, { ...incomplete, incompleteUntil: start + DAY_MS });
  const open = await checkoutOf(client, id);
  const other = await subscribe(client, start + 31 * DAY_MS, { status: 'cancelled' });
  await checkoutOf(client, other, 'expired');
  const { body } = await client.post(path, { body: { by: 'next_boundary' } });
  expect(body['fired']).toEqual([
    { subscriptionId: id, boundary: at(start + DAY_MS), what: 'checkout_expired' },
  ]);
  expect(await jobsOf(client)).toEqual([
    {
      key: `clock/checkout/sandbox/${open}`,
      task: 'poke-checkout',
      payload: { workspaceId: client.workspaceId, environment: 'sandbox', checkoutId: open },
    },
  ]);
});

test('a payment provider’s boundaries fire too: its own clock follows', async () => {
  const client = await logIn(service, { role: 'developer' });
  const end = Date.now() + DAY_MS;
  await subscribe(client, end, { provider: 'provider_a', price: 2900 });
  const next = await client.post(path, { body: { by: 'next_boundary' } });
  expect(next).toMatchObject({ status: 200, body: { now: at(end), fired: [{ what: 'period_end' }] } });
});

test.each([
  ['to come', 0],
  ['overdue', DAY_MS],
])(
  'the readings of what is past due at a payment provider are no boundaries, also when the next is %s',
  async (_, ago) => {
    const client = await logIn(service, { role: 'developer' });
    const end = Date.now() + 20 * DAY_MS;
    const pastDueSince = Date.now() - ago;
    await subscribe(client, end, { provider: 'provider_b', status: 'past_due', pastDueSince });
    const next = await client.post(path, { body: { by: 'next_boundary' } });
    expect(next).toMatchObject({ status: 200, body: { now: at(end) } });
    expect((next.body['fired'] as { what: string }[]).map(({ what }) => what)).toEqual(['period_end']);
  },
);

test('an advance that would have more steps than a sandbox should take at once is refused, and says how far it may go', async () => {
  const client = await logIn(service, { role: 'developer' });
  const start = Math.floor(Date.now() / 1000) * 1000;
  for (let count = 0; count < 60; count += 1) await subscribe(client, start + DAY_MS);
  const refused = await client.post(path, { body: { to: at(start + 36_000 * DAY_MS) } });
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'clock_too_many_steps', mostSteps: 10_000 },
  });
  const steps = Number(refused.body['steps']);
  expect(steps).toBeGreaterThan(60 * 1_180);
  expect(refused.body['detail']).toContain(`${(steps - 10_000).toLocaleString('en')} more than the 10,000`);
  expect((await client.get(path)).body['offsetMs']).toBe(0);
  expect(await jobsOf(client)).toEqual([]);

  const { reachable } = refused.body;
  const advanced = await client.post(path, { body: { to: reachable } });
  expect(advanced).toMatchObject({ status: 200, body: { now: reachable, firedMore: true } });
  expect(advanced.body['fired']).toHaveLength(1_000);
  // No subscription has caught up yet, so there is no room for another step; the next boundary can always be reached.
  const further = await client.post(path, { body: { to: at(time(reachable) + 2_000 * DAY_MS) } });
  expect(further).toMatchObject({ status: 422, body: { code: 'clock_too_many_steps' } });
  expect(await client.post(path, { body: { by: 'next_boundary' } })).toMatchObject({ status: 200 });
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
  // The furthest target first: those that arrive while it is in progress must not replace it.
  for (let round = 1; round <= 5; round += 1) {
    const furthest = Date.now() + round * 100 * DAY_MS;
    const targets = Array.from({ length: 8 }, (_, index) => furthest - index * DAY_MS);
    const answers = await Promise.all(
      targets.map((target) => client.post(path, { body: { to: at(target) } })),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(time((await client.get(path)).body['now'])).toBeGreaterThanOrEqual(furthest);
  }
});
