import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { paymentCheckout, subscriptionCheckout, valueOf } from './operation-requests';
import { accessTo, startSimulatedProviderB, type SimulatedProviderB } from './simulated-provider-b';
import { startStubProviderB, type StubProviderB } from './stub-provider-b';

const adapter = createProviderB({ now: Date.now });
const SUBSCRIPTIONS = '/v1/billing/subscriptions';
const ORDERS = '/v2/checkout/orders';

describe('a checkout at provider B', () => {
  let b: SimulatedProviderB;
  beforeEach(async () => {
    b = await startSimulatedProviderB({ start: '2027-01-15T08:00:00Z' });
  });
  afterEach(() => b.stop());

  const created = async (): Promise<number> =>
    (await b.webhooks()).filter(({ event }) => event.event_type === 'BILLING.SUBSCRIPTION.CREATED').length;

  it('of a subscription leads to the page where it is agreed to, with our checkout’s id', async () => {
    const { url, references } = valueOf(
      await adapter.createCheckout(accessTo(b.url), subscriptionCheckout()),
    );
    const [{ kind, reference }] = references;
    expect([kind, references.length]).toEqual(['subscription', 1]);
    expect((await b.call('GET', `${SUBSCRIPTIONS}/${reference}`)).body).toMatchObject({
      status: 'APPROVAL_PENDING',
      plan_id: 'P-BASIC',
      quantity: '2',
      custom_id: 'chk_1',
      subscriber: { email_address: 'payer@example.com' },
    });
    const back = await b.choose(url, 'approve');
    expect(back.href).toMatch(/^https:\/\/shop\.example\/back\?/);
    const away = valueOf(
      await adapter.createCheckout(accessTo(b.url), subscriptionCheckout({ key: 'op_2-1' })),
    );
    expect((await b.choose(away.url, 'decline')).href).toMatch(/^https:\/\/shop\.example\/no\?/);
  });

  it('of a payment leads to the page where it is paid, with our checkout’s id', async () => {
    const { url, references } = valueOf(await adapter.createCheckout(accessTo(b.url), paymentCheckout()));
    const [{ kind, reference }] = references;
    expect([kind, references.length]).toEqual(['order', 1]);
    expect((await b.call('GET', `${ORDERS}/${reference}`)).body['purchase_units']).toMatchObject([
      { custom_id: 'chk_1', description: 'One thing', amount: { value: '19.99', currency_code: 'EUR' } },
    ]);
    expect((await b.choose(url, 'approve')).searchParams.get('token')).toBe(reference);
  });

  it('is of a plan without seats when there is one of it', async () => {
    const offer = { ...subscriptionCheckout().offer, planReference: 'P-TWICE', quantity: 1 };
    const outcome = await adapter.createCheckout(accessTo(b.url), subscriptionCheckout({ offer }));
    expect(outcome.kind).toBe('done');
  });

  it.each([
    ['JPY', 1999n, '1999'],
    ['HUF', 150_000n, '1500'],
    ['USD', 5n, '0.05'],
  ])('is written in %s as B wants it', async (currency, amount, value) => {
    const offer = { kind: 'payment' as const, currency, amount, description: '' };
    const made = valueOf(await adapter.createCheckout(accessTo(b.url), paymentCheckout({ offer })));
    const { body } = await b.call('GET', `${ORDERS}/${made.references[0].reference}`);
    expect(body['purchase_units']).toMatchObject([{ amount: { value, currency_code: currency } }]);
  });

  it.each([
    ['ASCII', 'x'.repeat(200), 'x'.repeat(127)],
    ['text that ends with half of a character', `${'x'.repeat(126)}\u{1F600} and more`, 'x'.repeat(126)],
    ['Cyrillic, of two bytes each', 'ж'.repeat(120), 'ж'.repeat(63)],
    ['emoji, of four bytes each', '\u{1F600}'.repeat(40), '\u{1F600}'.repeat(31)],
  ])('says what it is for in as many whole characters as B takes: %s', async (_what, description, sent) => {
    const offer = { kind: 'payment' as const, currency: 'USD', amount: 5n, description };
    const made = valueOf(await adapter.createCheckout(accessTo(b.url), paymentCheckout({ offer })));
    const { body } = await b.call('GET', `${ORDERS}/${made.references[0].reference}`);
    expect(body['purchase_units']).toMatchObject([{ description: sent }]);
  });

  it.each([
    ['HUF', 150_050n, 'amount_not_supported'],
    ['XXX', 100n, 'amount_not_supported'],
    ['KWD', 1000n, 'INVALID_CURRENCY_CODE'],
    ['USD', 0n, 'CANNOT_BE_ZERO_OR_NEGATIVE'],
  ])('is refused for %s %s with %s', async (currency, amount, code) => {
    const offer = { kind: 'payment' as const, currency, amount, description: 'x' };
    const outcome = await adapter.createCheckout(accessTo(b.url), paymentCheckout({ offer }));
    expect(outcome).toMatchObject({ kind: 'declined', code });
  });

  it.each([
    ['P-NONE', 2, 'not_found'],
    ['P-OLD', 2, 'PLAN_STATUS_INVALID'],
    ['P-TWICE', 2, 'SUBSCRIPTION_CANNOT_HAVE_QUANTITY'],
  ])('is refused for the plan %s, in words without a name of B’s', async (planReference, quantity, code) => {
    const offer = { ...subscriptionCheckout().offer, planReference, quantity };
    const outcome = await adapter.createCheckout(accessTo(b.url), subscriptionCheckout({ offer }));
    expect(outcome).toMatchObject({ kind: 'declined', code });
    expect(outcome).toHaveProperty('reason', expect.stringMatching(/^[^/]*\. \(debug id [0-9a-f]{13}\)$/));
  });

  it('is made once when its answer was lost', async () => {
    const request = subscriptionCheckout();
    b.core.faults.set({ provider: 'b', path: SUBSCRIPTIONS, fault: 'cut_after_commit', times: 1 });
    expect(await adapter.createCheckout(accessTo(b.url), request)).toMatchObject({ kind: 'unknown' });
    const again = valueOf(await adapter.createCheckout(accessTo(b.url), { ...request, repeated: true }));
    const third = valueOf(await adapter.createCheckout(accessTo(b.url), { ...request, repeated: true }));
    expect([third, await created()]).toEqual([again, 1]);

    b.core.faults.set({ provider: 'b', path: ORDERS, fault: 'cut_after_commit', times: 1 });
    const payment = paymentCheckout({ key: 'op_9-1' });
    expect(await adapter.createCheckout(accessTo(b.url), payment)).toMatchObject({ kind: 'unknown' });
    const order = valueOf(await adapter.createCheckout(accessTo(b.url), { ...payment, repeated: true }));
    const same = valueOf(await adapter.createCheckout(accessTo(b.url), { ...payment, repeated: true }));
    expect(same).toEqual(order);
  });

  it('is made for the customer of now when an answer was lost and the customer has changed', async () => {
    const request = subscriptionCheckout({ key: 'k'.repeat(64) });
    b.core.faults.set({ provider: 'b', path: SUBSCRIPTIONS, fault: 'cut_after_commit', times: 1 });
    expect(await adapter.createCheckout(accessTo(b.url), request)).toMatchObject({ kind: 'unknown' });
    const customer = { ...request.customer, email: 'other@example.com' };
    const changed = { ...request, customer, repeated: true };
    const made = valueOf(await adapter.createCheckout(accessTo(b.url), changed));
    const { body } = await b.call('GET', `${SUBSCRIPTIONS}/${made.references[0].reference}`);
    expect(body).toMatchObject({ subscriber: { email_address: 'other@example.com' } });
    expect(valueOf(await adapter.createCheckout(accessTo(b.url), changed))).toEqual(made);
  });

  it('leads back at once when it has been agreed to meanwhile', async () => {
    const request = subscriptionCheckout();
    const { url, references } = valueOf(await adapter.createCheckout(accessTo(b.url), request));
    await b.choose(url, 'approve');
    expect(await adapter.createCheckout(accessTo(b.url), { ...request, repeated: true })).toEqual({
      kind: 'done',
      value: { url: 'https://shop.example/back', references },
    });
  });

  it('is unknown when B fails or is too slow', async () => {
    for (const fault of ['answer_500', 'slow'] as const) {
      b.core.faults.set({ provider: 'b', path: ORDERS, fault, times: 1, delayMs: 5_000 });
      const outcome = await adapter.createCheckout(accessTo(b.url, { timeoutMs: 500 }), paymentCheckout());
      expect(outcome.kind).toBe('unknown');
    }
  });

  it('is not asked for without credentials, and is in doubt when it may have been asked for before', async () => {
    const secrets: Record<string, string>[] = [
      { clientId: '', clientSecret: '' },
      { clientId: 'client-of-the-test', clientSecret: 'wrong' },
    ];
    for (const [index, code] of ['connection_incomplete', 'authentication_failed'].entries()) {
      const access = accessTo(b.url, { connectionId: `conn_${code}`, secrets: secrets[index] ?? {} });
      const first = await adapter.createCheckout(access, subscriptionCheckout());
      expect(first).toMatchObject({ kind: 'declined', code });
      const again = await adapter.createCheckout(access, subscriptionCheckout({ repeated: true }));
      expect(again.kind).toBe('unknown');
    }
    expect(await created()).toBe(0);
  });
});

