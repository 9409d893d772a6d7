import type { ConnectionAccess } from '../../../src/providers/connection-access';
import type { Outcome } from '../../../src/providers/outcome';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { useStarted } from '../../support/use-started';
import { startOperations, type Operations } from './operations-world';
import { startStub } from './stub-provider-a';

const world = useStarted(startOperations);
const stub = useStarted(startStub);
let access: ConnectionAccess;
let subscription: Awaited<ReturnType<Operations['paid']>>;
beforeAll(async () => {
  ({ access } = world);
  subscription = await world.paid();
});
beforeEach(() => {
  world.core.faults.clear();
});

const session = { kind: 'checkout', reference: 'cs_1' } as const;
type Operation = (to: ConnectionAccess) => Promise<Outcome<unknown>>;
const all: Record<string, Operation> = {
  createCheckout: (to) => providerA.createCheckout(to, world.checkout()),
  fetchCheckout: (to) => providerA.fetchCheckout(to, session),
  expireCheckout: (to) => providerA.expireCheckout(to, session),
  changeSubscription: (to) => providerA.changeSubscription(to, world.change(subscription.id)),
  cancelSubscription: (to) => providerA.cancelSubscription(to, world.renewal(subscription.id)),
  reactivateSubscription: (to) => providerA.reactivateSubscription(to, world.renewal(subscription.id)),
  refundPayment: (to) => providerA.refundPayment(to, world.refund(subscription.payment)),
  listSettlements: (to) => providerA.listSettlements(to, { from: 0, to: 1 }),
};
const eachOf = test.each(Object.entries(all));
const toStub = (): ConnectionAccess => ({ ...access, baseUrl: stub.url });
const error = (more: Record<string, unknown>) => ({
  error: { type: 'invalid_request_error', message: 'm', ...more },
});

eachOf('%s: a failure, a cut connection and nobody there are unknown', async (_, operation) => {
  for (const fault of ['answer_500', 'cut_after_commit'] as const) {
    world.core.faults.set({ provider: 'a', path: '/v1', fault });
    expect(await operation(access)).toMatchObject({ kind: 'unknown', reason: expect.any(String) as string });
    world.core.faults.clear();
  }
  expect((await operation({ ...access, baseUrl: 'http://127.0.0.1:1' })).kind).toBe('unknown');
});

eachOf('%s: what is not what it should be is unknown', async (_, operation) => {
  for (const body of [
    'null',
    '"text"',
    '[]',
    '{}',
    '<html>',
    '{"id":5,"data":{},"items":{"data":[{"id":1}]}}',
  ]) {
    stub.answer(() => ({ body }));
    expect([body, (await operation(toStub())).kind]).toEqual([body, 'unknown']);
  }
});

eachOf(
  '%s: too many requests, a key in use and a key of other parameters are unknown',
  async (_, operation) => {
    const answers = [
      { status: 429, body: error({ code: 'rate_limit' }) },
      { status: 409, body: error({ type: 'idempotency_error', code: 'idempotency_key_in_use' }) },
      { status: 400, body: error({ type: 'idempotency_error' }) },
      { status: 503, body: 'upstream connect error' },
    ];
    for (const answer of answers) {
      stub.answer(() => answer);
      expect([answer.status, (await operation(toStub())).kind]).toEqual([answer.status, 'unknown']);
    }
  },
);

eachOf('%s: without a key that works nothing is done, and no reason holds the key', async (_, operation) => {
  const secret = 'sk_test_of_somebody_else';
  const stranger = await operation({ ...access, secrets: { secretKey: secret } });
  expect(stranger).toMatchObject({ kind: 'declined', code: 'authentication_failed' });
  expect(JSON.stringify(stranger)).not.toContain('somebody_else');
  expect(await operation({ ...access, secrets: {} })).toMatchObject({
    kind: 'declined',
    code: 'connection_incomplete',
  });
  stub.answer(() => ({ status: 403, body: error({}) }));
  expect(await operation(toStub())).toMatchObject({ kind: 'declined', code: 'permission_denied' });
});

eachOf('%s: a gateway’s failure in words of its own is unknown', async (_, operation) => {
  const known = {
    id: 'cs_1',
    mode: 'payment',
    payment_status: 'unpaid',
    status: 'open',
    items: { data: [{ id: 'si_1', price: { id: world.basic }, quantity: 1 }] },
  };
  for (const status of [302, 404, 500, 503]) {
    stub.answer((method) =>
      method === 'GET'
        ? { body: { ...known, data: [], has_more: false } }
        : { status, body: { message: 'no healthy upstream' } },
    );
    const { kind } = await operation(toStub());
    const asksOnly = stub.requests.every(({ method }) => method === 'GET');
    if (!asksOnly) expect([status, kind]).toEqual([status, 'unknown']);
    stub.answer(() => ({ status, body: { ...known, data: [], has_more: false } }));
    expect([status, (await operation(toStub())).kind]).toEqual([status, 'unknown']);
  }
});

