import type { ConnectionAccess } from '../../../src/providers/connection-access';
import type { CheckoutRequest } from '../../../src/providers/provider-operations';
import { pollCheckout } from '../../../src/checkouts/poll-checkout';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { DAY_MS, HOUR_MS } from '../../../src/domain/instant';
import { act } from '../../simulators/provider-a-world';
import { startOperations } from './operations-world';
import { startStub } from './stub-provider-a';
import { useStarted } from '../../support/use-started';

const world = useStarted(startOperations);
let access: ConnectionAccess;
beforeAll(() => {
  ({ access } = world);
});
beforeEach(() => {
  world.core.faults.clear();
});

async function created(request: CheckoutRequest) {
  const outcome = await providerA.createCheckout(access, request);
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  const [reference] = outcome.value.references;
  const session = await world.client.checkout.sessions.retrieve(reference.reference);
  return { ...outcome.value, reference, session };
}
const oneOff: CheckoutRequest['offer'] = {
  kind: 'payment',
  amount: 1_250n,
  currency: 'USD',
  description: '100 credits',
};
const referencesOfEvent = async (type: string) => {
  await world.core.outbox.flush();
  const found = world.receiver.received
    .map(({ body }) => providerA.readEvent(body))
    .filter((e) => e.eventType === type);
  return found.at(-1)?.references;
};

test('a subscription is bought on the page, and its session and its subscription carry our ids', async () => {
  const { url, reference, references, session } = await created(world.checkout());
  expect(references).toEqual([{ kind: 'checkout', reference: session.id }]);
  expect(session).toMatchObject({
    url,
    mode: 'subscription',
    client_reference_id: 'chk_1',
    customer_email: 'ada@example.test',
    amount_total: 4_000,
    metadata: { checkoutId: 'chk_1', customerId: 'cus_ours', subscriptionId: 'sub_ours' },
  });
  expect(await providerA.fetchCheckout(access, reference)).toEqual({
    kind: 'done',
    value: {
      status: 'open',
      references,
      subscriptionReference: null,
      customerReference: null,
      payment: null,
    },
  });
  await act(url, 'pay');
  const fetched = await providerA.fetchCheckout(access, reference);
  const paid = await world.client.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
  expect(paid.subscription).toMatchObject({ metadata: { checkoutId: 'chk_1', subscriptionId: 'sub_ours' } });
  if (fetched.kind !== 'done') throw new Error(JSON.stringify(fetched));
  const { payment } = fetched.value;
  expect(fetched.value).toMatchObject({
    status: 'complete',
    subscriptionReference: (paid.subscription as { id: string }).id,
    customerReference: paid.customer,
    payment: {
      kind: 'payment',
      amount: 4_000n,
      currency: 'USD',
      status: 'succeeded',
      subscriptionReference: (paid.subscription as { id: string }).id,
      invoiceReference: paid.invoice,
    },
  });
  // The references of the webhook, plus the payment, which the webhook leaves to the invoice's event.
  const named = await referencesOfEvent('checkout.session.completed');
  expect(fetched.value.references).toEqual([
    ...(named ?? []),
    { kind: 'payment', reference: payment?.reference },
  ]);
  expect(await referencesOfEvent('payment_intent.succeeded')).toContainEqual({
    kind: 'payment',
    reference: payment?.reference,
  });
});

