import { DAY_MS } from '../../src/domain/instant';
import { isRelayBehind } from '../../src/domain/process-health';
import { createCustomer, createPlan, idOf, subscribe } from '../catalog/offer';
import { logIn } from '../support/operator';
import { ProviderRow } from '../support/provider-row';
import { useProviderWorld } from '../support/use-provider-world';

const world = useProviderWorld({ planted: { differences: true } });
const row = new ProviderRow(world);

interface Overview {
  attention: Record<string, number> & { nextApprovalExpiry: string | null };
  processes: Record<string, unknown>;
}

const overview = async (): Promise<Overview> =>
  (await world.operator.get('/api/overview')).body as unknown as Overview;

test('an empty workspace needs no attention, and the processes that were seen are counted', async () => {
  const operator = await logIn(world.service, { role: 'viewer' });
  const { status, body } = await operator.get('/api/overview');
  expect(status).toBe(200);
  const { attention, processes } = body as unknown as Overview;
  expect(new Set(Object.values(attention))).toEqual(new Set([0, null]));
  expect(processes).toMatchObject({ apis: 1, relay: 'running', temporal: 'not_configured' });
});

test('an approval counts until it is given, with when it runs out', async () => {
  const before = await overview();
  const subscription = await world.subscribe('provider_b');
  await world.change(subscription.id, { plan: 'large' });
  const { pendingApproval } = await world.show(subscription.id);
  const after = await overview();
  expect(after.attention['approvals']).toBe((before.attention['approvals'] ?? 0) + 1);
  expect(after.attention.nextApprovalExpiry).toBe((pendingApproval as { expiresAt: string }).expiresAt);
  const { body } = await world.operator.get('/api/billing/subscriptions', {
    query: { awaiting: 'approval' },
  });
  expect((body['data'] as { id: string }[]).map(({ id }) => id)).toContain(subscription.id);
});

test('a connection counts while its last test failed, and no longer after its settings changed', async () => {
  const path = `/api/provider-connections/${world.connections.provider_c}`;
  row.break('provider_c', '/plan', 'answer_500');
  row.break('provider_c', '/balance', 'answer_500');
  const test = await world.operator.post(`${path}/test`);
  row.hearAgain();
  expect(test.body['ok']).toBe(false);
  const shown = (await world.operator.get(path)).body;
  expect(shown['testedAt']).not.toBeNull();
  expect(shown['failedChecks']).not.toEqual([]);
  expect((await overview()).attention['connectionTests']).toBe(1);
  await world.operator.patch(path, { body: { settings: { note: 'looked at' } } });
  expect((await overview()).attention['connectionTests']).toBe(0);
  expect((await world.operator.get(path)).body).toMatchObject({ testedAt: null, failedChecks: [] });
});

test('a connection counts while the price of one of its plans differs there', async () => {
  const path = `/api/provider-connections/${world.connections.provider_a}/test`;
  const prices = async (): Promise<unknown> => {
    await world.operator.post(path);
    return (await overview()).attention['planPrices'];
  };
  expect(await prices()).toBe(0);
  const { planId } = world.plans.large;
  const set = (amount: number): Promise<unknown> =>
    world.service.database.query('UPDATE tollgate.plans SET price_amount = $2 WHERE id = $1', [
      planId,
      amount,
    ]);
  await set(9_001);
  expect(await prices()).toBe(1);
  await set(9_000);
  expect(await prices()).toBe(0);
});

