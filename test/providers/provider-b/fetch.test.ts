import { createProviderB } from '../../../src/providers/provider-b/adapter';
import {
  accessTo,
  CLIENT_SECRET,
  linkOf,
  startSimulatedProviderB,
  type SimulatedProviderB,
} from './simulated-provider-b';

const adapter = createProviderB({ now: Date.now });

let b: SimulatedProviderB;
beforeEach(async () => {
  b = await startSimulatedProviderB({ start: '2027-01-15T08:00:00Z' });
});
afterEach(() => b.stop());

const FULL = { Prefer: 'return=representation' };

async function pay(choice = 'approve'): Promise<{ order: string; capture: string }> {
  const made = await b.call('POST', '/v2/checkout/orders', {
    intent: 'CAPTURE',
    purchase_units: [{ amount: { currency_code: 'EUR', value: '19.99' } }],
    application_context: { return_url: 'https://shop.example/back' },
  });
  await b.choose(linkOf(made, 'approve'), choice);
  const { body } = await b.call('POST', `/v2/checkout/orders/${made.body.id}/capture`, undefined, FULL);
  const [unit] = body['purchase_units'] as { payments: { captures: { id: string }[] } }[];
  return { order: made.body.id, capture: unit?.payments.captures[0]?.id ?? '' };
}

async function subscribe(): Promise<{ id: string; sale: string }> {
  const made = await b.call('POST', '/v1/billing/subscriptions', {
    plan_id: 'P-BASIC',
    quantity: '2',
    application_context: { return_url: 'https://shop.example/back' },
  });
  await b.choose(linkOf(made, 'approve'), 'approve');
  const sale = (await b.webhooks()).find(({ event }) => event.event_type === 'PAYMENT.SALE.COMPLETED');
  return { id: made.body.id, sale: String(sale?.event.resource['id']) };
}