test('something is paid once, by whom the provider knows', async () => {
  const reference = world.account.customer('known@example.test');
  const customer = { customerId: 'cus_ours', reference, email: 'other@example.test', name: null };
  const made = await created(world.checkout({ offer: oneOff, customer }));
  expect(made.session).toMatchObject({
    mode: 'payment',
    amount_total: 1_250,
    currency: 'usd',
    customer: reference,
    customer_email: null,
  });
  await act(made.url, 'decline');
  expect(await providerA.fetchCheckout(access, made.reference)).toMatchObject({
    value: { status: 'open', payment: null },
  });
  await act(made.url, 'pay');
  const fetched = await providerA.fetchCheckout(access, made.reference);
  expect(fetched).toMatchObject({
    kind: 'done',
    value: {
      status: 'complete',
      subscriptionReference: null,
      customerReference: reference,
      payment: { kind: 'payment', amount: 1_250n, currency: 'USD', status: 'succeeded' },
    },
  });
  const session = await world.client.checkout.sessions.retrieve(made.session.id, {
    expand: ['payment_intent'],
  });
  expect(session.payment_intent).toMatchObject({ metadata: { checkoutId: 'chk_1', customerId: 'cus_ours' } });
  if (fetched.kind !== 'done') throw new Error(JSON.stringify(fetched));
  expect(fetched.value.references).toEqual(await referencesOfEvent('checkout.session.completed'));
});

test('a price that also has an amount in the currency of the customer’s country is sold in ours', async () => {
  const planReference = world.account.price({
    unitAmount: 2_000,
    currency: 'usd',
    currencyOptions: { eur: { unit_amount: 1_900 } },
    interval: 'month',
  });
  world.account.setLocalCurrency('eur');
  // Nobody but the requester decides the currency of a page: without one, it is the one of the customer's country.
  const { session } = await world.subscribe(planReference);
  expect(session).toMatchObject({ amount_total: 1_900, currency: 'eur' });
  const offer = { ...world.checkout().offer, planReference } as CheckoutRequest['offer'];
  const { url, reference } = await created(world.checkout({ offer }));
  await act(url, 'pay');
  world.account.setLocalCurrency(null);
  const fetched = await providerA.fetchCheckout(access, reference);
  expect(fetched).toMatchObject({
    value: { payment: { amount: 4_000n, currency: 'USD', status: 'succeeded' } },
  });
});

test('a price that has no amount in our currency is not sold', async () => {
  const planReference = world.account.price({ unitAmount: 1_900, currency: 'eur', interval: 'month' });
  const offer = { ...world.checkout().offer, planReference } as CheckoutRequest['offer'];
  expect(await providerA.createCheckout(access, world.checkout({ offer }))).toMatchObject({
    kind: 'declined',
    code: 'invalid_request',
  });
});

test('a trial asks for no payment', async () => {
  const { session } = await world.subscribe(world.basic, { subscription_data: { trial_period_days: 14 } });
  expect(await providerA.fetchCheckout(access, { kind: 'checkout', reference: session.id })).toMatchObject({
    kind: 'done',
    value: { status: 'complete', payment: null },
  });
});

test.each([
  ['processing', 'pending'],
  ['requires_action', 'pending'],
  ['requires_payment_method', 'failed'],
])('of a session that was gone through and is unpaid, a payment that is %s is %s', async (status, shown) => {
  const stub = await startStub();
  const intent = { id: 'pi_1', object: 'payment_intent', amount: 1_250, currency: 'usd', created: 1, status };
  const session = { id: 'cs_1', object: 'checkout.session', mode: 'payment', status: 'complete', created: 1 };
  stub.answer(() => ({ body: { ...session, payment_status: 'unpaid', payment_intent: intent } }));
  const reference = { kind: 'checkout', reference: 'cs_1' } as const;
  const found = await providerA.fetchCheckout({ ...access, baseUrl: stub.url }, reference);
  await stub.stop();
  expect(found).toMatchObject({ value: { status: 'complete', payment: { status: shown } } });
});

test.each([
  ['in an hour', HOUR_MS, HOUR_MS],
  ['too soon for the provider', 60_000, DAY_MS],
  ['later than the provider keeps one', 30 * DAY_MS, DAY_MS],
])('a page ends %s', async (_, requested, granted) => {
  const now = world.core.clock.now();
  const { session } = await created(world.checkout({ expiresAt: now + requested }));
  expect(Math.abs(session.expires_at * 1000 - (now + granted))).toBeLessThanOrEqual(60_000);
});

