import { readFile } from 'node:fs/promises';
import type { RunningSimulators } from '../../simulators/start';
import type { Demo } from '../../src/embedded/demo/make-demo';
import { simulatorAccounts } from '../../src/embedded/demo/simulator-accounts';
import { verifyAll } from '../../src/verification/verify';
import { startDemoService } from '../support/demo';
import type { Integrator } from '../support/integrator';
import type { OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { useStarted } from '../support/use-started';

const bench = useStarted(startDemoService);
let service: TestService;
let api: Integrator;
let simulators: RunningSimulators;
let operator: OperatorClient;
let demo: Demo;

beforeAll(() => {
  ({ service, api, operator, simulators, demo } = bench);
});

test('the examples of the reference are the demo’s names: sent unchanged, they are answered', async () => {
  const { components } = JSON.parse(await readFile('docs/openapi/api.json', 'utf8')) as {
    components: { schemas: Record<string, { properties: Record<string, { example?: unknown }> }> };
  };
  const exampleOf = (schema: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(components.schemas[schema]?.properties ?? {}).map(([name, { example }]) => [
        name,
        example,
      ]),
    );
  const checked = await api.send('POST', '/v1/usage/check', exampleOf('UsageCheckRequest'));
  expect([checked.status, checked.body['allowed']]).toEqual([200, true]);
  const { externalId } = exampleOf('UsageTrackRequest');
  expect((await api.send('GET', `/v1/customers/${String(externalId)}`)).status).toBe(200);
});

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

test('the rows written by billing agree, and include a renewal', async () => {
  const database = service.open('tollgate_app', 1);
  const examples: string[] = [];
  for await (const result of verifyAll(database)) examples.push(...result.examples);
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

describe('the provider connections', () => {
  const providers = ['provider_a', 'provider_b', 'provider_c'] as const;

  async function openAccounts({ connections }: Demo): Promise<void> {
    for (const [provider, account] of Object.entries(simulatorAccounts(connections, service.urls.sandbox))) {
      const answer = await fetch(`${simulators.urls.control}/${provider}/accounts`, {
        method: 'POST',
        body: JSON.stringify(account),
      });
      expect([provider, answer.status]).toEqual([provider, 200]);
    }
  }

  const failedChecks = async (id: string): Promise<unknown> => {
    const { body } = await operator.post(`/api/provider-connections/${id}/test`);
    const { checks } = body as { checks: { check: string; ok: boolean; message: string }[] };
    expect(checks.map(({ check }) => check)).toEqual([
      'authentication',
      'webhook',
      'plan_references',
      'mode',
      'plan_prices',
    ]);
    return checks.filter(({ ok }) => !ok);
  };

  test('of all three work as soon as the simulators have their accounts, and not before', async () => {
    for (const provider of providers) {
      expect(await failedChecks(demo.connections[provider].id)).not.toEqual([]);
    }
    await openAccounts(demo);
    for (const provider of providers) {
      expect(await failedChecks(demo.connections[provider].id)).toEqual([]);
    }
  });

  test('lead the simulators’ webhooks to themselves', async () => {
    const { b, c } = simulatorAccounts(demo.connections, 'http://sandbox.example');
    const url = (provider: 'provider_b' | 'provider_c'): string =>
      `http://sandbox.example/v1/webhooks/${provider}?connection=${demo.connections[provider].id}`;
    expect(b).toMatchObject({ webhooks: [{ url: url('provider_b') }] });
    expect(c).toMatchObject({ webhookUrl: url('provider_c') });
    const { body } = await operator.get(`/api/provider-connections/${demo.connections.provider_c.id}`);
    expect(body['webhookUrl']).toBe(
      url('provider_c').replace('http://sandbox.example', 'http://sandbox.test'),
    );
  });

  test('are the same ones with new secrets when the demo is made again', async () => {
    const again = await bench.makeAgain();
    await openAccounts(again);
    for (const provider of providers) {
      expect(again.connections[provider].id).toBe(demo.connections[provider].id);
      expect(again.connections[provider].secrets).not.toEqual(demo.connections[provider].secrets);
      expect(await failedChecks(again.connections[provider].id)).toEqual([]);
    }
    const { body } = await operator.get('/api/provider-connections');
    expect(body['data']).toHaveLength(providers.length);
  });
});
