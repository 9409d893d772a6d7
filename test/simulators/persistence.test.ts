import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSimulators } from '../../simulators/start';
import { findFreePort } from '../../src/embedded/free-port';
import { DAY_MS } from '../../src/domain/instant';
import { startSimulatorsProcess, type SimulatorsProcess } from './simulators-process';
import { startReceiver } from './webhook-receiver';

// Each test starts several processes.
const A_KEY = 'sk_test_simulated_merchant_0001';
const C_KEY = 'sk_test_fake000000000000000000000000000000c';
const B_CLIENT = { clientId: 'client-of-the-test', clientSecret: 'not-a-real-client-secret' };
const asA = { authorization: `Bearer ${A_KEY}` };
const asC = { authorization: `Bearer ${C_KEY}` };

let directory: string;
let stateFile: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let running: SimulatorsProcess;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tollgate-simulators-'));
  stateFile = path.join(directory, 'simulators.state');
  // Not an ephemeral port, which another server might take while a test has stopped this one.
  receiver = await startReceiver([], undefined, await findFreePort());
  running = await startSimulatorsProcess({ stateFile, workingDirectory: directory });
});
afterEach(async () => {
  await running.kill();
  await receiver.stop();
  await rm(directory, { recursive: true });
});

/** Sets up the accounts, as `npm start` does at each start. */
async function giveAccounts(): Promise<void> {
  const { control } = running.urls;
  const price = { id: 'price_pro', unitAmount: 2_000, currency: 'usd', interval: 'month' };
  const a = { secretKey: A_KEY, webhookUrl: `${receiver.url}/a`, webhookSecret: 'whsec_x', prices: [price] };
  const plan = { id: 'P-PRO', name: 'Pro', price: { value: '20.00', currency_code: 'USD' } };
  const b = { ...B_CLIENT, webhooks: [{ id: '9XL90610J3647323C', url: `${receiver.url}/b` }], plans: [plan] };
  const monthly = { code: 'PLN_pro', name: 'Pro', amount: 2_000, currency: 'NGN', interval: 'monthly' };
  const c = { secretKey: C_KEY, webhookUrl: `${receiver.url}/c`, plans: [monthly] };
  for (const [provider, account] of Object.entries({ a, b, c })) {
    expect(await running.call(`${control}/${provider}/accounts`, account)).toMatchObject({ status: 200 });
  }
}

const restart = async (): Promise<void> => {
  running = await running.killAndRestart();
  expect(running.said()).toBe('');
};
const advance = async (ms: number): Promise<void> => {
  const { now } = (await running.call(`${running.urls.control}/clock`)).body;
  await running.call(`${running.urls.control}/clock`, { to: Number(now) + ms });
};
const flush = () => running.call(`${running.urls.control}/webhooks/flush`, {});
const form = (fields: Record<string, string>) => new URLSearchParams(fields);

test('provider A continues after a kill between any two requests', async () => {
  await giveAccounts();
  await restart();
  const parameters = form({
    mode: 'subscription',
    success_url: 'http://127.0.0.1:1/paid',
    'line_items[0][price]': 'price_pro',
    'line_items[0][quantity]': '2',
  });
  const once = { ...asA, 'idempotency-key': 'checkout-1' };
  const { body: session } = await running.call(`${running.urls.a}/v1/checkout/sessions`, parameters, once);
  await restart();
  expect((await running.call(`${running.urls.a}/v1/checkout/sessions`, parameters, once)).body).toEqual(
    session,
  );
  expect((await running.call(String(session['url']), form({ outcome: 'pay' }))).status).toBe(303);
  await restart();
  const paid = await running.call(
    `${running.urls.a}/v1/checkout/sessions/${String(session['id'])}`,
    undefined,
    asA,
  );
  const subscription = `${running.urls.a}/v1/subscriptions/${String(paid.body['subscription'])}`;
  const before = (await running.call(subscription, undefined, asA)).body;
  expect(before).toMatchObject({ status: 'active', items: { data: [{ quantity: 2 }] } });
  await giveAccounts();
  await advance(70 * DAY_MS);
  await restart();
  await advance(0);
  const invoices = (await running.call(`${running.urls.a}/v1/invoice_payments`, undefined, asA)).body;
  expect(invoices).toMatchObject({ data: [{ status: 'paid' }, { status: 'paid' }, { status: 'paid' }] });
  await running.call(subscription, form({ cancel_at_period_end: 'true' }), asA);
  await restart();
  await advance(40 * DAY_MS);
  expect((await running.call(subscription, undefined, asA)).body).toMatchObject({ status: 'canceled' });
  const { body: payouts } = await running.call(`${running.urls.control}/a/actions`, {
    action: 'pay_out',
    secretKey: A_KEY,
  });
  expect(payouts).toEqual({ payouts: [expect.any(String)] });
  await restart();
  expect(
    (await running.call(`${running.urls.control}/a/actions`, { action: 'pay_out', secretKey: A_KEY })).body,
  ).toEqual({ payouts: [] });
});

