import { randomUUID } from 'node:crypto';
import type { KeyScope } from '../../src/domain/key-scopes';
import { sellTwoPlans } from '../console/seed';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { createKey } from '../support/workspace';
import { useService } from '../support/use-service';

const service = useService({ commands: 'direct' });
let operator: OperatorClient;
let subscriptions: string[];

beforeAll(async () => {
  operator = await logIn(service, { role: 'admin' });
  await sellTwoPlans(operator);
  subscriptions = [];
  for (const externalId of ['one', 'other']) {
    await operator.post('/api/customers', { body: { externalId } });
    const made = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'small' },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    subscriptions.push(String(made.body['id']));
  }
});

/** Sends a command to the first subscription, or to another one. */
async function command(name: string, of = 0): Promise<void> {
  await operator.post(`/api/billing/subscriptions/${subscriptions[of]}/${name}`, {
    body: {},
    headers: { 'Idempotency-Key': randomUUID() },
  });
}

async function listed(query: Record<string, string> = {}): Promise<string[]> {
  const { body } = await operator.get('/api/billing/operations', { query });
  return (body['data'] as Record<string, string>[]).map(({ kind, status }) => `${kind} ${status}`);
}

test('newest first, with why one was refused, and by what it acts on', async () => {
  expect(await listed()).toEqual([]);
  await command('cancel');
  await command('reactivate');
  await command('cancel', 1);
  const all = ['cancel succeeded', 'reactivate refused', 'cancel succeeded'];
  expect(await listed()).toEqual(all);
  expect(await listed({ subscriptionId: subscriptions[0] ?? '' })).toEqual(all.slice(1));
  expect(await listed({ kind: 'cancel' })).toEqual(['cancel succeeded', 'cancel succeeded']);
  expect(await listed({ status: 'refused' })).toEqual(['reactivate refused']);
  const { body } = await operator.get('/api/billing/operations', { query: { status: 'refused' } });
  expect(body['data']).toEqual([
    {
      id: expect.any(String) as string,
      kind: 'reactivate',
      subscriptionId: subscriptions[0],
      targetId: subscriptions[0],
      status: 'refused',
      problem: expect.objectContaining({ detail: expect.any(String) as string }) as object,
      createdAt: expect.any(String) as string,
      finishedAt: expect.any(String) as string,
    },
  ]);
});

test('page by page each is listed once, even if another is added meanwhile', async () => {
  const first = await operator.get('/api/billing/operations', { query: { take: '2' } });
  await command('reactivate', 1);
  const query = { take: '2', cursor: String(first.body['nextCursor']) };
  const second = await operator.get('/api/billing/operations', { query });
  const ids = [first, second].flatMap(({ body }) => (body['data'] as { id: string }[]).map(({ id }) => id));
  expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
  expect(second.body['hasMore']).toBe(false);
});

test('those that are not concluded are open', async () => {
  expect(await listed({ status: 'open' })).toEqual([]);
  const set = 'UPDATE tollgate.operations SET status = $2, finished_at = $3 WHERE subscription_id = $1';
  const cancel = `${set} AND kind = 'cancel'`;
  await service.database.query(cancel, [subscriptions[1], 'accepted', null]);
  expect(await listed({ status: 'open' })).toEqual(['cancel accepted']);
  await service.database.query(cancel, [subscriptions[1], 'succeeded', new Date()]);
  expect((await operator.get('/api/billing/operations', { query: { status: 'done' } })).status).toBe(400);
});

test('a key sees what its scopes allow it to read', async () => {
  await service.database.query(
    "UPDATE tollgate.operations SET kind = 'refund' WHERE subscription_id = $1 AND kind = 'cancel'",
    [subscriptions[0]],
  );
  const scope = { workspaceId: operator.workspaceId, environment: 'sandbox' } as const;
  const kindsFor = async (...scopes: KeyScope[]) => {
    const key = await createKey(service.database, scope, scopes);
    const { status, body } = await new Integrator(service.urls.sandbox, key).send('GET', '/v1/operations');
    if (status !== 200) return [status, body['code']];
    return [...new Set((body['data'] as { kind: string }[]).map(({ kind }) => kind))].sort();
  };
  expect(await kindsFor('read')).toEqual(['cancel', 'reactivate', 'refund']);
  expect(await kindsFor('subscriptions')).toEqual(['cancel', 'reactivate']);
  expect(await kindsFor('billing')).toEqual(['refund']);
  expect(await kindsFor('usage')).toEqual([403, 'scope_missing']);
});

test('another organization has a list of its own', async () => {
  const stranger = await logIn(service, { role: 'viewer' });
  expect((await stranger.get('/api/billing/operations')).body['data']).toEqual([]);
});
