import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import {
  linkOf,
  startSimulatedProviderB,
  type Answered,
  type SimulatedProviderB,
} from '../providers/provider-b/simulated-provider-b';

const FULL = { Prefer: 'return=representation' };

let b: SimulatedProviderB;
beforeEach(async () => {
  b = await startSimulatedProviderB();
});
afterEach(() => b.stop());

function order(value: string, extra: object = {}): object {
  return {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: 'chk_1', amount: { currency_code: 'USD', value }, ...extra }],
    application_context: { return_url: 'https://shop.example/back', cancel_url: 'https://shop.example/no' },
  };
}

async function approved(value = '100.00', choice = 'approve', extra: object = {}): Promise<Answered> {
  const made = await b.call('POST', '/v2/checkout/orders', order(value, extra));
  await b.choose(linkOf(made, 'approve'), choice);
  return made;
}

async function captured(value = '100.00', extra: object = {}): Promise<string> {
  const { body } = await approved(value, 'approve', extra);
  const answer = await b.call('POST', `/v2/checkout/orders/${body.id}/capture`, undefined, FULL);
  return captureIdOf(answer);
}

function captureIdOf(answer: Answered): string {
  const [unit] = answer.body['purchase_units'] as { payments: { captures: { id: string }[] } }[];
  return unit?.payments.captures[0]?.id ?? '';
}

function issueOf(answer: Answered): string | undefined {
  return (answer.body['details'] as { issue: string }[] | undefined)?.[0]?.issue;
}

