import { providerC } from '../../../src/providers/provider-c/adapter';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/instant';
import { EMAIL, only, START, startProviderC, type Harness } from '../../simulators/provider-c-harness';
import { withStub, type StubRequest } from './stub-provider';

let c: Harness;
beforeEach(async () => {
  c = await startProviderC();
});
afterEach(() => c.stop());

const fetched = (reference: string) => providerC.fetchCheckout(c.access, { kind: 'payment', reference });
const expire = (reference: string) => providerC.expireCheckout(c.access, { kind: 'payment', reference });

async function subscriptionMade(): Promise<string> {
  return String(only(await c.delivered(), 'subscription.create').data['subscription_code']);
}

describe('a checkout is read as', () => {
  it.each(['abandon', 'decline', 'authenticate'])(
    'open after %s, and still open a year later',
    async (act) => {
      const { reference } = await c.checkout({ plan: 'PLN_monthly' }, act);
      const open = {
        kind: 'done',
        value: { status: 'open', subscriptionReference: null, payment: null },
      };
      expect(await fetched(reference)).toMatchObject(open);
      await c.core.clock.advanceTo(START + 366 * DAY_MS);
      expect(await fetched(reference)).toMatchObject(open);
      expect(await expire(reference)).toEqual({ kind: 'done', value: null });
    },
  );

  it.each([
    ['succeed', 'complete', { kind: 'declined', code: 'checkout_complete' }],
    ['decline', 'open', { kind: 'done' }],
  ] as const)(
    'open while a bank has the payment, and not over before the bank has answered: %s',
    async (answered, status, ended) => {
      const { reference } = await c.checkout({ plan: 'PLN_monthly' }, 'pay_by_bank');
      expect(await fetched(reference)).toMatchObject({ value: { status: 'open', payment: null } });
      expect((await expire(reference)).kind).toBe('unknown');
      c.controls.settleCharges(answered);
      expect(await fetched(reference)).toMatchObject({ value: { status } });
      expect(await expire(reference)).toMatchObject(ended);
    },
  );

  it('complete with the payment, by the names that its event has', async () => {
    const { reference } = await c.checkout({ amount: 12_345 }, 'pay');
    const outcome = await fetched(reference);
    expect(outcome).toMatchObject({
      kind: 'done',
      value: {
        status: 'complete',
        subscriptionReference: null,
        payment: { reference, kind: 'payment', amount: 12_345n, currency: 'NGN', status: 'succeeded' },
      },
    });
    if (outcome.kind !== 'done') return;
    const event = providerC.readEvent(only(await c.delivered(), 'charge.success').raw);
    expect(outcome.value.references).toEqual(expect.arrayContaining(event.references));
    expect(outcome.value.customerReference).toMatch(/^CUS_/);
    expect(await providerC.fetchCheckout(c.access, { kind: 'checkout', reference })).toEqual(outcome);
    expect(await expire(reference)).toMatchObject({ kind: 'declined', code: 'checkout_complete' });
  });

  it('complete with its subscription, whatever else the customer has', async () => {
    await c.checkout({ plan: 'PLN_monthly' }, 'pay');
    await c.checkout({ plan: 'PLN_monthly', email: 'eve@example.com' }, 'pay');
    await c.checkout({ plan: 'PLN_hourly' }, 'pay');
    await c.core.clock.advanceTo(START + 20 * MINUTE_MS);
    await c.delivered();
    const { reference } = await c.checkout({ plan: 'PLN_monthly' }, 'pay');
    const code = await subscriptionMade();
    const outcome = await fetched(reference);
    expect(outcome).toMatchObject({
      value: {
        status: 'complete',
        subscriptionReference: code,
        payment: { amount: 50_000n, subscriptionReference: code },
      },
    });
    expect(outcome).toHaveProperty(
      'value.references',
      expect.arrayContaining([{ kind: 'subscription', reference: code }]),
    );
  });

  it('complete without its subscription while that is not there, and never with an older one', async () => {
    await c.checkout({ plan: 'PLN_monthly' }, 'pay');
    await c.core.clock.advanceTo(START + 5 * MINUTE_MS);
    c.controls.setSubscriptionDelay(MINUTE_MS);
    await c.delivered();
    const { reference } = await c.checkout({ plan: 'PLN_monthly' }, 'pay');
    const complete = (subscriptionReference: string | null) => ({
      kind: 'done',
      value: { status: 'complete', subscriptionReference },
    });
    expect(await fetched(reference)).toMatchObject(complete(null));
    await c.core.clock.advanceTo(START + 7 * MINUTE_MS);
    expect(await fetched(reference)).toMatchObject(complete(await subscriptionMade()));
  });

  it('complete without a subscription that was made with a later payment', async () => {
    c.controls.setSubscriptionDelay(HOUR_MS);
    const { reference } = await c.checkout({ plan: 'PLN_monthly' }, 'pay');
    await c.core.clock.advanceTo(START + 15 * MINUTE_MS);
    c.controls.setSubscriptionDelay(0);
    await c.checkout({ plan: 'PLN_monthly' }, 'pay');
    expect(await fetched(reference)).toMatchObject({ value: { subscriptionReference: null } });
  });

  it('not found, or not to be found so', async () => {
    expect(await fetched('nothing')).toMatchObject({ kind: 'declined', code: 'not_found' });
    expect(await expire('nothing')).toMatchObject({ kind: 'declined', code: 'not_found' });
    const order = { kind: 'order', reference: 'x' } as const;
    expect((await providerC.fetchCheckout(c.access, order)).kind).toBe('unsupported');
    expect((await providerC.expireCheckout(c.access, order)).kind).toBe('unsupported');
  });

  it('not known while the provider does not say all of it', async () => {
    const { reference } = await c.checkout({ plan: 'PLN_monthly' }, 'pay');
    c.core.faults.set({ provider: 'c', path: '/subscription', fault: 'answer_500', times: 1 });
    expect((await fetched(reference)).kind).toBe('unknown');
    c.core.faults.set({ provider: 'c', path: '/transaction', fault: 'answer_500', times: 2 });
    expect((await fetched(reference)).kind).toBe('unknown');
    expect((await expire(reference)).kind).toBe('unknown');
    expect((await fetched(reference)).kind).toBe('done');
  });

  it('is never captured: the provider takes the money itself', async () => {
    const checkout = { kind: 'payment', reference: 'x' } as const;
    expect(await providerC.captureCheckout(c.access, checkout, { key: 'k', repeated: false })).toMatchObject({
      kind: 'unsupported',
      reason: expect.any(String) as unknown,
    });
  });
});