describe('what provider B answers to a checkout', () => {
  let stub: StubProviderB;
  beforeEach(async () => {
    stub = await startStubProviderB();
  });
  afterEach(() => stub.stop());

  const ask = (repeated = false): Promise<{ kind: string }> =>
    adapter.createCheckout(accessTo(stub.url, { connectionId: stub.url }), paymentCheckout({ repeated }));

  it.each(['approve', 'payer-action'])('may call the link %s', async (rel) => {
    const links = [
      { href: 'https://b.example/self', rel: 'self' },
      { href: 'https://b.example/page', rel },
    ];
    stub.reply = () => ({ status: 201, body: { id: 'O-1', status: 'CREATED', links, more: [1.5] } });
    expect(await ask()).toMatchObject({ kind: 'done', value: { url: 'https://b.example/page' } });
  });

  it.each([
    { id: 'O-1', status: 'CREATED' },
    { id: 'O-1', status: 'CREATED', links: [{ href: 'javascript:alert(1)', rel: 'approve' }] },
    { id: 7.5, status: 'CREATED', links: [] },
    '<html>',
  ])('is not understood when it is %j', async (body) => {
    stub.reply = () => ({ status: 201, body });
    expect((await ask()).kind).toBe('unknown');
  });

  it('comes under one key, however often it is asked', async () => {
    stub.reply = () => ({ status: 503, body: {} });
    await ask();
    await ask(true);
    expect(stub.requests.map(({ requestId }) => requestId)).toEqual(['op_1-1', 'op_1-1']);
    expect(stub.requests[1]).toEqual(stub.requests[0]);
  });

  it.each([
    [429, 'unknown'],
    [403, 'declined'],
    [400, 'declined'],
  ])('is %i, which is %s', async (status, kind) => {
    stub.reply = () => ({ status, body: { name: 'NAME', message: 'At /v2/checkout: secret.' } });
    const outcome = await ask();
    expect(outcome.kind).toBe(kind);
    if (kind === 'declined') expect(JSON.stringify(outcome)).not.toContain('secret');
  });
});
