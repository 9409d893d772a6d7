import { providerC } from '../../../src/providers/provider-c/adapter';
import { EMAIL, only, startProviderC, type Harness } from '../../simulators/provider-c-harness';
import { withStub, type StubAnswer } from './stub-provider';

/**
 * Provider C's own description of its API leaves some members untyped, and answers have `{}`, null or nothing where
 * there is nothing to say (`SubscriptionFetchResponse`, `RefundListResponseArray` in
 * https://github.com/PaystackOSS/openapi). None of that hides the object.
 */
let c: Harness;
beforeEach(async () => {
  c = await startProviderC();
});
afterEach(() => c.stop());

type Data = Record<string, unknown>;
const answerOf = (data: unknown): StubAnswer => ({ body: { status: true, message: 'ok', data } });

async function renewed(): Promise<{ code: string; data: Data }> {
  await c.checkout({ plan: 'PLN_monthly' }, 'pay');
  const code = String(only(await c.delivered(), 'subscription.create').data['subscription_code']);
  c.controls.setCards(EMAIL, 'decline');
  await c.core.clock.advanceTo(Date.parse('2027-03-01T00:00:00Z'));
  const { body } = await c.call('GET', `/subscription/${code}`);
  return { code, data: body.data };
}

describe('a subscription', () => {
  it.each([
    ['no transaction', { transaction: undefined }],
    ['an empty transaction', { transaction: {} }],
    ['no payment', { paid: undefined, transaction: null }],
    ['payment null', { paid: null }],
    ['no code', { invoice_code: null }],
  ])('whose last invoice has %s is read, and that invoice failed', async (_, members) => {
    const { code, data } = await renewed();
    const invoice = { ...(data['most_recent_invoice'] as Data), ...members };
    await withStub(
      c.access,
      () => answerOf({ ...data, most_recent_invoice: invoice }),
      async (access) => {
        expect(await providerC.fetchSubscription(access, code)).toMatchObject({
          kind: 'done',
          value: { status: 'past_due' },
        });
      },
    );
  });
});

it.each([
  ['non-renewing', { status: 'past_due', cancelAtPeriodEnd: true }],
  ['completed', { status: 'cancelled' }],
])(
  'a subscription that is %s, and whose last invoice needs attention as in C’s example, is not paid',
  async (status, facts) => {
    const { code, data } = await renewed();
    const shown = { status: 'attention', paid: 1, paid_at: '2027-02-28T09:00:00.000Z' };
    const invoice = { ...(data['most_recent_invoice'] as Data), ...shown };
    await withStub(
      c.access,
      () => answerOf({ ...data, status, next_payment_date: null, most_recent_invoice: invoice }),
      async (access) => {
        const read = await providerC.fetchSubscription(access, code);
        if (read.kind !== 'done') throw new Error(JSON.stringify(read));
        expect(read.value).toMatchObject(facts);
        expect(read.value).not.toHaveProperty('isCompleted');
      },
    );
  },
);

it.each([null, {}, undefined])(
  'a subscription that is completed with its first charge, and whose last invoice is %j, states that period',
  async (invoice) => {
    await c.checkout({ plan: 'PLN_monthly' }, 'pay');
    const code = String(only(await c.delivered(), 'subscription.create').data['subscription_code']);
    const { body } = await c.call('GET', `/subscription/${code}`);
    const createdAt = '2027-01-31T09:00:00.000Z';
    const data = { ...body.data, status: 'completed', createdAt, next_payment_date: null };
    await withStub(
      c.access,
      () => answerOf({ ...data, most_recent_invoice: invoice }),
      async (access) => {
        expect(await providerC.fetchSubscription(access, code)).toMatchObject({
          value: { isCompleted: true, currentPeriodStart: Date.parse(createdAt) },
        });
      },
    );
  },
);

describe('a payment', () => {
  it.each([
    ['plan 0', { plan: 0 }],
    ['a plan whose code is null', { plan: { plan_code: null } }],
    ['a plan object of nulls', { plan_object: { id: null, plan_code: null } }],
    ['an authorization without a code', { authorization: { authorization_code: null } }],
  ])('with %s is read', async (_, members) => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    const { body } = await c.call('GET', `/transaction/verify/${reference}`);
    await withStub(
      c.access,
      () => answerOf({ ...body.data, ...members }),
      async (access) => {
        expect(await providerC.fetchCheckout(access, { kind: 'payment', reference })).toMatchObject({
          kind: 'done',
          value: { status: 'complete', subscriptionReference: null },
        });
      },
    );
  });
});

describe('a refund', () => {
  it.each([
    ['an empty settlement', { settlement: {} }, undefined],
    ['no count of pages', {}, { total: 1, perPage: '100', pageCount: null }],
    ['no paging', {}, null],
  ])('in a list with %s is read', async (_, members, meta) => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    const { body } = await c.call('POST', '/refund', { transaction: reference, amount: 2_500 });
    const { body: verified } = await c.call('GET', `/transaction/verify/${reference}`);
    const refund = { ...body.data, ...members };
    await withStub(
      c.access,
      ({ path }) =>
        path.startsWith('/refund')
          ? { body: { status: true, message: 'ok', data: [refund], meta } }
          : answerOf(verified.data),
      async (access) => {
        expect(await providerC.fetchRefundsOf(access, reference)).toMatchObject({
          kind: 'done',
          value: [{ amount: 2_500n }],
        });
      },
    );
  });
});

describe('a listed refund', () => {
  it.each([
    ['whole', (id: unknown) => ({ id, reference: 'ref-1' }), { kind: 'payment', reference: 'ref-1' }],
    ['as its number', (id: unknown) => id, { kind: 'charge' }],
  ])('that names its payment %s is read, beside one that names none', async (_, named, of) => {
    const { reference } = await c.checkout({ amount: 20_000 }, 'pay');
    await c.call('POST', '/refund', { transaction: reference, amount: 500 });
    const { body } = await c.call('GET', '/refund');
    const [listed] = body.data as unknown as Data[];
    const data = [
      { ...listed, id: 1, transaction: null },
      { ...listed, transaction: named(listed?.['transaction']) },
    ];
    await withStub(
      c.access,
      () => answerOf(data),
      async (access) => {
        expect(await providerC.listRefunds?.(access, 0)).toMatchObject({
          kind: 'done',
          value: [{ reference: String(listed?.['id']), amount: 500n, status: 'pending', of }],
        });
      },
    );
  });
});
