import { randomUUID } from 'node:crypto';
import { Integrator, type Answer } from '../support/integrator';
import { logIn } from '../support/operator';
import { createKey, createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Origins to which a checkout may send its customer back. */
const service = useService({ commands: 'direct' });
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createWorkspace(service.database);
});

const sale = { amount: { amount: '100', currency: 'USD' }, description: 'Once' };

async function sell(environment: 'sandbox' | 'production', addresses: object): Promise<Answer> {
  const key = await createKey(service.database, workspace[environment], ['customers', 'subscriptions']);
  const caller = new Integrator(service.urls[environment], key);
  await caller.send('PUT', '/v1/customers/buyer', {});
  const body = { externalId: 'buyer', ...sale, ...addresses };
  return caller.send('POST', '/v1/checkouts', body, { 'Idempotency-Key': randomUUID() });
}

test('without a setting a sandbox takes any origin, and production none', async () => {
  expect(await sell('sandbox', { successUrl: 'https://any.test/done' })).toMatchObject({ status: 201 });
  expect(await sell('production', { successUrl: 'https://any.test/done' })).toMatchObject({
    status: 422,
    body: { code: 'return_origin_forbidden', errors: [{ pointer: '/successUrl' }] },
  });
  expect(await sell('production', {})).toMatchObject({ status: 201 });
});

test.each(['sandbox', 'production'] as const)('in %s the setting allows its origins alone', async (env) => {
  const admin = await logIn(service, { role: 'admin', workspaceId: workspace.workspaceId });
  const body = { returnOrigins: ['https://app.example.com'] };
  expect(await admin.patch('/api/billing/settings', { env, body })).toMatchObject({ status: 200, body });
  const allowed = { successUrl: 'https://app.example.com/done', cancelUrl: 'https://app.example.com/' };
  expect(await sell(env, allowed)).toMatchObject({ status: 201 });
  const cancelUrl = 'https://app.example.com.attacker.test/';
  expect(await sell(env, { ...allowed, cancelUrl })).toMatchObject({
    status: 422,
    body: { code: 'return_origin_forbidden', errors: [{ pointer: '/cancelUrl' }] },
  });
});

test('an operator is refused as a key is', async () => {
  const admin = await logIn(service, { role: 'admin', workspaceId: workspace.workspaceId });
  await admin.patch('/api/billing/settings', { body: { returnOrigins: ['https://app.example.com'] } });
  await admin.post('/api/customers', { body: { externalId: 'buyer' } });
  const answer = await admin.post('/api/billing/checkouts', {
    body: { externalId: 'buyer', ...sale, successUrl: 'https://other.test/' },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect([answer.status, answer.body['code']]).toEqual([422, 'return_origin_forbidden']);
});

test.each([
  ['a path', ['https://app.example.com/']],
  ['http away from loopback', ['http://app.example.com']],
  ['no address', ['app.example.com']],
  ['one twice', ['https://a.test', 'https://a.test']],
])('%s is no setting', async (_, returnOrigins) => {
  const admin = await logIn(service, { role: 'admin', workspaceId: workspace.workspaceId });
  expect(await admin.patch('/api/billing/settings', { body: { returnOrigins } })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
});
