import { createProviderB } from '../../../src/providers/provider-b/adapter';
import type { SubscriptionRequest } from '../../../src/providers/provider-operations';
import { subscriptionCheckout, valueOf } from './operation-requests';
import { accessTo, startSimulatedProviderB, type SimulatedProviderB } from './simulated-provider-b';
import { startStubProviderB, type StubProviderB } from './stub-provider-b';

const adapter = createProviderB({ now: Date.now });

function requestOf(reference: string, changes: Partial<SubscriptionRequest> = {}): SubscriptionRequest {
  return { key: 'op_3-1', repeated: false, reference, reason: 'The customer asked for it.', ...changes };
}

describe('the end of a subscription at provider B', () => {
  let b: SimulatedProviderB;
  beforeEach(async () => {
    b = await startSimulatedProviderB({ start: '2027-01-15T08:00:00Z' });
  });
  afterEach(() => b.stop());

  async function subscribe(choice?: string): Promise<string> {
    const made = valueOf(await adapter.createCheckout(accessTo(b.url), subscriptionCheckout()));
    if (choice !== undefined) await b.choose(made.url, choice);
    await b.webhooks();
    return made.references[0].reference;
  }
  const cancel = (reference: string, changes: Partial<SubscriptionRequest> = {}) =>
    adapter.cancelSubscription(accessTo(b.url), requestOf(reference, changes));

  it('is at once, and is what the event then says', async () => {
    const reference = await subscribe('approve');
    const outcome = await cancel(reference);
    expect(outcome).toMatchObject({ kind: 'done', value: { reference, status: 'cancelled' } });
    const [ended] = await b.webhooks();
    expect(adapter.readEvent(ended?.raw ?? Buffer.of())).toMatchObject({
      type: 'subscription.ended',
      references: [{ kind: 'subscription', reference }],
      subscription: valueOf(outcome),
    });
  });

  it('comes once, whether its answer was lost or it is asked for again', async () => {
    const reference = await subscribe('approve');
    const path = `/v1/billing/subscriptions/${reference}/cancel`;
    b.core.faults.set({ provider: 'b', path, fault: 'cut_after_commit', times: 1 });
    expect((await cancel(reference)).kind).toBe('unknown');
    for (const repeated of [true, false]) {
      expect(await cancel(reference, { repeated })).toMatchObject({
        kind: 'done',
        value: { status: 'cancelled' },
      });
    }
    expect((await b.webhooks()).map(({ event }) => event.event_type)).toEqual([
      'BILLING.SUBSCRIPTION.CANCELLED',
    ]);
  });

  it('has come where all its periods are paid', async () => {
    const offer = { ...subscriptionCheckout().offer, planReference: 'P-TWICE', quantity: 1 };
    const made = valueOf(await adapter.createCheckout(accessTo(b.url), subscriptionCheckout({ offer })));
    await b.choose(made.url, 'approve');
    await b.core.clock.advanceTo(Date.parse('2027-04-01T00:00:00Z'));
    const outcome = await cancel(made.references[0].reference);
    expect(outcome).toMatchObject({ kind: 'done', value: { status: 'cancelled' } });
    // The period that was paid last is not served to its end: it was to end now.
    expect(valueOf(outcome).isCompleted).toBeUndefined();
  });

  it('is refused before anybody has agreed to the subscription, and of what is not known', async () => {
    expect(await cancel(await subscribe())).toMatchObject({
      kind: 'declined',
      code: 'SUBSCRIPTION_STATUS_INVALID',
    });
    expect(await cancel('I-NONE')).toMatchObject({ kind: 'declined', code: 'not_found' });
  });

  it('is in doubt when B fails or is too slow', async () => {
    const reference = await subscribe('approve');
    const path = `/v1/billing/subscriptions/${reference}`;
    for (const fault of ['answer_500', 'slow'] as const) {
      b.core.faults.set({ provider: 'b', path: `${path}/cancel`, fault, times: 1, delayMs: 5_000 });
      const outcome = await adapter.cancelSubscription(
        accessTo(b.url, { timeoutMs: 500 }),
        requestOf(reference),
      );
      expect(outcome.kind).toBe('unknown');
    }
  });

  it('is for good', async () => {
    const reference = await subscribe('approve');
    await cancel(reference);
    expect(await adapter.reactivateSubscription(accessTo(b.url), requestOf(reference))).toMatchObject({
      kind: 'unsupported',
      reason: expect.stringContaining('Start a new one') as string,
    });
  });
});

describe('what provider B answers to an end', () => {
  let stub: StubProviderB;
  beforeEach(async () => {
    stub = await startStubProviderB();
  });
  afterEach(() => stub.stop());

  it('is in doubt, or pending, while the subscription does not show it', async () => {
    const access = accessTo(stub.url, { connectionId: stub.url });
    for (const status of [401, 404, 500]) {
      stub.reply = ({ method }) =>
        method === 'POST' ? { status: 204, body: '' } : { status, body: { name: 'X' } };
      expect((await adapter.cancelSubscription(access, requestOf('I-1'))).kind).toBe('unknown');
    }
    stub.reply = () => ({ status: 200, body: { id: 'I-1', status: 'ACTIVE' } });
    expect((await adapter.cancelSubscription(access, requestOf('I-1'))).kind).toBe('pending');
    const details = [{ issue: 'SUBSCRIPTION_STATUS_INVALID' }];
    for (const status of ['ACTIVE', 'SUSPENDED']) {
      stub.reply = ({ method }) =>
        method === 'POST'
          ? { status: 422, body: { name: 'UNPROCESSABLE_ENTITY', details } }
          : { status: 200, body: { id: 'I-1', status } };
      expect((await adapter.cancelSubscription(access, requestOf('I-1'))).kind).toBe('pending');
    }
  });
});