test('provider B continues after a kill between any two requests', async () => {
  await giveAccounts();
  const basic = Buffer.from(`${B_CLIENT.clientId}:${B_CLIENT.clientSecret}`).toString('base64');
  const { body: token } = await running.call(
    `${running.urls.b}/v1/oauth2/token`,
    form({ grant_type: 'client_credentials' }),
    { authorization: `Basic ${basic}` },
  );
  await restart();
  const asB = { authorization: `Bearer ${String(token['access_token'])}` };
  const order = {
    intent: 'CAPTURE',
    purchase_units: [{ amount: { currency_code: 'USD', value: '12.50' } }],
  };
  const orders = `${running.urls.b}/v2/checkout/orders`;
  const once = { ...asB, 'paypal-request-id': 'order-1' };
  const made = await running.call(orders, order, once);
  expect(made.status).toBe(201);
  await restart();
  expect(await running.call(orders, order, once)).toEqual({ ...made, status: 200 });
  const id = String(made.body['id']);
  await running.call(`${running.urls.b}/checkoutnow?token=${id}`, form({ choice: 'approve_echeck' }));
  await running.call(`${orders}/${id}/capture`, {}, asB);
  const subscribed = await running.call(
    `${running.urls.b}/v1/billing/subscriptions`,
    { plan_id: 'P-PRO' },
    asB,
  );
  await restart();
  const links = subscribed.body['links'] as { rel: string; href: string }[];
  await running.call(String(links.find(({ rel }) => rel === 'approve')?.href), form({ choice: 'approve' }));
  await restart();
  await giveAccounts();
  await advance(40 * DAY_MS);
  await restart();
  const subscription = `${running.urls.b}/v1/billing/subscriptions/${String(subscribed.body['id'])}`;
  expect((await running.call(subscription, undefined, asB)).body).toMatchObject({
    status: 'ACTIVE',
    billing_info: { cycle_executions: [{ cycles_completed: 2 }] },
  });
  const captured = await running.call(`${orders}/${id}`, undefined, asB);
  expect(captured.body).toMatchObject({
    purchase_units: [{ payments: { captures: [{ status: 'COMPLETED' }] } }],
  });
  await flush();
  const last = receiver.received.at(-1);
  const header = (name: string) => String(last?.headers[`paypal-${name}`]);
  await restart();
  const verified = await fetch(`${running.urls.b}/v1/notifications/verify-webhook-signature`, {
    method: 'POST',
    headers: { ...asB, 'content-type': 'application/json' },
    body: `{"auth_algo":"${header('auth-algo')}","cert_url":"${header('cert-url')}","transmission_id":"${header('transmission-id')}","transmission_sig":"${header('transmission-sig')}","transmission_time":"${header('transmission-time')}","webhook_id":"9XL90610J3647323C","webhook_event":${String(last?.body)}}`,
  });
  expect(await verified.json()).toEqual({ verification_status: 'SUCCESS' });
});

test('provider C continues after a kill between any two requests', async () => {
  await giveAccounts();
  const start = { email: 'ada@example.com', amount: 1, reference: 'first', plan: 'PLN_pro' };
  const begun = (await running.call(`${running.urls.c}/transaction/initialize`, start, asC)).body;
  await restart();
  expect((await running.call(`${running.urls.c}/transaction/initialize`, start, asC)).body).toMatchObject({
    code: 'duplicate_reference',
  });
  const { authorization_url: page } = begun['data'] as { authorization_url: string };
  await running.call(page, form({ act: 'pay' }));
  await restart();
  await running.call(`${running.urls.c}/refund`, { transaction: 'first', amount: 500 }, asC);
  await restart();
  await giveAccounts();
  await advance(40 * DAY_MS);
  await restart();
  const get = async (what: string) => (await running.call(`${running.urls.c}/${what}`, undefined, asC)).body;
  expect(await get('subscription')).toMatchObject({ data: [{ status: 'active', payments_count: 2 }] });
  expect(await get('refund')).toMatchObject({ data: [{ status: 'processed', amount: 500 }] });
  expect((await get('settlement'))['data']).toHaveLength(2);
  const { body } = await running.call(
    `${running.urls.c}/transaction/initialize`,
    { ...start, reference: 'next' },
    asC,
  );
  expect(body).toMatchObject({ status: true });
});

