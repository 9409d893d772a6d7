import type { CheckoutCreated, CheckoutRequest } from '../../../src/providers/provider-operations';
import type { Outcome } from '../../../src/providers/outcome';
import { providerC } from '../../../src/providers/provider-c/adapter';
import { EMAIL, only, startProviderC, type Harness } from '../../simulators/provider-c-harness';
import { refusal, withStub } from './stub-provider';

let c: Harness;
beforeEach(async () => {
  c = await startProviderC();
});
afterEach(() => c.stop());

const PAYMENT: CheckoutRequest['offer'] = {
  kind: 'payment',
  amount: 12_345n,
  currency: 'NGN',
  description: 'A book',
};
const SUBSCRIPTION = {
  kind: 'subscription',
  subscriptionId: 'sub_1',
  planReference: 'PLN_monthly',
  quantity: 1,
  amount: 50_000n,
  currency: 'NGN',
} as const;

function request(more: Partial<CheckoutRequest> = {}): CheckoutRequest {
  return {
    key: 'op_1-1',
    repeated: false,
    checkoutId: 'chk_1',
    workspaceId: 'ws_1',
    customer: { customerId: 'cus_1', reference: null, email: EMAIL, name: null },
    offer: PAYMENT,
    successUrl: 'https://shop.example/thanks?a=1',
    cancelUrl: 'https://shop.example/plans',
    expiresAt: 0,
    ...more,
  };
}

const create = (more: Partial<CheckoutRequest> = {}) => providerC.createCheckout(c.access, request(more));
const act = (url: string, name: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ act: name }), redirect: 'manual' });

function value(outcome: Outcome<CheckoutCreated>): CheckoutCreated {
  if (outcome.kind !== 'done') throw new Error(`It ended as ${JSON.stringify(outcome)}.`);
  return outcome.value;
}