test('an answer that did not come is had by the same key: there is one session', async () => {
  for (const expiresAt of [world.core.clock.now() + HOUR_MS, 0]) {
    const request = world.checkout({ expiresAt });
    const before = world.account.sessions().length;
    world.cut('/v1/checkout/sessions');
    // An expiry of 0 is refused, but that answer is lost too.
    expect((await providerA.createCheckout(access, request)).kind).toBe('unknown');
    world.core.faults.clear();
    const again = await created({ ...request, repeated: true });
    expect((await created({ ...request, repeated: true })).reference).toEqual(again.reference);
    expect(world.account.sessions()).toHaveLength(before + 1);
  }
});

test('a customer who is another by the second sending is given a page all the same', async () => {
  for (const expiresAt of [world.core.clock.now() + HOUR_MS, 0]) {
    const request = world.checkout({ expiresAt });
    world.cut('/v1/checkout/sessions');
    expect((await providerA.createCheckout(access, request)).kind).toBe('unknown');
    world.core.faults.clear();
    const customer = { ...request.customer, email: 'countess@example.test' };
    const again = { ...request, customer, repeated: true };
    const made = await created(again);
    expect(made.session.customer_email).toBe('countess@example.test');
    expect((await created(again)).reference).toEqual(made.reference);
  }
});

test('a customer whom the provider no longer has becomes a new one, and is given one page', async () => {
  for (const expiresAt of [world.core.clock.now() + HOUR_MS, 0]) {
    const customer = { customerId: 'cus_ours', reference: 'cus_gone', email: 'ada@example.test', name: null };
    const request = world.checkout({ customer, expiresAt });
    const made = await created(request);
    expect(made.session).toMatchObject({ customer: null, customer_email: 'ada@example.test' });
    expect((await created({ ...request, repeated: true })).reference).toEqual(made.reference);
    expect((await created(world.checkout({ customer: { ...customer, email: null } }))).session).toMatchObject(
      {
        customer: null,
        customer_email: null,
      },
    );
  }
});

test('a customer whom the provider bills in another currency buys in ours as a new one, with one page', async () => {
  const { customer: reference } = await world.paid();
  const planReference = world.account.price({ unitAmount: 1_900, currency: 'eur', interval: 'month' });
  const base = world.checkout();
  const request = {
    ...base,
    customer: { ...base.customer, reference },
    offer: { ...base.offer, planReference, currency: 'EUR' } as CheckoutRequest['offer'],
  };
  const { session, url, reference: page } = await created(request);
  expect(session).toMatchObject({ currency: 'eur', customer: null, customer_email: 'ada@example.test' });
  expect((await created({ ...request, repeated: true })).session.id).toBe(session.id);
  await act(url, 'pay');
  const fetched = await providerA.fetchCheckout(access, page);
  expect(fetched).toMatchObject({ value: { status: 'complete' } });
  if (fetched.kind === 'done') expect(fetched.value.customerReference).not.toBe(reference);
});

