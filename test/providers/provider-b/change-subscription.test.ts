import { createProviderB } from '../../../src/providers/provider-b/adapter';
import type { ChangeRequest } from '../../../src/providers/provider-operations';
import { subscriptionCheckout, valueOf } from './operation-requests';
import { accessTo, startSimulatedProviderB, type SimulatedProviderB } from './simulated-provider-b';
import { startStubProviderB, type StubProviderB } from './stub-provider-b';

const adapter = createProviderB({ now: Date.now });

function changeOf(reference: string, changes: Partial<ChangeRequest> = {}): ChangeRequest {
  return {
    key: 'op_5-1',
    repeated: false,
    reference,
    planReference: 'P-PRO',
    quantity: 3,
    proration: 'none',
    returnUrl: 'https://shop.example/back',
    cancelUrl: 'https://shop.example/no',
    ...changes,
  };
}

describe('a change of a subscription at provider B', () => {
  let b: SimulatedProviderB;
  beforeEach(async () => {
    b = await startSimulatedProviderB({ start: '2027-01-15T08:00:00Z' });
  });
  afterEach(() => b.stop());

  async function subscribe(choice = 'approve', changes = {}): Promise<string> {
    const offer = { ...subscriptionCheckout().offer, ...changes };
    const made = valueOf(
      await adapter.createCheckout(accessTo(b.url), subscriptionCheckout({ key: `op_${choice}`, offer })),
    );
    await b.choose(made.url, choice);
    await b.webhooks();
    return made.references[0].reference;
  }
  const change = (reference: string, changes: Partial<ChangeRequest> = {}) =>
    adapter.changeSubscription(accessTo(b.url), changeOf(reference, changes));
  const facts = async (reference: string) =>
    valueOf(await adapter.fetchSubscription(accessTo(b.url), reference));

  it('waits for a wallet’s customer, and is what the event then says', async () => {
    const reference = await subscribe();
    const outcome = await change(reference);
    expect(outcome).toMatchObject({ kind: 'customer_action' });
    expect(await facts(reference)).toMatchObject({ planReference: 'P-BASIC', quantity: 2 });
    const url = outcome.kind === 'customer_action' ? (outcome.approvalUrl ?? '') : '';
    expect((await b.choose(url, 'approve')).href).toMatch(/^https:\/\/shop\.example\/back\?/);
    expect(await facts(reference)).toMatchObject({ planReference: 'P-PRO', quantity: 3 });
    const [updated] = await b.webhooks();
    expect(adapter.readEvent(updated?.raw ?? Buffer.of())).toMatchObject({
      type: 'subscription.changed',
      references: [{ kind: 'subscription', reference }],
      subscription: { planReference: 'P-PRO', quantity: 3 },
    });
  });

  it('changes nothing when the customer does not agree', async () => {
    const reference = await subscribe();
    const outcome = await change(reference);
    const url = outcome.kind === 'customer_action' ? (outcome.approvalUrl ?? '') : '';
    expect((await b.choose(url, 'decline')).href).toMatch(/^https:\/\/shop\.example\/no\?/);
    expect(await facts(reference)).toMatchObject({ planReference: 'P-BASIC', quantity: 2 });
  });

  it('is done at once where a card pays', async () => {
    const reference = await subscribe('approve_card');
    expect(await change(reference)).toMatchObject({
      kind: 'done',
      value: { reference, planReference: 'P-PRO', quantity: 3, status: 'active' },
    });
  });

  it.each([
    [
      { planReference: 'P-BASIC', quantity: 5 },
      { planReference: 'P-BASIC', quantity: 5 },
    ],
    [
      { planReference: 'P-PRO', quantity: 2 },
      { planReference: 'P-PRO', quantity: 2 },
    ],
    [
      { planReference: 'P-BASIC', quantity: 1 },
      { planReference: 'P-BASIC', quantity: 1 },
    ],
  ])('to %j leaves what it does not change', async (changes, expected) => {
    const reference = await subscribe('approve_card');
    expect(await change(reference, changes)).toMatchObject({ kind: 'done', value: expected });
  });

  it.each([
    [{ plan_id: 'P-BASIC', quantity: '2' }, 'P-PRO', { planReference: 'P-BASIC', quantity: 5 }],
    [{ plan_id: 'P-BASIC', quantity: '1' }, 'P-BASIC', { planReference: 'P-PRO', quantity: 1 }],
  ])(
    'is of the plan and of the quantity even if B still shows %j: now it is %s × 4',
    async (before, now, to) => {
      const reference = await subscribe('approve_card');
      const path = `/v1/billing/subscriptions/${reference}`;
      await b.call('POST', `${path}/revise`, before);
      await facts(reference);
      await b.call('POST', `${path}/revise`, { plan_id: now, quantity: '4' });
      b.core.faults.set({ provider: 'b', path, fault: 'answer_stale', times: 1 });
      expect(await change(reference, to)).toMatchObject({ kind: 'done', value: to });
    },
  );

  it('from seats to a plan that knows no quantity names none', async () => {
    const flat = { planReference: 'P-TWICE', quantity: 1 };
    const [wallet, card] = [await subscribe(), await subscribe('approve_card')];
    expect((await change(wallet, flat)).kind).toBe('customer_action');
    expect(await change(card, flat)).toMatchObject({ kind: 'done', value: flat });
    // And back to seats.
    expect(await change(card, { planReference: 'P-PRO', quantity: 3 })).toMatchObject({ kind: 'done' });
  });

  it('has nothing to do where the subscription shows the target, also when asked again', async () => {
    const reference = await subscribe('approve_card');
    const path = `/v1/billing/subscriptions/${reference}/revise`;
    b.core.faults.set({ provider: 'b', path, fault: 'cut_after_commit', times: 1 });
    expect((await change(reference)).kind).toBe('unknown');
    expect(await change(reference, { repeated: true })).toMatchObject({
      kind: 'done',
      value: { planReference: 'P-PRO', quantity: 3 },
    });
    const updates = (await b.webhooks()).filter(({ event }) => event.event_type.endsWith('.UPDATED'));
    expect(updates).toHaveLength(1);
  });

  it('asks the customer again when nobody knows whether it was asked', async () => {
    const reference = await subscribe();
    const path = `/v1/billing/subscriptions/${reference}/revise`;
    b.core.faults.set({ provider: 'b', path, fault: 'cut_after_commit', times: 1 });
    expect((await change(reference)).kind).toBe('unknown');
    expect((await change(reference, { repeated: true })).kind).toBe('customer_action');
    expect(await facts(reference)).toMatchObject({ planReference: 'P-BASIC', quantity: 2 });
  });

  it('is not charged at once', async () => {
    const reference = await subscribe('approve_card');
    expect((await change(reference, { proration: 'invoice_now' })).kind).toBe('unsupported');
    expect(await facts(reference)).toMatchObject({ planReference: 'P-BASIC', quantity: 2 });
  });

  it.each([
    [{ planReference: 'P-OTHER' }, 'PLAN_PRODUCT_NOT_COMPATIBLE'],
    [{ planReference: 'P-OLD' }, 'PLAN_STATUS_INVALID'],
    [{ planReference: 'P-TWICE' }, 'SUBSCRIPTION_CANNOT_HAVE_QUANTITY'],
    [{ planReference: 'P-NONE' }, 'not_found'],
  ])('to %j is refused with %s, and changes nothing', async (changes, code) => {
    const reference = await subscribe('approve_card');
    expect(await change(reference, changes)).toMatchObject({ kind: 'declined', code });
    expect(await facts(reference)).toMatchObject({ planReference: 'P-BASIC', quantity: 2 });
  });

  it('is refused of what has ended, also to the plan that it had, and of what is not known', async () => {
    const reference = await subscribe();
    await b.call('POST', `/v1/billing/subscriptions/${reference}/cancel`, { reason: 'x' });
    for (const planReference of ['P-PRO', 'P-BASIC']) {
      expect(await change(reference, { planReference, quantity: 2 })).toMatchObject({
        kind: 'declined',
        code: 'subscription_ended',
      });
    }
    expect(await change('I-NONE')).toMatchObject({ kind: 'declined', code: 'not_found' });
    expect(await change('../plans')).toMatchObject({ kind: 'declined', code: 'reference_invalid' });
  });

  it('is in doubt when B fails or is too slow', async () => {
    const reference = await subscribe();
    const path = `/v1/billing/subscriptions/${reference}/revise`;
    for (const fault of ['answer_500', 'slow'] as const) {
      b.core.faults.set({ provider: 'b', path, fault, times: 1, delayMs: 5_000 });
      const outcome = await adapter.changeSubscription(
        accessTo(b.url, { timeoutMs: 500 }),
        changeOf(reference),
      );
      expect(outcome.kind).toBe('unknown');
    }
  });
});