describe('a checkout of provider C', () => {
  it('has a page that takes the money, and references that the webhooks carry', async () => {
    const { url, references } = value(await create());
    expect(references[0]).toEqual({ kind: 'payment', reference: 'op.1-1' });
    const paid = await act(url, 'pay');
    expect(paid.headers.get('location')).toContain('https://shop.example/thanks?a=1&');
    const charge = only(await c.delivered(), 'charge.success');
    expect(charge.data).toMatchObject({
      amount: 12_345,
      currency: 'NGN',
      metadata: { checkoutId: 'chk_1', customerId: 'cus_1' },
    });
    expect(providerC.readEvent(charge.raw).references).toEqual(expect.arrayContaining(references));
  });

  it('sends a customer who does not pay to where the request says', async () => {
    const left = await act(value(await create()).url, 'abandon');
    expect(left.headers.get('location')).toBe('https://shop.example/plans');
  });

  it('begins a subscription of the plan', async () => {
    await act(value(await create({ offer: SUBSCRIPTION })).url, 'pay');
    const delivered = await c.delivered();
    expect(only(delivered, 'subscription.create').data).toMatchObject({ plan: { plan_code: 'PLN_monthly' } });
    expect(only(delivered, 'charge.success').data).toMatchObject({
      amount: 50_000,
      metadata: { subscriptionId: 'sub_1' },
    });
  });

  it('counts every currency in hundredths', async () => {
    const { url, references } = value(await create({ offer: { ...PAYMENT, amount: 700n, currency: 'XOF' } }));
    expect(await (await fetch(url)).text()).toContain('700.00 XOF');
    await act(url, 'pay');
    expect(await providerC.fetchCheckout(c.access, references[0])).toMatchObject({
      value: { payment: { amount: 700n, currency: 'XOF' } },
    });
  });

  it('is refused without a call where it cannot be', async () => {
    c.core.faults.set({ provider: 'c', path: '/', fault: 'answer_500' });
    const nobody = { customerId: 'cus_1', reference: null, email: ' ', name: null };
    expect(await create({ customer: nobody })).toMatchObject({
      kind: 'declined',
      code: 'customer_email_required',
    });
    expect(await create({ offer: { ...SUBSCRIPTION, quantity: 2 } })).toMatchObject({
      kind: 'unsupported',
      reason: expect.stringContaining('seats') as unknown,
    });
    for (const offer of [
      { ...PAYMENT, amount: 1n, currency: 'KWD' },
      { ...PAYMENT, amount: 2n ** 60n },
      { ...PAYMENT, amount: -1n },
    ]) {
      expect(await create({ offer })).toMatchObject({ kind: 'declined', code: 'amount_not_possible' });
    }
    expect(await providerC.createCheckout({ ...c.access, secrets: {} }, request())).toMatchObject({
      kind: 'declined',
      code: 'connection_incomplete',
    });
  });

  it('is refused by the provider with a code, and words without names of things', async () => {
    const unknown = await create({ offer: { ...SUBSCRIPTION, planReference: 'PLN_gone' } });
    expect(unknown).toMatchObject({ kind: 'declined', code: 'not_found' });
    const stranger = { ...c.access, secrets: { secretKey: 'sk_test_stranger' } };
    const refused = await providerC.createCheckout(stranger, request());
    expect(refused).toMatchObject({ kind: 'declined', code: 'authentication_failed' });
    const said = 'Customer CUS_12ab and ada@example.com may not pay at https://x.example/1 in KES';
    await withStub(
      c.access,
      () => refusal(400, 'currency_not_supported', said),
      async (access) => {
        expect(await providerC.createCheckout(access, request())).toEqual({
          kind: 'declined',
          code: 'currency_not_supported',
          reason:
            'The payment provider does not offer this payment. (Customer … and … may not pay at … in KES)',
        });
      },
    );
  });

  it('of one key has one page: a page whose answer was lost reached no customer, and is replaced', async () => {
    c.core.faults.set({
      provider: 'c',
      path: '/transaction/initialize',
      fault: 'cut_after_commit',
      times: 1,
    });
    expect((await create()).kind).toBe('unknown');
    expect(value(await create({ repeated: true })).references[0].reference).toBe('op.1-1=2');
    const { url, references } = value(await create({ repeated: true }));
    expect(references[0]).toEqual({ kind: 'payment', reference: 'op.1-1=3' });
    await act(url, 'pay');
    const charge = only(await c.delivered(), 'charge.success');
    expect(charge.data['reference']).toBe('op.1-1=3');
    expect(await providerC.fetchCheckout(c.access, references[0])).toMatchObject({
      value: { status: 'complete' },
    });
  });

  it('never takes the reference of another key', async () => {
    const keys = ['a', 'a-2', 'a_2', 'a-2-2'];
    const references = new Set<string>();
    for (const key of [...keys, ...keys, ...keys]) {
      references.add(value(await create({ key })).references[0].reference);
    }
    expect(references.size).toBe(12);
  });

  it('gives up at last where every reference is taken', async () => {
    await withStub(
      c.access,
      () => refusal(400, undefined, 'Duplicate Transaction Reference'),
      async (access, requests) => {
        expect(await providerC.createCheckout(access, request())).toMatchObject({
          kind: 'declined',
          code: 'duplicate_reference',
        });
        expect(new Set(requests.map(({ body }) => body['reference'])).size).toBe(20);
      },
    );
  });

  it.each([
    ['a 500', { status: 500, body: { status: false, message: 'no' } }],
    ['a 429', { status: 429, body: { status: false, message: 'slow down' } }],
    ['a cut line', 'cut'],
    ['no address', { body: { status: true, data: { reference: 'op.1-1' } } }],
    ['a script', { body: { status: true, data: { reference: 'op.1-1', authorization_url: 'data:,x' } } }],
    [
      'another',
      { body: { status: true, data: { reference: 'x', authorization_url: 'https://x.example/' } } },
    ],
  ] as const)('is not known after %s', async (_what, answer) => {
    await withStub(
      c.access,
      () => answer,
      async (access, requests) => {
        expect((await providerC.createCheckout(access, request())).kind).toBe('unknown');
        expect(requests).toHaveLength(1);
      },
    );
  });
});