test('calls that fell due while nothing ran are performed at the start, each at its own instant, and once', async () => {
  await running.kill();
  let real = Date.parse('2027-01-31T09:00:00Z');
  const start = () => startSimulators({ stateFile, real: () => real });
  const api = async (url: string, body?: object): Promise<Record<string, unknown>> =>
    (await running.call(url, body, asA)).body;
  let inside = await start();
  inside.providers.a.account({ secretKey: A_KEY }).price({
    id: 'price_pro',
    unitAmount: 2_000,
    currency: 'usd',
    interval: 'month',
  });
  const parameters = form({
    mode: 'subscription',
    success_url: 'http://127.0.0.1:1/paid',
    'line_items[0][price]': 'price_pro',
  });
  const { url } = await api(`${inside.urls.a}/v1/checkout/sessions`, parameters);
  await api(String(url), form({ outcome: 'pay' }));
  await inside.stop();
  for (const days of [75, 1]) {
    real += days * DAY_MS;
    inside = await start();
    const events = `${inside.urls.a}/v1/events?type=invoice.paid`;
    const { data } = (await api(events)) as { data: { created: number }[] };
    expect(data.map(({ created }) => new Date(created * 1000).toISOString().slice(0, 16))).toEqual([
      '2027-03-31T09:00',
      '2027-02-28T09:00',
      '2027-01-31T09:00',
    ]);
    expect(inside.core.clock.now()).toBe(real);
    await inside.stop();
  }
});

test('webhooks that were not accepted before a kill are delivered after it, byte for byte', async () => {
  await giveAccounts();
  await flush();
  await receiver.stop();
  const { body: customer } = await running.call(
    `${running.urls.a}/v1/customers`,
    form({ email: 'ada@x.test' }),
    asA,
  );
  await flush();
  const { body: undelivered } = await running.call(`${running.urls.control}/webhooks`);
  const [first] = Object.values(undelivered) as { body: string; attempts: { error: string }[] }[];
  expect(first?.attempts[0]?.error).toContain('ECONNREFUSED');
  // Before the receiver is there again: the killed process makes a second attempt a second after the first.
  await running.kill();
  const port = new URL(receiver.url).port;
  receiver = await startReceiver([], undefined, Number(port));
  await restart();
  await running.call(`${running.urls.control}/webhooks/retry`, {});
  expect(receiver.received.map(({ body }) => body.toString())).toEqual([first?.body]);
  expect(first?.body).toContain(String(customer['id']));
  expect(receiver.received[0]?.headers['stripe-signature']).toMatch(/^t=\d+,v1=/);
});

test('a webhook goes where its account is told to receive it after a restart', async () => {
  await giveAccounts();
  const old = receiver;
  await old.stop();
  await running.call(`${running.urls.a}/v1/customers`, form({ email: 'ada@x.test' }), asA);
  receiver = await startReceiver();
  await restart();
  await giveAccounts();
  await running.call(`${running.urls.control}/webhooks/retry`, {});
  expect(receiver.received.map(({ path: to }) => to)).toEqual(['/a']);
});

test('the clock, the switches and the faults are as they were', async () => {
  const { control } = running.urls;
  await advance(400 * DAY_MS);
  const before = Number((await running.call(`${control}/clock`)).body['now']);
  await running.call(`${control}/webhooks/switches`, { duplicate: true });
  await running.call(`${control}/faults`, { provider: 'a', path: '/v1', fault: 'answer_500', times: 1 });
  await restart();
  const { now } = (await running.call(`${control}/clock`)).body;
  expect(Number(now)).toBeGreaterThan(before);
  expect((await running.call(`${control}/webhooks/switches`)).body).toMatchObject({ duplicate: true });
  expect((await running.call(`${running.urls.a}/v1/account`, undefined, asA)).status).toBe(500);
  await restart();
  expect((await running.call(`${running.urls.a}/v1/account`, undefined, asA)).status).toBe(401);
});

test('a damaged file is set aside with a message, and the simulators start empty', async () => {
  await giveAccounts();
  await running.kill();
  const damaged = (await readFile(stateFile)).subarray(0, 400);
  await writeFile(stateFile, damaged);
  running = await startSimulatorsProcess({ stateFile, workingDirectory: directory });
  expect(running.said()).toContain(`their state in ${stateFile} cannot be used`);
  expect((await running.call(`${running.urls.a}/v1/account`, undefined, asA)).status).toBe(401);
  const [aside] = (await readdir(directory)).filter((name) => name.includes('unusable'));
  expect(await readFile(path.join(directory, String(aside)))).toEqual(damaged);
  await giveAccounts();
  await restart();
  expect((await running.call(`${running.urls.a}/v1/account`, undefined, asA)).status).toBe(200);
});

test('without a file nothing is written, and a restart begins empty', async () => {
  await running.kill();
  await rm(stateFile, { force: true });
  running = await startSimulatorsProcess({ stateFile: undefined, workingDirectory: directory });
  await giveAccounts();
  await advance(DAY_MS);
  await flush();
  expect(await readdir(directory)).toEqual([]);
  await restart();
  expect((await running.call(`${running.urls.a}/v1/account`, undefined, asA)).status).toBe(401);
});