describe('the subscription of a payment, where the list says', () => {
  const PAID_AT = '2027-01-30T09:00:00.000Z';
  const purchase = (more: object = {}) => ({
    id: 1,
    domain: 'test',
    status: 'success',
    reference: 'ref',
    amount: 100,
    currency: 'NGN',
    paid_at: PAID_AT,
    plan: 'PLN_1',
    plan_object: { id: 7, plan_code: 'PLN_1' },
    customer: { id: 5, customer_code: 'CUS_1', email: EMAIL },
    authorization: { authorization_code: 'AUTH_1' },
    ...more,
  });
  const listed = (id: number, more: object = {}) => ({
    id,
    subscription_code: `SUB_${id}`,
    createdAt: PAID_AT,
    plan: { plan_code: 'PLN_1' },
    customer: { customer_code: 'CUS_1' },
    authorization: { authorization_code: 'AUTH_1' },
    ...more,
  });
  async function found(transaction: object, list: object[], more: Record<string, object> = {}) {
    let outcome: unknown;
    let received: readonly StubRequest[] = [];
    await withStub(
      c.access,
      ({ path }) => {
        const data = path.startsWith('/transaction') ? transaction : (more[path] ?? list);
        return { body: { status: true, message: '', data } };
      },
      async (access, requests) => {
        const answer = await providerC.fetchCheckout(access, { kind: 'payment', reference: 'ref' });
        outcome = answer.kind === 'done' ? answer.value.subscriptionReference : answer.kind;
        received = requests;
      },
    );
    return { outcome, received };
  }

  it.each([
    ['one made at the same moment', [listed(1)], 'SUB_1'],
    ['one made a moment before the money', [listed(1, { createdAt: '2027-01-30T08:59:50Z' })], 'SUB_1'],
    ['one that is older', [listed(1, { createdAt: '2027-01-30T08:59:00Z' })], null],
    ['one made much later', [listed(1, { createdAt: '2027-01-30T09:11:00Z' })], null],
    ['two', [listed(1), listed(2)], null],
    [
      'two on different cards',
      [listed(1, { authorization: { authorization_code: 'AUTH_2' } }), listed(2)],
      'SUB_2',
    ],
    ['two, one of which names no card', [listed(1, { authorization: {} }), listed(2)], null],
    ['another plan’s', [listed(1, { plan: { plan_code: 'PLN_2' } })], null],
    ['another customer’s', [listed(1, { customer: { customer_code: 'CUS_2' } })], null],
    ['one without a time', [listed(1, { createdAt: undefined })], 'unknown'],
  ])('%s', async (_what, list, expected) => {
    expect((await found(purchase(), list)).outcome).toBe(expected);
  });

  it('is asked for by numbers, the plan’s read where the transaction leaves it out', async () => {
    const { outcome, received } = await found(purchase({ plan_object: {} }), [listed(1)], {
      '/plan/PLN_1': { id: 9, plan_code: 'PLN_1' },
    });
    expect(outcome).toBe('SUB_1');
    expect(received.at(-1)?.path).toBe('/subscription?customer=5&plan=9&perPage=100&page=1');
    const nameless = await found(purchase({ plan_object: null }), [listed(1)], {
      '/plan/PLN_1': { plan_code: 'PLN_1' },
    });
    expect(nameless.outcome).toBe('unknown');
  });

  it.each([
    ['""', { plan: '', plan_object: {} }],
    ['{}', { plan: {}, plan_object: {} }],
    ['null', { plan: null, plan_object: null }],
  ])('is not asked for where the plan is %s', async (_what, none) => {
    const { outcome, received } = await found(purchase(none), [listed(1)]);
    expect(outcome).toBeNull();
    expect(received).toHaveLength(1);
  });

  it('is not known where the customer is in a shape that is not known', async () => {
    expect((await found(purchase({ customer: 'CUS_1' }), [])).outcome).toBe('unknown');
  });
});