test('a checkout that the provider cannot offer is refused with a reason for the customer', async () => {
  const refused = async (change: Partial<CheckoutRequest>) => {
    const outcome = await providerA.createCheckout(access, world.checkout(change));
    if (outcome.kind !== 'declined') throw new Error(JSON.stringify(outcome));
    return outcome;
  };
  const offer = { ...world.checkout().offer, planReference: 'price_none' } as CheckoutRequest['offer'];
  expect(await refused({ offer })).toMatchObject({
    code: 'not_found',
    reason: expect.stringMatching(/^The payment provider does not have this plan\. \(.*req_/) as string,
  });
  const archived = world.price(7_000);
  await world.client.prices.update(archived, { active: false });
  const gone = { ...world.checkout().offer, planReference: archived } as CheckoutRequest['offer'];
  expect(await refused({ offer: gone })).toMatchObject({ code: 'price_inactive' });
  for (const [amount, currency] of [
    [0n, 'USD'],
    [-1n, 'USD'],
    [5n, 'XXX'],
    // Its cards support two of the three decimals.
    [5_124n, 'KWD'],
  ] as const) {
    expect(await refused({ offer: { ...oneOff, amount, currency } })).toMatchObject({
      code: 'amount_not_possible',
    });
  }
});

test('of three decimals the last must be 0, also at the simulated provider', async () => {
  const offer = { ...oneOff, amount: 5_120n, currency: 'KWD' } as const;
  expect((await created(world.checkout({ offer }))).session).toMatchObject({ amount_total: 5_120 });
  const price_data = { currency: 'kwd', unit_amount: 5_124, product_data: { name: '100 credits' } };
  await expect(
    world.client.checkout.sessions.create({
      mode: 'payment',
      success_url: 'http://127.0.0.1:1/paid',
      line_items: [{ price_data, quantity: 1 }],
    }),
  ).rejects.toThrow(/evenly divisible by 10/);
});

describe('the end of a page', () => {
  test('nobody can pay it any more, and a second time is no other', async () => {
    const { url, reference, session } = await created(world.checkout());
    world.core.faults.set({
      provider: 'a',
      path: `/v1/checkout/sessions/${session.id}/expire`,
      fault: 'cut_after_commit',
      times: 2,
    });
    expect((await providerA.expireCheckout(access, reference)).kind).toBe('unknown');
    expect(await providerA.expireCheckout(access, reference)).toEqual({ kind: 'done', value: null });
    await act(url, 'pay');
    expect(await providerA.fetchCheckout(access, reference)).toMatchObject({ value: { status: 'expired' } });
    expect(await referencesOfEvent('checkout.session.expired')).toEqual([reference]);
  });

  test('is tried again after a failure, which the provider stores for the key', async () => {
    const { reference, session } = await created(world.checkout());
    const path = `/v1/checkout/sessions/${session.id}/expire`;
    world.core.faults.set({ provider: 'a', path, fault: 'answer_500', times: 1 });
    expect((await providerA.expireCheckout(access, reference)).kind).toBe('unknown');
    expect(await providerA.expireCheckout(access, reference)).toEqual({ kind: 'done', value: null });
  });

  test('a paid one stays paid', async () => {
    const { url, reference } = await created(world.checkout({ offer: oneOff }));
    await act(url, 'pay');
    expect(await providerA.expireCheckout(access, reference)).toMatchObject({
      kind: 'declined',
      code: 'checkout_complete',
    });
    expect(await providerA.fetchCheckout(access, reference)).toMatchObject({ value: { status: 'complete' } });
  });

  test('what is paid between the poll that finds it open and the end is found paid', async () => {
    const { url, reference } = await created(world.checkout({ offer: oneOff }));
    const adapter: typeof providerA = {
      ...providerA,
      expireCheckout: async (...request) => {
        await act(url, 'pay');
        return providerA.expireCheckout(...request);
      },
    };
    const poll = { checkoutId: 'chk_1', reference, secretVersion: null, take: true, close: true };
    expect(await pollCheckout({ adapter, access }, poll)).toMatchObject({
      kind: 'paid',
      facts: { payment: { status: 'succeeded' } },
    });
  });

  test('one that does not exist cannot be ended, nor can other objects', async () => {
    const none = { kind: 'checkout', reference: 'cs_test_none' } as const;
    const order = { kind: 'order', reference: 'x' } as const;
    const missing = { kind: 'declined', code: 'not_found' };
    expect(await providerA.expireCheckout(access, none)).toMatchObject(missing);
    expect(await providerA.fetchCheckout(access, none)).toMatchObject(missing);
    expect((await providerA.expireCheckout(access, order)).kind).toBe('unsupported');
    expect((await providerA.fetchCheckout(access, order)).kind).toBe('unsupported');
    expect((await providerA.captureCheckout(access, none, world.sending())).kind).toBe('unsupported');
  });
});
