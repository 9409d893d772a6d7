import { openDatabase, openPipelinedPool } from '../../src/db/pools';
import { makeDemo } from '../../src/embedded/demo/demo';
import { createLogger } from '../../src/telemetry/logger';
import { verifyAll } from '../../src/verification/verify';
import { Integrator } from '../support/integrator';
import { startTestService, testSecrets, type TestService } from '../support/service';

let service: TestService;
let api: Integrator;
beforeAll(async () => {
  service = await startTestService();
  const log = createLogger('test', 'silent');
  const options = { max: 2, applicationName: 'test-demo', log };
  const database = openDatabase(service.database.url('tollgate_app'), options);
  const pipelined = openPipelinedPool(service.database.url('tollgate_app'), options);
  const demo = await makeDemo({
    database,
    pipelined,
    apiKeyPepper: testSecrets.apiKeyPepper,
    operatorPassword: 'correct horse battery staple',
    urls: { sandbox: service.urls.sandbox, production: service.urls.production },
    clock: service.clock,
    log,
  });
  await Promise.all([database.destroy(), pipelined.end()]);
  api = new Integrator(service.urls.sandbox, demo.sandboxKey);
});
afterAll(() => service.stop());

test.each([
  ['demo_acme', 'active', true],
  ['demo_trial', 'trialing', true],
  ['demo_used_up', 'active', null],
  ['demo_unlimited', 'active', true],
  ['demo_past_due', 'past_due', true],
  ['demo_suspended', 'past_due', false],
  ['demo_cancelled', 'cancelled', false],
])('%s is %s', async (externalId, status, allowed) => {
  const { body } = await api.send('GET', `/v1/customers/${externalId}`);
  expect(body['subscriptions']).toMatchObject([{ status }]);
  const check = await api.check(externalId, 'ai_tokens', 1);
  if (allowed !== null) expect(check.body['allowed']).toBe(allowed);
});

test('what billing has written agrees, and a renewal is among it', async () => {
  const database = openDatabase(service.database.url('tollgate_app'), {
    max: 1,
    applicationName: 'test-verify',
    log: createLogger('test', 'silent'),
  });
  const examples: string[] = [];
  for await (const result of verifyAll(database)) examples.push(...result.examples);
  await database.destroy();
  expect(examples).toEqual([]);
  const kinds = await service.database.query<{ kind: string; status: string }>(
    'SELECT DISTINCT kind, status FROM tollgate.subscription_transactions ORDER BY 1, 2',
  );
  expect(kinds).toEqual([
    { kind: 'initial', status: 'paid' },
    { kind: 'initial', status: 'pending' },
    { kind: 'renewal', status: 'paid' },
  ]);
});
