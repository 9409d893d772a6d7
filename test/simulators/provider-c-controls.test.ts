import { DAY_MS } from '../../src/domain/instant';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { EMAIL, only, SECRET_KEY, START, startProviderC, type Harness } from './provider-c-harness';

describe('provider C over the control', () => {
  let running: RunningSimulators;
  beforeEach(async () => {
    running = await startSimulators();
  });
  afterEach(() => running.stop());

  const secretKey = SECRET_KEY;
  async function post(url: string, body: unknown) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body: answer, data: answer['data'] as Record<string, unknown> };
  }
  const act = (body: unknown) => post(`${running.urls.control}/c/actions`, body);
  async function pay(reference: string): Promise<void> {
    const start = { email: EMAIL, amount: 1_000, reference, plan: 'PLN_daily' };
    const { data } = await post(`${running.urls.c}/transaction/initialize`, start);
    await fetch(String(data['authorization_url']), {
      method: 'POST',
      body: new URLSearchParams({ act: 'pay' }),
    });
  }
  async function seed(): Promise<void> {
    const plans = [{ code: 'PLN_daily', name: 'Daily', amount: 1_000, currency: 'NGN', interval: 'daily' }];
    await post(`${running.urls.control}/c/accounts`, { secretKey, webhookUrl: 'http://127.0.0.1:1/', plans });
  }
  const events = () => running.core.outbox.deliveries.map(({ event }) => event);
  const later = (ms: number) => running.core.clock.advanceTo(running.core.clock.now() + ms);

  it('lets saved cards decline, and take charges again', async () => {
    await seed();
    await pay('one');
    const cards = { action: 'set_cards', secretKey, email: EMAIL };
    expect(await act({ ...cards, charges: 'decline' })).toMatchObject({ status: 200, body: { cards: 1 } });
    await later(DAY_MS + 60_000);
    expect(events()).toContain('invoice.payment_failed');
    await act({ ...cards, charges: 'succeed' });
    const before = events().filter((event) => event === 'charge.success').length;
    await later(DAY_MS);
    expect(events().filter((event) => event === 'charge.success')).toHaveLength(before + 1);
  });

  it('decides how refunds end', async () => {
    await seed();
    await pay('one');
    expect((await act({ action: 'set_refunds_end', secretKey, end: 'failed' })).status).toBe(200);
    await post(`${running.urls.c}/refund`, { transaction: 'one' });
    await later(60_000);
    expect(events().at(-1)).toBe('refund.failed');
  });

  it('lets subscriptions come later than their payments', async () => {
    await seed();
    expect((await act({ action: 'set_subscription_delay', secretKey, delayMs: 30_000 })).status).toBe(200);
    await pay('one');
    expect(events()).toEqual(['charge.success']);
    await later(31_000);
    expect(events()).toEqual(['charge.success', 'subscription.create']);
  });

  it('refuses what is not there', async () => {
    await seed();
    const cards = { action: 'set_cards', secretKey, email: EMAIL, charges: 'decline' };
    expect(await act(cards)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('no saved cards') as unknown },
    });
    expect((await act({ ...cards, secretKey: 'sk_test_other' })).status).toBe(400);
    expect((await act({ ...cards, action: 'set_card' })).status).toBe(400);
  });
});

describe('what the pages and payouts do', () => {
  let c: Harness;
  beforeEach(async () => {
    c = await startProviderC();
  });
  afterEach(() => c.stop());

  it.each([
    ['an object', { cancel_action: 'https://shop.example/left' }],
    ['text', '{"cancel_action":"https://shop.example/left"}'],
  ])('send who leaves to the metadata’s address, in %s', async (_what, metadata) => {
    const callback_url = 'https://shop.example/back';
    const { page } = await c.checkout({ amount: 100, metadata, callback_url }, 'abandon');
    expect(page.headers.get('location')).toBe('https://shop.example/left');
    for (const other of ['no JSON', { cancel_action: 7 }, '1']) {
      const left = await c.checkout({ amount: 100, metadata: other, callback_url }, 'abandon');
      expect(left.page.headers.get('location')).toContain('https://shop.example/back?');
    }
  });

  it('filter by time and state, and refuse what they do not know', async () => {
    await c.checkout({ amount: 10_000 }, 'pay');
    await c.core.clock.advanceTo(START + DAY_MS);
    const count = async (query: string) => {
      const { status, body } = await c.call('GET', `/settlement?${query}`);
      return status === 200 ? (body.data as unknown as object[]).length : status;
    };
    expect(await count('status=success&subaccount=none&from=2027-01-31&to=2027-02-01')).toBe(1);
    expect(await count('from=2027-02-01T00:00:00.000Z')).toBe(0);
    expect(await count('to=2027-01-30')).toBe(0);
    expect(await count('status=pending')).toBe(0);
    expect(await count('since=2027-01-30')).toBe(400);
    expect(await count('from=yesterday')).toBe(400);
  });

  it('pay out nothing less than nothing: a refund waits for a payout that can bear it', async () => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    await c.core.clock.advanceTo(START + DAY_MS);
    await c.call('POST', '/refund', { transaction: reference });
    await c.core.clock.advanceTo(START + DAY_MS + 60_000);
    await c.checkout({ amount: 1_000 }, 'pay');
    await c.core.clock.advanceTo(START + 2 * DAY_MS);
    await c.checkout({ amount: 50_000 }, 'pay');
    await c.core.clock.advanceTo(START + 3 * DAY_MS);
    const { body } = await c.call('GET', '/settlement');
    expect(body.data).toMatchObject([
      { total_processed: 50_000, deductions: 10_000, effective_amount: 39_250 },
      { total_processed: 1_000, deductions: null, effective_amount: 985 },
      { total_processed: 10_000, deductions: null, effective_amount: 9_850 },
    ]);
    expect(only(await c.delivered(), 'refund.processed').data['amount']).toBe('10000');
  });
});