describe('what provider B answers to a change', () => {
  let stub: StubProviderB;
  beforeEach(async () => {
    stub = await startStubProviderB();
  });
  afterEach(() => stub.stop());

  const before = { id: 'I-1', status: 'ACTIVE', plan_id: 'P-BASIC', quantity: '2' };
  const change = () =>
    adapter.changeSubscription(accessTo(stub.url, { connectionId: stub.url }), changeOf('I-1'));

  it('is no proof: what the subscription does not show is pending', async () => {
    stub.reply = ({ method }) =>
      method === 'GET'
        ? { status: 200, body: before }
        : { status: 200, body: { plan_id: 'P-PRO', quantity: '3', plan_overridden: false } };
    expect(await change()).toMatchObject({ kind: 'pending', value: { planReference: 'P-BASIC' } });
    expect(stub.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
    expect(stub.requests[1]?.body).toEqual({
      plan_id: 'P-PRO',
      quantity: '3',
      application_context: {
        return_url: 'https://shop.example/back',
        cancel_url: 'https://shop.example/no',
        shipping_preference: 'NO_SHIPPING',
        user_action: 'SUBSCRIBE_NOW',
      },
    });
  });

  it.each([401, 404, 422, 500])(
    'is in doubt when the subscription is then answered with %i',
    async (status) => {
      stub.reply = ({ method }) => {
        if (method === 'POST') return { status: 200, body: {} };
        return stub.requests.length === 1 ? { status: 200, body: before } : { status, body: { name: 'X' } };
      };
      expect((await change()).kind).toBe('unknown');
    },
  );

  it.each([{ links: 'none' }, { links: [{ href: 1 }] }, '<html>'])(
    'is not understood when it is %j',
    async (body) => {
      stub.reply = ({ method }) => ({ status: 200, body: method === 'GET' ? before : body });
      expect((await change()).kind).toBe('unknown');
    },
  );
});