describe('what provider B is asked for', () => {
  it('is a subscription, and when its next payment is due', async () => {
    const { id } = await subscribe();
    const fetched = await adapter.fetchSubscription(accessTo(b.url), id);
    expect(fetched).toMatchObject({
      kind: 'done',
      value: {
        reference: id,
        status: 'active',
        planReference: 'P-BASIC',
        quantity: 2,
        currentPeriodStart: null,
        currentPeriodEnd: Date.parse('2027-02-15T10:00:00Z'),
      },
    });
    await b.core.clock.advanceTo(Date.parse('2027-02-16T00:00:00Z'));
    expect(await adapter.fetchSubscription(accessTo(b.url), id)).toMatchObject({
      value: {
        currentPeriodStart: null,
        currentPeriodEnd: Date.parse('2027-03-15T10:00:00Z'),
        lastPayment: { amount: '2000', at: Date.parse('2027-02-15T10:00:00Z') },
      },
    });
    b.account.switches.failPayments = true;
    await b.core.clock.advanceTo(Date.parse('2027-03-16T00:00:00Z'));
    expect(await adapter.fetchSubscription(accessTo(b.url), id)).toMatchObject({
      value: { status: 'past_due' },
    });
  });

  it('is a payment by its capture, its order, or a subscription’s sale', async () => {
    const { order, capture } = await pay();
    const { id, sale } = await subscribe();
    const paid = { reference: capture, kind: 'capture', amount: 1999n, currency: 'EUR', status: 'succeeded' };
    expect(await adapter.fetchPayment(accessTo(b.url), 'capture', capture)).toMatchObject({ value: paid });
    expect(await adapter.fetchPayment(accessTo(b.url), 'order', order)).toMatchObject({ value: paid });
    expect(await adapter.fetchPayment(accessTo(b.url), 'payment', sale)).toMatchObject({
      value: { kind: 'payment', amount: 2000n, subscriptionReference: id },
    });
    expect(await adapter.fetchPayment(accessTo(b.url), 'invoice', 'X')).toMatchObject({
      kind: 'unsupported',
    });
  });

  it('is an order that is not captured, or whose capture is pending', async () => {
    const made = await b.call('POST', '/v2/checkout/orders', {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'EUR', value: '19.99' } }],
    });
    expect(await adapter.fetchPayment(accessTo(b.url), 'order', made.body.id)).toMatchObject({
      kind: 'done',
      value: { kind: 'order', reference: made.body.id, amount: 1999n, status: 'pending' },
    });
    const { order, capture } = await pay('approve_echeck');
    expect(await adapter.fetchPayment(accessTo(b.url), 'order', order)).toMatchObject({
      value: { kind: 'capture', reference: capture, status: 'pending' },
    });
  });

  it('is a refund of a capture, or of a subscription’s payment', async () => {
    const { capture } = await pay();
    const { sale } = await subscribe();
    const path = `/v2/payments/captures/${capture}/refund`;
    await b.call('POST', path, { amount: { value: '4.00', currency_code: 'EUR' } });
    const refund = await b.call('POST', path, { amount: { value: '5.00', currency_code: 'EUR' } });
    expect(await adapter.fetchRefund(accessTo(b.url), refund.body.id)).toMatchObject({
      kind: 'done',
      value: {
        reference: refund.body.id,
        of: { kind: 'capture', reference: capture },
        amount: 500n,
        status: 'succeeded',
        totalRefunded: 900n,
      },
    });
    const ofSale = await b.call('POST', `/v1/payments/sale/${sale}/refund`, {});
    expect(await adapter.fetchRefund(accessTo(b.url), ofSale.body.id)).toMatchObject({
      // B serves it as the refund of a capture, too, under the same references.
      value: { of: { kind: 'capture', reference: sale }, amount: 2000n },
    });
  });

  it('is what a refund or a dispute took from a subscription, with the subscription', async () => {
    const { id, sale } = await subscribe();
    const refund = await b.call('POST', `/v1/payments/sale/${sale}/refund`, {});
    for (const line of [
      { kind: 'refund', reference: refund.body.id },
      { kind: 'capture', reference: sale },
    ] as const) {
      expect(await adapter.fetchCollected?.(accessTo(b.url), line)).toMatchObject({
        kind: 'done',
        value: {
          payment: { kind: 'payment', reference: sale, subscriptionReference: id },
          references: [{ kind: 'subscription', reference: id }],
        },
      });
    }
    const { order, capture } = await pay();
    expect(
      await adapter.fetchCollected?.(accessTo(b.url), { kind: 'capture', reference: capture }),
    ).toMatchObject({
      kind: 'done',
      value: { payment: { kind: 'capture' }, references: [{ kind: 'order', reference: order }] },
    });
  });

  it('is refused for good when B does not know it, with B’s debug id', async () => {
    const outcomes = [
      await adapter.fetchSubscription(accessTo(b.url), 'I-NONE'),
      await adapter.fetchPayment(accessTo(b.url), 'capture', 'NONE'),
      await adapter.fetchRefund(accessTo(b.url), 'NONE'),
    ];
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'declined', code: 'not_found' });
      expect(JSON.stringify(outcome)).toMatch(/debug id [0-9a-f]{13}/);
    }
  });

  it.each(['../plans', 'I-1/cancel', 'I-1?x', '', '.'])(
    'is never asked for by the reference %j',
    async (reference) => {
      expect(await adapter.fetchSubscription(accessTo(b.url), reference)).toMatchObject({
        kind: 'declined',
        code: 'reference_invalid',
      });
    },
  );

  it('is unknown when B fails, is too slow, or cannot be reached', async () => {
    const { id } = await subscribe();
    const path = '/v1/billing';
    const fetch = async (): Promise<string> =>
      JSON.stringify(await adapter.fetchSubscription(accessTo(b.url), id));
    b.core.faults.set({ provider: 'b', path, fault: 'answer_500', times: 1 });
    expect(await fetch()).toContain('"unknown"');
    b.core.faults.set({ provider: 'b', path, fault: 'slow', times: 1, delayMs: 5_000 });
    const slow = await adapter.fetchSubscription(accessTo(b.url, { timeoutMs: 500 }), id);
    expect(JSON.stringify(slow)).toContain('timed out');
    // On a loaded machine the request may have been given up before it was sent.
    b.core.faults.clear();
    b.core.faults.set({ provider: 'b', path, fault: 'cut_after_commit', times: 1 });
    expect(await fetch()).toContain('"unknown"');
    const nowhere = await adapter.fetchSubscription(
      accessTo('http://127.0.0.1:1', { connectionId: 'conn_nowhere' }),
      id,
    );
    expect(nowhere).toMatchObject({ kind: 'unknown' });
    expect(JSON.stringify(nowhere)).not.toContain(CLIENT_SECRET);
    expect(await fetch()).toContain('"done"');
  });
});

describe('the payments of a subscription that B lists on several pages', () => {
  it('are all read, each once, in their order', async () => {
    const { id } = await subscribe();
    await b.core.clock.advanceTo(Date.parse('2029-02-16T00:00:00Z'));
    const since = Date.parse('2027-01-14T00:00:00Z');
    const listed = await adapter.listPayments?.(accessTo(b.url), id, since);
    if (listed?.kind !== 'done') throw new Error(JSON.stringify(listed));
    const months = listed.value.map(({ payment }) =>
      new Date(payment.occurredAt ?? 0).toISOString().slice(0, 7),
    );
    const every = Array.from({ length: 26 }, (_, n) =>
      new Date(Date.UTC(2027, n, 1)).toISOString().slice(0, 7),
    );
    expect(months).toEqual(every);
  });
});