test('refused deliveries are counted one by one, even if one row represents a flood of them', async () => {
  const operator = await logIn(world.service, { role: 'developer' });
  const connection = idOf(
    await operator.post('/api/provider-connections', { body: { provider: 'provider_a', displayName: 'A' } }),
  );
  const refuse = (id: string, count: number): Promise<unknown> =>
    world.service.database.query(
      `INSERT INTO tollgate.webhook_failures
         (workspace_id, environment, id, connection_id, provider, kind, reason, count, minute, overflow, first_at, last_at)
       SELECT $1, 'sandbox', $2, $3, 'provider_a', 'signature', 'Not signed.', $4, date_trunc('minute', $5::timestamptz), false, $5, $5`,
      [operator.workspaceId, id, connection, count, new Date(world.service.clock.now())],
    );
  const counted = async (): Promise<unknown> =>
    ((await operator.get('/api/overview')).body as unknown as Overview).attention['webhookFailures'];
  await refuse('whf_1', 1);
  await refuse('whf_2', 41);
  expect(await counted()).toBe(42);
  await refuse('whf_3', 5_000);
  expect(await counted()).toBe(100);
});

test('each kind is counted by the state of its rows', async () => {
  const operator = await logIn(world.service, { role: 'developer' });
  const { externalId } = await createCustomer(operator);
  const id = idOf(await subscribe(operator, { externalId, planId: await createPlan(operator) }));
  const set = (assignment: string): Promise<unknown> =>
    world.service.database.query(`UPDATE tollgate.subscriptions SET ${assignment} WHERE id = $1`, [id]);
  await set(`status = 'past_due', past_due_since = created_at, drift = '{"differences": [], "foundAt": 1}',
    provider_work = '{"unsettled": {"retryAt": 1}}', metadata = '{"nextCycleSync": {"state": "failed"}}'`);
  const { body } = await operator.get('/api/overview');
  expect((body as unknown as Overview).attention).toMatchObject({
    pastDue: 1,
    drift: 1,
    providerCalls: 1,
    preparationsFailed: 1,
    approvals: 0,
  });
  const listed = async (query: Record<string, string>): Promise<string[]> => {
    const { body: page } = await operator.get('/api/billing/subscriptions', { query });
    return (page['data'] as { id: string }[]).map((row) => row.id);
  };
  await set('provider_work = NULL');
  expect(await listed({ drift: 'found' })).toEqual([id]);
  await set('drift = NULL');
  expect(await listed({ drift: 'found' })).toEqual([]);
  expect(await listed({ preparation: 'failed' })).toEqual([id]);
  await set(`status = 'cancelled', drift = NULL, provider_work = NULL, metadata = '{}'`);
});

test('a webhook endpoint counts while nothing succeeds there, or since it was disabled for that, not by a person', async () => {
  const operator = await logIn(world.service, { role: 'developer' });
  const make = async (): Promise<string> =>
    idOf(await operator.post('/api/webhook-endpoints', { body: { url: 'https://93.184.216.34/hook' } }));
  const [first, second] = [await make(), await make()];
  const set = (id: string, assignment: string): Promise<unknown> =>
    world.service.database.query(`UPDATE tollgate.webhook_endpoints SET ${assignment} WHERE id = $1`, [id]);
  const found = async (): Promise<unknown[]> => {
    const { attention } = (await operator.get('/api/overview')).body as unknown as Overview;
    return [attention['webhookEndpoints'], attention['webhookEndpointId']];
  };
  expect(await found()).toEqual([0, null]);
  await set(second, 'failing_since = created_at');
  expect(await found()).toEqual([1, second]);
  await set(first, `disabled_at = created_at, disabled_reason = 'gone'`);
  expect(await found()).toEqual([2, first]);
  await set(second, `disabled_at = created_at, disabled_reason = 'operator'`);
  expect(await found()).toEqual([1, first]);
  // Other environments and organizations have counts of their own.
  expect((await operator.get('/api/overview', { env: 'production' })).body).toMatchObject({
    attention: { webhookEndpoints: 0, webhookEndpointId: null },
  });
  expect((await overview()).attention['webhookEndpoints']).toBe(0);
});

test('a relay is behind when a job has waited for a minute', () => {
  expect(isRelayBehind(null, DAY_MS)).toBe(false);
  expect(isRelayBehind(DAY_MS - 59_999, DAY_MS)).toBe(false);
  expect(isRelayBehind(DAY_MS - 60_000, DAY_MS)).toBe(true);
});