describe('provider B’s orders', () => {
  it('are approved on a page, captured, and refunded by the id of the capture', async () => {
    const made = await b.call('POST', '/v2/checkout/orders', order('100.00'));
    expect([made.status, made.body.status]).toEqual([201, 'CREATED']);

    const page = await (await fetch(linkOf(made, 'approve'))).text();
    expect(page).toContain('100.00 USD');
    const back = await b.choose(linkOf(made, 'approve'), 'approve');
    expect(back.searchParams.get('token')).toBe(made.body.id);
    expect(back.searchParams.get('PayerID')).toMatch(/^[A-Z0-9]{13}$/);

    const path = `/v2/checkout/orders/${made.body.id}`;
    const minimal = await b.call('POST', `${path}/capture`);
    expect([minimal.status, minimal.body.status]).toEqual([201, 'COMPLETED']);
    expect(minimal.body['purchase_units']).toBeUndefined();
    const capture = captureIdOf(await b.call('GET', path));
    expect(capture).not.toBe(made.body.id);

    const refund = await b.call('POST', `/v2/payments/captures/${capture}/refund`, {}, FULL);
    expect(refund.status).toBe(201);
    expect(refund.body['amount']).toEqual({ value: '100.00', currency_code: 'USD' });
    expect(refund.body['create_time']).toMatch(/-08:00$/);
    expect((await b.webhooks()).map(({ event }) => event.event_type)).toEqual([
      'CHECKOUT.ORDER.APPROVED',
      'PAYMENT.CAPTURE.COMPLETED',
      'CHECKOUT.ORDER.COMPLETED',
      'PAYMENT.CAPTURE.REFUNDED',
    ]);
  });

  it('stay as they are when the payer declines or walks away', async () => {
    const made = await b.call('POST', '/v2/checkout/orders', order('5.00'));
    const back = await b.choose(linkOf(made, 'approve'), 'decline');
    expect(back.href).toContain('https://shop.example/no');
    const answer = await b.call('POST', `/v2/checkout/orders/${made.body.id}/capture`);
    expect([answer.status, issueOf(answer)]).toEqual([422, 'ORDER_NOT_APPROVED']);
    expect(answer.body['debug_id']).toBe(answer.headers.get('paypal-debug-id'));
    expect(await b.webhooks()).toEqual([]);

    await b.core.clock.advanceTo(b.core.clock.now() + 4 * HOUR_MS);
    expect((await b.call('GET', `/v2/checkout/orders/${made.body.id}`)).status).toBe(404);
  });

  it('name the link payer-action, and need a request id, when they carry a payment source', async () => {
    const { application_context: context, ...rest } = order('5.00') as Record<string, unknown>;
    const body = { ...rest, payment_source: { paypal: { experience_context: context } } };
    expect(issueOf(await b.call('POST', '/v2/checkout/orders', body))).toBe('PAYPAL_REQUEST_ID_REQUIRED');
    const made = await b.call('POST', '/v2/checkout/orders', body, { 'PayPal-Request-Id': 'one' });
    expect(made.body.status).toBe('PAYER_ACTION_REQUIRED');
    expect(linkOf(made, 'payer-action')).toContain(made.body.id);
    expect(() => linkOf(made, 'approve')).toThrow();
  });

  it('are made once for one request id, even if the answer was lost, and refuse it for another request', async () => {
    const headers = { 'PayPal-Request-Id': 'chk_1:1' };
    b.core.faults.set({ provider: 'b', path: '/v2/checkout/orders', fault: 'cut_after_commit', times: 1 });
    await expect(b.call('POST', '/v2/checkout/orders', order('7.00'), headers)).rejects.toThrow();
    const [first, second] = [
      await b.call('POST', '/v2/checkout/orders', order('7.00'), headers),
      await b.call('POST', '/v2/checkout/orders', order('7.00'), headers),
    ];
    expect([first.status, second.status, second.body.id]).toEqual([200, 200, first.body.id]);
    const other = await b.call('POST', '/v2/checkout/orders', order('8.00'), headers);
    expect([other.status, issueOf(other)]).toEqual([422, 'DUPLICATE_REQUEST_ID']);
  });

  it('are captured once, and not with an instrument that is declined', async () => {
    const made = await approved();
    const path = `/v2/checkout/orders/${made.body.id}/capture`;
    await b.call('POST', path);
    expect(issueOf(await b.call('POST', path))).toBe('ORDER_ALREADY_CAPTURED');

    const declined = await approved('9.00', 'approve_declined');
    const again = `/v2/checkout/orders/${declined.body.id}`;
    expect(issueOf(await b.call('POST', `${again}/capture`))).toBe('INSTRUMENT_DECLINED');
    expect((await b.call('GET', again)).body.status).toBe('CREATED');
  });

  it('leave a capture pending that a cheque pays, until it clears', async () => {
    const made = await approved('20.00', 'approve_echeck');
    const answer = await b.call('POST', `/v2/checkout/orders/${made.body.id}/capture`, undefined, FULL);
    expect(answer.body.status).toBe('COMPLETED');
    const path = `/v2/payments/captures/${captureIdOf(answer)}`;
    const pending = await b.call('GET', path);
    expect([pending.body.status, pending.body['seller_receivable_breakdown']]).toEqual([
      'PENDING',
      undefined,
    ]);
    expect(issueOf(await b.call('POST', `${path}/refund`, {}))).toBe('PENDING_CAPTURE');

    await b.core.clock.advanceTo(b.core.clock.now() + 3 * DAY_MS);
    expect((await b.call('GET', path)).body.status).toBe('COMPLETED');
    expect((await b.webhooks()).map(({ event }) => event.event_type)).toContain('PAYMENT.CAPTURE.COMPLETED');
  });

  it.each([
    [{ amount: { value: '60.01', currency_code: 'USD' } }, 'REFUND_AMOUNT_EXCEEDED'],
    [{ amount: { value: '1.00', currency_code: 'EUR' } }, 'CURRENCY_MISMATCH'],
    [{ amount: { value: '0.00', currency_code: 'USD' } }, 'CANNOT_BE_ZERO_OR_NEGATIVE'],
    [{ amount: { value: '1.001', currency_code: 'USD' } }, 'DECIMAL_PRECISION'],
    [{ reason: 'typo' }, 'UNKNOWN_PARAMETER'],
  ])('refuse the refund %j of 60.00 that are left with %s', async (body, issue) => {
    const path = `/v2/payments/captures/${await captured()}/refund`;
    await b.call('POST', path, { amount: { value: '40.00', currency_code: 'USD' } });
    expect(issueOf(await b.call('POST', path, body))).toBe(issue);
    const rest = await b.call('POST', path, {}, FULL);
    expect(rest.body['amount']).toEqual({ value: '60.00', currency_code: 'USD' });
    expect(issueOf(await b.call('POST', path, {}))).toBe('CAPTURE_FULLY_REFUNDED');
  });

  it('refuse an invoice id a second time, and amounts with decimals of currencies without', async () => {
    await captured('1.00', { invoice_id: 'inv_1' });
    const second = await approved('1.00', 'approve', { invoice_id: 'inv_1' });
    const answer = await b.call('POST', `/v2/checkout/orders/${second.body.id}/capture`);
    expect(issueOf(answer)).toBe('DUPLICATE_INVOICE_ID');

    const yen = {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'JPY', value: '100.00' } }],
    };
    expect(issueOf(await b.call('POST', '/v2/checkout/orders', yen))).toBe('DECIMALS_NOT_SUPPORTED');
  });

  it('appear in the transactions report three hours later, at most 31 days at once', async () => {
    const capture = await captured();
    await b.call('POST', `/v2/payments/captures/${capture}/refund`, {});
    const start = new Date(b.core.clock.now() - DAY_MS).toISOString();
    const report = async (days: number): Promise<Answered> =>
      b.call(
        'GET',
        `/v1/reporting/transactions?fields=all&start_date=${start}&end_date=${new Date(
          Date.parse(start) + days * DAY_MS,
        ).toISOString()}`,
      );
    expect((await report(2)).body['transaction_details']).toEqual([]);
    await b.core.clock.advanceTo(b.core.clock.now() + 4 * HOUR_MS);
    expect((await report(2)).body['transaction_details']).toMatchObject([
      {
        transaction_info: {
          transaction_id: capture,
          transaction_status: 'V',
          transaction_initiation_date: expect.stringMatching(/\+0000$/) as string,
          transaction_amount: { value: '100.00' },
          fee_amount: { value: '-3.98' },
        },
      },
      { transaction_info: { paypal_reference_id: capture, transaction_amount: { value: '-100.00' } } },
    ]);
    expect((await report(32)).status).toBe(400);
  });

  it('need a token of a known client', async () => {
    const wrong = await fetch(`${b.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('client-of-the-test:wrong').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { error: 'invalid_client' }]);
    const answer = await b.call('GET', '/v2/checkout/orders/X', undefined, { authorization: 'Bearer wrong' });
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_token']);
    b.account.revokeTokens();
    expect((await b.call('GET', '/v2/checkout/orders/X')).status).toBe(401);
  });
});
