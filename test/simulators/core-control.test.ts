import { DAY_MS } from '../../src/domain/instant';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { clientAt } from './provider-a-world';
import { startReceiver } from './webhook-receiver';

let running: RunningSimulators;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  running = await startSimulators();
  receiver = await startReceiver();
});
afterAll(async () => {
  await running.stop();
  await receiver.stop();
});

async function control(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${running.urls.control}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('a person seeds accounts, and acts on them, over HTTP', async () => {
  const secretKey = 'sk_test_seededOverHttp1';
  const seed = {
    secretKey,
    webhookUrl: `${receiver.url}/in`,
    prices: [{ id: 'price_demo_pro', unitAmount: 2_000, currency: 'usd', interval: 'month' }],
    customers: [{ email: 'ada@example.test' }],
  };
  const { body } = await control('POST', '/a/accounts', seed);
  expect(body).toMatchObject({ prices: ['price_demo_pro'] });
  const client = clientAt(running.urls.a, secretKey);
  expect((await client.prices.retrieve('price_demo_pro')).unit_amount).toBe(2_000);
  const [customer] = body['customers'] as string[];
  expect(
    (await control('POST', '/a/actions', { action: 'set_card', secretKey, customer, card: 'declines' }))
      .status,
  ).toBe(200);
  expect((await control('POST', '/a/actions', { action: 'pay_out', secretKey })).body).toEqual({
    payouts: [],
  });
  const sent = (await control('POST', '/webhooks/flush')).body as unknown as { id: string; event: string }[];
  expect(sent).toMatchObject([{ event: 'customer.created', attempts: [{ status: 200 }] }]);
  await control('POST', `/webhooks/${String(sent[0]?.id)}/resend`);
  await control('POST', '/webhooks/flush');
  expect(receiver.received).toHaveLength(2);
  const plans = [{ code: 'PLN_demo', name: 'Pro', amount: 500_000, currency: 'NGN', interval: 'monthly' }];
  expect(
    (await control('POST', '/c/accounts', { secretKey: 'sk_test_seededOverHttp2', plans })).body,
  ).toEqual({ plans: ['PLN_demo'] });
});

test('no web page controls it, as one of another site could without asking', async () => {
  const before = (await control('GET', '/webhooks/switches')).body;
  const refused = await fetch(`${running.urls.control}/webhooks/switches`, {
    method: 'POST',
    headers: { Origin: 'https://elsewhere.example', 'Content-Type': 'text/plain' },
    body: JSON.stringify({ drop: true, delayMs: 60_000 }),
  });
  expect(refused.status).toBe(403);
  expect((await control('GET', '/webhooks/switches')).body).toEqual(before);
});

test('the clock, the switches and the faults over HTTP', async () => {
  const { now } = (await control('GET', '/clock')).body;
  const to = new Date(Number(now) + DAY_MS).toISOString();
  expect(Number((await control('POST', '/clock', { to })).body['now'])).toBeGreaterThanOrEqual(
    Date.parse(to),
  );
  expect((await control('POST', '/clock', { to: 0 })).status).toBe(400);
  expect((await control('POST', '/webhooks/switches', { duplicate: true })).body).toMatchObject({
    duplicate: true,
    drop: false,
  });
  expect((await control('POST', '/webhooks/switches', { duplicated: true })).status).toBe(400);
  await control('POST', '/webhooks/switches', { duplicate: false });
  await control('POST', '/faults', { provider: 'c', path: '/plan', fault: 'answer_500' });
  expect((await fetch(`${running.urls.c}/plan`)).status).toBe(500);
  await control('DELETE', '/faults');
  expect((await fetch(`${running.urls.c}/plan`)).status).toBe(401);
  expect((await control('GET', '/nothing')).status).toBe(404);
});