test('every POST has the key of its operation, and an expiry, which is no operation’s, a key of its own', async () => {
  const item = { id: 'si_1', price: { id: world.basic }, quantity: 1 };
  const base = { status: 'active', items: { data: [item] }, cancel_at_period_end: false };
  stub.answer((method, path) => {
    if (path.startsWith('/v1/subscriptions')) return { body: { id: 'sub_1', ...base } };
    if (path.endsWith('/expire')) return { body: { id: 'cs_1', status: 'expired' } };
    if (path.startsWith('/v1/checkout') && method === 'GET') {
      return { body: { id: 'cs_1', mode: 'payment', payment_status: 'unpaid', status: 'open' } };
    }
    return { body: {} };
  });
  const sent: string[] = [];
  const used: string[] = [];
  const take = async (key: string, work: Promise<unknown>) => {
    used.push(key);
    await work;
  };
  const [checkout, change, refund] = [world.checkout(), world.change('sub_1'), world.refund('pi_1')];
  const cancel = world.renewal('sub_1');
  await take(checkout.key, providerA.createCheckout(toStub(), checkout));
  await take(change.key, providerA.changeSubscription(toStub(), change));
  await take(cancel.key, providerA.cancelSubscription(toStub(), cancel));
  await take(refund.key, providerA.refundPayment(toStub(), refund));
  for (let n = 0; n < 2; n += 1) await providerA.expireCheckout(toStub(), session);
  for (const { method, key } of stub.requests) if (method === 'POST') sent.push(String(key));
  expect(sent.slice(0, used.length)).toEqual(used);
  expect(sent).toHaveLength(used.length + 2);
  expect(sent).not.toContain('undefined');
  expect(new Set(sent).size).toBe(sent.length);
});

test('what the provider tells developers in a header is not printed among the log lines', async () => {
  const printed = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  stub.answer(() => ({
    status: 404,
    body: error({}),
    headers: { 'Stripe-Notice': 'Upgrade your integration.' },
  }));
  for (const operation of Object.values(all)) await operation(toStub());
  expect(printed.mock.calls).toEqual([]);
  printed.mockRestore();
});

test('an answer that does not show the change is no change', async () => {
  const item = { id: 'si_1', price: { id: world.basic }, quantity: 1 };
  stub.answer(() => ({ body: { id: 'sub_1', status: 'active', items: { data: [item] } } }));
  expect((await providerA.changeSubscription(toStub(), world.change('sub_1'))).kind).toBe('unknown');
});

describe('refusals with a reason for the customer', () => {
  const refusedWith = async (status: number, more: Record<string, unknown>) => {
    stub.answer((method) =>
      method === 'POST'
        ? { status, body: error(more), headers: { 'request-id': 'req_1' } }
        : {
            body: {
              id: 'sub_1',
              status: 'active',
              items: { data: [{ id: 'si_1', price: { id: 'p' }, quantity: 1 }] },
            },
          },
    );
    return providerA.changeSubscription(toStub(), world.change('sub_1'));
  };

  test.each([
    [{ code: 'card_declined', decline_code: 'expired_card' }, 'card_declined', 'The card has expired'],
    [{ code: 'expired_card' }, 'card_declined', 'The card has expired'],
    [{ code: 'card_declined', decline_code: 'stolen_card' }, 'card_declined', 'The card was declined'],
    [
      { code: 'card_declined', decline_code: 'authentication_required' },
      'customer_action_required',
      'The bank asks',
    ],
    [{ code: 'subscription_payment_intent_requires_action' }, 'customer_action_required', 'The bank asks'],
    [{}, 'card_declined', 'The card was declined'],
  ])('%j is %s', async (more, code, sentence) => {
    const outcome = await refusedWith(402, { type: 'card_error', message: 'secret words', ...more });
    expect(outcome).toMatchObject({ kind: 'declined', code });
    const { reason } = outcome as { reason: string };
    expect(reason).toMatch(new RegExp(`^${sentence}.*request req_1\\)$`));
    expect(reason).not.toMatch(/stolen|secret words/);
  });

  test('any other refusal has the code that the provider gives it', async () => {
    expect(await refusedWith(400, { code: 'charge_disputed' })).toMatchObject({
      code: 'charge_disputed',
      reason: expect.stringMatching(/disputed at the bank/) as string,
    });
    expect(await refusedWith(400, {})).toMatchObject({ code: 'invalid_request' });
    expect(await refusedWith(404, {})).toMatchObject({ code: 'not_found' });
  });
});
