import { createHmac } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { EMAIL, only, SECRET_KEY, START, startProviderC, type Harness } from './provider-c-harness';

let c: Harness;

beforeEach(async () => {
  c = await startProviderC();
});
afterEach(() => c.stop());

async function subscribe(act = 'pay', parameters: Record<string, unknown> = {}) {
  await c.checkout({ plan: 'PLN_monthly', ...parameters }, act);
  const created = only(await c.delivered(), 'subscription.create');
  const code = String(created.data['subscription_code']);
  const { body } = await c.call('GET', `/subscription/${code}`);
  return { code, token: String(body.data['email_token']), created };
}

const events = async () => (await c.delivered()).map(({ event }) => event);

describe('the API', () => {
  it('refuses a request without a key, and with one that it does not know', async () => {
    const nobody = await fetch(`${c.url}/plan`);
    expect(nobody.status).toBe(401);
    const wrong = await c.call('GET', '/plan', undefined, 'sk_test_other');
    expect(wrong).toMatchObject({ status: 401, body: { status: false, message: 'Invalid key' } });
  });

  it('refuses parameters that it does not know, and the wrong types of those that it does', async () => {
    const unknown = await c.call('POST', '/transaction/initialize', {
      email: EMAIL,
      amount: 100,
      ammount: 1,
    });
    expect(unknown).toMatchObject({ status: 400, body: { message: '"ammount" is not allowed' } });
    const fraction = await c.call('POST', '/transaction/initialize', { email: EMAIL, amount: 10.5 });
    expect(fraction.status).toBe(400);
    expect((await c.call('GET', '/refund?what=1')).status).toBe(400);
  });

  it('takes a reference once', async () => {
    const request = { email: EMAIL, amount: 100, reference: 'chk-1.a=2' };
    expect((await c.call('POST', '/transaction/initialize', request)).status).toBe(200);
    expect(await c.call('POST', '/transaction/initialize', request)).toMatchObject({
      status: 400,
      body: { message: 'Duplicate Transaction Reference' },
    });
  });

  it('takes no underscore in a reference', async () => {
    const request = { email: EMAIL, amount: 100, reference: 'chk_1' };
    expect((await c.call('POST', '/transaction/initialize', request)).status).toBe(400);
  });

  it('keeps accounts apart', async () => {
    c.simulator.account({ secretKey: 'sk_test_another' });
    const { reference } = await c.checkout({ amount: 100 }, 'pay');
    const path = `/transaction/verify/${reference}`;
    expect((await c.call('GET', path)).status).toBe(200);
    expect((await c.call('GET', path, undefined, 'sk_test_another')).status).toBe(400);
  });

  it('lets a plan’s amount override the one that was sent', async () => {
    const { reference } = await c.checkout({ amount: 7, plan: 'PLN_monthly' }, 'pay');
    const { body } = await c.call('GET', `/transaction/verify/${reference}`);
    expect(body.data).toMatchObject({ amount: 50_000, status: 'success', plan: 'PLN_monthly', metadata: '' });
  });

  it('cannot change a plan, which would change all of its subscribers', async () => {
    const response = await fetch(`${c.url}/plan/PLN_monthly`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${SECRET_KEY}` },
    });
    expect(response.status).toBe(404);
  });
});

describe('the hosted page', () => {
  it('can be read, paid, and paid once only', async () => {
    const { body } = await c.call('POST', '/transaction/initialize', {
      email: EMAIL,
      amount: 12_345,
      callback_url: 'https://shop.example/back?a=1',
    });
    const url = String(body.data['authorization_url']);
    const html = await (await fetch(url)).text();
    expect(html).toContain('123.45 NGN');
    const paid = await act(url, 'pay');
    expect(paid.status).toBe(303);
    const back = new URL(paid.headers.get('location') ?? '');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      a: '1',
      trxref: body.data['reference'],
      reference: body.data['reference'],
    });
    expect((await act(url, 'pay')).status).toBe(409);
    expect(await events()).toEqual(['charge.success']);
  });

  it('says nothing to the service of a card that is declined, asks for authentication, or of a customer who left', async () => {
    const { body } = await c.call('POST', '/transaction/initialize', { email: EMAIL, amount: 100 });
    const url = String(body.data['authorization_url']);
    const status = async () =>
      (await c.call('GET', `/transaction/verify/${String(body.data['reference'])}`)).body.data['status'];
    expect((await act(url, 'abandon')).status).toBe(200);
    expect(await status()).toBe('abandoned');
    expect((await act(url, 'decline')).status).toBe(402);
    expect(await status()).toBe('failed');
    expect(await (await act(url, 'authenticate')).text()).toContain('Confirm');
    expect(await events()).toEqual([]);
    await act(url, 'pay');
    expect(await status()).toBe('success');
  });

  it('shows what the customer’s address says as text', async () => {
    const plan = { name: '<script>x</script>', amount: 100, interval: 'monthly' };
    const { body } = await c.call('POST', '/plan', plan);
    const opened = await c.call('POST', '/transaction/initialize', {
      email: EMAIL,
      amount: 1,
      plan: body.data['plan_code'],
    });
    expect(await (await fetch(String(opened.body.data['authorization_url']))).text()).not.toContain(
      '<script>',
    );
  });

  const act = (url: string, name: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ act: name }), redirect: 'manual' });
});

describe('a subscription', () => {
  it('comes from a payment with a plan, and its event has neither its id nor its e-mail token', async () => {
    const { created, token } = await subscribe();
    expect(created.data).not.toHaveProperty('email_token');
    expect(created.data).not.toHaveProperty('id');
    expect(created.data).toMatchObject({
      status: 'active',
      domain: 'test',
      plan: { plan_code: 'PLN_monthly' },
    });
    expect(token).toMatch(/^[0-9a-f]{15}$/);
    // Created on the 30th, it is billed on the 28th of each month.
    expect(created.data['next_payment_date']).toMatch(/^2027-02-28T09:00/);
  });

  it('is stopped and taken back with its e-mail token only', async () => {
    const { code, token } = await subscribe();
    const wrong = await c.call('POST', '/subscription/disable', { code, token: 'not-the-token' });
    expect(wrong.status).toBe(404);
    expect(await events()).toEqual([]);
    expect((await c.call('POST', '/subscription/disable', { code, token })).body.message).toBe(
      'Subscription disabled successfully',
    );
    const stopped = only(await c.delivered(), 'subscription.not_renew');
    expect(stopped.data).toMatchObject({
      status: 'non-renewing',
      email_token: token,
      next_payment_date: null,
    });
    expect((await c.call('POST', '/subscription/disable', { code, token })).status).toBe(404);
    expect((await c.call('POST', '/subscription/enable', { code, token })).status).toBe(200);
    expect((await c.call('POST', '/subscription/enable', { code, token })).status).toBe(404);
    expect((await c.call('GET', `/subscription/${code}`)).body.data['status']).toBe('active');
    expect(await events()).toEqual([]);
  });

  it('ends at its next payment date when it was stopped, and not before', async () => {
    const { code, token, created } = await subscribe();
    const boundary = Date.parse(String(created.data['next_payment_date']));
    await c.call('POST', '/subscription/disable', { code, token });
    await c.core.clock.advanceTo(boundary - 1000);
    expect(await events()).toEqual(['subscription.not_renew']);
    await c.core.clock.advanceTo(boundary + 1000);
    const ended = only(await c.delivered(), 'subscription.disable');
    expect(ended.data).toMatchObject({ status: 'complete', subscription_code: code });
    expect((await c.call('POST', '/subscription/enable', { code, token })).status).toBe(404);
    await c.core.clock.advanceTo(boundary + 60 * DAY_MS);
    expect(await events()).toEqual([]);
  });

  it('is invoiced three days ahead, charged at the boundary, and charged again a month later', async () => {
    const { code, created } = await subscribe();
    const boundary = Date.parse(String(created.data['next_payment_date']));
    await c.core.clock.advanceTo(boundary - 3 * DAY_MS + 1000);
    const announced = only(await c.delivered(), 'invoice.create');
    expect(announced.data).toMatchObject({ status: 'pending', paid: false, transaction: {} });
    await c.core.clock.advanceTo(boundary + 1000);
    const renewal = await c.delivered();
    expect(renewal.map(({ event }) => event)).toEqual(['charge.success', 'invoice.update']);
    const charge = only(renewal, 'charge.success');
    expect(charge.data).not.toHaveProperty('subscription_code');
    const update = only(renewal, 'invoice.update');
    expect(update.data).toMatchObject({
      paid: true,
      invoice_code: announced.data['invoice_code'],
      subscription: { subscription_code: code },
      transaction: { reference: charge.data['reference'] },
    });
    await c.core.clock.advanceTo(Date.parse('2027-03-28T09:01:00Z'));
    expect(await events()).toEqual(['invoice.create', 'charge.success', 'invoice.update']);
    const { body } = await c.call('GET', `/subscription/${code}`);
    expect(body.data).toMatchObject({ payments_count: 3, most_recent_invoice: { paid: 1 } });
  });

  it('goes to attention when its card declines, is not charged again before the next date, and recovers', async () => {
    const { code } = await subscribe('pay_once');
    await c.core.clock.advanceTo(Date.parse('2027-03-01T00:00:00Z'));
    const failed = await c.delivered();
    expect(failed.map(({ event }) => event)).toEqual([
      'invoice.create',
      'invoice.payment_failed',
      'invoice.update',
    ]);
    expect(only(failed, 'invoice.payment_failed').data).toMatchObject({
      paid: false,
      status: 'pending',
      transaction: {},
      subscription: { status: 'active', subscription_code: code },
    });
    const { body } = await c.call('GET', `/subscription/${code}`);
    expect(body.data['status']).toBe('attention');
    c.controls.setCards(EMAIL, 'succeed');
    await c.core.clock.advanceTo(Date.parse('2027-03-29T00:00:00Z'));
    expect(await events()).toEqual(['invoice.create', 'charge.success', 'invoice.update']);
    expect((await c.call('GET', `/subscription/${code}`)).body.data['status']).toBe('active');
  });

  it('is complete after as many charges as its limit', async () => {
    const { code } = await subscribe('pay', { invoice_limit: 2 });
    await c.core.clock.advanceTo(START + 90 * DAY_MS);
    expect(await events()).toEqual([
      'invoice.create',
      'charge.success',
      'invoice.update',
      'subscription.disable',
    ]);
    expect((await c.call('GET', `/subscription/${code}`)).body.data['status']).toBe('completed');
  });

  it('says of an hourly one’s invoice that it is paid, with a period that ends before it begins', async () => {
    await c.checkout({ plan: 'PLN_hourly' }, 'pay');
    await c.delivered();
    await c.core.clock.advanceTo(START + 3_700_000);
    const invoice = only(await c.delivered(), 'invoice.create');
    expect(invoice.data['paid']).toBe(true);
    expect(String(invoice.data['period_end']) < String(invoice.data['period_start'])).toBe(true);
  });

  it('is made on a saved card, which has to be there', async () => {
    const input = { customer: EMAIL, plan: 'PLN_monthly' };
    await c.call('POST', '/transaction/initialize', { email: EMAIL, amount: 100 });
    expect(await c.call('POST', '/subscription', input)).toMatchObject({
      status: 404,
      body: { message: 'The customer specified has no saved authorizations' },
    });
    await c.checkout({ amount: 100 }, 'pay');
    await c.delivered();
    const later = { ...input, start_date: '2027-06-01T00:00:00Z' };
    expect((await c.call('POST', '/subscription', later)).body.data).toMatchObject({ status: 'active' });
    expect(await events()).toEqual(['subscription.create']);
    expect((await c.call('POST', '/subscription', input)).status).toBe(400);
  });

  it('has a page where its customer stops the renewal', async () => {
    const { code } = await subscribe();
    const { body } = await c.call('GET', `/subscription/${code}/manage/link`);
    const link = String(body.data['link']);
    expect(await (await fetch(link)).text()).toContain('Do not renew it');
    expect((await fetch(link.replace(/token=.*/, 'token=wrong'), { method: 'POST' })).status).toBe(404);
    expect(await (await fetch(link, { method: 'POST' })).text()).toContain('non-renewing');
    expect(await events()).toEqual(['subscription.not_renew']);
  });
});

describe('refunds and settlements', () => {
  it('are pending first, tell amounts as text, and take no more than the payment has', async () => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    await c.delivered();
    const refund = (amount: number) => c.call('POST', '/refund', { transaction: reference, amount });
    expect((await refund(4_000)).body.data).toMatchObject({ status: 'pending', amount: 4_000 });
    expect((await refund(4_000)).status).toBe(200);
    expect((await refund(4_000)).status).toBe(400);
    const [one, two] = await c.delivered();
    expect(one?.raw.equals(two?.raw ?? Buffer.alloc(0))).toBe(true);
    expect(one?.data).toMatchObject({
      amount: '4000',
      refund_reference: null,
      transaction_reference: reference,
    });
    expect(one?.data).not.toHaveProperty('id');
    await c.core.clock.advanceTo(START + DAY_MS);
    expect(await events()).toEqual([
      'refund.processing',
      'refund.processing',
      'refund.processed',
      'refund.processed',
    ]);
  });

  it('fail when the bank says so, with the amount as a number, and leave the payment as it was', async () => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    c.controls.setRefundsEnd('failed');
    await c.call('POST', '/refund', { transaction: reference });
    await c.core.clock.advanceTo(START + DAY_MS);
    expect(only(await c.delivered(), 'refund.failed').data['amount']).toBe(10_000);
    expect((await c.call('POST', '/refund', { transaction: reference })).status).toBe(200);
  });

  it('are paid out at the next midnight, less fees and refunds, without a webhook', async () => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    await c.checkout({ amount: 20_000 }, 'pay');
    await c.call('POST', '/refund', { transaction: reference, amount: 1_000 });
    await c.core.clock.advanceTo(Date.parse('2027-01-31T00:00:01Z'));
    expect((await events()).filter((event) => event.includes('settle'))).toEqual([]);
    const { body } = await c.call('GET', '/settlement?perPage=10&page=1');
    const [settlement] = body.data as unknown as Record<string, unknown>[];
    expect(settlement).toMatchObject({
      total_processed: 30_000,
      total_fees: 450,
      deductions: 1_000,
      effective_amount: 28_550,
      settlement_date: '2027-01-31T00:00:00.000Z',
    });
    const rows = await c.call('GET', `/settlement/${String(settlement?.['id'])}/transactions`);
    expect(rows.body.data).toHaveLength(2);
  });
});

describe('webhooks and faults', () => {
  it('sign the very bytes with the secret key', async () => {
    await c.checkout({ amount: 100 }, 'pay');
    const { raw, headers, data } = only(await c.delivered(), 'charge.success');
    expect(headers['x-paystack-signature']).toBe(createHmac('sha512', SECRET_KEY).update(raw).digest('hex'));
    expect(data).toMatchObject({ metadata: 0, plan: {} });
  });

  it('carry out the request and cut the connection, on request', async () => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    await c.delivered();
    c.core.faults.set({ provider: 'c', path: '/refund', fault: 'cut_after_commit', times: 1 });
    await expect(c.call('POST', '/refund', { transaction: reference })).rejects.toThrow();
    expect(await events()).toEqual(['refund.pending']);
  });

  it('answer 500 and do nothing, on request', async () => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    await c.delivered();
    c.core.faults.set({ provider: 'c', path: '/refund', fault: 'answer_500', times: 1 });
    expect((await c.call('POST', '/refund', { transaction: reference })).status).toBe(500);
    expect(await events()).toEqual([]);
  });
});
