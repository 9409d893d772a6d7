import { makeMore, startDemoService } from '../support/demo';
import { Integrator } from '../support/integrator';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';
import type { KeyScope } from '../../src/domain/key-scopes';

const bench = useStarted(startDemoService);
beforeAll(async () => {
  await makeMore(bench);
});

interface Item {
  id: string;
  customerId: string;
  plan?: { id: string } | null;
  expanded?: { customer?: { id: string; externalId: string }; plan?: { id: string; entitlements: object[] } };
}

async function list(path: string): Promise<Item[]> {
  const { status, body } = await bench.api.send('GET', path);
  expect([path, status]).toEqual([path, 200]);
  return body['data'] as Item[];
}

test.each([
  ['subscriptions', 'customer,plan'],
  ['checkouts', 'plan,customer'],
  ['transactions', 'customer'],
  ['payments', 'customer'],
])('%s are read with %s, in lists and one by one', async (collection, names) => {
  const plain = await list(`/v1/${collection}?take=20`);
  const expanded = await list(`/v1/${collection}?take=20&expand=${names}`);
  expect(expanded.map((item) => ({ ...item, expanded: undefined }))).toEqual(plain);
  expect(plain.length).toBeGreaterThan(0);
  for (const item of expanded) {
    expect(item.expanded?.customer).toMatchObject({ id: item.customerId });
    if (names.includes('plan')) expect(item.expanded?.plan?.id).toBe(item.plan?.id);
  }
  const [first] = expanded;
  const one = await bench.api.send('GET', `/v1/${collection}/${first?.id}?expand=${names}`);
  expect(one.body).toEqual(first);
  const { body } = await bench.operator.get(`/api/billing/${collection}`, {
    query: { take: '20', expand: names },
  });
  expect(body['data']).toEqual(expanded);
});

test('an expanded plan and customer are those of their own routes', async () => {
  const [subscription] = await list('/v1/subscriptions?take=1&expand=customer,plan');
  const { customer, plan } = subscription?.expanded ?? {};
  expect((await bench.api.send('GET', `/v1/plans/${plan?.id}`)).body).toEqual(plan);
  expect((await bench.api.send('GET', `/v1/customers/${customer?.externalId}`)).body).toMatchObject(
    customer ?? {},
  );
});

test.each(['seats', '', 'customer,', 'customer,seats', 'plan', 'customer;plan'])(
  'expand=%s of transactions is refused',
  async (names) => {
    expect(await bench.api.send('GET', `/v1/transactions?expand=${encodeURIComponent(names)}`)).toMatchObject(
      {
        status: 400,
        body: { code: 'validation_failed', errors: [{ pointer: '/query/expand' }] },
      },
    );
  },
);

test('a key reads by expand only what it may read without', async () => {
  const { workspaceId } = bench.operator;
  const callWith = async (scopes: readonly KeyScope[], names: string) => {
    const key = await createKey(bench.service.database, { workspaceId, environment: 'sandbox' }, scopes);
    return new Integrator(bench.service.urls.sandbox, key).send('GET', `/v1/subscriptions?expand=${names}`);
  };
  expect(await callWith(['subscriptions'], 'plan')).toMatchObject({ status: 200 });
  expect(await callWith(['subscriptions'], 'plan,customer')).toMatchObject({
    status: 403,
    body: { code: 'scope_missing', scope: 'read' },
  });
  expect(await callWith(['subscriptions', 'customers'], 'customer')).toMatchObject({ status: 200 });
});
